"""Templates into answers, and records into JSON."""

import json
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

import telusur
from telusur.web import urls
from telusur.web.navigation import entries_for
from telusur.web.params import MAX_QUERY_CHARS
from telusur.web.reader import find_collection
from telusur.web.text import clean_line, show_seconds

_FOLDER = Path(__file__).parent
STATIC_FOLDER = _FOLDER / "static"


class Addresses:
    """The addresses as templates see them: those of the collection that is shown."""

    def __getattr__(self, name: str) -> Any:
        """Return a name of `urls`; what is an address, inside the collection."""
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
        "version": telusur.__version__,
        "max_query_chars": MAX_QUERY_CHARS,
    }
    environment.filters |= {"seconds": show_seconds, "line": clean_line, "number": _show_number}
    return environment


def _show_number(number: int) -> str:
    return f"{number:,}"


_ENVIRONMENT = _make_environment()


def render_html(
    request: Request, template: str, twin: str | None, values: dict[str, Any], status: int = 200
) -> HTMLResponse:
    """Return a page; `twin` is the address of the same as JSON, announced in its head."""
    state = request.app.state
    # What is refused before the guard has looked shows a stranger nothing.
    is_admitted = request.scope.get("is_admitted", state.access.is_open)
    shown = find_collection(request) if is_admitted else None
    frame = {
        "query": "",
        "kept": {},
        "is_crawling": False,
        "may_act": state.crawls is not None and not state.access.read_only,
        "has_password": bool(state.access.password),
        "twin": urls.here(twin) if twin else None,
        "collection": clean_line(shown.name, 60) if shown else "",
        "navigation": entries_for(state, has_collection=shown is not None) if is_admitted else [],
    }
    return HTMLResponse(render_text(template, **(frame | values)), status)


def render_text(template: str, **values: Any) -> bytes:
    """Return a filled template; what UTF-8 cannot carry becomes a question mark."""
    return _ENVIRONMENT.get_template(template).render(**values).encode("utf-8", "replace")


class JSONAnswer(Response):
    """JSON that says whether it went well; lone surrogates of broken pages do it no harm."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the bytes."""
        return _ENCODER.encode(content).encode("utf-8", "replace")


def values_of(record: Any) -> dict[str, Any]:
    """Return the values of a record by name; records inside it stay, and become JSON as it does."""
    return {name: getattr(record, name) for name in _names_of(record.__class__)}


@cache
def _names_of(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=values_of
)
