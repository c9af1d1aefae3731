"""The compiled part of language; `native` is None if it was not built."""

from telusur.compiled import load_native

native = load_native("telusur.language._native")
