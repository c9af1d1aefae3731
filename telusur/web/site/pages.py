"""The sites of a collection, and the health of one of them."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from telusur.reports.audit import Audits
from telusur.reports.audit_records import COLUMNS, SiteAudit
from telusur.reports.file_search import FileSearch, FileSearches
from telusur.reports.site_files import KINDS, check_kind
from telusur.web.frame import urls, views
from telusur.web.frame.dates import show_moment
from telusur.web.frame.params import read_params
from telusur.web.frame.render import JSONAnswer, render_html
from telusur.web.frame.site_colours import hues_of
from telusur.web.frame.text import clean, clean_line
from telusur.web.page import params as page_params
from telusur.web.page.reader import StoredPageReader, page_reader_of
from telusur.web.reader import collection_of
from telusur.web.search.pages import SITES_LISTED
from telusur.web.site.tabs import view_site_tabs
from telusur.web.site.views import view_finding, view_shares

ROWS_SHOWN = 15
MOST_CSV_ROWS = 10_000
MOST_FILES = 1_000
#: After this time a page shows the files found so far; the search continues on the next request.
FILES_SECONDS = 0.2
#: JSON may take longer, and has all files at once.
FILES_JSON_SECONDS = 3.0
_SEARCHES: WeakKeyDictionary[StoredPageReader, FileSearches] = WeakKeyDictionary()
_AUDITS: WeakKeyDictionary[StoredPageReader, Audits] = WeakKeyDictionary()


async def show_sites(request: Request) -> Response:
    """Show the sites of the collection, the largest first."""
    collection = page_reader_of(request)
    sites = await run_in_threadpool(collection.sites, SITES_LISTED + 1)
    tallies = {each.site: each for each in await run_in_threadpool(collection.site_tallies)}
    shares = views.share_sites(sites[:SITES_LISTED], hues_of(collection_of(request)))
    values: dict[str, Any] = {
        "sites": [
            (share, urls.of_site(urls.SITE, site), tallies.get(site))
            for share, (site, _) in zip(shares, sites, strict=False)
        ],
        "has_more_sites": len(sites) > SITES_LISTED,
        "all_url": urls.here(urls.SITE),
    }
    return render_html(request, "sites.html", urls.SITES_JSON, values)


async def show_site(request: Request) -> Response:
    """Show the health of a site."""
    site = read_params(page_params.SITE, request.query_params)["site"]
    audit = await run_in_threadpool(read_audit, page_reader_of(request), site, ROWS_SHOWN)
    values: dict[str, Any] = {
        "site": clean_line(site, 80),
        "tabs": view_site_tabs(site, urls.SITE),
        "audit": audit,
        "search_url": urls.site_url(site) if site else None,
        "states": view_shares(audit.states, "state"),
        "statuses": view_shares(audit.statuses, "status"),
        "types": view_shares(audit.types, "type"),
        "skipped": view_shares(audit.skipped, "type"),
        "findings": [
            view_finding(kind, audit.findings[kind], urls.of_site(urls.SITE_CSV, site, kind=kind))
            for kind in COLUMNS
        ],
        "hosts": [
            (clean_line(each.host, 120), each.robots_status, clean(each.robots),
             show_moment(each.robots_at) if each.robots_at else None)
            for each in audit.hosts
        ],
        "kinds": [(kind, urls.of_site(urls.SITE_FILES, site, type=kind)) for kind in KINDS],
    }  # fmt: skip
    twin = urls.of_site(urls.twin_of(urls.SITE), site)
    return render_html(request, "site.html", twin, values)


async def site_json(request: Request) -> Response:
    """Send the health of a site."""
    wanted = read_params(page_params.SITE_ROWS, request.query_params)
    audit = await run_in_threadpool(
        read_audit, page_reader_of(request), wanted["site"], wanted["limit"]
    )
    findings = {
        kind: {"total": each.total, "note": each.note, "rows": [row._asdict() for row in each.rows]}
        for kind, each in audit.findings.items()
    }
    return JSONAnswer({"ok": True, **asdict(audit), "findings": findings})


async def send_csv(request: Request) -> Response:
    """Send one kind of finding as a table for spreadsheets."""
    wanted = read_params(page_params.SITE_CSV, request.query_params)
    site, kind = wanted["site"], wanted["kind"]
    audit = await run_in_threadpool(read_audit, page_reader_of(request), site, MOST_CSV_ROWS)
    text = write_csv(COLUMNS[kind]._fields, audit.findings[kind].rows)
    headers = {"Content-Disposition": f'attachment; filename="{kind}.csv"'}
    return Response(text.encode("utf-8", "replace"), media_type="text/csv", headers=headers)


def read_audit(collection: StoredPageReader, site: str, limit: int) -> SiteAudit:
    """Return the audit of a site, perhaps from the cache; raise 404 for an unknown site."""
    kept = _AUDITS.setdefault(collection, Audits())
    audit = kept.get((site, limit), partial(collection.audit, site, limit))
    if site and not audit.states:
        raise HTTPException(404, f"This collection has no site {clean_line(site, 80)}")
    return audit


def write_csv(columns: Iterable[str], rows: Iterable[Any]) -> str:
    """Return rows as CSV; text that a spreadsheet would take for a formula is escaped."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    return out.getvalue()


def _cell(value: Any) -> str:
    text = " > ".join(value) if isinstance(value, tuple) else "" if value is None else str(value)
    text = clean(text)
    return f"'{text}" if isinstance(value, str) and text.startswith(("=", "+", "-", "@")) else text


async def show_files(request: Request) -> Response:
    """Show the files of one kind that a site has."""
    wanted = read_params(page_params.SITE_FILES, request.query_params)
    site, kind = wanted["site"], wanted["type"]
    search = find_search(page_reader_of(request), kind, site)
    found = await run_in_threadpool(search.work, FILES_SECONDS)
    values: dict[str, Any] = {
        "site": clean_line(site, 80),
        "tabs": view_site_tabs(site, urls.SITE_FILES),
        "kind": clean_line(kind, 60),
        "kinds": [(each, urls.of_site(urls.SITE_FILES, site, type=each)) for each in KINDS],
        "files": [
            (clean_line(each.url, 300), urls.live_href(each.url), each,
             urls.page_url(each.page) if each.page else None)
            for each in found
        ],
        "search": search,
    }  # fmt: skip
    twin = urls.of_site(urls.twin_of(urls.SITE_FILES), site, type=kind)
    return render_html(request, "site_files.html", twin, values)


async def files_json(request: Request) -> Response:
    """Send the files of one kind that a site has."""
    wanted = read_params(page_params.SITE_FILES, request.query_params)
    site, kind = wanted["site"], wanted["type"]
    search = find_search(page_reader_of(request), kind, site)
    found = await run_in_threadpool(search.work, FILES_JSON_SECONDS)
    answer: Mapping[str, Any] = {
        "ok": True, "site": site, "kind": kind, "is_whole": search.is_whole,
        "looked_at": search.looked.at, "to_look_at": search.looked.of,
        "files": [each._asdict() for each in found],
    }  # fmt: skip
    return JSONAnswer(answer)


def find_search(collection: StoredPageReader, kind: str, site: str) -> FileSearch:
    """Return the search for files of one kind: the running one, or one that has just ended."""
    check_kind(kind)
    searches = _SEARCHES.setdefault(collection, FileSearches())
    steps = partial(collection.walk_files, kind, site)
    return searches.get((kind, site), lambda: FileSearch(steps(), MOST_FILES))
