"""The clusters of a site in the workbench: shown, labelled, and downloaded for training."""
