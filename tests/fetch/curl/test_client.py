import asyncio
import socket
import threading
import time
import tracemalloc
from contextlib import contextmanager

import pytest

from telusur.fetch.addresses import parse_endpoint
from telusur.fetch.curl.client import HttpClient
from tests.sites import Answer, page, serving

END = b"\r\nContent-Length: 2\r\n\r\nok"


def fetch(url, *, headers=(), wants=None, wire=None, **settings):
    async def go():
        settings.setdefault("allow_private", True)
        client = HttpClient(user_agent="Tester/1", clock=time.time, **settings)
        try:
            return await client.fetch(url, headers=headers, wants=wants, wire=wire)
        finally:
            client.close()

    return asyncio.run(go())


@contextmanager
def raw_server(*answers: bytes, hold: bool = False):
    """Answer each connection with the next bytes, whatever was asked; `hold` keeps it open."""
    listener = socket.create_server(("127.0.0.1", 0))
    released = threading.Event()

    def serve():
        for answer in answers:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(answer)
                if hold:
                    released.wait(10)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        released.set()
        listener.close()
        thread.join(10)


def test_a_page_comes_with_status_headers_body_and_address():
    with serving({"/a?b=c": page("A")}) as site:
        result = fetch(site.url("/a?b=c"))
    assert result.status == 200
    assert result.reason == ""
    assert result.content_type == "text/html"
    assert b"<title>A</title>" in result.body
    assert result.address == "127.0.0.1"
    assert result.status_line == "HTTP/1.1 200 OK"
    assert not result.truncated


def test_it_says_who_it_is_and_sends_what_it_was_given():
    with serving({"/": "x"}) as site:
        fetch(site.url("/"), headers=[("X-Extra", "1")])
        sent = site.requests[0].headers
    assert sent["User-Agent"] == "Tester/1"
    assert sent["X-Extra"] == "1"
    assert "gzip" in sent["Accept-Encoding"]


def test_an_accept_header_is_sent_instead_of_ours():
    with serving({"/": "x"}) as site:
        result = fetch(site.url("/"), headers=[("accept", "application/json")])
    sent = [value for name, value in result.request_headers if name.lower() == "accept"]
    assert sent == ["application/json"]


def test_names_under_localhost_are_reached_without_a_name_server():
    with serving({"/": "x"}) as site:
        assert fetch(site.url("/").replace("127.0.0.1", "some.localhost")).status == 200


@pytest.mark.parametrize("name", ["127.0.0.1", "some.localhost", "[::ffff:127.0.0.1]"])
def test_private_addresses_are_refused_on_the_socket(name):
    with serving({"/": "x"}) as site:
        result = fetch(site.url("/").replace("127.0.0.1", name), allow_private=False)
        assert site.requests == []
    assert result.status is None
    assert result.reason.startswith("private address: ")


def test_a_proxy_of_the_environment_is_not_used(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1/")
    with serving({"/": "x"}) as site:
        assert fetch(site.url("/")).status == 200


def test_a_redirect_is_not_followed():
    with serving({"/": Answer(status=302, headers={"Location": "/b"}), "/b": "x"}) as site:
        result = fetch(site.url("/"))
        assert site.paths() == ["/"]
    assert result.status == 302
    assert result.header("LOCATION") == "/b"


def test_a_body_is_cut_at_the_limit():
    with serving({"/": "x" * 50_000}) as site:
        result = fetch(site.url("/"), max_bytes=10_000)
    assert (len(result.body), result.truncated, result.status) == (10_000, True, 200)


def test_unwanted_content_is_not_downloaded():
    big = Answer(b"\x89PNG" + b"x" * 5_000_000, headers={"Content-Type": "image/png"})
    with serving({"/": big}) as site:
        result = fetch(site.url("/"), wants=lambda status, kind: kind == "text/html")
    assert result.reason == "content type"
    assert result.status == 200
    assert result.body == b""


def test_compressed_bodies_are_kept_as_received():
    with serving(
        {"/": Answer(b"\x1f\x8bnot really", headers={"Content-Encoding": "gzip"})}
    ) as site:
        assert fetch(site.url("/")).body == b"\x1f\x8bnot really"


def test_the_whole_request_has_a_time_limit():
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nslow"
    with raw_server(head, hold=True) as url:
        result = fetch(url, timeout=0.3)
    assert (result.status, result.reason) == (None, "timeout")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"", "bad response: empty answer"),
        (b"hello, this is not HTTP at all\r\n\r\n", "bad response: not HTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"X-Long: " + b"a" * 200_000 + b"\r\n\r\n", "bad response"),
        (
            b"HTTP/1.1 200 OK\r\n" + b"X: " + b"a" * 50_000 + b"\r\nY: " + b"b" * 60_000 + END,
            "bad response: headers too large",
        ),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 3000 + END, "bad response: headers too large"),
        (
            b"HTTP/1.1 100 Continue\r\n\r\n" * 3000 + b"HTTP/1.1 200 OK" + END,
            "bad response: headers too large",
        ),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", "bad response: cut short"),
    ],
)
def test_what_is_not_http_has_a_reason(answer, reason):
    with raw_server(answer) as url:
        result = fetch(url)
    assert result.status is None
    assert result.reason.startswith(reason)
    assert result.body == b""


def test_a_body_cut_short_is_kept_and_marked():
    with raw_server(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<p>half") as url:
        result = fetch(url)
    assert (result.status, result.body, result.truncated) == (200, b"<p>half", True)


def test_a_part_that_nobody_asked_for_is_marked():
    with serving({"/": Answer("<p>half", 206)}) as site:
        result = fetch(site.url("/"))
    assert (result.status, result.truncated) == (206, True)


def test_early_hints_are_not_taken_for_the_answer():
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
    with raw_server(hints + b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") as url:
        result = fetch(url)
    assert (result.status, result.headers) == (200, (("Content-Length", "2"),))


def test_no_connection_in_time_is_told_from_no_answer_in_time():
    """One lies with the host, the other perhaps with the page."""
    with raw_server(hold=True) as silent, socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        host, port = full.getsockname()
        crowd = [socket.socket() for _ in range(3)]  # nobody accepts: there is room for one or two
        try:
            for one in crowd:
                one.setblocking(False)
                one.connect_ex((host, port))
            assert fetch(silent, timeout=0.5).reason == "timeout"
            assert fetch(f"http://{host}:{port}/", timeout=0.5).reason == "timeout: no connection"
        finally:
            for one in crowd:
                one.close()


def test_no_server_and_no_such_host_have_a_reason():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert fetch(f"http://127.0.0.1:{port}/").reason == "network: no connection"
    # A label of 64 letters is refused before any name server is asked.
    assert fetch(f"http://{'a' * 64}.invalid/").reason == "network: no such host"


def test_cookies_of_a_file_go_to_their_host_and_new_ones_come_back(tmp_path):
    jar = tmp_path / "cookies.txt"
    jar.write_text("127.0.0.1\tFALSE\t/\tFALSE\t0\tmine\tyes\n")
    with serving({"/": Answer("x", headers={"Set-Cookie": "given=1"})}) as site:

        async def go():
            client = HttpClient(
                user_agent="T", clock=time.time, allow_private=True, cookies=str(jar)
            )
            await client.fetch(site.url("/"))
            await client.fetch(site.url("/"))
            client.close()

        asyncio.run(go())
        first, second = (request.headers.get("Cookie", "") for request in site.requests)
    assert first == "mine=yes"
    assert set(second.split("; ")) == {"mine=yes", "given=1"}


def test_many_requests_at_once():
    with serving({}, otherwise=page) as site:

        async def go():
            client = HttpClient(user_agent="T", clock=time.time, allow_private=True)
            pages = await asyncio.gather(*(client.fetch(site.url(f"/{n}")) for n in range(100)))
            client.close()
            return pages

        pages = asyncio.run(go())
    assert [result.status for result in pages] == [200] * 100
    assert all(f"<title>/{n}</title>".encode() in result.body for n, result in enumerate(pages))


def test_only_the_allowed_private_address_is_fetched():
    with serving({"/": page("A")}) as inside, serving({"/": page("B")}) as other:
        allowed = [parse_endpoint(inside.origin.removeprefix("http://"))]
        first = fetch(inside.url("/"), allow_private=False, allowed=allowed)
        second = fetch(other.url("/"), allow_private=False, allowed=allowed)
        assert other.requests == []
    assert first.status == 200
    assert second.reason == "private address: 127.0.0.1"


def test_a_page_that_hardly_began_is_an_error_and_half_a_page_is_cut_off():
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n"
    with raw_server(head + b"<title>claim</title>") as url:
        result = fetch(url)
    assert (result.status, result.reason) == (None, "bad response: cut short")
    with raw_server(b"HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n<title>claim</title>") as url:
        result = fetch(url)
    assert (result.status, result.truncated) == (200, True)


def test_a_length_of_thousands_of_digits_is_none(capfd):
    head = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n"
    with raw_server(head + b"x" * 3_000_000) as url:
        result = fetch(url)
    assert (result.status, len(result.body)) == (200, 3_000_000)
    assert "Traceback" not in capfd.readouterr().err


def test_large_pages_that_do_not_fit_at_once_come_one_after_the_other():
    with serving({}, otherwise=Answer(b"x" * 4_000_000)) as site:

        async def go():
            client = HttpClient(user_agent="T", clock=time.time, allow_private=True)
            pages = await asyncio.gather(*(client.fetch(site.url(f"/{n}")) for n in range(12)))
            client.close()
            return pages

        pages = asyncio.run(go())
    assert [len(result.body) for result in pages] == [4_000_000] * 12


def test_a_body_is_not_kept_after_its_page_was_handed_out():
    with serving({"/": Answer(b"x" * 3_000_000)}) as site:

        async def go():
            client = HttpClient(user_agent="T", clock=time.time, allow_private=True)
            tracemalloc.start()
            result = await client.fetch(site.url("/"))
            assert len(result.body) == 3_000_000
            del result
            left, _ = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            client.close()
            return left

        assert asyncio.run(go()) < 1_000_000
