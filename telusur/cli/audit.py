"""`telusur audit`: what is broken, moved, slow, duplicated or missing on a site."""

from dataclasses import asdict
from typing import Any

import click
from rich.text import Text

from telusur.cli.options import as_json, split_names, to_read
from telusur.cli.output import answer_json, console, printable, say
from telusur.collection import open_collection
from telusur.errors import UsageError
from telusur.reports.audit_records import COLUMNS, SLOW_SECONDS, Finding, SiteAudit
from telusur.settings.row import A_DAY


@click.command("audit")
@to_read
@click.option("--site", default="", metavar="SITE", help="Only this site. [default: all sites]")
@click.option(
    "--only", metavar="KINDS", default=",".join(COLUMNS),
    help=f"Which findings, separated by commas: {', '.join(COLUMNS)}.  [default: all]",
)  # fmt: skip
@click.option(
    "--limit", type=click.IntRange(1, 1_000_000), default=10, show_default=True, metavar="N",
    help="Rows to show for each kind of finding.",
)  # fmt: skip
@click.option(
    "--slow", type=click.FloatRange(0, A_DAY), default=SLOW_SECONDS, show_default=True,
    metavar="SECONDS", help="Responses that take at least this long are slow.",
)  # fmt: skip
@as_json
def command(*, address: str, site: str, only: str, limit: int, slow: float, as_json: bool) -> int:
    """Report what is broken, moved, slow, duplicated or missing on the sites of a collection.

    With --json there is one object per row and a summary at the end. Exit code 1 when the
    collection does not know the site.
    """
    kinds = _kinds_in(only)
    with open_collection(address, create=False) as collection:
        audit = collection.audit(site, limit, slow)
    if not audit.states:
        say(
            f"{printable(site) or address}: the collection does not know it; `telusur "
            "status` lists the sites."
        )
        return 1
    if as_json:
        _answer(audit, kinds)
    else:
        _tell(audit, kinds)
    return 0


def _kinds_in(listed: str) -> tuple[str, ...]:
    kinds = split_names(listed)
    unknown = next((kind for kind in kinds if kind not in COLUMNS), None)
    if unknown is not None:
        raise UsageError(f"--only: {unknown!r} is not one of {', '.join(COLUMNS)}.")
    return kinds


def _answer(audit: SiteAudit, kinds: tuple[str, ...]) -> None:
    for kind in kinds:
        for row in audit.findings[kind].rows:
            answer_json({"type": kind, **row._asdict()})
    totals = {kind: audit.findings[kind].total for kind in kinds}
    about = asdict(audit) | {"findings": totals}
    answer_json({"type": "summary", **about})


def _tell(audit: SiteAudit, kinds: tuple[str, ...]) -> None:
    out = console()
    states = ", ".join(f"{number:,} {state}" for state, number in audit.states.items())
    statuses = ", ".join(f"{number:,} × {status}" for status, number in audit.statuses.items())
    out.print(Text(printable(audit.site) or "all sites", style="bold"))
    out.print(Text(f"  URLs: {states}"))
    out.print(Text(f"  responses: {statuses}; median {audit.median_seconds:g} s"))
    out.print(Text(f"  documents: {audit.documents:,}, {audit.indexed:,} of them indexed"))
    for sitemap in audit.sitemaps:
        known = printable(sitemap.state) or "not read"
        out.print(Text(f"  sitemap: {printable(sitemap.url)} ({known})"))
    if audit.listed:
        out.print(Text(f"  in sitemaps: {audit.listed:,} URLs, {audit.listed_fetched:,} fetched"))
    for kind in kinds:
        _tell_finding(kind, audit.findings[kind])


def _tell_finding(kind: str, finding: Finding) -> None:
    out = console()
    total = finding.note or f"{finding.total:,}"
    out.print(Text(f"{kind.replace('_', ' ')}: {total}", style="bold" if finding.total else ""))
    for row in finding.rows:
        out.print(Text(f"  {printable(_line_of(row))}"))
    if finding.total > len(finding.rows):
        out.print(Text(f"  ... and {finding.total - len(finding.rows):,} more; see --limit"))


def _line_of(row: Any) -> str:
    """Return a row as one line: its first field, then the others with their names."""
    first, *others = row._asdict().items()
    said = [f"{name.replace('_', ' ')}: {_shown(value)}" for name, value in others if value]
    return "  ".join([_shown(first[1]), *said])


def _shown(value: Any) -> str:
    return " > ".join(value) if isinstance(value, tuple) else str(value)
