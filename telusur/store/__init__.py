"""Contracts of a store, without I/O.

`memory/` implements them for tests and as a reference, `testing/` checks any implementation, and
only backends name a product. A contract passes no row number, no path and no clock time of a
worker: many workers on a shared database must be able to keep it as well as one on SQLite.
"""
