"""`telusur compare`: strategies side by side, with the same start URLs and budget."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from telusur.cli.config import Config
from telusur.cli.options import as_json, flags_of, given, split_names
from telusur.cli.output import answer_json, console, printable, say
from telusur.errors import UsageError
from telusur.fetch.browser.picture import write_png
from telusur.laboratory import compare_strategies
from telusur.reports.strategies.chart import (
    HEIGHT,
    WIDTH,
    as_file,
    draw,
    harvest_height,
    recall_height,
)
from telusur.reports.strategies.harvest import SHARES, HarvestCourse
from telusur.reports.strategies.judge import Comparison, average, languages_of, read_topics
from telusur.settings import CrawlSettings

LANGUAGES_SHOWN = 6
_SHARE_TITLES = (f"recall {SHARES[0]:.0%}", *(f"{share:.0%}" for share in SHARES[1:]))


@click.command("compare")
@click.argument("urls", nargs=-1, metavar="URL...")
@click.option("--strategies", required=True, metavar="A,B,...", help="The strategies to compare.")
@click.option("--topic", "topics", multiple=True, metavar="WORDS", help="A topic; may be repeated.")
@click.option(
    "--topics-from", metavar="FILE", type=click.Path(path_type=Path),
    help="Read more topics from this file, one per line: WORDS, or WORDS | URL... with start URLs.",
)  # fmt: skip
@click.option(
    "--truth", metavar="FILE", type=click.Path(path_type=Path),
    help="Take the URLs in this file, one per line, as the relevant pages instead of scoring "
    "words.",
)  # fmt: skip
@click.option(
    "--to", "directory", metavar="DIR", type=click.Path(path_type=Path),
    help="Keep the crawls and the results here.",
)  # fmt: skip
@click.option(
    "--plot", metavar="FILE", type=click.Path(path_type=Path), multiple=True,
    help="Plot recall by pages fetched, as .svg or .png; with 'harvest' in its name, plot harvest.",
)  # fmt: skip
@flags_of(CrawlSettings, without=("strategy", "topic", "index", "urls_from"))
@as_json
def command(  # noqa: PLR0917 - click passes them by name
    urls: tuple[str, ...], strategies: str, topics: tuple[str, ...], topics_from: Path | None,
    truth: Path | None, directory: Path | None, plot: tuple[Path, ...], as_json: bool, **flags: Any,
) -> int:  # fmt: skip
    """Compare strategies on the same start URLs and budget.

    Each strategy fetches the same number of pages from the live web.

    With --replay DIR they crawl the archive of a collection instead, without network; recall then
    counts the relevant pages of the archive. Harvest is the share of fetched pages that are
    relevant; recall is the share of relevant pages that were fetched. A page is relevant when its
    topic score reaches --relevant, or is among the best --relevant-share.
    """
    for path in plot:
        if path.suffix not in (".svg", ".png"):
            raise UsageError(f"--plot: {path} is neither an .svg nor a .png file.")
    settings = Config(Path.cwd(), os.environ).settings(CrawlSettings, "crawl", given(flags))
    starts = read_topics(topics_from) if topics_from is not None else {}
    comparison = compare_strategies(
        urls, split_names(strategies), (*topics, *starts), settings, starts=starts,
        truth=truth, directory=directory, tell=lambda text: say(f"crawling: {printable(text)}"),
    )  # fmt: skip
    for path in plot:
        _plot(comparison, path)
    if as_json:
        answer_json({"type": "comparison", **asdict(comparison)})
    else:
        _show(comparison)
    return 0 if any(course.relevant for course in comparison.courses) else 1


def _plot(comparison: Comparison, path: Path) -> None:
    courses = average(comparison)
    is_harvest = "harvest" in path.stem
    height = harvest_height if is_harvest else recall_height
    what = "Harvest rate" if is_harvest else "Recall of relevant pages"
    topics = ", ".join(comparison.topics)
    picture = as_file(draw(courses, f"{what}: {topics[:60]}", height))
    if path.suffix == ".png":
        write_png(picture, path, WIDTH, HEIGHT)
    else:
        path.write_text(picture, encoding="utf-8")
    say(f"The picture is {path}.")


def _show(comparison: Comparison) -> None:
    out = console()
    for topic in comparison.topics:
        courses = comparison.of_topic(topic)
        out.print(Text(f"{printable(topic)}: {courses[0].known} relevant pages", style="bold"))
        out.print(_recalls(courses))
    if len(comparison.topics) > 1:
        out.print(Text("Share of relevant pages among those fetched", style="bold"))
        out.print(_shares(comparison))
    out.print(Text("Pages by language", style="bold"))
    out.print(_languages(comparison))


def _recalls(courses: list[HarvestCourse]) -> Table:
    """Return one row per strategy: harvest, and recall after shares of the budget."""
    table = _empty_table("strategy", "pages", "relevant", "harvest", *_SHARE_TITLES)
    for course in courses:
        recalls = [f"{recall:.3f}" for _, recall in course.recall_at]
        counts = (f"{course.pages:,}", f"{course.relevant:,}", f"{course.harvest:.1%}")
        table.add_row(course.strategy, *counts, *recalls)
    return table


def _languages(comparison: Comparison) -> Table:
    """Return one row per language, one column per strategy."""
    table = _empty_table("language", *comparison.strategies)
    for code, pages in languages_of(average(comparison), LANGUAGES_SHOWN):
        table.add_row(code or "unknown", *(f"{count:,}" for count in pages))
    return table


def _empty_table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(first, no_wrap=True)
    for title in others:
        table.add_column(title, justify="right", no_wrap=True)
    return table


def _shares(comparison: Comparison) -> Table:
    """Return one row per topic, one column per strategy: the share of relevant pages."""
    table = _empty_table("topic", *comparison.strategies)
    for topic in comparison.topics:
        shares = [f"{course.harvest:.1%}" for course in comparison.of_topic(topic)]
        table.add_row(Text(printable(topic)), *shares)
    table.add_row("mean", *(f"{share:.1%}" for share in comparison.mean_harvests()))
    return table
