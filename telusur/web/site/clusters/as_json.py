"""The clusters of a site as JSON, and as training data."""

import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from telusur.reports.clusters.tallies import BlockCluster
from telusur.web.frame.params import read_params
from telusur.web.frame.render import JSONAnswer
from telusur.web.frame.text import clean_line
from telusur.web.page.reader import page_reader_of
from telusur.web.site.clusters import params
from telusur.web.site.clusters.finding import ANSWER_SECONDS, clusters_ready, find_clusters
from telusur.web.site.clusters.pages import read_blocks

_GZIP = 31


@dataclass(slots=True, frozen=True)
class ClusterRecord:
    """A cluster of a site's blocks."""

    number: int
    key: str
    name: str
    label: str
    by_hand: str
    extracted: str
    agreement: float
    blocks: int
    pages: int
    words: int
    selector: str
    examples: tuple[str, ...]
    page: str


@dataclass(slots=True, frozen=True)
class ClusteredBlockRecord:
    """A block of a page, and the number of its cluster."""

    cluster: int | None
    label: str
    text: str
    tag_path: str
    selectors: str
    # x, y, width and height in pixels; null if the page was not rendered.
    bounds: tuple[float, ...] | None


def _record(cluster: BlockCluster) -> ClusterRecord:
    return ClusterRecord(**asdict(cluster), label=cluster.label)


async def clusters_json(request: Request) -> Response:
    """Send the clusters of a site; while they are being found, how far that is."""
    wanted = read_params(params.CLUSTERS, request.query_params)
    found = await find_clusters(request, wanted["site"], wanted["look"], ANSWER_SECONDS)
    view, run = found.view, found.run
    start = (wanted["page"] - 1) * wanted["limit"]
    shown = view.clusters[start : start + wanted["limit"]] if view else ()
    record: dict[str, Any] = {
        "ok": True,
        "site": found.site,
        "look": found.look or "parsed",
        "state": found.state,
        "problem": run.problem if run else "",
        "known": found.known,
        "read": run.read if run else 0,
        "to_read": run.of if run else 0,
        "pages": len(view.urls) if view else 0,
        "blocks": view.blocks if view else 0,
        "unclustered": view.noise if view else 0,
        "total": len(view.clusters) if view else 0,
        "clusters": [asdict(_record(each)) for each in shown],
        "sites": [site for site, _ in found.sites],
    }
    return JSONAnswer(record)


async def cluster_page_json(request: Request) -> Response:
    """Send the blocks of a page of a site with their clusters."""
    wanted = read_params(params.ONE_PAGE, request.query_params)
    view = await clusters_ready(request, wanted["site"], wanted["look"])
    url = wanted["url"] or view.places[0].url
    blocks = [
        asdict(ClusteredBlockRecord(
            cluster, label, block.text, block.tag_path, block.selectors,
            tuple(block.bounds) if block.bounds is not None else None,
        ))
        for cluster, label, block in await read_blocks(view, url)
        if wanted["cluster"] in (0, cluster)
    ]  # fmt: skip
    return JSONAnswer({"ok": True, "site": view.site, "url": url, "blocks": blocks})


async def send_training_data(request: Request) -> Response:
    """Send the clustered pages as labelled pages for `telusur train`."""
    wanted = read_params(params.DATA, request.query_params)
    view = await clusters_ready(request, wanted["site"], wanted["look"])
    name = clean_line(view.site, 80).replace(":", "-").encode("ascii", "replace").decode()
    safe = "".join(letter if letter.isalnum() or letter in ".-" else "-" for letter in name)
    headers = {"Content-Disposition": f'attachment; filename="{safe}.jsonl.gz"'}
    lines = page_reader_of(request).training_lines(view)
    return StreamingResponse(_packed(lines), media_type="application/gzip", headers=headers)


def _packed(lines: Iterator[str]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=_GZIP)
    for line in lines:
        yield packer.compress(line.encode("utf-8", "replace"))
    yield packer.flush()
