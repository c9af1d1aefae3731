"""Teach and compare: labelled pages in, models and tables of figures out."""
