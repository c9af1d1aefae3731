"""Extractors side by side on labelled pages that none of them was trained on."""
