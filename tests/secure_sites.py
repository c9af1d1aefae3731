"""Real servers with TLS on loopback: HTTP/1.1 and HTTP/2, with a certificate of our own."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer

import h2.config
import h2.connection
import h2.events

KEYS = Path(__file__).parent / "tls"
# Signed the certificate of localhost, *.localhost and 127.0.0.1; valid until 2126.
AUTHORITY = str(KEYS / "authority.pem")


class _Quiet:
    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, request, client_address):
        """A client that does not trust us hangs up; that is what the tests are about."""


class _Server(_Quiet, ThreadingTCPServer):
    pass


class _HttpServer(_Quiet, ThreadingHTTPServer):
    pass


def _context(*protocols: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(KEYS / "server.pem")
    if protocols:
        context.set_alpn_protocols(list(protocols))
    return context


class _Http1(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = b"<title>Safe</title>Over TLS."
        self.send_response(200 if self.path != "/robots.txt" else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


class _Http2(BaseRequestHandler):
    """Answers each stream of a connection with a small page."""

    def handle(self):
        self.request.settimeout(100)
        connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        connection.initiate_connection()
        self.request.sendall(connection.data_to_send())
        with suppress(OSError):
            while data := self.request.recv(65536):
                for event in connection.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived):
                        self._answer(connection, event)
                self.request.sendall(connection.data_to_send())

    def _answer(self, connection, event):
        path = dict(event.headers)[b":path"]
        status = "404" if path == b"/robots.txt" else "200"
        head = [(":status", status), ("content-type", "text/html"), ("x-speaks", "h2")]
        connection.send_headers(event.stream_id, head)
        connection.send_data(event.stream_id, b"<title>Two</title>Over HTTP/2.", end_stream=True)


@contextmanager
def serving_securely(*, speaks: str = "http/1.1") -> Iterator[str]:
    """Serve a page over TLS while the block runs; give its URL."""
    is_two = speaks == "h2"
    server = (_Server if is_two else _HttpServer)(("127.0.0.1", 0), _Http2 if is_two else _Http1)
    context = _context(speaks)
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False
    )
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"https://localhost:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
