"""Feeds in, entries out: RSS, RDF, Atom, CDF and JSON Feed."""
