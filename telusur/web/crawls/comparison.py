"""Strategies compared: the results that `telusur compare --to DIR` wrote to the served
directory."""

from dataclasses import asdict
from typing import Any

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from telusur.reports.strategies.chart import draw, harvest_height, recall_height
from telusur.reports.strategies.harvest import SHARES
from telusur.reports.strategies.judge import Comparison, average, languages_of
from telusur.web.frame import urls
from telusur.web.frame.render import JSONAnswer, render_html
from telusur.web.frame.text import clean_line

LANGUAGES_SHOWN = 12
NONE = "No strategies have been compared here; run `telusur compare URL --strategies A,B --to DIR`."


async def show_comparison(request: Request) -> Response:
    """Show tables and curves of the strategies."""
    comparison = await _find(request)
    return render_html(request, "comparison.html", urls.COMPARISON_JSON, _view(comparison))


async def comparison_json(request: Request) -> Response:
    """Send the results of a comparison."""
    return JSONAnswer({"ok": True, **asdict(await _find(request))})


async def _find(request: Request) -> Comparison:
    comparison = await run_in_threadpool(request.app.state.crawls.comparison)
    if comparison is None:
        raise HTTPException(404, NONE)
    return comparison  # type: ignore[no-any-return]


def _view(comparison: Comparison) -> dict[str, Any]:
    courses = average(comparison)
    return {
        "comparison": comparison,
        "shares": [f"{share:.0%}" for share in SHARES],
        "tables": [
            (clean_line(topic, 80), comparison.of_topic(topic)) for topic in comparison.topics
        ],
        "means": comparison.mean_harvests(),
        "recall": _picture(draw(courses, "Recall of relevant pages", recall_height)),
        "harvest": _picture(draw(courses, "Harvest rate", harvest_height)),
        "languages": languages_of(courses, LANGUAGES_SHOWN),
    }


def _picture(svg: str) -> Markup:
    """Let a picture into a page: `draw` has escaped every name in it."""
    return Markup(svg)  # noqa: S704
