"""From a fetched page to the fate of its URL: done, failed, skipped, or tried again later."""

from telusur.crawl.frontier import LeasedUrl, Verdict
from telusur.crawl.politeness import TRIES, back_off, may_retry, retry_after
from telusur.models import Page, Reason, State

REDIRECTS = (301, 302, 303, 307, 308)
MOST_HOPS = 10


def verdict_of(leased: LeasedUrl, page: Page, now: float) -> Verdict:
    """Return how the URL ends as far as the answer alone can tell."""
    if page.reason == Reason.CONTENT_TYPE:
        reason = f"{Reason.CONTENT_TYPE}: {page.content_type or 'unknown'}"
        return Verdict(leased.url_id, State.SKIPPED, reason)
    if page.status is None or page.status >= 400 or page.status < 200:
        return _failure(leased, page, now)
    if page.status in REDIRECTS:
        return _redirect(leased, page)
    if page.status in (200, 201, 202, 203):
        return Verdict(leased.url_id, State.DONE)
    # Other 2xx carry no whole page; 304 and the like answer a question that was not asked.
    state = State.DONE if page.status < 300 else State.FAILED
    return Verdict(leased.url_id, state, f"{Reason.HTTP_ERROR} {page.status}")


def has_content(page: Page) -> bool:
    """Tell whether the answer carries a page to parse (not 204, 206, 304, a redirect, an error)."""
    return page.status in (200, 201, 202, 203) and not page.reason


def is_unreachable(page: Page) -> bool:
    """Tell whether a robots.txt could not be had: no answer, a server error, or overload."""
    return page.status is None or page.status >= 500 or page.status == 429


def verdict_without_robots(leased: LeasedUrl, page: Page) -> Verdict:
    """Return the fate of a URL whose host did not give its robots.txt; `page` is that answer."""
    if page.status is None:
        return Verdict(leased.url_id, State.FAILED, page.reason)
    reason = f"{Reason.ROBOTS}: unreachable, {Reason.HTTP_ERROR} {page.status}"
    return Verdict(leased.url_id, State.SKIPPED, reason)


def _redirect(leased: LeasedUrl, page: Page) -> Verdict:
    if not page.header("location"):
        reason = f"{Reason.BAD_RESPONSE}: redirect without a target"
        return Verdict(leased.url_id, State.FAILED, reason)
    if leased.hops >= MOST_HOPS:
        return Verdict(leased.url_id, State.FAILED, Reason.TOO_MANY_REDIRECTS)
    return Verdict(leased.url_id, State.DONE, Reason.REDIRECT)


def _failure(leased: LeasedUrl, page: Page, now: float) -> Verdict:
    reason = page.reason or f"{Reason.HTTP_ERROR} {page.status}"
    hopeless = reason.startswith(Reason.PRIVATE_ADDRESS) or not may_retry(page.status)
    tries = leased.tries + 1
    if hopeless or tries >= TRIES:
        return Verdict(leased.url_id, State.FAILED, reason)
    wait = retry_after(page.header("retry-after"), now)
    retry_at = now + (back_off(tries) if wait is None else wait)
    return Verdict(leased.url_id, State.WAITING, f"{reason}, try {tries} of {TRIES}", retry_at)
