import sys
from types import ModuleType

from telusur.compiled import VERSION, load_native


def test_a_module_of_another_version_counts_as_none(monkeypatch):
    module = ModuleType("made_up_native")
    monkeypatch.setitem(sys.modules, "made_up_native", module)
    assert load_native("made_up_native") is None
    module.VERSION = VERSION + 1
    assert load_native("made_up_native") is None
    module.VERSION = VERSION
    assert load_native("made_up_native") is module


def test_without_a_module_or_with_a_wish_for_python_there_is_none(monkeypatch):
    assert load_native("telusur.nowhere_native") is None
    monkeypatch.setenv("TELUSUR_PURE", "1")
    assert load_native("telusur.extract._native") is None
