"""The map and the outline of a collection."""
