"""The compiled part of extraction; `native` is None where it was not built."""

from telusur.compiled import load_native

native = load_native("telusur.extract._native")
