"""Made-up pages of a site: an article in a frame, and what the network would say about them."""

from telusur.extract.document import PageReading, read_page
from telusur.extract.site.evidence import PageEvidence
from telusur.extract.site.record import SiteRecord

MENU = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("Home", "Sport", "Weather"))
FRAME = (
    "Follow our reporters every morning, and get the best stories of the week in your letter box "
    "before everybody else does."
)


def words(number: int, count: int = 60) -> str:
    """Return a paragraph that no other page has."""
    names = ("harbour", "lantern", "captain", "storm", "island", "rope", "gull", "anchor")
    return " ".join(f"{names[(number + n) % 8]}{number * 1000 + n}" for n in range(count)) + "."


def page(number: int, extra: str = "") -> str:
    """Return the HTML of an article of the site."""
    return (
        f"<html><head><title>Story {number} of the coast - The Gull</title></head><body>"
        f"<ul class=menu>{MENU}</ul><div class=story><h2 class=name>Story {number} of the coast"
        f"</h2><p>{words(number)}</p><p>{words(number + 50)}</p>{extra}"
        f"<p class=promo>{FRAME}</p></div></body></html>"
    )


def read(html: str, number: int, site: SiteRecord | None = None) -> PageReading:
    """Read a page of the site."""
    known = SiteRecord() if site is None else site
    return read_page(html, f"http://gull.example/{number}", site=known)


def evidence_of(html: str, number: int) -> PageEvidence:
    """Return what a page tells about the site."""
    view = read(html, number).site
    assert view is not None
    return view.evidence


def site_of(*numbers: int) -> SiteRecord:
    """Return the record of a site of which these pages were seen."""
    record = SiteRecord()
    record.learn(evidence_of(page(number), number) for number in numbers)
    return record
