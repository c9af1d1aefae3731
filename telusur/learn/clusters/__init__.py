"""Clusters of the blocks of a site, by look and place."""
