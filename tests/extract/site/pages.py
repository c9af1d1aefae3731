"""Made-up pages of a site: an article in a frame, and what the network would say about them."""

from telusur.extract.document import PageReading, read_page
from telusur.extract.site.evidence import PageEvidence
from telusur.extract.site.record import SiteRecord

MENU = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("Home", "Sport", "Weather"))
# It looks like a paragraph of the article; only other pages tell that it is none.
FRAME = (
    "Our reporters walk along the coast every morning, and tell what they have seen to everybody "
    "who would rather stay in bed than stand in the wind with a notebook and a cold nose."
)


def words(number: int) -> str:
    """Return a paragraph that no other page has."""
    return (
        f"On day {number} the moon pulls the sea towards it, and ferry number {number} comes back "
        f"twice a day whatever the {number} people who stand on the shore with their dogs and "
        "children may think of it, because nobody has ever asked a ferry what it would prefer."
    )


def page(number: int, extra: str = "") -> str:
    """Return the HTML of an article of the site."""
    return (
        f"<html><head><title>Story {number} of the coast - The Gull</title></head><body>"
        f"<ul class=menu>{MENU}</ul><div class=story><h2 class=name>Story {number} of the coast"
        f"</h2><p>{words(number)}</p><p>{FRAME}</p><p>{words(number + 500)}</p>{extra}"
        "</div></body></html>"
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
