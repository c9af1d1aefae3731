"""Compares strategies: harvest rate and recall of crawls, with one judge."""
