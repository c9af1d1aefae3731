"""The pages about crawls: their list, the form of a new one, and one crawl, live."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any, cast

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from telusur.errors import UsageError
from telusur.models import State
from telusur.run.limits import CHANGEABLE, read_limits
from telusur.run.status import IDLE
from telusur.shelf import Snapshot
from telusur.web import urls
from telusur.web.crawl_form import FORM, SCOPES, URLS, Wish, choices_of, fill_from, read_wish
from telusur.web.crawl_views import (
    CrawlView,
    settings_of_run,
    view_card,
    view_crawl,
    view_run,
    view_url,
)
from telusur.web.crawls import Crawls
from telusur.web.forms import (
    VISIT_COOKIE,
    StaleFormError,
    answer_with_token,
    check_origin,
    has_token,
    read_form,
    render_form,
    token_field,
)
from telusur.web.params import LISTED, read_params
from telusur.web.problems import wants_json
from telusur.web.render import JSONAnswer, render_html, render_text
from telusur.web.text import clean_line

PARTS = ("state", "numbers", "charts", "sites", "errors", "answers", "last")
"""What changes while a crawl runs; each is a template, rendered anew for each event."""
EVENT_SECONDS = 1.0
FRESH_SECONDS = 0.8
URLS_LISTED = 100
_FIELDS = ("", URLS, "name", *(field.name for field in FORM))


def crawls_of(request: Request) -> Crawls:
    """Return the crawls of this server."""
    return cast(Crawls, request.app.state.crawls)


async def name_of(request: Request) -> str:
    """Return the collection an address names, and have the page show it; or raise 404."""
    crawls, name = crawls_of(request), str(request.path_params["name"])
    if name not in await run_in_threadpool(crawls.names):
        raise HTTPException(404, f"There is no collection called {clean_line(name, 60)}.")
    if not crawls.holds_one:
        request.state.collection = await run_in_threadpool(crawls.open, name)
        urls.PREFIX.set(urls.collection_url(name).rstrip("/"))
    return name


async def show_crawls(request: Request) -> Response:
    """Show all collections with the state of their crawls."""
    crawls = crawls_of(request)
    cards = await run_in_threadpool(
        lambda: [
            view_card(name, crawls.status(name), crawls.samples(name), home_of(crawls, name))
            for name in crawls.names()
        ]
    )
    values = {"cards": cards, "is_live": any(card.state != IDLE for card in cards)}
    return render_html(request, "crawls.html", urls.CRAWLS_JSON, values)


async def crawls_json(request: Request) -> Response:
    """Answer all collections with the state of their crawls."""
    crawls = crawls_of(request)
    listed = await run_in_threadpool(
        lambda: [
            {"name": name, "url": urls.crawl_url(name), "status": crawls.status(name).as_record()}
            for name in crawls.names()
        ]
    )
    return JSONAnswer({"ok": True, "crawls": listed})


def home_of(crawls: Crawls, name: str) -> str:
    """Return where a collection is searched."""
    return urls.HOME if crawls.holds_one else urls.collection_url(name)


# A new crawl


async def show_new(request: Request) -> Response:
    """Show the form, filled as for the last crawl of a collection if one is named."""
    crawls, name = crawls_of(request), request.query_params.get("name", "")
    given = {URLS: request.query_params.get("urls", ""), "name": name}
    if name in await run_in_threadpool(crawls.names):
        run = (await run_in_threadpool(crawls.snapshot, name)).run
        given = fill_from(run.start_urls, run.settings, name) if run else given
    wish = await run_in_threadpool(read_wish, given, crawls)
    return await _show_form(request, wish, {})


async def new_json(request: Request) -> Response:
    """Answer the fields of the form, their defaults and choices, and the token to send it with."""
    crawls = crawls_of(request)
    described = [
        {
            "name": field.name,
            "label": field.label,
            "help": field.row.help,
            "default": getattr(crawls.usual, field.name),
            "choices": choices_of(field),
        }
        for field in FORM
    ]
    names = await run_in_threadpool(crawls.names)
    record = {"ok": True, "fields": described, "collections": names}
    return answer_with_token(request, record)


async def check_json(request: Request) -> Response:
    """Answer what is wrong in the form, and the command that does the same."""
    crawls = crawls_of(request)
    wish = await run_in_threadpool(read_wish, await read_form(request), crawls)
    return JSONAnswer(
        {
            "ok": True,
            "is_valid": wish.is_valid,
            "problems": wish.problems,
            "name": wish.name,
            "urls": len(wish.urls),
            "command": crawls.command(wish.name, wish.urls, wish.settings),
        }
    )


async def start_crawl(request: Request) -> Response:
    """Start the crawl; a form that makes no sense comes back with sentences at its fields."""
    crawls = crawls_of(request)
    check_origin(request)
    given = await read_form(request, checks_token=False)
    wish = await run_in_threadpool(read_wish, given, crawls)
    problems = dict(wish.problems)
    if not has_token(request, given):  # nothing that was typed is lost
        problems[""] = StaleFormError().detail
    if not problems:
        try:
            await run_in_threadpool(crawls.start, wish.name, wish.urls, wish.settings)
        except UsageError as error:
            problems[""] = str(error)
    if problems and wants_json(request):
        raise HTTPException(403 if "" in problems else 400, " ".join(problems.values()))
    if problems:
        return await _show_form(request, wish, problems, 403 if "" in problems else 400)
    if wants_json(request):
        return JSONAnswer({"ok": True, "name": wish.name, "url": urls.crawl_url(wish.name)})
    return RedirectResponse(urls.crawl_url(wish.name), 303)


async def _show_form(
    request: Request, wish: Wish, problems: dict[str, str], status: int = 200
) -> Response:
    crawls = crawls_of(request)
    values: dict[str, Any] = {
        "wish": wish,
        "given": dict.fromkeys(_FIELDS, "") | wish.given,
        "problems": dict.fromkeys(_FIELDS, "") | problems,
        "form": [(field, choices_of(field)) for field in FORM],
        "usual": crawls.usual,
        "holds_one": crawls.holds_one,
        "names": await run_in_threadpool(crawls.names),
        "command": crawls.command(wish.name, wish.urls, wish.settings),
    }
    return render_form(request, "new_crawl.html", urls.NEW_CRAWL_JSON, values, status)


# One crawl


async def read_snapshot(request: Request, name: str) -> Snapshot:
    """Return a snapshot; many who look at the same time share one."""
    shared: dict[str, tuple[float, asyncio.Task[Snapshot]]] = request.app.state.snapshots
    at, task = shared.get(name, (float("-inf"), None))
    if task is None or time.monotonic() - at > FRESH_SECONDS:
        reading = run_in_threadpool(crawls_of(request).snapshot, name)
        task = asyncio.ensure_future(reading)
        shared[name] = (time.monotonic(), task)
    return await asyncio.shield(task)


async def show_crawl(request: Request) -> Response:
    """Show one crawl; a script keeps the page up to date, without one it is loaded again."""
    return await _show_crawl(request, await name_of(request))


async def _show_crawl(
    request: Request, name: str, limits: dict[str, str] | None = None, problem: str = ""
) -> Response:
    crawls, snapshot = crawls_of(request), await read_snapshot(request, name)
    view, run = view_crawl(name, snapshot), snapshot.run
    values: dict[str, Any] = {
        **_for_parts(name, view),
        "parts": PARTS,
        "problem": problem,
        "scopes": SCOPES,
        "limits": dict.fromkeys(CHANGEABLE, "") | (view.limits if limits is None else limits),
        "recap": view_run(run, crawls.usual) if run else None,
        "command": crawls.command(name, run.start_urls, settings_of_run(run, crawls.usual))
        if run
        else "",
        "events_url": urls.crawl_url(name, urls.CRAWL_EVENTS),
        "home_url": home_of(crawls, name),
    }
    twin = urls.crawl_url(name, urls.CRAWL_JSON)
    return render_form(request, "crawl.html", twin, values, 400 if problem else 200)


def _for_parts(name: str, view: CrawlView) -> dict[str, Any]:
    return {
        "crawl": view,
        "steer_url": urls.crawl_url(name, urls.STEER),
        "again_url": urls.new_crawl_url(name),
    }


async def crawl_json(request: Request) -> Response:
    """Answer all that is known of a crawl."""
    name = await name_of(request)
    snapshot = await read_snapshot(request, name)
    return answer_with_token(request, {"ok": True, "name": name, **asdict(snapshot)})


async def send_events(request: Request) -> Response:
    """Send the parts of the page anew every second while a crawl runs."""
    name = await name_of(request)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    stream = _tell_events(request, name)
    return StreamingResponse(stream, media_type="text/event-stream", headers=headers)


async def _tell_events(request: Request, name: str) -> AsyncIterator[bytes]:
    yield b"retry: 2000\n\n"
    field = token_field(request, request.cookies.get(VISIT_COOKIE, ""))
    while not request.app.state.is_closing:
        view = view_crawl(name, await read_snapshot(request, name))
        values = {**_for_parts(name, view), "token_field": field, "may_act": True}
        parts = {
            part: render_text(f"crawl/{part}.html", **values).decode("utf-8") for part in PARTS
        }
        news = {"state": view.state, "name": view.name, "parts": parts}
        yield b"event: crawl\ndata: " + json.dumps(news).encode() + b"\n\n"
        if not view.is_crawling:
            yield b"event: end\ndata: {}\n\n"
            return
        await asyncio.sleep(EVENT_SECONDS)


async def steer_crawl(request: Request) -> Response:
    """Pause a crawl, let it go on, stop it, or change its limits."""
    name, crawls = await name_of(request), crawls_of(request)
    given = await read_form(request)
    does = {"pause": crawls.pause, "resume": crawls.resume, "stop": crawls.stop}
    wish = given.get("do", "")
    if wish == "limits":
        typed = {key: given[key].strip() for key in CHANGEABLE if key in given}
        try:
            changes = read_limits({key: value or None for key, value in typed.items()})
        except UsageError as error:
            if wants_json(request):
                raise
            return await _show_crawl(request, name, typed, str(error))
        status = await run_in_threadpool(crawls.limit, name, changes)
    elif wish in does:
        status = await run_in_threadpool(does[wish], name)
    else:
        raise HTTPException(400, "do must be pause, resume, stop or limits.")
    request.app.state.snapshots.pop(name, None)
    if not wants_json(request):
        return RedirectResponse(urls.crawl_url(name), 303)
    if status is None:
        raise HTTPException(409, f"No crawl is running in {clean_line(name, 60)}.")
    return JSONAnswer({"ok": True, "name": name, "state": status.state, "limits": status.limits})


# The URLs behind a number


async def show_urls(request: Request) -> Response:
    """Show the URLs that ended in a state, for one kind of reason."""
    name, wanted, listed, following = await _list_urls(request)
    values = {
        "name": clean_line(name, 80),
        "crawl_url": urls.crawl_url(name),
        "state": wanted["state"],
        "reason": clean_line(wanted["reason"], 80),
        "listed": [view_url(one) for one in listed],
        "is_first": not wanted["after"],
        "first_url": _urls_address(name, wanted, urls.CRAWL_URLS, 0),
        "next_url": _urls_address(name, wanted, urls.CRAWL_URLS, following) if following else None,
    }
    twin = _urls_address(name, wanted, urls.CRAWL_URLS_JSON, wanted["after"])
    return render_html(request, "crawl_urls.html", twin, values)


async def urls_json(request: Request) -> Response:
    """Answer the same."""
    name, wanted, listed, following = await _list_urls(request)
    address = _urls_address(name, wanted, urls.CRAWL_URLS_JSON, following) if following else None
    found = [asdict(one) for one in listed]
    return JSONAnswer({"ok": True, "name": name, "urls": found, "next_url": address})


async def _list_urls(request: Request) -> tuple[str, dict[str, Any], list[Any], int]:
    name = await name_of(request)
    wanted = read_params(LISTED, request.query_params)
    found = await run_in_threadpool(
        crawls_of(request).list_urls,
        name, State(wanted["state"]), wanted["reason"], wanted["after"], URLS_LISTED + 1,
    )  # fmt: skip
    listed = found[:URLS_LISTED]
    return name, wanted, listed, listed[-1].seq if len(found) > URLS_LISTED else 0


def _urls_address(name: str, wanted: dict[str, Any], road: str, after: int) -> str:
    state, reason = wanted["state"], wanted["reason"]
    return urls.crawl_url(name, road, state=state, reason=reason, after=str(after or ""))
