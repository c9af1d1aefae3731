"""What must be true of a crawl over the hostile web: one complaint for each broken expectation."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Case = dict[str, Any]

# Groups whose forbidden words must not turn up in any page, for they would come from elsewhere.
EVERYWHERE = ("redirect", "ssrf", "framing", "xml")
# Directories of pages that say the same: one of them belongs into the index.
ONE_OF_MANY = ("/dup/", "/neardup/")


@dataclass(slots=True)
class Fate:
    """How one URL ended."""

    state: str
    reason: str = ""
    status: int | None = None
    text: str = ""
    truncated: bool = False
    links: int = 0
    ended_at: float = 0.0

    def is_indexed(self) -> bool:
        """Tell whether a search can find it."""
        return self.state == "done" and not self.reason

    def __str__(self) -> str:
        """Return it as a complaint names it."""
        return f"{self.state} ({self.reason or 'indexed'}, status {self.status})"


@dataclass(slots=True)
class Aftermath:
    """What a crawl left behind: the fates of URLs by key, and what the server saw."""

    fates: dict[str, Fate]
    hits: dict[str, int]
    canary: dict[str, int] = field(default_factory=dict)
    longest: dict[str, float] = field(default_factory=dict)
    port: int = 0

    def fate(self, url: str) -> Fate:
        """Return how a URL ended; one that was never heard of is `unknown`."""
        return self.fates.get(url) or Fate("unknown")

    def hits_under(self, prefix: str) -> int:
        """Count the requests for paths that begin so."""
        return sum(count for path, count in self.hits.items() if path.startswith(prefix))


def complaints_about(case: Case, after: Aftermath) -> list[str]:
    """Return what is wrong with one case; nothing if all is well."""
    fate = after.fate(case["url"])
    return [
        *_EXPECTATIONS[case["expect"]](case, fate, after),
        *_about_requests(case, after),
        *_about_text(case, fate, after),
        *_about_time(case, fate, after),
    ]


def _key_of(case: Case, after: Aftermath) -> str:
    """Return the name under which the server counts requests for a case."""
    path = str(case["path"]).partition("?")[0]
    offset = case.get("port_offset")
    return f":{after.port + offset}{path}" if offset else path


def _about_requests(case: Case, after: Aftermath) -> Iterator[str]:
    if "max_requests" in case:
        prefix = case.get("count_prefix")
        key = _key_of(case, after)
        count = after.hits_under(prefix) if prefix else after.hits.get(key, 0)
        if count > case["max_requests"]:
            yield f"{count} requests, at most {case['max_requests']}"
        if not count:
            yield "never requested"
    for path in case.get("must_request", ()):
        if not after.hits.get(path):
            yield f"{path} was not requested"
    for path in case.get("must_not_request", ()):
        if after.hits.get(path):
            yield f"{path} was requested"
    if case.get("canary") and after.canary:
        yield f"the canary was hit: {sorted(after.canary)[:3]}"


def _about_text(case: Case, fate: Fate, after: Aftermath) -> Iterator[str]:
    wanted, unwanted = case.get("text_has"), case.get("text_lacks")
    everything = (other.text for other in after.fates.values())
    if wanted and wanted not in fate.text:
        is_elsewhere = fate.reason == "redirect" and any(wanted in text for text in everything)
        if not is_elsewhere:
            yield f"{wanted!r} is not in its text"
    if unwanted:
        texts = everything if case["group"] in EVERYWHERE else iter([fate.text])
        if any(unwanted in text for text in texts):
            yield f"{unwanted!r} was read"
    if "links_max" in case and fate.links > case["links_max"]:
        yield f"{fate.links} links, at most {case['links_max']}"


def _about_time(case: Case, fate: Fate, after: Aftermath) -> Iterator[str]:
    most = case.get("max_seconds")
    if most is None:
        return
    key = f":{after.port + 4} connect" if case.get("port_offset") == 4 else _key_of(case, after)
    held = after.longest.get(key, 0.0)
    if held > most:
        yield f"held for {held} s, at most {most}"
    if fate.reason.startswith("parser"):
        yield f"took the parser down: {fate.reason}"


def _ok(case: Case, fate: Fate, after: Aftermath) -> Iterator[str]:
    """A page that was read, also when another page says the same, or a sitemap."""
    kinds = ("", "redirect", "duplicate", "sitemap")
    if fate.state != "done" or fate.reason.partition(":")[0] not in kinds:
        yield f"should be read, is {fate}"


def _error(case: Case, fate: Fate, after: Aftermath) -> Iterator[str]:
    """An error; a chain of redirects has led nowhere when none of its URLs was read."""
    if fate.reason == "redirect" and "count_prefix" in case:
        prefix = case["url"].removesuffix(case["path"]) + case["count_prefix"]
        if any(other.text for url, other in after.fates.items() if url.startswith(prefix)):
            yield "the redirects led to a page"
    elif fate.state not in ("failed", "skipped"):
        yield f"should end in an error, is {fate}"


def _truncated(case: Case, fate: Fate, after: Aftermath) -> Iterator[str]:
    """A cut page is marked as cut, or left out altogether."""
    if fate.state not in ("done", "failed", "skipped"):
        yield f"should be cut off, is {fate}"
    if fate.state == "done" and not fate.truncated:
        yield f"should be marked as cut off, is {fate}"


def _blocked(case: Case, fate: Fate, after: Aftermath) -> Iterator[str]:
    """What the case leads to stays unread; a case on a port of its own is that page itself."""
    if fate.state not in ("done", "failed", "skipped"):
        yield f"should have ended, is {fate}"
    if case.get("port_offset") and (after.hits.get(_key_of(case, after)) or fate.state == "done"):
        yield f"should not be fetched, is {fate}"


def _not_indexed(case: Case, fate: Fate, after: Aftermath) -> Iterator[str]:
    if fate.state not in ("done", "failed", "skipped") or fate.is_indexed():
        yield f"should not be indexed, is {fate}"


def _safe(case: Case, fate: Fate, after: Aftermath) -> Iterator[str]:
    if fate.state not in ("done", "failed", "skipped"):
        yield f"should have ended, is {fate}"


def _retry(case: Case, fate: Fate, after: Aftermath) -> Iterator[str]:
    if after.hits.get(_key_of(case, after), 0) < 2:
        yield "was not tried again"
    yield from _ok(case, fate, after)


def _dedup(case: Case, fate: Fate, after: Aftermath) -> Iterator[str]:
    if case["path"] in ONE_OF_MANY:
        indexed = sum(
            other.is_indexed() for url, other in after.fates.items() if case["path"] in url
        )
        if indexed != 1:
            yield f"{indexed} of many copies are indexed"
    elif case["group"] == "directives" and fate.is_indexed():
        yield f"names another URL as its original, is {fate}"
    yield from _safe(case, fate, after)


_EXPECTATIONS: dict[str, Callable[[Case, Fate, Aftermath], Iterator[str]]] = {
    "ok": _ok,
    "error": _error,
    "truncated": _truncated,
    "blocked": _blocked,
    "not-indexed": _not_indexed,
    "bounded": _safe,
    "safe": _safe,
    "retry": _retry,
    "dedup": _dedup,
}
