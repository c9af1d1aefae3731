"""The compiled part of extraction; `native` is None if it was not built."""

from telusur.compiled import load_native

native = load_native("telusur.extract._native")
