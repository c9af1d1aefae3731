"""The pages about crawls: the list, the form for a new one, and one live crawl."""

from dataclasses import asdict
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from telusur.crawl.limits import CHANGEABLE, read_limits
from telusur.errors import UsageError
from telusur.models import State
from telusur.pipeline.control.status import IDLE
from telusur.web.crawls.contract import Crawls, crawls_of, name_of, read_each
from telusur.web.crawls.form import (
    FORM,
    SCOPES,
    URLS,
    CrawlWish,
    check_wish,
    choices_of,
    fill_from,
    name_fields,
    read_wish,
)
from telusur.web.crawls.live import PARTS, for_parts, read_snapshot
from telusur.web.crawls.views import (
    FAILED,
    Card,
    settings_of_run,
    view_card,
    view_crawl,
    view_run,
    view_url,
)
from telusur.web.frame import urls
from telusur.web.frame.forms import (
    StaleFormError,
    answer_with_token,
    has_token,
    read_form,
    render_form,
)
from telusur.web.frame.params import LISTED, read_params
from telusur.web.frame.problems import wants_json
from telusur.web.frame.render import JSONAnswer, render_html
from telusur.web.frame.site_colours import hues_of
from telusur.web.frame.text import clean_line

URLS_LISTED = 100
# The form field that is set once the warning has been shown.
WARNED = "warned"
_FIELDS = ("", WARNED, URLS, "name", *(field.name for field in FORM))


async def show_crawls(request: Request) -> Response:
    """Show all collections with the state of their crawls."""
    crawls = crawls_of(request)

    def view(name: str) -> Card:
        return view_card(name, crawls.status(name), crawls.samples(name), home_of(crawls, name))

    cards, unreadable = await run_in_threadpool(read_each, crawls, view)
    is_live = any(card.state not in (IDLE, FAILED) for card in cards)
    values = {"cards": cards, "unreadable": unreadable, "is_live": is_live}
    return render_html(request, "crawls.html", urls.CRAWLS_JSON, values)


async def crawls_json(request: Request) -> Response:
    """Send all collections with the state of their crawls."""
    crawls = crawls_of(request)

    def describe(name: str) -> dict[str, Any]:
        status = crawls.status(name).as_record()
        # Raises an error here for a value that cannot be written.
        JSONAnswer(status)
        return {"name": name, "url": urls.crawl_url(name), "status": status}

    listed, unreadable = await run_in_threadpool(read_each, crawls, describe)
    return JSONAnswer({"ok": True, "crawls": listed, "unreadable": unreadable})


def home_of(crawls: Crawls, name: str) -> str:
    """Return the address of the search page of a collection."""
    return urls.HOME if crawls.holds_one else urls.collection_url(name)


# A new crawl


async def show_new(request: Request) -> Response:
    """Show the form, filled in as for the last crawl of a collection if one is named."""
    crawls, name = crawls_of(request), request.query_params.get("name", "")
    given = {URLS: request.query_params.get("urls", ""), "name": name}
    if name in await run_in_threadpool(crawls.names):
        run = (await run_in_threadpool(crawls.snapshot, name)).run
        given = fill_from(run.start_urls, run.settings, name) if run else given
    if request.query_params.get("allow_private"):
        given["allow_private"] = "on"
    wish = await run_in_threadpool(read_wish, given, crawls)
    return await _show_form(request, wish, {})


async def new_json(request: Request) -> Response:
    """Send the fields of the form, their defaults and choices, and the token to submit it with."""
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
    """Send the errors of the form, and the equivalent command."""
    crawls, given = crawls_of(request), await read_form(request)
    wish = await run_in_threadpool(_checked, given, crawls)
    return JSONAnswer(
        {
            "ok": True,
            "is_valid": wish.is_valid,
            "problems": wish.problems,
            "warning": wish.warning,
            "name": wish.name,
            "urls": len(wish.urls),
            "command": crawls.command(wish.name, wish.urls, wish.settings),
        }
    )


async def start_crawl(request: Request) -> Response:
    """Start the crawl; a wrong form comes back with error sentences at its fields."""
    crawls, given = crawls_of(request), await read_form(request, checks_token=False)
    if not has_token(request, given):
        return await _refuse_stale(request, given)
    wish = await run_in_threadpool(_checked, given, crawls)
    problems = dict(wish.problems)
    is_warned = bool(given.get(WARNED)) or wants_json(request)
    if wish.warning and not is_warned and not problems:
        return await _show_form(request, wish, {}, 400)
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


def _checked(given: dict[str, str], crawls: Crawls) -> CrawlWish:
    return check_wish(read_wish(given, crawls), crawls)


async def _refuse_stale(request: Request, given: dict[str, str]) -> Response:
    """Send a form back as it was typed: nothing is lost, and nothing is looked up."""
    stale = StaleFormError()
    if wants_json(request):
        raise stale
    wish = CrawlWish("", (), crawls_of(request).usual, {}, given)
    return await _show_form(request, wish, {"": stale.detail}, 403)


async def _show_form(
    request: Request, wish: CrawlWish, problems: dict[str, str], status: int = 200
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


async def show_crawl(request: Request) -> Response:
    """Show one crawl; a script updates the page, and without scripts it reloads itself."""
    return await _show_crawl(request, await name_of(request))


async def _show_crawl(
    request: Request, name: str, limits: dict[str, str] | None = None,
    problems: dict[str, str] | None = None,
) -> Response:  # fmt: skip
    crawls, snapshot = crawls_of(request), await read_snapshot(request, name)
    view = view_crawl(name, snapshot, hues_of(crawls.open(name)))
    run = snapshot.run
    told, left_out = settings_of_run(run, crawls.usual) if run else (crawls.usual, ())
    values: dict[str, Any] = {
        **for_parts(name, view),
        "parts": PARTS,
        "problems": dict.fromkeys(("", *CHANGEABLE), "") | (problems or {}),
        "scopes": SCOPES,
        "limits": dict.fromkeys(CHANGEABLE, "") | (view.limits if limits is None else limits),
        "recap": view_run(run, crawls.usual) if run else None,
        "command": crawls.command(name, run.start_urls, told) if run else "",
        "left_out": left_out,
        "events_url": urls.crawl_url(name, urls.CRAWL_EVENTS),
        "home_url": home_of(crawls, name),
    }
    twin = urls.crawl_url(name, urls.CRAWL_JSON)
    return render_form(request, "crawl.html", twin, values, 400 if problems else 200)


async def crawl_json(request: Request) -> Response:
    """Send everything known about a crawl."""
    name = await name_of(request)
    snapshot = await read_snapshot(request, name)
    return answer_with_token(request, {"ok": True, "name": name, **asdict(snapshot)})


async def steer_crawl(request: Request) -> Response:
    """Pause, resume or stop a crawl, or change its limits."""
    given = await read_form(request)
    name, crawls = await name_of(request), crawls_of(request)
    does = {"pause": crawls.pause, "resume": crawls.resume, "stop": crawls.stop}
    wish = given.get("do", "")
    if wish == "limits":
        typed = {key: given[key].strip() for key in CHANGEABLE if key in given}
        if not wants_json(request) and (problems := _wrong_limits(typed)):
            return await _show_crawl(request, name, typed, problems)
        changes = read_limits({key: value or None for key, value in typed.items()})
        status = await run_in_threadpool(crawls.limit, name, changes)
    elif wish in does:
        status = await run_in_threadpool(does[wish], name)
    else:
        raise HTTPException(400, "do must be pause, resume, stop or limits.")
    request.app.state.live.snapshots.pop(name, None)
    if status is None and wish == "limits" and not wants_json(request):
        ended = "The crawl has ended, so its limits were not changed."
        return await _show_crawl(request, name, problems={"": ended})
    if not wants_json(request):
        return RedirectResponse(urls.crawl_url(name), 303)
    if status is None:
        raise HTTPException(409, f"No crawl is running in {clean_line(name, 60)}.")
    return JSONAnswer({"ok": True, "name": name, "state": status.state, "limits": status.limits})


def _wrong_limits(typed: dict[str, str]) -> dict[str, str]:
    """Return a sentence for each field with a wrong value, with the labels of the form."""
    problems = {}
    for key, value in typed.items():
        try:
            read_limits({key: value or None})
        except UsageError as error:
            problems[key] = name_fields(str(error))
    return problems


# The URLs behind a number


async def show_urls(request: Request) -> Response:
    """Show the URLs in a final state, for one kind of reason."""
    name, wanted, listed, following = await _list_urls(request)
    values = {
        "name": clean_line(name, 80),
        "crawl_url": urls.crawl_url(name),
        "state": wanted["state"],
        "reason": clean_line(wanted["reason"], 80),
        "listed": [view_url(one) for one in listed],
        "is_first": not wanted["after"],
        "first_url": _urls_address(name, wanted, urls.CRAWL_URLS, ""),
        "next_url": _urls_address(name, wanted, urls.CRAWL_URLS, following) if following else None,
    }
    twin = _urls_address(name, wanted, urls.CRAWL_URLS_JSON, wanted["after"])
    return render_html(request, "crawl_urls.html", twin, values)


async def urls_json(request: Request) -> Response:
    """Send the same URLs as JSON."""
    name, wanted, listed, following = await _list_urls(request)
    address = _urls_address(name, wanted, urls.CRAWL_URLS_JSON, following) if following else None
    found = [asdict(one) for one in listed]
    return JSONAnswer({"ok": True, "name": name, "urls": found, "next_url": address})


async def _list_urls(request: Request) -> tuple[str, dict[str, Any], list[Any], str]:
    name = await name_of(request)
    wanted = read_params(LISTED, request.query_params)
    found = await run_in_threadpool(
        crawls_of(request).list_urls,
        name, State(wanted["state"]), wanted["reason"], wanted["after"], URLS_LISTED + 1,
    )  # fmt: skip
    listed = found[:URLS_LISTED]
    return name, wanted, listed, listed[-1].cursor if len(found) > URLS_LISTED else ""


def _urls_address(name: str, wanted: dict[str, Any], road: str, after: str) -> str:
    state, reason = wanted["state"], wanted["reason"]
    return urls.crawl_url(name, road, state=state, reason=reason, after=after)
