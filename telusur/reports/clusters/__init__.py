"""Clusters of the blocks of a crawled site, for people to name and to train on."""
