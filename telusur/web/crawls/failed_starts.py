"""A crawl that fetched nothing: why its start URLs failed, and what helps."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from telusur.crawl.urls.identity import guess_url, parse_url
from telusur.fetch.addresses import is_local_name, may_connect, parse_endpoint
from telusur.models import Reason, State
from telusur.settings import CrawlSettings
from telusur.store.views import FailedStarts
from telusur.web.frame.text import clean_line

#: The beginning of a reason, its meaning, and what helps; the first match counts.
_CAUSES = (
    (Reason.PRIVATE_ADDRESS, "is at a private address, and private addresses are not allowed",
     "To fetch it, allow private addresses."),
    (f"{Reason.HTTP_ERROR} 404", "does not exist", "Check the address."),
    (f"{Reason.HTTP_ERROR} 410", "no longer exists", "Check the address."),
    (f"{Reason.HTTP_ERROR} 401", "needs a login", "Start at a public page."),
    (f"{Reason.HTTP_ERROR} 403", "refuses this crawler",
     "Ask its owner, or say in the user agent who you are and how to reach you."),
    (f"{Reason.HTTP_ERROR} 429", "refused the request: too many requests",
     "Try again later, with a longer delay."),
    (f"{Reason.HTTP_ERROR} 5", "has a server error", "Try again later."),
    (Reason.TIMEOUT, "did not respond in time", "Check the address, or try again later."),
    (Reason.NETWORK, "could not be reached",
     "Check the spelling of its name and your network, or try again later."),
    (Reason.TOO_MANY_REDIRECTS, "redirects endlessly",
     "Open it in a browser to find the right URL."),
    (Reason.ROBOTS, "is forbidden by robots.txt", "Start at a page that robots.txt allows."),
    (Reason.CONTENT_TYPE, "is neither a web page nor plain text", "Start at a web page."),
    (Reason.EXCLUDED, "is excluded by your patterns",
     "Change the patterns of URLs to include or exclude."),
)  # fmt: skip
_CURE = "to fetch private addresses, tick Private addresses below."
_OTHER = {
    State.FAILED: ("", "failed", "Check the address."),
    State.SKIPPED: ("", "was skipped", "Check the settings of the crawl."),
}


@dataclass(slots=True, frozen=True)
class Trouble:
    """Why a crawl fetched nothing, and what helps, one sentence each."""

    cause: str
    cure: str
    # Private addresses have to be allowed.
    is_private: bool


def tell_trouble(starts: FailedStarts) -> Trouble:
    """Return the explanation for start URLs that all failed."""
    reason, url = clean_line(starts.reason, 120), clean_line(starts.url, 120)
    meant = (row for row in _CAUSES if starts.reason.startswith(row[0]))
    _, meaning, cure = next(meant, _OTHER[State(starts.state)])
    is_private = starts.reason.startswith(Reason.PRIVATE_ADDRESS)
    detail = "" if is_private or not reason else f" ({reason})"
    if starts.number > 1:
        every = "both" if starts.number == 2 else f"all {starts.number:,}"
        first = f"The first, {url}, {meaning}{detail}."
        cause = f"Nothing was fetched: {every} start URLs failed. {first}"
        return Trouble(cause, cure, is_private)
    return Trouble(f"Nothing was fetched: {url} {meaning}{detail}.", cure, is_private)


def warn_of_private(words: Sequence[str], settings: CrawlSettings) -> str:
    """Return a warning if start URLs are at private addresses, and these are not allowed."""
    if settings.allow_private or settings.replay:
        return ""
    allowed = [parse_endpoint(each) for each in settings.allow_address]
    private = [word for word in words if _is_private(word, allowed)]
    if not private:
        return ""
    named = ", ".join(clean_line(word, 60) for word in private[:3])
    more = f" and {len(private) - 3:,} more" if len(private) > 3 else ""
    verb = "is at a private address" if len(private) == 1 else "are at private addresses"
    return f"{named}{more} {verb} and will not be fetched; {_CURE}"


def _is_private(word: str, allowed: Sequence[tuple[str, int]]) -> bool:
    parts = urlsplit(parse_url(word) or guess_url(word) or "")
    name = (parts.hostname or "").rstrip(".")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    is_loopback = name == "localhost" or name.endswith(".localhost")
    try:
        return bool(name) and not may_connect("127.0.0.1" if is_loopback else name, port, allowed)
    except ValueError:  # a host name, which needs a DNS lookup
        return is_local_name(name)
