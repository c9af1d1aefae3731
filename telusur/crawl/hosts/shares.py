"""The share of each site in a crawl: weights, and budgets that limit it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from telusur.crawl.urls.identity import host_of, parse_url, site_of
from telusur.errors import UsageError
from telusur.models import Reason

LEAST_WEIGHT = 0.001
LARGEST_WEIGHT = 1000.0


def parse_weights(texts: Iterable[str]) -> dict[str, float]:
    """Read `example.org=2`; raise one clear sentence for anything else."""
    weights = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        url = parse_url(_as_url(name))
        try:
            weight = float(number)
        except ValueError:
            weight = 0.0
        if url is None or not LEAST_WEIGHT <= weight <= LARGEST_WEIGHT:
            raise UsageError(
                f"--weight: {text!r} is not a site and a number from 0.001 to 1000; "
                "write it as example.org=2."
            )
        weights[site_of(url)] = weight
    return weights


def _as_url(name: str) -> str:
    return name if "://" in name else f"http://{name}/"


@dataclass(slots=True, frozen=True)
class Budget:
    """The maximum number of pages of a site, of a host, or below a URL, named by `place`."""

    what: str
    kind: str
    place: str
    pages: int

    def holds(self, url: str) -> bool:
        """Tell whether a URL counts against this budget."""
        if self.kind == "prefix":
            return url.startswith(self.place)
        return self.place == (site_of(url) if self.kind == "site" else host_of(url))

    @property
    def reason(self) -> str:
        """Return why a URL beyond the budget is skipped."""
        return f"{Reason.BUDGET}: {self.what} {self.pages}"


def parse_budget(text: str) -> list[Budget]:
    """Read `example.org=500`, `www.example.org=50` or `http://example.org/shop/=9`.

    A name that is not a site means that host, by both http and https.
    """
    what, _, number = text.rpartition("=")
    url = parse_url(_as_url(what))
    if url is None or not (number.isascii() and number.isdigit()):
        raise UsageError(
            f"--budget: {text!r} is not a place and a number of pages; write it as "
            "example.org=500, www.example.org=500 or https://example.org/news/=500."
        )
    pages = int(number)
    if "://" in what:
        if url == f"{host_of(url)}/" and not what.endswith("/"):
            return [Budget(what, "host", host_of(url), pages)]
        return [Budget(what, "prefix", url, pages)]
    if site_of(url) == url.split("/")[2]:
        return [Budget(what, "site", site_of(url), pages)]
    names = (url, parse_url(f"https://{what}/"))
    return [Budget(what, "host", host_of(name), pages) for name in names if name]


class Budgets:
    """Counts the pages taken from each budget, and refuses those beyond it.

    Several budgets may apply to one URL: each must have room. Pages in flight count as taken.
    """

    def __init__(self, texts: Sequence[str] = ()) -> None:
        self._budgets = [budget for text in texts for budget in parse_budget(text)]
        self._taken: Counter[str] = Counter()

    def __bool__(self) -> bool:
        return bool(self._budgets)

    def count(self, urls: Iterable[str]) -> None:
        """Count pages that were fetched before."""
        for url in urls:
            self._change(url, 1)

    def objection(self, url: str) -> str:
        """Return the reason of the first exhausted budget of a URL, or an empty text."""
        for budget in self._budgets:
            if self._taken[budget.what] >= budget.pages and budget.holds(url):
                return budget.reason
        return ""

    def take(self, url: str) -> str:
        """Take a page from its budgets; return the reason if one of them is exhausted."""
        reason = self.objection(url)
        if not reason:
            self._change(url, 1)
        return reason

    def give_back(self, url: str) -> None:
        """Return a page that was not fetched after all."""
        self._change(url, -1)

    def taken(self) -> Mapping[str, int]:
        """Return the pages taken from each budget."""
        return {budget.what: self._taken[budget.what] for budget in self._budgets}

    def _change(self, url: str, by: int) -> None:
        for what in {budget.what for budget in self._budgets if budget.holds(url)}:
            self._taken[what] += by
