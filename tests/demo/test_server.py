import gzip
import http.client
import json
import socket

import pytest

from telusur.demo.server import serve
from telusur.errors import UsageError


def connect(server):
    return http.client.HTTPConnection("127.0.0.1", server.port, timeout=100)


def get(connection, host, path, method="GET", **headers):
    connection.request(method, path, headers={"Host": host, **headers})
    response = connection.getresponse()
    return response, response.read()


def host_of(server, site):
    return f"{site}.localhost:{server.port}"


def exchange(server, request):
    """Send raw bytes and return everything until the server closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=100) as client:
        client.sendall(request)
        received = b""
        while data := client.recv(65536):
            received += data
    return received


def test_sites_are_told_apart_by_their_host(server):
    connection = connect(server)
    for site, word in (("news", b"Harbour Gazette"), ("lexikon", b"Kleines Lexikon")):
        response, body = get(connection, host_of(server, site), "/")
        assert response.status == 200
        assert word in body
    connection.close()


def test_a_connection_is_kept_for_many_requests(server):
    connection = connect(server)
    get(connection, host_of(server, "news"), "/")
    kept = connection.sock
    for path in ("/local/", "/economy/", "/no-such-page"):
        get(connection, host_of(server, "news"), path)
        assert connection.sock is kept
    connection.close()


def test_head_has_the_length_and_no_body(server):
    connection = connect(server)
    response, body = get(connection, host_of(server, "docs"), "/", method="HEAD")
    length = int(response.headers["Content-Length"])
    assert (response.status, body) == (200, b"")
    response, body = get(connection, host_of(server, "docs"), "/")
    assert len(body) == length
    connection.close()


def test_pages_are_compressed_when_accepted(server):
    connection = connect(server)
    response, packed = get(connection, host_of(server, "blog"), "/", **{"Accept-Encoding": "gzip"})
    assert response.headers["Content-Encoding"] == "gzip"
    response, plain = get(connection, host_of(server, "blog"), "/")
    assert "Content-Encoding" not in response.headers
    assert gzip.decompress(packed) == plain
    connection.close()


def test_an_unchanged_page_is_not_sent_again(server):
    connection = connect(server)
    response, _ = get(connection, host_of(server, "blog"), "/")
    tag = response.headers["ETag"]
    response, body = get(connection, host_of(server, "blog"), "/", **{"If-None-Match": tag})
    assert (response.status, body) == (304, b"")
    connection.close()


def test_an_overloaded_page_recovers_and_both_requests_are_logged(server):
    connection = connect(server)
    path = "/exhibit/the-patient-clerk"
    first, _ = get(connection, host_of(server, "museum"), path)
    second, _ = get(connection, host_of(server, "museum"), path)
    assert (first.status, first.headers["Retry-After"], second.status) == (503, "1", 200)
    log = [(request.host, request.path, request.status) for request in server.requests]
    assert log == [(host_of(server, "museum"), path, status) for status in (503, 200)]
    connection.close()


def test_the_index_lists_all_sites_and_serves_the_truth(server):
    connection = connect(server)
    host = f"127.0.0.1:{server.port}"
    _, body = get(connection, host, "/")
    assert all(url.encode() in body for url in server.start_urls)
    _, body = get(connection, host, "/truth.jsonl")
    rows = [json.loads(line) for line in body.decode().splitlines()]
    assert [row["url"] for row in rows] == [one.url for one in server.web.truth]
    connection.close()


def test_a_foreign_host_is_refused(server):
    connection = connect(server)
    response, _ = get(connection, "example.org", "/")
    assert response.status == 421
    connection.close()


def test_pipelined_requests_are_answered_in_order(server):
    host = host_of(server, "news").encode()
    one = b"GET /today HTTP/1.1\r\nHost: " + host + b"\r\n\r\n"
    two = b"GET /robots.txt HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n"
    answers = exchange(server, one + two)
    assert answers.startswith(b"HTTP/1.1 302 Found")
    assert answers.index(b"302 Found") < answers.index(b"200 OK") < answers.index(b"Sitemap:")


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab", b"405"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", b"411"),
        (b"GET / HTTP/1.1\r\nX: " + b"a" * 70_000, b"431"),
    ],
)
def test_bad_requests_are_refused_and_the_connection_closed(server, request_bytes, status):
    assert exchange(server, request_bytes).startswith(b"HTTP/1.1 " + status)


def test_each_site_can_have_a_port_of_its_own():
    with serve(by_port=True) as server:
        assert len(set(server.origins.values())) == 9
        for site, origin in server.origins.items():
            name, port = origin.removeprefix("http://").split(":")
            connection = http.client.HTTPConnection(name, int(port), timeout=100)
            response, body = get(connection, f"{name}:{port}", "/")
            assert response.status == 200
            assert server.web.sites[site].find("/").body == body
            connection.close()


def test_a_port_in_use_is_named(server):
    with pytest.raises(UsageError, match=f"Port {server.port} "):
        serve(server.port)


def test_a_port_that_is_no_port_is_refused():
    with pytest.raises(UsageError, match="Port 70000 "):
        serve(70_000)
    with pytest.raises(UsageError, match="Port 65536 "):
        serve(65_530, by_port=True)


def test_closing_twice_is_harmless_and_frees_the_port():
    first = serve()
    first.close()
    first.close()
    with serve(first.port) as second:
        assert second.port == first.port
