"""Focused crawling over a real encyclopedia, by the real crawler."""
