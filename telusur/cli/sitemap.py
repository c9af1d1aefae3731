"""`telusur sitemap`: a sitemap of the pages found on a site."""

import sys
from collections import Counter
from pathlib import Path

import click

from telusur.cli.options import to_read
from telusur.cli.output import console, printable, say
from telusur.collection import open_collection
from telusur.crawl.urls.identity import host_of
from telusur.errors import UsageError
from telusur.extract.sitemap import MOST_URLS
from telusur.machine.disk import disk_errors
from telusur.reports.sitemaps import write_sitemap, write_sitemap_index


@click.command("sitemap")
@to_read
@click.option("--site", required=True, metavar="SITE", help="A site, or one of its hosts.")
@click.option(
    "--to", "folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
    help=f"Write sitemap.xml here; more than {MOST_URLS:,} URLs go into several files.",
)  # fmt: skip
def command(address: str, site: str, folder: Path | None) -> int:
    """Write a sitemap of the pages found on a site; it has the pages in the index.

    It is written to standard output, or to files with --to. A sitemap covers one host. Exit code 1
    when the collection has no page of the site.
    """
    with open_collection(address, create=False) as collection:
        pages = collection.indexed_urls(site) or collection.indexed_urls()
    host, pages = _of_one_host(pages, site)
    if not pages:
        say(
            f"{printable(site)}: the collection has no page of it; `telusur status` lists the "
            "sites."
        )
        return 1
    if folder is not None:
        _write_files(folder, host, pages)
    elif len(pages) > MOST_URLS:
        raise UsageError(
            f"{len(pages):,} pages are more than the {MOST_URLS:,} that one sitemap may "
            "have; "
            "write several files to a directory with --to."
        )
    else:
        for piece in write_sitemap(pages):
            sys.stdout.write(piece)
    return 0


def _of_one_host(
    pages: list[tuple[str, str | None]], site: str
) -> tuple[str, list[tuple[str, str | None]]]:
    """Return the pages of the host that is meant; refuse an ambiguous name."""
    hosts = Counter(host_of(url) for url, _ in pages)
    named = [host for host in hosts if site in (host, _name_of(host), _name_of(host).split(":")[0])]
    among = named or [host for host in hosts if _name_of(host).split(":")[0].endswith(f".{site}")]
    if len(among) > 1:
        listed = ", ".join(printable(host) for host in among[:5])
        raise UsageError(
            f"--site {site}: the site has {len(among)} hosts; name one of them: {listed}."
        )
    host = among[0] if among else ""
    return host, [page for page in pages if host and host_of(page[0]) == host]


def _name_of(host: str) -> str:
    return host.partition("://")[2]


def _write_files(folder: Path, host: str, pages: list[tuple[str, str | None]]) -> None:
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        groups = [pages[at : at + MOST_URLS] for at in range(0, len(pages), MOST_URLS)]
        names = [f"sitemap-{number}.xml" for number in range(1, len(groups) + 1)]
        if len(groups) == 1:
            names = ["sitemap.xml"]
        for name, group in zip(names, groups, strict=True):
            (folder / name).write_text("".join(write_sitemap(group)), "utf-8")
            console().print(str(folder / name), markup=False, highlight=False)
        if len(groups) > 1:
            index = write_sitemap_index(f"{host}/{name}" for name in names)
            (folder / "sitemap.xml").write_text(index, "utf-8")
            console().print(str(folder / "sitemap.xml"), markup=False, highlight=False)
