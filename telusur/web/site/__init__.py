"""The sites of a collection and their health."""
