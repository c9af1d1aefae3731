import pytest

from telusur.backends import create_store, is_store, open_store
from telusur.errors import UsageError


@pytest.mark.parametrize("use", [open_store, create_store, is_store])
def test_an_address_that_no_backend_knows_is_no_directory(use, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="There is no backend for postgresql://"):
        use("postgresql://user@host/name")
    assert list(tmp_path.iterdir()) == []


def test_a_directory_may_be_called_anything_else(tmp_path):
    odd = tmp_path / "a:b" / "c:"
    create_store(odd)
    assert is_store(str(odd))
