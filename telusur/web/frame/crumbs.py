"""A URL as breadcrumbs: the host, then the segments of its path."""

from dataclasses import dataclass
from urllib.parse import unquote

from ada_url import URL

from telusur.web.frame.text import clean_line

MAX_STEPS = 4
MAX_STEP_CHARS = 40


@dataclass(slots=True, frozen=True)
class Crumbs:
    """A readable URL; `before` and `site` together are the host, `steps` the rest."""

    before: str
    site: str
    steps: tuple[str, ...] = ()


def read_crumbs(url: str, site: str = "") -> Crumbs:
    """Return the readable form of a URL; long paths lose their middle.

    The host is the one a browser would go to, in its ASCII form. So neither look-alike letters nor
    a user name before an @ can imitate another site.
    """
    try:
        parsed = URL(url)
    except ValueError:
        return Crumbs("", clean_line(url, 80))
    if parsed.protocol not in ("http:", "https:"):
        return Crumbs("", clean_line(url, 80))
    steps = [_read_step(step) for step in parsed.pathname.split("/") if step]
    if parsed.search:
        steps.append(_read_step(parsed.search))
    return Crumbs(*_split_host(parsed.host, site), _shorten(steps))


def _split_host(host: str, site: str) -> tuple[str, str]:
    """Return the part of the host before the site, and the site."""
    name, _, port = host.partition(":")
    if host.startswith("[") or not site or not name.endswith("." + site):
        return "", clean_line(host, 80)
    before = clean_line(name[: -len(site)], 60)
    return before, clean_line(site, 60) + (f":{port}" if port else "")


def _read_step(step: str) -> str:
    return clean_line(unquote(step), MAX_STEP_CHARS)


def _shorten(steps: list[str]) -> tuple[str, ...]:
    if len(steps) <= MAX_STEPS:
        return tuple(steps)
    return (steps[0], "…", *steps[-(MAX_STEPS - 2) :])
