"""The documentation of the API, for programs and for people, made from the table of routes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from telusur.encoders.by_name import ENCODERS
from telusur.version import __version__
from telusur.web.api.schemas import Schema, object_of
from telusur.web.frame import urls
from telusur.web.frame.params import Param
from telusur.web.frame.render import JSONAnswer, render_html

if TYPE_CHECKING:
    from telusur.web.roads import Road

_JSON = "application/json"
_PROBLEM = {"ok": bool, "error": str, "errors": list[str], "status": int}
PROBLEMS = {
    400: "A parameter is wrong; `errors` has one sentence for each.",
    401: "This server requires a password.",
    403: "The request needs the key, or the form is too old or from another server.",
    404: "No such address, or a URL that the collection does not know.",
    405: "The address does not support this method.",
    408: "The request or its form did not arrive in time.",
    409: "No crawl is running.",
    421: "The Host header names another server.",
    429: "Too many requests from one address; Retry-After says when to try again.",
    500: "A bug in Telusur; the terminal of the server has the details.",
    503: "The collection cannot be read, or there are too many connections or viewers.",
}


async def send_openapi(request: Request) -> Response:
    """Send the OpenAPI document."""
    return JSONAnswer(describe_api(request.app.state.roads))


async def show_api(request: Request) -> Response:
    """Show the routes, their parameters and responses."""
    roads = [road for road in request.app.state.roads if road.media_type != "text/html"]
    values = {
        "roads": [(road, [(param, _bounds(param)) for param in road.params]) for road in roads],
        "pages": [road for road in request.app.state.roads if road.media_type == "text/html"],
        "problems": PROBLEMS,
    }
    return render_html(request, "api.html", urls.OPENAPI, values)


def describe_api(roads: Sequence["Road"]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of these routes; pages for people are left out."""
    components: dict[str, Schema] = {}
    components["Problem"] = object_of(_PROBLEM, components)
    listed = [road for road in roads if road.media_type != "text/html"]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Telusur",
            "version": __version__,
            "description": "Search a collection, and watch and control its crawls.",
        },
        "paths": _describe_paths(listed, components),
        "components": {"schemas": components},
    }


def _describe_paths(roads: Sequence["Road"], components: dict[str, Schema]) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for road in roads:
        for method in road.methods:
            paths.setdefault(road.path, {})[method.lower()] = _describe_road(road, components)
    return paths


def _describe_road(road: "Road", components: dict[str, Schema]) -> dict[str, Any]:
    schema: Schema = {"type": "string"}
    if road.media_type == _JSON:
        schema = object_of({"ok": bool, **road.answers} if road.answers else {}, components)
    elif road.media_type.endswith("+json"):
        schema = {"type": "array"}
    problem = {_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    answers: dict[str, Any] = {
        "200": {"description": road.help, "content": {road.media_type: {"schema": schema}}}
    }
    for status, sentence in PROBLEMS.items():
        answers[str(status)] = {"description": sentence, "content": problem}
    described: dict[str, Any] = {
        "summary": road.help,
        "operationId": road.answer.__name__,
        "parameters": [_describe_param(param) for param in road.params if param.place != "form"],
        "responses": answers,
    }
    fields = {param.name: _schema_of(param) for param in road.params if param.place == "form"}
    if fields:
        form = {"schema": {"type": "object", "properties": fields}}
        described["requestBody"] = {"content": {"application/x-www-form-urlencoded": form}}
    return described


def _describe_param(param: Param) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": param.name,
        "in": param.place,
        "required": bool(param.missing) or param.place == "path",
        "description": param.help,
        "schema": _schema_of(param),
    }
    if param.kind == "names":  # one parameter with commas, not repeated ones
        described |= {"style": "form", "explode": False}
    return described


def _schema_of(param: Param) -> Schema:
    schemas: dict[str, Schema] = {
        "text": {"type": "string", "maxLength": param.most},
        "address": {"type": "string", "format": "uri", "maxLength": param.most},
        "whole": {"type": "integer", "minimum": param.least, "maximum": param.most},
        "seconds": {"type": "number", "minimum": 0},
        "share": {"type": "number", "minimum": 0, "maximum": 1},
        "switch": {"type": "boolean"},
        "meaning": {"type": "string", "enum": ["true", "false", *ENCODERS]},
        "choice": {"type": "string", "enum": list(param.choices)},
        "names": {"type": "array", "items": {"type": "string", "enum": list(param.choices)}},
    }
    schema = schemas[param.kind]
    if param.default not in (None, "", ()):
        schema["default"] = param.default
    return schema


def _bounds(param: Param) -> str:
    """Return in a few words which values a parameter accepts."""
    if param.choices:
        return ", ".join(param.choices)
    return {
        "text": f"at most {param.most:,} characters",
        "address": f"at most {param.most:,} characters",
        "whole": f"{param.least:,} to {param.most:,}",
        "seconds": "a number",
        "share": "0 to 1",
        "switch": "true or false",
        "meaning": ", ".join(("true", "false", *ENCODERS)),
    }[param.kind]
