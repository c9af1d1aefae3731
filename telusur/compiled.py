"""The compiled parts of Telusur, where there are any: None for one that was not built.

Everything in them exists in Python too, with the same results, several times slower. Set
TELUSUR_PURE=1 to do without them.
"""

import os
from importlib import import_module
from typing import Any

# Raised together with language/native/version.h whenever C and Python have to fit each other anew.
VERSION = 10


def load_native(name: str) -> Any:
    """Return a compiled module, or None where Telusur was installed without a compiler.

    One that was built from older code counts as none.
    """
    if os.environ.get("TELUSUR_PURE"):
        return None
    try:
        module = import_module(name)
    except ImportError:
        return None
    return module if getattr(module, "VERSION", None) == VERSION else None
