"""`telusur serve`: the collection in the browser, and its JSON API."""

import os
from pathlib import Path
from typing import Any

import click

from telusur.cli.config import Config
from telusur.cli.options import flags_of, given, to_read
from telusur.cli.output import say
from telusur.collection import open_collection
from telusur.settings import ServeSettings


@click.command("serve")
@to_read
@flags_of(ServeSettings)
def command(directory: Path, **flags: Any) -> int:
    """Show a collection in the browser, with an API that /api describes."""
    from telusur.web.app import make_app
    from telusur.web.server import serve

    settings = Config(Path.cwd(), os.environ).settings(ServeSettings, "serve", given(flags))
    with open_collection(directory, create=False) as collection:
        serve(
            make_app(collection, settings.rate_limit),
            settings.host,
            settings.port,
            lambda url: say(f"{directory} is at {url} (Ctrl-C stops)"),
        )
    return 0
