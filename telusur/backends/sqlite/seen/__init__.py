"""The exact set of known URLs, kept as sorted runs of ids."""
