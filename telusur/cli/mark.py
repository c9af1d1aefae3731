"""`telusur mark`: mark pages as good or bad for the topic, for crawls to learn from."""

from dataclasses import asdict
from shlex import quote

import click

from telusur.cli.options import as_json
from telusur.cli.output import answer_json, console, printable, say
from telusur.cli.program import program
from telusur.collection import open_collection
from telusur.crawl.urls.identity import normalize_url
from telusur.errors import UsageError

SAID = {"good": True, "bad": False, "forget": None}


@click.command("mark")
@click.argument("urls", nargs=-1, metavar="[URL]...")
@click.option(
    "--in", "address", metavar="DIR", required=True,
    help="The collection that keeps the marks.",
)  # fmt: skip
@click.option("--good", "said", flag_value="good", help="These pages are about the topic.")
@click.option("--bad", "said", flag_value="bad", help="These pages are not about the topic.")
@click.option("--forget", "said", flag_value="forget", help="Remove the marks of these pages.")
@as_json
def command(urls: tuple[str, ...], address: str, said: str | None, as_json: bool) -> int:
    """Mark pages as good or bad; strategies that learn use the marks from the next crawl on.

    Without a URL, list the marks one per line, in the format of `telusur crawl --labels`; exit code
    1 when there are none. The pages need not be fetched.
    """
    if not urls:
        if said is not None:
            raise UsageError(
                f"No pages given; write {program()} mark URL... --{said} --in {quote(address)}."
            )
        return _list(address, as_json)
    if said is None:
        raise UsageError("No mark given; add --good, --bad or --forget.")
    for url in urls:
        if normalize_url(url) is None:
            raise UsageError(f"{printable(url)!r} is not a web address; nothing was marked.")
    with open_collection(address, create=False) as collection:
        for url in urls:
            collection.mark(url, SAID[said])
        count = len(collection.marks())
    if as_json:
        answer_json({"type": "marked", "said": said, "urls": list(urls), "marks": count})
    else:
        say(f"{'Forgot' if said == 'forget' else 'Marked'} {len(urls):,}; {count:,} are marked.")
    return 0


def _list(address: str, as_json: bool) -> int:
    with open_collection(address, create=False) as collection:
        marks = collection.marks()
    for page in marks:
        if as_json:
            answer_json({"type": "mark", **asdict(page)})
        else:
            word = "good" if page.is_good else "bad"
            known = f"{word} {printable(page.url)}"
            line = known if page.url else f"# a {word} page whose URL is unknown"
            console().print(line, markup=False, highlight=False, soft_wrap=True)
    return 0 if marks else 1
