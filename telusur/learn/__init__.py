"""Training and comparing: labelled pages in, models and tables of scores out."""
