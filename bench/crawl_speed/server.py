"""nginx with one loopback address for each site, ended with the benchmark."""

import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.crawl_speed.pages import Site

CONFIGURATION = """
worker_processes 1;
pid {directory}/nginx.pid;
error_log {directory}/error.log crit;
events {{ worker_connections 4096; }}
http {{
  types {{ text/html html htm; text/css css; image/png png; }}
  default_type application/octet-stream;
  access_log off; gzip off; sendfile on; tcp_nodelay on;
  keepalive_requests 10000000; keepalive_timeout 60s;
  client_body_temp_path {directory}/t; proxy_temp_path {directory}/t;
  fastcgi_temp_path {directory}/t; uwsgi_temp_path {directory}/t; scgi_temp_path {directory}/t;
  {servers}
}}
"""
SERVER = """
  server {{
    listen {address}:{port};
    root {root};
    location = / {{ root {start_directory}; try_files /{start_name} =404; }}
  }}
"""


@contextmanager
def serving(sites: Sequence[Site], port: int) -> Iterator[list[str]]:
    """Serve the sites on 127.0.0.11, 127.0.0.12, ...; gives the start URL of each."""
    addresses = [f"127.0.0.{11 + number}" for number in range(len(sites))]
    with tempfile.TemporaryDirectory(prefix="crawl-speed-") as directory:
        configuration = Path(directory, "nginx.conf")
        servers = "".join(
            SERVER.format(
                address=address, port=port, root=site.root.resolve(),
                start_directory=site.start_page.parent.resolve(), start_name=site.start_page.name,
            )
            for address, site in zip(addresses, sites, strict=True)
        )  # fmt: skip
        configuration.write_text(CONFIGURATION.format(directory=directory, servers=servers))
        Path(directory).chmod(0o755)
        server = subprocess.Popen(
            ["nginx", "-p", directory, "-c", configuration, "-g", "daemon off;"]
        )
        try:
            for address in addresses:
                _wait_for(address, port, server)
            if server.poll() is not None:
                raise SystemExit(f"Something else answers on port {port}; choose another --port.")
            yield [f"http://{address}:{port}/" for address in addresses]
        finally:
            server.terminate()
            server.wait(timeout=10)


def _wait_for(address: str, port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(100):
        if server.poll() is not None:
            raise SystemExit(f"nginx did not start (exit code {server.returncode}).")
        try:
            socket.create_connection((address, port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"nginx does not answer on {address}:{port}.")
