"""The workbench: a collection in the browser, and as JSON."""
