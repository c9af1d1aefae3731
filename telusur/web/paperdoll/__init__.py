"""The workbench on invented data, for design work: `python -m telusur.web.paperdoll`."""
