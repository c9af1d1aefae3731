"""Helpers of the suite of indexes, under the name that they had before it moved to Telusur."""

from telusur.testing.index.cases import fill, make_item, names_of, word

__all__ = ["fill", "make_item", "names_of", "word"]
