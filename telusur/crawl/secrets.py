"""Secrets in the settings of a crawl: left out of every record, and required again."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from telusur.crawl.hosts.terms import HARMLESS_HEADERS, LEFT_OUT
from telusur.settings import CrawlSettings

# Headers that may be recorded: they contain no credentials.
_SHOWN_HEADERS = frozenset((
    *HARMLESS_HEADERS, "user-agent", "accept-encoding", "host", "connection", "range",
    "if-none-match", "if-modified-since",
))  # fmt: skip


class Missing(NamedTuple):
    """A secret that the last crawl had and this one lacks."""

    what: str
    give: str
    go_without: str
    # The host table that it is in; None if it applies to the hosts of the start URLs.
    table: str | None = None
    is_proxy: bool = False


def shown_value(name: str, value: str) -> str:
    """Return the value of a header for a record."""
    return value if name.lower() in _SHOWN_HEADERS or not value.strip() else LEFT_OUT


def shown_header(text: str) -> str:
    """Return `Name: value` without a secret value."""
    name, colon, value = text.partition(":")
    return f"{name}{colon} {shown_value(name, value.strip())}".rstrip() if colon else LEFT_OUT


def shown_proxy(proxy: str) -> str:
    """Return the address of a proxy without its user name and password."""
    scheme, colon, rest = proxy.rpartition("://")
    userinfo, at, host = rest.rpartition("@")
    return f"{scheme}{colon}{LEFT_OUT if userinfo else ''}{at}{host}"


def is_left_out(shown: str) -> bool:
    """Tell whether a recorded header or proxy lacks its secret."""
    return LEFT_OUT in shown


def without_secrets(record: Any) -> dict[str, Any]:
    """Return settings without secrets; the record may be of a stranger and hold anything."""
    if not isinstance(record, Mapping):
        return {}
    shown = _table_without(record)
    if isinstance(tables := shown.pop("host", None), Mapping):
        shown["host"] = {
            name: _table_without(table)
            for name, table in tables.items()
            if isinstance(table, Mapping)
        }
    return shown


def _table_without(record: Mapping[str, Any]) -> dict[str, Any]:
    shown = dict(record)
    if isinstance(headers := record.get("header"), list | tuple):
        shown["header"] = [shown_header(str(text)) for text in headers]
    elif headers is not None:
        shown["header"] = []
    if "proxy" in record:
        shown["proxy"] = shown_proxy(str(record["proxy"] or ""))
    return shown


def find_missing(last: Mapping[str, Any], settings: CrawlSettings) -> list[Missing]:
    """Return the secrets that the last crawl had and these settings lack.

    A header or proxy with an empty value means that it is left out on purpose.
    """
    missing = [
        Missing(f"the header {name}", f"--header '{name}: ...'", f"--header '{name}:'")
        for name in _left_out(last.get("header", ()), settings.header)
    ]
    if LEFT_OUT in str(last.get("proxy") or "") and settings.proxy is None:
        given = str(last["proxy"]).replace(LEFT_OUT, "NAME:PASSWORD")
        what = "the password of the proxy"
        missing.append(Missing(what, f"--proxy {given}", "--proxy ''", is_proxy=True))
    for table, values in (last.get("host") or {}).items():
        own = settings.host.get(table)
        for name in _left_out(values.get("header", ()), own.header if own is not None else ()):
            place = f'[host."{table}"] header in telusur.toml, '
            missing.append(
                Missing(f"the header {name}", f"{place}{name}", f"'{name}:' there", table)
            )
    return missing


def _left_out(before: Iterable[str], now: Sequence[str]) -> list[str]:
    given = {text.partition(":")[0].strip().lower() for text in now}
    names = [text.partition(":")[0] for text in before if text.endswith(f": {LEFT_OUT}")]
    return [name for name in names if name.lower() not in given]
