"""The workbench: a collection shown in a browser, and the same as JSON."""
