import pytest

from telusur.demo.server import serve
from telusur.demo.web import DemoWeb, localhost


@pytest.fixture(scope="session")
def web():
    return DemoWeb(localhost(8800))


@pytest.fixture
def server():
    with serve() as running:
        yield running
