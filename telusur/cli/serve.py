"""`telusur serve`: collections in the browser, their crawls, and a JSON API."""

import os
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
    from telusur.web.access import Access


@click.command("serve")
@to_read
@flags_of(ServeSettings)
def command(directory: Path, **flags: Any) -> int:
    """Show a collection in the browser, start and watch crawls, with an API that /api describes.

    DIR may also be a directory of collections, or an empty one in which they will be made. Crawls
    that are started there go on when the server ends.
    """
    from telusur.web.app import make_app
    from telusur.web.server import serve

    config = Config(Path.cwd(), os.environ)
    settings = config.settings(ServeSettings, "serve", given(flags))
    access = _access_of(settings)
    with Shelf(directory, config.settings(CrawlSettings, "crawl", {})) as shelf:
        shown = shelf.open(shelf.names()[0]) if shelf.holds_one else None
        if access.why_read_only:
            say(access.why_read_only)
        serve(
            make_app(shown, settings.rate_limit, crawls=shelf, access=access),
            settings.host,
            settings.port,
            lambda url: say(f"{directory} is at {url} (Ctrl-C stops)"),
        )
    return 0


def _access_of(settings: ServeSettings) -> "Access":
    from telusur.web.access import Access
    from telusur.web.server import is_loopback

    password = settings.password or _read_password(settings.password_file)
    is_guarded = bool(password or settings.trust_header or settings.read_only)
    why = ""
    if not is_guarded and not is_loopback(settings.host):
        why = (
            f"Others can reach {settings.host}, so this server only searches and reads; "
            "to start crawls from it, give it a --password."
        )
    return Access(
        read_only=settings.read_only or bool(why),
        why_read_only=why,
        password=password,
        trust_header=settings.trust_header,
        proxies=settings.trust_proxy,
    )


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
