"""Models that turn texts into vectors, by name."""
