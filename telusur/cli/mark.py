"""`telusur mark`: pages that the user calls good or bad for the topic, for crawls to learn from."""

from dataclasses import asdict
from pathlib import Path

import click

from telusur.cli.options import as_json
from telusur.cli.output import answer_json, console, printable, say
from telusur.collection import open_collection
from telusur.crawl.urls import normalize_url
from telusur.errors import UsageError

SAID = {"good": True, "bad": False, "forget": None}


@click.command("mark")
@click.argument("urls", nargs=-1, metavar="[URL]...")
@click.option(
    "--in", "directory", metavar="DIR", required=True, type=click.Path(path_type=Path),
    help="The collection that keeps the marks.",
)  # fmt: skip
@click.option("--good", "said", flag_value="good", help="These pages are about the topic.")
@click.option("--bad", "said", flag_value="bad", help="These are not.")
@click.option("--forget", "said", flag_value="forget", help="Take back what was said.")
@as_json
def command(urls: tuple[str, ...], directory: Path, said: str | None, as_json: bool) -> int:
    """Call pages good or bad, so that strategies that learn know it from the next crawl on.

    Without a URL the marks are listed, a line each, as `telusur crawl --labels` reads them; exit
    code 1 when there are none. The pages need not be fetched.
    """
    if not urls:
        if said is not None:
            raise UsageError(f"Which pages? Write telusur mark URL... --{said} --in {directory}.")
        return _list(directory, as_json)
    if said is None:
        raise UsageError("What are they? Add --good, --bad or --forget.")
    for url in urls:
        if normalize_url(url) is None:
            raise UsageError(f"{printable(url)!r} is not a web address; nothing was marked.")
    with open_collection(directory, create=False) as collection:
        for url in urls:
            collection.mark(url, SAID[said])
        count = len(collection.marks())
    if as_json:
        answer_json({"type": "marked", "said": said, "urls": list(urls), "marks": count})
    else:
        say(f"{'Forgot' if said == 'forget' else 'Marked'} {len(urls):,}; {count:,} are marked.")
    return 0


def _list(directory: Path, as_json: bool) -> int:
    with open_collection(directory, create=False) as collection:
        marks = collection.marks()
    for page in marks:
        if as_json:
            answer_json({"type": "mark", **asdict(page)})
        else:
            word = "good" if page.is_good else "bad"
            known = f"{word} {printable(page.url)}"
            line = known if page.url else f"# a {word} page of unknown address"
            console().print(line, markup=False, highlight=False, soft_wrap=True)
    return 0 if marks else 1
