"""Turns templates into responses, and records into JSON."""

import json
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from telusur.version import __version__
from telusur.web.frame import urls
from telusur.web.frame.navigation import entries_for
from telusur.web.frame.params import MAX_QUERY_CHARS
from telusur.web.frame.text import clean_line, show_seconds
from telusur.web.guard.access import Access, Standing, standing_of
from telusur.web.reader import find_collection

_FOLDER = Path(__file__).parents[1]
STATIC_FOLDER = _FOLDER / "static"


class Addresses:
    """The addresses for templates: those of the shown collection."""

    def __getattr__(self, name: str) -> Any:
        """Return a name of `urls`; an address is inside the collection."""
        found = getattr(urls, name)
        return urls.here(found) if isinstance(found, str) else found


def _make_environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "urls": Addresses(),
        "version": __version__,
        "max_query_chars": MAX_QUERY_CHARS,
    }
    environment.filters |= {
        "seconds": show_seconds, "line": clean_line, "number": _show_number, "code": show_code,
    }  # fmt: skip
    return environment


def show_code(sentence: str) -> Markup:
    """Return a sentence in which the text between backticks is marked as code."""
    pieces = sentence.split("`")
    if len(pieces) % 2 == 0:  # one backtick has no partner
        return escape(sentence)
    code = Markup("<code>{}</code>").format
    return Markup("").join(code(p) if at % 2 else escape(p) for at, p in enumerate(pieces))


def _show_number(number: int) -> str:
    return f"{number:,}"


_ENVIRONMENT = _make_environment()


def render_html(
    request: Request, template: str, twin: str | None, values: dict[str, Any], status: int = 200
) -> HTMLResponse:
    """Return a page; `twin` is the address of its JSON version, announced in its head."""
    state = request.app.state
    # A page refused before the access check must show a stranger nothing.
    standing = standing_of(request)
    is_admitted = standing.is_admitted
    shown = find_collection(request) if is_admitted else None
    frame = {
        "query": "",
        "kept": {},
        "is_crawling": False,
        "has_crawls": state.crawls is not None and not state.access.read_only,
        "may_act": standing.may_act,
        "key_url": _key_url(request, standing),
        "is_logged_in": standing.has_session,
        "has_password": bool(state.access.password),
        "twin": urls.here(twin) if twin else None,
        "collection": clean_line(shown.name, 60) if shown else "",
        "navigation": entries_for(state, has_collection=shown is not None) if is_admitted else [],
    }
    return HTMLResponse(render_text(template, **(frame | values)), status)


def _key_url(request: Request, standing: Standing) -> str:
    """Return the address of the key form for a reader; empty if a key would not help."""
    access: Access = request.app.state.access
    if standing.may_act or not access.asks_for_key or request.scope["path"] == urls.KEY:
        return ""
    query = f"?{request.url.query}" if request.url.query else ""
    return urls.key_url(urls.asked_path(request) + query if request.method == "GET" else urls.HOME)


def render_text(template: str, **values: Any) -> bytes:
    """Return a filled template; characters that UTF-8 cannot hold become question marks."""
    return _ENVIRONMENT.get_template(template).render(**values).encode("utf-8", "replace")


class JSONAnswer(Response):
    """JSON with `ok`; lone surrogates from broken pages do not break it."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the bytes."""
        return _ENCODER.encode(content).encode("utf-8", "replace")


def values_of(record: Any) -> dict[str, Any]:
    """Return the values of a record by name; records inside it are converted later, with the
    JSON."""
    return {name: getattr(record, name) for name in _names_of(record.__class__)}


@cache
def _names_of(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=values_of
)
