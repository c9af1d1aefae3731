"""The pages about the clusters of a site: their list, and one page with its blocks."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from telusur.reports.clusters.clustered_site import ClusteredBlock, ClusteredSite
from telusur.web.frame import urls
from telusur.web.frame.forms import render_form
from telusur.web.frame.params import read_params
from telusur.web.frame.text import clean_line
from telusur.web.guard.access import standing_of
from telusur.web.page.copies import CONTENT_HEADERS, SANDBOX, write_copy
from telusur.web.page.copy_pages import WITH_FRAME
from telusur.web.page.originals import ORIGINAL_HEADERS, write_original
from telusur.web.page.reader import page_reader_of
from telusur.web.site.clusters import params, views
from telusur.web.site.clusters.finding import (
    PAGE_SECONDS,
    FoundClusters,
    clusters_ready,
    find_clusters,
)
from telusur.web.site.clusters.pictures import HEIGHT, WIDTH, draw_pages
from telusur.web.site.tabs import view_site_tabs


async def show_clusters(request: Request) -> Response:
    """Show the clusters of a site, and a form to label them."""
    wanted = read_params(params.CLUSTERS, request.query_params)
    page, limit = wanted["page"], wanted["limit"]
    found = await find_clusters(request, wanted["site"], wanted["look"], PAGE_SECONDS)
    values = {
        **_head(request, found),
        "page": page,
        "cards": await run_in_threadpool(views.view_cards, found, page, limit),
        "steps": views.view_steps(
            found, page, limit, len(found.view.clusters) if found.view else 0
        ),
        "pictures": draw_pages(found.view.places) if found.view else [],
        "size": (WIDTH, HEIGHT),
        "sites": [
            (clean_line(site, 80), number, urls.of_site(urls.SITE_CLUSTERS, site))
            for site, number in found.sites
        ],
        "page_url": _page_url(found),
        "data_url": urls.of_site(urls.SITE_CLUSTER_DATA, found.site, look=found.look),
        "looks": [
            (look, text, urls.of_site(urls.SITE_CLUSTERS, found.site, look=look), is_shown)
            for look, text, is_shown in (
                ("", "As the parser sees pages", not found.is_drawn),
                ("rendered", "As a browser showed them", found.is_drawn),
            )
        ],
    }  # fmt: skip
    twin = urls.of_site(urls.twin_of(urls.SITE_CLUSTERS), found.site, look=found.look)
    return render_form(request, "site_clusters.html", twin, values)


def _page_url(found: FoundClusters) -> str:
    return urls.of_site(urls.SITE_CLUSTER_PAGE, found.site, look=found.look)


def _head(request: Request, found: FoundClusters) -> dict[str, Any]:
    """Return what both pages show."""
    return {
        "site": clean_line(found.site, 80),
        "raw_site": found.site,
        "found": found,
        "tabs": view_site_tabs(found.site, urls.SITE_CLUSTERS),
        "may_label": standing_of(request).may_act,
        "saved": request.query_params.get("saved") == "1",
        "choices": views.label_choices,
        "list_url": urls.of_site(urls.SITE_CLUSTERS, found.site, look=found.look),
    }


async def show_cluster_page(request: Request) -> Response:
    """Show a page of a site with its blocks coloured by cluster, and a form to label them."""
    wanted = read_params(params.ONE_PAGE, request.query_params)
    found = await find_clusters(request, wanted["site"], wanted["look"], PAGE_SECONDS)
    url, only = wanted["url"], wanted["cluster"]
    blocks: list[ClusteredBlock] = []
    if found.view is not None and found.state == "ready":
        url = url or found.view.places[0].url
        blocks = await read_blocks(found.view, url)
    more = {"look": found.look, "url": url}
    values = {
        **_head(request, found),
        "url": clean_line(url, 200),
        "raw_url": url,
        "blocks": len(blocks),
        "unclustered": sum(block.cluster is None for block in blocks),
        "cards": views.view_cards_on(found, blocks),
        "only": only,
        "all_url": urls.of_site(urls.SITE_CLUSTER_PAGE, found.site, **more),
        "frame_url": urls.of_site(urls.SITE_CLUSTER_COPY, found.site, **more, cluster=only),
        "sandbox": SANDBOX,
        "drawn": views.view_drawn(blocks, only),
        "pages": [
            (each, clean_line(each, 120), each == url)
            for each in dict.fromkeys((*((url,) if url else ()), *_urls_of(found)))
        ],
        "page_url": urls.page_url(url) if url else "",
        "blocks_url": urls.of_page(urls.PAGE_BLOCKS, url) if url else "",
    }  # fmt: skip
    twin = urls.of_site(urls.twin_of(urls.SITE_CLUSTER_PAGE), found.site, **more)
    answer = render_form(request, "site_cluster_page.html", twin, values)
    answer.headers["Content-Security-Policy"] = WITH_FRAME
    return answer


def _urls_of(found: FoundClusters) -> list[str]:
    return sorted(found.view.urls) if found.view is not None else []


async def read_blocks(view: ClusteredSite, url: str) -> list[ClusteredBlock]:
    """Return the blocks of a page, or raise an error that says why there are none."""
    if not view.has(url):
        site = clean_line(view.site, 80)
        raise HTTPException(400, f"{clean_line(url, 200)} is not a page of {site}.")
    blocks = await run_in_threadpool(view.blocks_of, url)
    if not blocks:
        raise HTTPException(404, f"This collection has no blocks of {clean_line(url, 200)}")
    return blocks


async def send_cluster_copy(request: Request) -> Response:
    """Send the content of the frame: the stored page with its blocks outlined by cluster."""
    wanted = read_params(params.ONE_PAGE, request.query_params)
    view = await clusters_ready(request, wanted["site"], "parsed")
    url = wanted["url"] or view.places[0].url
    blocks = await read_blocks(view, url)
    outline = views.outline_clusters(view, blocks, wanted["cluster"])
    written = await run_in_threadpool(write_original, page_reader_of(request), url, outline=outline)
    headers = ORIGINAL_HEADERS
    if written is None:  # a document that has only text, and no page
        written = await run_in_threadpool(write_copy, page_reader_of(request), url, "")
        headers = CONTENT_HEADERS
    if written is None:
        raise HTTPException(404, f"This collection has no copy of {clean_line(url)}")
    return HTMLResponse(written.encode("utf-8", "replace"), headers=headers)
