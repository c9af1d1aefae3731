"""The names of a site, and how they are cut off from the titles of its pages."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice

from telusur.extract.facts.statements import Statements, clean

SITE_NAMES = ("og:site_name", "application-name", "apple-mobile-web-app-title", "twitter:site")
SEPARATORS = re.compile(
    r"\s+(?:[|\u2013\u2014\u00b7\u2022\u00bb\u00ab\u203a:]|::|-)\s+|\s*[|\uff5c]\s*|:\s+"
)
_EDGES = " |-–—·•»«›:｜_"
_END = r"\s([|\u2013\u2014\u00b7\u2022\u00bb\u00ab\u203a-])\s"
_NAME_AT_END = re.compile(rf"{_END}(?:(?!{_END.replace('(', '(?:', 1)})[^|]){{1,50}}$")
# Chinese and Japanese put the name right behind a sign: 标题-新华网, 标题_新浪
_ASIAN_NAME_AT_END = re.compile(
    r"\s?[-_\u2013\u2014|\uff5c]+\s?[\u3040-\u9fff\uac00-\ud7a3]{2,12}$"
)
# A known name may stand behind a sign without a space in any language.
_TIGHT_NAME_AT_END = re.compile(
    r"(?:\s?[_|\uff5c\uff1a\u2013\u2014]\s?|(?<=[^\x00-\x7f])-|-(?=[^\x00-\x7f]))[^-_|\uff5c\uff1a\u2013\u2014]{2,40}$"
)
_ASIAN = re.compile(r"[\u3040-\u9fff\uac00-\ud7a3]")
_NAME_SEPARATORS = re.compile(
    r"\s+[|\u2013\u2014\u00b7\u2022\u00bb\u00ab\u203a:-]+\s+|\s*[|\uff5c]\s*"
)
_WORDS = re.compile(r"\w+")
_LEAST_TITLE = 12
_LEAST_ASIAN_TITLE = 6
_LEAST_LABEL = 4
_MOST_NAMES = 3
_MOST_TITLES = 1000
_LEAST_TITLES = 3
_LEAST_SHARE = 0.15
_COMMON_LABELS = frozenset((
    "www", "com", "org", "net", "gov", "edu", "blog", "news", "shop", "store", "mobile", "forum",
    "forums", "docs", "help", "support", "wiki", "info", "web", "home", "community",
))  # fmt: skip


def site_keys(meta: Statements, site: str, url: str, known: Iterable[str] = ()) -> frozenset[str]:
    """Return the names of the site, squeezed to their letters: its own, and its host's."""
    names = [site, *known, *(value for name in SITE_NAMES for value in meta.get(name, ())[:1])]
    keys = {squeeze(name) for name in names}
    host = _host(url)
    if len(labels := host.split(".")) > 1:
        keys |= {squeeze(host), squeeze(labels[0]), squeeze(labels[-2])}
        keys |= set(host_labels(url))
    return frozenset(key for key in keys if len(key) > 2)


@lru_cache(maxsize=256)
def host_labels(url: str) -> tuple[str, ...]:
    """Return the telling parts of a host: what stands before its top-level domain."""
    labels = [squeeze(label) for label in _host(url).split(".")[:-1]]
    return tuple(
        label for label in labels if len(label) >= _LEAST_LABEL and label not in _COMMON_LABELS
    )


def _host(url: str) -> str:
    """Return the host of a URL, or of that which a web archive names in its own."""
    url = url[max(0, url.rfind("/http")) :]
    return url.partition("//")[2].partition("/")[0].casefold().removeprefix("www.")


def strip_site_name(title: str, site: str = "", keys: frozenset[str] = frozenset()) -> str:
    """Return the title without the name of the site before or after a separator.

    `keys` are further names of the site, squeezed to their letters.
    """
    known = strip_names(title, keys | {squeeze(site)} if site else keys)
    if known != title:
        return known
    separator = ""
    for _ in range(2):
        ending = _NAME_AT_END.search(title)
        if ending is None or ending.start() < _LEAST_TITLE or ending[1] != (separator or ending[1]):
            break
        title, separator = title[: ending.start()], ending[1]
    return title if separator else _strip_asian_name(title, keys | {squeeze(site)})


def strip_names(title: str, names: frozenset[str]) -> str:
    """Return the title without these names, squeezed, at its end or at its start."""
    for _ in range(_MOST_NAMES):
        shorter = _strip_one(title, names)
        if shorter == title:
            break
        title = shorter
    return title


def _strip_one(title: str, names: frozenset[str]) -> str:
    parts = split_title(title)
    if len(parts) > 1:
        if squeeze(parts[-1]) in names:
            return title[: title.rindex(parts[-1])].rstrip(_EDGES)
        if squeeze(parts[0]) in names:
            return title[title.index(parts[0]) + len(parts[0]) :].lstrip(_EDGES)
    ending = _TIGHT_NAME_AT_END.search(title)
    if ending is not None and ending.start() and squeeze(ending[0]) in names:
        return title[: ending.start()].rstrip(_EDGES)
    return title


def learn_site_names(titles: Iterable[str]) -> list[str]:
    """Return what the titles of a site's pages have in common, the most frequent first.

    That is what stands before or after a separator, and any title that many pages have. `titles`
    are the `<title>`s of several pages, as they are written; the result serves as `site_names` of
    `read_metadata`. Names of sections that many pages share are among it.
    """
    pages = Counter(clean(title) for title in islice(titles, _MOST_TITLES))
    counted: Counter[str] = Counter()
    spelled: dict[str, str] = {}
    for title, count in pages.items():
        for part in _ends_of(title) | ({title} if count > 1 else set()):
            if key := squeeze(part):
                spelled.setdefault(key, part)
                counted[key] += count if part == title else 1
    least = max(_LEAST_TITLES, _LEAST_SHARE * len(pages))
    return [spelled[key] for key, count in counted.most_common() if count >= least]


def _ends_of(title: str) -> set[str]:
    """Return the parts of a title that may be names: the first one, and the last two."""
    parts = split_title(title)
    found = {parts[0], *parts[-2:][-(len(parts) - 1) :]} if len(parts) > 1 else set()
    if ending := _TIGHT_NAME_AT_END.search(title):
        found.add(ending[0].lstrip(_EDGES))
    return {part for part in found if part != title}


def is_within(title: str, longer: str) -> bool:
    """Tell whether another title is this one with more before or after a separator.

    Then that is the name of the site, and what this one has after a separator belongs to it.
    """
    if not 0 < len(title) < len(longer):
        return False
    rest = longer.removeprefix(title)
    if rest != longer:
        return _NAME_SEPARATORS.match(rest) is not None
    rest = longer.removesuffix(title)
    return rest != longer and rest.rstrip() != rest and rest.rstrip()[-1:] in _EDGES


def _strip_asian_name(title: str, keys: frozenset[str]) -> str:
    ending = _ASIAN_NAME_AT_END.search(title)
    if ending is None or _ASIAN.search(title[: ending.start()]) is None:
        return title
    is_long = ending.start() >= _LEAST_ASIAN_TITLE
    return title[: ending.start()] if is_long or squeeze(ending[0]) in keys else title


def split_title(title: str) -> list[str]:
    """Return the parts of a title between separators."""
    return [part for part in SEPARATORS.split(title) if part]


def split_names_off(title: str) -> list[str]:
    """Return the parts of a title between the separators that stand before a site's name."""
    return _NAME_SEPARATORS.split(title)


def strip_known_name(title: str, keys: frozenset[str]) -> str:
    """Return a title without a name of the site at its end."""
    parts = _NAME_SEPARATORS.split(title)
    if len(parts) > 1 and squeeze(parts[-1]) in keys:
        return title[: title.rindex(parts[-1])].rstrip(_EDGES)
    return title


@lru_cache(maxsize=1024)
def squeeze(text: str) -> str:
    """Return only the letters and digits of a text, for comparing names."""
    return "".join(_WORDS.findall(text[:200].casefold())).replace("_", "")
