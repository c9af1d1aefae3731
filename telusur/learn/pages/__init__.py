"""Labelled pages: datasets, label sheets, and blocks with their look and position."""
