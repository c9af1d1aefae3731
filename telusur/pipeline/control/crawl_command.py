"""A crawl as a command line: to show to a person, or to start as a process."""

import shlex
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from telusur.crawl.hosts.terms import LEFT_OUT
from telusur.crawl.secrets import shown_header, shown_proxy
from telusur.errors import CollectionBusy, UsageError
from telusur.pipeline.children import SECRETS_OF_SERVER, environment_without
from telusur.settings import CrawlSettings
from telusur.settings.reading import settings_of
from telusur.store.store import Store

MOST_URLS_SHOWN = 20
START_SECONDS = 20.0
POLL_SECONDS = 0.05


def flags_for(settings: CrawlSettings, usual: CrawlSettings) -> list[str]:
    """Return settings as flags; defaults need none."""
    flags = []
    for row in settings_of(CrawlSettings):
        value = getattr(settings, row.name)
        if value is None or value == getattr(usual, row.name):
            continue
        if row.kind is bool:
            flags.append(row.flag)
        else:
            for one in value if row.many else (value,):
                flags += [row.flag, _plain(one)]
    return flags


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) and value == int(value) else str(value)


def command_line(
    address: str, urls: Sequence[str], settings: CrawlSettings, usual: CrawlSettings
) -> str:
    """Return the equivalent command, for a person to type."""
    given = list(urls) if len(urls) <= MOST_URLS_SHOWN else ["--urls-from", "urls.txt"]
    shown = replace(
        settings,
        header=tuple(map(shown_header, settings.header)),
        proxy=settings.proxy and shown_proxy(settings.proxy),
    )
    words = ["telusur", "crawl", *given, "--to", address, *flags_for(shown, usual)]
    return shlex.join(words)


def _apart(settings: CrawlSettings, usual: CrawlSettings) -> tuple[CrawlSettings, dict[str, str]]:
    """Return the settings without secrets, and the secrets as environment variables.

    Every user of the machine sees the arguments of a command, but not its environment.
    """
    variables = {}
    if settings.header != usual.header and any(
        LEFT_OUT in shown_header(h) for h in settings.header
    ):
        variables["TELUSUR_HEADER"] = "\n".join(settings.header)
        settings = replace(settings, header=usual.header)
    if settings.proxy != usual.proxy and settings.proxy and LEFT_OUT in shown_proxy(settings.proxy):
        variables["TELUSUR_PROXY"] = settings.proxy
        settings = replace(settings, proxy=usual.proxy)
    return settings, variables


def start_crawl(
    store: Store, urls: Sequence[str], settings: CrawlSettings, usual: CrawlSettings
) -> int:
    """Start a crawl that outlives this process; return its id once it runs.

    Its output goes to `crawl.log` in the collection. Raises one sentence if it cannot run.
    """
    if store.control.is_owned():
        raise CollectionBusy(f"{store.name}: a crawl is running in this collection; stop it first.")
    plain, secrets = _apart(settings, usual)
    command = [sys.executable, "-P", "-m", "telusur.cli", "crawl", "--urls-from", "-"]
    # URLs are passed in a file, since there may be more than a command line holds.
    with tempfile.TemporaryFile() as listed, store.control.log() as log:
        listed.write("\n".join(urls).encode("utf-8", "replace"))
        listed.seek(0)
        process = subprocess.Popen(  # noqa: S603 - ourselves
            [*command, "--to", store.address, *flags_for(plain, usual)],
            stdin=listed, stdout=log, stderr=log, start_new_session=True,
            env=environment_without(SECRETS_OF_SERVER) | {"NO_COLOR": "1"} | secrets,
        )  # fmt: skip
    _wait_for_start(process, store)
    threading.Thread(target=process.wait, name="end of a crawl", daemon=True).start()
    return process.pid


def _wait_for_start(process: "subprocess.Popen[bytes]", store: Store) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        if store.control.is_owned() and store.control.ask("status") is not None:
            return
        time.sleep(POLL_SECONDS)
    if process.returncode == 2:
        said = store.control.last_words().removeprefix("telusur: ")
        raise UsageError(said or "The crawl could not start.")
