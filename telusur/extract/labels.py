"""Tell content, title, author and date of a page from the rest, by rules.

The boundary is `label_blocks`: it reads placed blocks and metadata, and writes each block's label.
"""

import re
from functools import lru_cache

from telusur.extract.blocks import Container, PlacedBlock
from telusur.extract.dates import parse_date
from telusur.extract.metadata import Metadata

# Calibrated as a set on a sample of pages of seven kinds; do not tune one in isolation.
_GOOD_LENGTH = 50
_GOOD_LINK_DENSITY = 0.35
_MAIN_SHARE = 0.7
_SEMANTIC_SHARE = 0.45
_SHARE_THAT_REDEEMS = 0.4
_MAX_LINK_DENSITY = 0.55

_BOILERPLATE_TAGS = frozenset(("nav", "footer", "aside", "dialog", "menu", "button", "fieldset"))
_NEVER_BOILERPLATE = frozenset(("html", "body", "main", "article"))
_LEAF_TAGS = frozenset(("p", "pre", "li", "dd", "dt", "blockquote", "h1", "h2", "h3", "figcaption"))
_BOILERPLATE_WORDS = re.compile(
    r"\b(?:nav|navbar|navigation|menu|footer|sidebar|side-bar|breadcrumbs?|social|share|sharing|"
    r"related|recommend\w*|advert\w*|ads?|sponsor\w*|promo\w*|cookies?|consent|gdpr|newsletter|"
    r"subscribe|subscription|popup|modal|overlay|banner|login|signin|signup|search|toolbar|"
    r"pagination|pager|skip|copyright|comments?|comment-\w+|disqus|respond|masthead|topbar|"
    r"toc|tags?|tag-list|tagcloud|byline|author-?(?:box|bio|info)|widget|rating|"
    r"more-?(?:from|posts|stories)|read-?(?:more|next)|next|prev|previous|trending|popular|"
    r"contentinfo|complementary|hidden|print-only|noprint|mw-editsection|reflist|navbox|catlinks)\b"
)
_CONSENT_WORDS = re.compile(r"onetrust|cookie|consent|gdpr|usercentrics|didomi|qc-cmp|cmp-")
_WORD_BOUNDARIES = re.compile(r"[_\s]+|(?<=[a-z])-(?=[a-z])")
_NOISE = re.compile(
    r"(?:share|tweet|print|email|reply|like|comments?|read more|learn more|see more|view all|"
    r"log ?in|sign (?:up|in)|subscribe|advertisement|menu|search|close|next|previous|"
    r"skip to (?:main )?content|back to top|add to cart|buy now|follow us|baca juga|"
    r"selengkapnya|bagikan)\W*",
    re.IGNORECASE,
)
_COPYRIGHT_MARKS = ("©", "Copyright ", "ll rights reserved", "ll Rights Reserved")


def label_blocks(placed: list[PlacedBlock], metadata: Metadata) -> None:
    """Write the label of every block: content, title, author, date or other.

    1. Find the smallest element that holds most of the running text. 2. What stands in it, outside
    navigation, asides and lists of links, is content. 3. Title, author and date are known by value.
    """
    containers = _weigh(placed)
    main = _find_main(containers)
    verdicts: dict[Container, bool] = {}
    for item in placed:
        if _is_in_content(item.container, main, verdicts) and not _is_noise(item):
            item.block.label = "content"
    _drop_lone_headings(placed)
    _label_facts(placed, metadata)


def _weigh(placed: list[PlacedBlock]) -> list[Container]:
    """Give each container the length of the running text in it; return those that have any."""
    found: dict[Container, None] = {}
    for item in placed:
        block = item.block
        if len(block.text) < _GOOD_LENGTH or block.link_density >= _GOOD_LINK_DENSITY:
            continue
        length = len(block.text)
        container: Container | None = item.container
        while container is not None:
            container.mass += length
            found[container] = None
            container = container.parent
    return list(found)


def _find_main(containers: list[Container]) -> Container | None:
    """Return the deepest container with most of the text that is not boilerplate by its name."""
    total = max((container.mass for container in containers), default=0)
    boilerplate = {each for each in containers if _is_boilerplate(each, total)}
    lost = sum(each.mass for each in boilerplate if boilerplate.isdisjoint(_ancestors(each)))
    articles = [each for each in containers if each.tag == "article"]
    are_posts = len({each.parent for each in articles}) < len(articles)  # siblings: a forum, a list
    semantic = [
        each
        for each in containers
        if each.mass >= _SEMANTIC_SHARE * (total - lost)
        and _is_semantic_main(each)
        and not (are_posts and each.tag == "article")
    ]
    if semantic:
        return max(semantic, key=lambda each: (each.tag == "article", each.depth))
    large = [
        each
        for each in containers
        if each.mass >= _MAIN_SHARE * (total - lost)
        and each.tag not in _LEAF_TAGS
        and each not in boilerplate
    ]
    return max(large, key=lambda each: each.depth, default=None)


def _ancestors(container: Container) -> list[Container]:
    found = []
    parent = container.parent
    while parent is not None:
        found.append(parent)
        parent = parent.parent
    return found


def _is_semantic_main(container: Container) -> bool:
    return container.tag in ("main", "article") or "articlebody" in container.words


def _is_boilerplate(container: Container, total: int) -> bool:
    if container.tag in _BOILERPLATE_TAGS:
        return True
    if not container.words or container.tag in _NEVER_BOILERPLATE:
        return False
    if _has_consent_name(container.words):
        return True
    if container.mass > _SHARE_THAT_REDEEMS * total:
        return False  # a name cannot outweigh most of the page's text
    return _has_boilerplate_name(container.words)


@lru_cache(maxsize=8192)
def _has_consent_name(words: str) -> bool:
    return _CONSENT_WORDS.search(words) is not None


@lru_cache(maxsize=8192)
def _has_boilerplate_name(words: str) -> bool:
    return _BOILERPLATE_WORDS.search(_WORD_BOUNDARIES.sub(" ", words)) is not None


def _is_in_content(
    container: Container, main: Container | None, verdicts: dict[Container, bool]
) -> bool:
    """Tell whether a container lies in the main one, with nothing that is boilerplate between."""
    chain = []
    current: Container | None = container
    while current is not None and current is not main and current not in verdicts:
        chain.append(current)
        current = current.parent
    verdict = current is not None and (current is main or verdicts[current])
    for inner in reversed(chain):
        verdict = verdict and not _is_boilerplate(inner, main.mass if main is not None else 0)
        verdicts[inner] = verdict
    return verdict


def _is_noise(item: PlacedBlock) -> bool:
    block = item.block
    if block.link_density > _MAX_LINK_DENSITY and not _is_heading(item):
        return True
    text = block.text
    if len(text) < 40 and _NOISE.fullmatch(text):
        return True
    return len(text) < 200 and any(mark in text for mark in _COPYRIGHT_MARKS)


def _is_heading(item: PlacedBlock) -> bool:
    return item.container.tag in ("h1", "h2", "h3", "h4", "h5", "h6")


def _drop_lone_headings(placed: list[PlacedBlock]) -> None:
    """A heading followed by nothing of the content belongs to what was left out."""
    following = "other"
    for item in reversed(placed):
        if item.block.label == "content" and _is_heading(item) and following != "content":
            item.block.label = "other"
        following = item.block.label


def _label_facts(placed: list[PlacedBlock], metadata: Metadata) -> None:
    title = metadata.title.casefold()
    year = (metadata.date or "no date")[:4]
    has_title = False
    for item in placed:
        text = item.block.text
        if not has_title and title and _is_title(item, title):
            item.block.label, has_title = "title", True
        elif len(text) <= 120:
            if metadata.author and _is_author(item, metadata.author):
                item.block.label = "author"
            elif len(text) <= 60 and year in text and parse_date(text) == metadata.date:
                item.block.label = "date"


def _is_title(item: PlacedBlock, title: str) -> bool:
    return _is_heading(item) and " ".join(item.block.text.casefold().split()) == title


def _is_author(item: PlacedBlock, author: str) -> bool:
    names = author.split(", ")
    return (
        any(name in item.block.text for name in names) and len(item.block.text) < len(author) + 40
    )
