"""Pages rendered by Chromium; all its requests go through our gate."""
