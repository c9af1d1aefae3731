"""Keeps numpy from using threads: for matrices of the size of a page they cost 20 times more."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


@cache
def _threads() -> ThreadpoolController:
    return ThreadpoolController()


def one_thread() -> AbstractContextManager[Any]:
    """Keep numpy on one thread within a `with` block."""
    limit: AbstractContextManager[Any] = _threads().limit(limits=1)
    return limit
