"""From a fetched page to the state of its URL: done, failed, skipped, or retried later."""

from telusur.crawl.frontier_records import LeasedUrl, Verdict
from telusur.crawl.hosts.health import OF_ROBOTS, Sign, sign_of
from telusur.crawl.hosts.politeness import TRIES, may_retry, retry_after
from telusur.models import Page, Reason, State

REDIRECTS = (301, 302, 303, 307, 308)
MOST_HOPS = 10
# The pause before the first retry of a page, twice as long before the second. It is short because
# all other pages come before it anyway, and a host with several such pages in a row rests.
PAGE_SECONDS = 0.05
# A try that used up the whole time limit counts as this many tries.
LONG_TRIES = 2


def verdict_of(leased: LeasedUrl, page: Page, now: float, *, is_host_down: bool = False) -> Verdict:
    """Return how the URL ends, judging by the response alone.

    While its host is down, no URL fails: it waits until the host is back.
    """
    if page.reason == Reason.CONTENT_TYPE:
        reason = f"{Reason.CONTENT_TYPE}: {page.content_type or 'unknown'}"
        return Verdict(leased.url_id, State.SKIPPED, reason)
    if page.status is None or page.status >= 400 or page.status < 200:
        return _failure(leased, page, now, is_host_down=is_host_down)
    if page.status in REDIRECTS:
        return _redirect(leased, page)
    if page.status in (200, 201, 202, 203):
        return Verdict(leased.url_id, State.DONE)
    # Other 2xx responses have no whole page; we never send the conditional requests that 304
    # answers.
    state = State.DONE if page.status < 300 else State.FAILED
    return Verdict(leased.url_id, state, f"{Reason.HTTP_ERROR} {page.status}")


def has_content(page: Page) -> bool:
    """Tell whether the response has a page to parse (not 204, 206, 304, a redirect, an error)."""
    return page.status in (200, 201, 202, 203) and not page.reason


def is_unreachable(page: Page) -> bool:
    """Tell whether a robots.txt could not be fetched: no response, a server error, or overload."""
    return page.status is None or page.status >= 500 or page.status == 429


def verdict_without_robots(leased: LeasedUrl, page: Page) -> Verdict:
    """Return the verdict on a URL whose robots.txt could not be fetched; `page` is that
    response."""
    if page.status is None:
        is_clear = page.reason.startswith((Reason.NETWORK, Reason.PRIVATE_ADDRESS))
        reason = page.reason if is_clear else page.reason + OF_ROBOTS
        return Verdict(leased.url_id, State.FAILED, reason)
    reason = f"{Reason.ROBOTS}: unreachable, {Reason.HTTP_ERROR} {page.status}"
    return Verdict(leased.url_id, State.SKIPPED, reason)


def _redirect(leased: LeasedUrl, page: Page) -> Verdict:
    if not page.header("location"):
        reason = f"{Reason.BAD_RESPONSE}: redirect without a target"
        return Verdict(leased.url_id, State.FAILED, reason)
    if leased.hops >= MOST_HOPS:
        return Verdict(leased.url_id, State.FAILED, Reason.TOO_MANY_REDIRECTS)
    return Verdict(leased.url_id, State.DONE, Reason.REDIRECT)


def _failure(leased: LeasedUrl, page: Page, now: float, *, is_host_down: bool) -> Verdict:
    reason = page.reason or f"{Reason.HTTP_ERROR} {page.status}"
    if reason.startswith(Reason.PRIVATE_ADDRESS) or not may_retry(page.status):
        return Verdict(leased.url_id, State.FAILED, reason)
    if is_host_down:
        return _waiting_for_host(leased, page, reason, now)
    most, used = TRIES, 1
    if reason == Reason.TIMEOUT:  # it took as long as many pages: one more try is enough
        most, used = LONG_TRIES, TRIES - 1
    tries = leased.tries + used
    if tries >= TRIES:
        return Verdict(leased.url_id, State.FAILED, reason)
    wait = retry_after(page.header("retry-after"), now)
    seconds = PAGE_SECONDS * 2**leased.tries if wait is None else wait
    words = f"{reason}, try {leased.tries + 1} of {most}"
    return Verdict(leased.url_id, State.WAITING, words, seconds, tries=used)


def _waiting_for_host(leased: LeasedUrl, page: Page, reason: str, now: float) -> Verdict:
    """Let a URL wait for its host; a page that may be the cause itself queues behind the others."""
    may_be_page = sign_of(page, now) is not Sign.AWAY
    used = 1 if may_be_page and leased.tries < TRIES - 1 else 0
    return Verdict(leased.url_id, State.WAITING, f"{reason}, waiting for the host", tries=used)
