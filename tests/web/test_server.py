import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from telusur.errors import UsageError
from telusur.web.server import bind, names_of, url_of


def test_a_free_port_is_taken():
    with bind("127.0.0.1", 0) as listener:
        assert listener.getsockname()[1] > 0


def test_a_port_in_use_is_told_in_one_sentence():
    with bind("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(UsageError) as caught:
            bind("127.0.0.1", port)
    assert str(caught.value) == f"port {port} is in use; choose another with --port"


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_cannot_be(port):
    with pytest.raises(UsageError, match="there is no port"):
        bind("127.0.0.1", port)


@pytest.mark.parametrize("host", ["a..b", "x" * 300, "203.0.113.7"])
def test_an_address_that_is_not_ours(host):
    with pytest.raises(UsageError, match="choose another with --host"):
        bind(host, 0)


def test_addresses_to_type():
    assert url_of("127.0.0.1", 80) == "http://127.0.0.1:80/"
    assert url_of("::1", 80) == "http://[::1]:80/"
    assert url_of("0.0.0.0", 80) == "http://localhost:80/"


def test_names_to_answer_to():
    assert names_of("Box.lan") == {"box.lan"}
    assert socket.gethostname().lower() in names_of("0.0.0.0")


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_stop_is_no_failure(stop):
    command = [sys.executable, "-m", "telusur.web.paperdoll", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        url = process.stdout.readline().strip()
        with urllib.request.urlopen(url, timeout=100) as response:
            assert response.status == 200
        process.send_signal(stop)
        _, complaints = process.communicate(timeout=100)
    assert (process.returncode, complaints) == (0, "")


def test_the_paper_doll_tells_a_port_in_use():
    with bind("127.0.0.1", 0) as listener:
        port = str(listener.getsockname()[1])
        command = [sys.executable, "-m", "telusur.web.paperdoll", "--port", port]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 2
    assert done.stderr == f"port {port} is in use; choose another with --port\n"
