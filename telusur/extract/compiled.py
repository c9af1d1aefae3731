"""The compiled part of extraction, if there is one: `native` is None where it was not built.

Everything in it exists in Python too, with the same results, several times slower. Set
TELUSUR_PURE=1 to do without it.
"""

import os
from contextlib import suppress
from importlib import import_module
from typing import Any

native: Any = None
if not os.environ.get("TELUSUR_PURE"):
    with suppress(ImportError):  # installed without a compiler
        native = import_module("telusur.extract._native")
