"""The words in class names, ids and roles of elements, and their senses."""

import re
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from telusur.extract.compiled import native

MAX_LENGTH = 60
MOST_NAMES = 12
_MOST_WORDS = 8
# Tag, class, id, and role or itemprop of an element, as written.
Names = tuple[str, str, str, str]
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_TAGS = (
    "nav",
    "footer",
    "aside",
    "header",
    "main",
    "article",
    "section",
    "form",
    "li",
    "table",
    "p",
)

# Each row is one sense: a column of the features. A star stands for any ending; two words that
# follow each other also count as one ("side-bar", "readMore").
_SENSES = (
    "nav navbar navigation menu* submenu breadcrumb* pagination pager toolbar topbar masthead skip*"
    " sitemap",
    "foot footer copyright contentinfo colophon legal disclaimer* disclosure*",
    "sidebar aside complementary widget* leftcol rightcol leftcolumn rightcolumn rail",
    "related recommend* morefrom moreposts morestories morearticles readnext upnext trending"
    " popular latest recent similar alsolike alsobought suggest* upsell crosssell",
    "comment* disqus respond reply replies discussion* review* rating* testimonial*",
    "social share* sharing follow* twitter facebook instagram linkedin",
    "ad ads advert* sponsor* promo* banner* cta outbrain taboola",
    "cookie* consent* gdpr onetrust modal* popup* overlay* dialog* toast newsletter* subscri*"
    " signup login register paywall alert*",
    "author* byline* bio contributor* writer* profile*",
    "meta date* time* published tag tags categor* label* badge*",
    "article* post posts entry story blog news richtext prose markdown rte wysiwyg",
    "content* body main text copy description* detail*",
    "card* tile* item* grid list* product* teaser* result* carousel* slide* swiper",
    "toc tableofcontents contents outline",
    "thread* message* topic* question* answer* forum*",
    "accordion* faq* tab tabs tabpanel tabbed panel* collaps* expand*",
    "hero header title* headline* heading* intro* summary lead excerpt* standfirst dek",
    "search* filter* sort* facet* form forms input* button* btn*",
    "price* cart* buy* basket* checkout shipping stock sku quantity wishlist",
    "spec* attribute* feature* propert* ingredient* instruction* nutrition recipe*",
)
COUNT = len(_SENSES) + len(_TAGS)
_EXACT: dict[str, int] = {}
for _number, _row in enumerate(_SENSES):
    for _word in _row.split():
        if not _word.endswith("*"):
            _EXACT[_word] = _EXACT.get(_word, 0) | 1 << _number
_PREFIX = re.compile(
    "|".join(
        "({})".format("|".join(word[:-1] for word in row.split() if word.endswith("*")) or "(?!)")
        for row in _SENSES
    )
)
_OF_TAGS = {tag: 1 << len(_SENSES) + number for number, tag in enumerate(_TAGS)}


@lru_cache(maxsize=50_000)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words that a class name is made of, in lower case, each once."""
    found = dict.fromkeys(word.lower() for word in _WORD.findall(name[:MAX_LENGTH]))
    return tuple(word for word in found if len(word) > 1)[:_MOST_WORDS]


@lru_cache(maxsize=50_000)
def senses_of_name(name: str) -> int:
    """Return the senses that a single class name, id or role has, a bit for each."""
    senses = 0
    previous = ""
    for word in words_of(name):
        senses |= _senses_of_word(word) | _EXACT.get(previous + word, 0)
        previous = word
    return senses


def senses_of_all(elements: list[Names]) -> NDArray[np.int64]:
    """Return the senses of the tags and names of many elements."""
    if native is None:
        return np.array([senses_of(element) for element in elements], np.int64)
    return np.frombuffer(native.name_senses(elements, *_lexicons()), np.int64)


@cache
def _lexicons() -> tuple[Any, Any, Any]:
    """Return the senses of tags, of words, and of beginnings of words, for the compiled part."""
    beginnings: dict[str, int] = {}
    for number, row in enumerate(_SENSES):
        for word in row.split():
            if word.endswith("*"):
                beginnings.setdefault(word[:-1], number)
    return native.Lexicon(_OF_TAGS), native.Lexicon(_EXACT), native.Lexicon(beginnings)


def senses_of(element: Names) -> int:
    """Return the senses that an element's tag and names have, a bit for each."""
    senses = _OF_TAGS.get(element[0], 0)
    for name in single_names(element):
        senses |= senses_of_name(name)
    return senses


def single_names(element: Names) -> list[str]:
    """Return the classes, id, role and itemprop of an element one by one."""
    _, classes, identity, role = element
    names = classes.split(None, MOST_NAMES)[:MOST_NAMES] if classes else []
    if identity:
        names.append(identity)
    if role:
        names.append(role)
    return names


@lru_cache(maxsize=20_000)
def _senses_of_word(word: str) -> int:
    found = _PREFIX.match(word)
    senses = 1 << (found.lastindex or 1) - 1 if found else 0
    return senses | _EXACT.get(word, 0)
