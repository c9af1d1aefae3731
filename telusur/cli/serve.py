"""`telusur serve`: collections in the browser, their crawls, and a JSON API."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from telusur.cli.config import Config
from telusur.cli.options import flags_of, given, to_read
from telusur.cli.output import say
from telusur.errors import UsageError
from telusur.settings import CrawlSettings, ServeSettings
from telusur.shelf import Shelf

if TYPE_CHECKING:
    from telusur.web.guard.access import Access

LEAST_PASSWORD = 8
LEAST_KEY = 16
_KEY = re.compile(rf"[A-Za-z0-9._~-]{{{LEAST_KEY},}}")


@click.command("serve")
@to_read
@flags_of(ServeSettings)
def command(address: str, **flags: Any) -> int:
    """Show a collection in the browser, start and watch crawls; /api describes the JSON API.

    DIR may also be a directory of collections, or an empty directory for new ones. Crawls started
    in the browser continue when the server ends.
    """
    from telusur.web.app import make_app
    from telusur.web.server import serve, url_with_key

    config = Config(Path.cwd(), os.environ)
    settings = config.settings(ServeSettings, "serve", given(flags))
    access = _access_of(settings)
    with Shelf(address, config.settings(CrawlSettings, "crawl", {})) as shelf:
        shown = shelf.open(shelf.names()[0]) if shelf.holds_one else None
        if access.why_read_only:
            say(access.why_read_only)

        def ready(url: str) -> None:
            say(f"{address} is at {url} (Ctrl-C stops)")
            if access.asks_for_key:
                say(
                    f"To start crawls and change things there, open {url_with_key(url, access.key)}"
                )

        app = make_app(shown, settings.rate_limit, crawls=shelf, access=access)
        serve(app, settings.host, settings.port, ready)
    return 0


def _access_of(settings: ServeSettings) -> "Access":
    from telusur.web.guard.access import Access, new_key
    from telusur.web.guard.forwarded import Proxies
    from telusur.web.server import is_loopback

    Proxies(settings.trust_proxy)  # fail early on a bad address
    password = settings.password or _read_password(settings.password_file)
    if password and len(password) < LEAST_PASSWORD:
        raise UsageError(
            f"--password: fewer than {LEAST_PASSWORD} characters are easily guessed; "
            "choose a longer one."
        )
    is_guarded = bool(password or settings.trust_header or settings.read_only)
    why = ""
    if not is_guarded and not is_loopback(settings.host):
        why = (
            f"Other machines can reach {settings.host}, so this server is read-only; "
            "to start crawls from it, set a --password."
        )
    return Access(
        read_only=settings.read_only or bool(why),
        why_read_only=why,
        password=password,
        trust_header=settings.trust_header,
        proxies=settings.trust_proxy,
        key=_check_key(settings.key) or new_key(),
        open_to_all=settings.open_to_all,
    )


def _check_key(key: str) -> str:
    if key and not _KEY.fullmatch(key):
        raise UsageError(
            f"--key: use at least {LEAST_KEY} letters, digits, dots and dashes; "
            "`openssl rand -hex 16` makes a safe one."
        )
    return key


def _read_password(file: str | None) -> str:
    if file is None:
        return ""
    try:
        password = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"--password-file: {file} cannot be read: {reason}.") from None
    if not password:
        raise UsageError(f"--password-file: {file} is empty.")
    return password
