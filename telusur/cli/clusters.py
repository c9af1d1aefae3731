"""`telusur clusters`: the blocks of a site that look alike, to name and to train on."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.text import Text

import telusur.cli.one_thread  # noqa: F401 - first, before numpy
from telusur.cli.learning import watching
from telusur.cli.options import as_json, to_read
from telusur.cli.output import answer_json, console, printable, say
from telusur.collection import Collection, open_collection
from telusur.errors import UsageError
from telusur.fetch.browser.drawn_pages import DrawnPages
from telusur.reports.clusters.clustered_site import (
    ClusteredBlock,
    ClusteredSite,
    Draw,
)
from telusur.reports.clusters.clustering import DRAWN, LEAST_PAGES, USUAL_PAGES
from telusur.reports.clusters.names import AUTO
from telusur.reports.clusters.tallies import BlockCluster

_HEAD = f"{'cluster':>7}{'blocks':>8}{'pages':>7}{'words':>9}  {'name':<9}{'label':<17}selector"
_BLOCKS_HEAD = f"{'cluster':>7}  {'label':<8} text"
_INDENT = " " * 33
_EXAMPLE = 100


@click.command("clusters")
@to_read
@click.option(
    "--site", default="", metavar="SITE",
    help="The site. [default: that of --page, or the only one]",
)  # fmt: skip
@click.option(
    "--pages", type=click.IntRange(LEAST_PAGES, 1_000), default=USUAL_PAGES, show_default=True,
    metavar="N", help="Cluster up to N pages, evenly chosen.",
)  # fmt: skip
@click.option(
    "--render", is_flag=True,
    help="Use the bounds and CSS of a browser, offline; each page is rendered once and kept in"
    f" {DRAWN}/ of the collection.",
)  # fmt: skip
@click.option(
    "--name", "names", multiple=True, metavar="N=LABEL",
    help="Label cluster N content, title, author, date or other; auto removes the label.",
)  # fmt: skip
@click.option("--page", "url", default="", metavar="URL", help="Show the blocks of this page.")
@click.option(
    "--export", "path", metavar="FILE|DIR", type=click.Path(path_type=Path),
    help="Write training data: labelled pages into a FILE .jsonl (also .xz, .gz), or label sheets"
    " into a DIR.",
)  # fmt: skip
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=40, show_default=True, metavar="N",
    help="Clusters to show.",
)  # fmt: skip
@as_json
def command(
    *,
    address: str,
    site: str,
    pages: int,
    render: bool,
    names: tuple[str, ...],
    url: str,
    path: Path | None,
    limit: int,
    as_json: bool,
) -> int:
    """Show which blocks of a site look alike and stand at the same place, and label them.

    A cluster is named by the titles, authors and descriptions of its pages. Its label is the one
    that you gave, otherwise what the extractor calls most of its blocks. Labels are stored in the
    collection and found again when more of the site was crawled. `telusur train DIR --onto shipped
    --out my.npz` trains on what --export wrote. Exit code 1 when nothing was found.
    """
    given = dict(map(_name_in, names))
    with (
        open_collection(address, create=False) as collection,
        _drawing(collection, render) as draw,
    ):
        with watching() as watch:
            step = "rendering pages" if render else "reading pages"

            def tell(read: int, of: int) -> bool:
                watch(step, read, of)
                return True

            view = collection.clusters(site or url, pages=pages, draw=draw, watch=tell)
        if given and view.clusters:
            view = collection.name_clusters(view, given)
        blocks = view.blocks_of(url) if url else []
        if path is not None and view.clusters:
            count = collection.export_clusters(view, path)
            say(f"{count} pages written to {printable(str(path))}.")
    if not view.clusters:
        say(_why_none(view))
        return 1
    if url:
        return _show_blocks(view, url, blocks, as_json=as_json)
    if as_json:
        _answer(view)
    else:
        _tell(view, limit)
    return 0


def _why_none(view: ClusteredSite) -> str:
    """Return why a site has no clusters, and what to do."""
    site = printable(view.site)
    if not view.known:
        return (
            f"{site}: the collection has no indexed pages of it; `telusur status` lists its sites."
        )
    if view.known < LEAST_PAGES:
        return (
            f"{site}: it has only {view.known} indexed pages, and clusters need {LEAST_PAGES}; "
            "crawl more of the site."
        )
    if not view.urls:
        return f"{site}: none of the {view.known} indexed pages that were tried shows any blocks."
    return f"{site}: no two blocks of its pages look alike."


def _name_in(text: str) -> tuple[int | str, str]:
    number, equals, label = text.partition("=")
    if not equals or not number.isascii() or not number.isdecimal():
        raise UsageError(f"--name: {text[:80]!r} is not N=LABEL, for example 3=content.")
    return int(number[:9]), label.strip().lower()


@contextmanager
def _drawing(collection: Collection, render: bool) -> Iterator[Draw | None]:
    if not render:
        yield None
        return
    with DrawnPages(collection.directory / DRAWN) as drawn:
        yield drawn.blocks_of
    if drawn.failed:
        say(f"{drawn.failed} pages are empty in a browser and were skipped.")


def record_of(cluster: BlockCluster) -> dict[str, Any]:
    """Return a cluster as JSON has it."""
    return {**asdict(cluster), "label": cluster.label}


def _answer(view: ClusteredSite) -> None:
    for cluster in view.clusters:
        answer_json({"type": "cluster", **record_of(cluster)})
    answer_json({
        "type": "summary", "site": view.site, "pages": len(view.urls), "blocks": view.blocks,
        "clusters": len(view.clusters), "unclustered": view.noise, "urls": view.urls,
    })  # fmt: skip


def _tell(view: ClusteredSite, limit: int) -> None:
    out = console()
    out.print(Text(_HEAD, style="dim"))
    for each in view.clusters[:limit]:
        row = (
            f"{each.number:>7}{each.blocks:>8,}{each.pages:>7,}{each.words:>9,}"
            f"  {each.name:<9}{_label(each):<17}{printable(each.selector)}"
        )
        out.print(Text(row))
        out.print(Text(f"{_INDENT}{printable(each.example[:_EXAMPLE])}", style="dim"))
    if len(view.clusters) > limit:
        out.print(Text(f"... and {len(view.clusters) - limit:,} more; see --limit"))
    say(
        f"{printable(view.site)}: {len(view.clusters):,} clusters of {view.blocks:,} blocks on "
        f"{len(view.urls):,} pages; {view.noise:,} blocks are in none. Correct a label with "
        f"--name N=LABEL ({AUTO} removes it)."
    )


def _label(cluster: BlockCluster) -> str:
    """Return the label, and how many of the blocks have it; a label by hand is for all."""
    if cluster.by_hand:
        return f"{cluster.by_hand}, by hand"
    return f"{cluster.extracted} {cluster.agreement:.0%}"


def _show_blocks(
    view: ClusteredSite, url: str, blocks: list[ClusteredBlock], *, as_json: bool
) -> int:
    if not view.has(url):
        site = printable(view.site)
        raise UsageError(f"--page: {printable(url[:200])} is not a page of {site}, the --site.")
    if not blocks:
        say(f"{printable(url)}: the collection has no blocks of this page.")
        return 1
    if not as_json:
        console().print(Text(_BLOCKS_HEAD, style="dim"))
    for cluster, label, block in blocks:
        if as_json:
            answer_json({
                "type": "block", "cluster": cluster, "label": label, "text": block.text,
                "selectors": block.selectors,
            })  # fmt: skip
        else:
            number = "-" if cluster is None else str(cluster)
            row = f"{number:>7}  {label:<8} {printable(' '.join(block.text.split()))}"
            console().print(Text(row))
    if as_json:
        answer_json({"type": "summary", "url": url, "blocks": len(blocks)})
    else:
        several = len({block.cluster for block in blocks} - {None})
        say(f"{printable(url)}: {len(blocks):,} blocks of {several:,} clusters; - is in none.")
    return 0
