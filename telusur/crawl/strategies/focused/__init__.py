"""The strategy `focused`: it learns which links lead to pages about the topic."""
