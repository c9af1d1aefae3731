"""Small forward proxies on loopback, HTTP and SOCKS 5, that note what they are asked."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer
from urllib.parse import urlsplit

# The proxies' idea of every name, as if they were in another network.
RESOLVE_TO = "127.0.0.1"


class _Proxy(ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def _join(one: socket.socket, other: socket.socket) -> None:
    there = threading.Thread(target=_copy, args=(one, other))
    there.start()
    _copy(other, one)
    there.join(5)


class _Http(StreamRequestHandler):
    def handle(self) -> None:
        line = self.rfile.readline().decode()
        headers = []
        while (header := self.rfile.readline()) not in (b"\r\n", b""):
            headers.append(header.decode().strip())
        self.server.asked.append((line.strip(), headers))
        method, target, _ = line.split(" ")
        if self.server.refuses:
            self.wfile.write(b"HTTP/1.1 407 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        authority = target if method == "CONNECT" else urlsplit(target).netloc
        with socket.create_connection((RESOLVE_TO, int(authority.rpartition(":")[2]))) as server:
            if method == "CONNECT":
                self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                _join(self.connection, server)
            else:
                path = "/" + target.split("/", 3)[3]
                kept = [one for one in headers if not one.lower().startswith("proxy-")]
                request = "\r\n".join([f"{method} {path} HTTP/1.1", *kept, "Connection: close"])
                server.sendall(request.encode() + b"\r\n\r\n")
                _copy(server, self.connection)


class _Socks(StreamRequestHandler):
    def handle(self) -> None:
        _, methods = self.rfile.read(2)
        self.rfile.read(methods)
        self.wfile.write(b"\x05\x00")
        _, _, _, kind, length = self.rfile.read(5)
        name = self.rfile.read(length).decode()
        port = int.from_bytes(self.rfile.read(2))
        self.server.asked.append((kind, name))
        with socket.create_connection((RESOLVE_TO, port)) as server:
            self.wfile.write(b"\x05\x00\x00\x01" + bytes(6))
            _join(self.connection, server)


@contextmanager
def proxying(kind: str = "http", *, refuses: bool = False) -> Iterator[tuple[str, list]]:
    """Run a proxy while the block runs; give its URL and the list of what it was asked."""
    with _Proxy(("127.0.0.1", 0), _Http if kind == "http" else _Socks) as server:
        server.asked = []
        server.refuses = refuses
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"{kind}://127.0.0.1:{server.server_address[1]}", server.asked
        finally:
            server.shutdown()
            thread.join()
