"""HTTP by libcurl."""
