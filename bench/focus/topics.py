"""What a simulation looks for: the benchmark's twelve topics, or others to develop on.

The encyclopedia names categories for the twelve only. The pages of the development topics are told
by what stands in their titles, tables and first sentences; a page of one of the twelve, and one
that an earlier rule took, is of no other, since editors file most pages once.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from bench.focus.library import Library, Volume
from bench.focus.pages import read_topics

SEED = 7
SEEDS = 3
_LEAST_LINKS = 7
# A line of so many characters is no row of a table: there the text begins.
_SENTENCE = 90


@dataclass(slots=True, frozen=True)
class Aim:
    """A topic as a simulation knows it: its pages and seeds by number."""

    name: str
    query: str
    relevant: frozenset[int]
    seeds: dict[str, tuple[int, ...]]


class Rule(NamedTuple):
    """How the pages of a topic are told: by a pattern in the first sentence, table or title."""

    name: str
    query: str
    sentence: str = ""
    table: str = ""
    title: str = ""


_WAS = r"\b(?:is|was|are|were)\b[^.,]{0,45}\b"
_IN = r"(?:^in [^.]{0,20}|^[^.]{0,30}|\b(?:is|was|are|were)\b[^.,]{0,60})\b"
RULES = (
    Rule(
        "storms", "hurricane storm wind rainfall",
        title=r"Hurricane|Tropical Storm|Cyclone|Typhoon|hurricane season",
    ),
    Rule(
        "dinosaurs", "dinosaur fossil jurassic cretaceous",
        _WAS +
        r"(dinosaurs?|sauropods?|theropods?|pterosaurs?)",
    ),
    Rule("birds", "bird wing feather nest", _WAS + r"birds?\b", r"Class:\s*Aves"),
    Rule("mammals", "mammal animal fur species", _WAS + r"mammals?\b", r"Class:\s*Mammalia"),
    Rule(
        "elements", "chemical element metal atomic",
        _WAS +
        "chemical element",
        "Name, Symbol, Number",
    ),
    Rule(
        "railways", "railway train locomotive track",
        _WAS +
        r"(rail|railway|railroad|locomotives?|trains?|metro)\b",
        title="[Rr]ail(way|road)|[Ll]ocomotive",
    ),
    Rule(
        "space", "space star planet orbit",
        _WAS +
        r"((exo)?planets?|stars?|galax(y|ies)|nebula|comets?|asteroids?|moons?|"
        r"spacecraft|satellites?|space (station|probe|mission)|constellation|"
        r"astronom\w+|crater|meteor\w*)\b",
    ),
    Rule(
        "sport", "sport team player championship",
        _WAS +
        r"(sports?|football(er)?|tennis|cricket(er)?|rugby|olympic|basketball|baseball|"
        r"golf(er)?|athlet\w+|cycl(ist|ing)|racing|wrestl\w+|squash|hockey)\b",
    ),
    Rule("games", "game player board console", _WAS + r"(games?|puzzle|toys?|console)\b"),
    Rule(
        "television", "television series episode programme",
        _WAS +
        r"(television|TV|sitcom|broadcast\w*|cartoon)\b",
    ),
    Rule(
        "mathematics", "mathematics number theorem geometry",
        _IN +
        r"(mathemati\w+|number theory|geometry|algebra|arithmetic|theorem|"
        r"statistic\w*)\b",
    ),
    Rule(
        "computing", "computer software internet program",
        _WAS +
        r"(computers?|software|programming|operating system|web ?sites?|web|internet|"
        r"microprocessor|unix|linux)\b",
    ),
    Rule(
        "monarchs", "king queen reign throne",
        _WAS +
        r"(kings?|queens?|emperors?|empress|monarchs?|tsar|sultan|pharaoh)\b",
    ),
    Rule(
        "presidents", "president minister politician leader",
        _WAS +
        r"(president|prime minister|politician|statesman|senator|leader|chancellor)\b",
    ),
    Rule(
        "writers", "writer novelist poet author",
        _WAS +
        r"(novelist|poet|playwright|writer|author|dramatist|essayist)\b",
    ),
    Rule(
        "musicians", "music singer band composer",
        _WAS +
        r"(composer|singer|bands?|musician|guitarist|pianist|rapper|rock group|dj)\b",
    ),
    Rule(
        "music", "music song instrument dance",
        _WAS +
        r"(music|musical|songs?|opera|instruments?|album|dance|symphony)\b",
        title="^Music of",
    ),
    Rule(
        "art", "art painting painter sculpture",
        _WAS +
        r"(painters?|paintings?|sculptors?|sculptures?|artists?|arts?|engraver|"
        r"drawing)\b",
    ),
    Rule(
        "literature", "novel book story poetry",
        _WAS +
        r"(novels?|poems?|plays?|saga|epic|story|stories|literature|literary|books?|"
        r"comics?|fiction\w*|poetry)\b",
    ),
    Rule(
        "scientists", "scientist physicist chemist discovery",
        _WAS +
        r"(physicist|chemist|mathematician|astronomer|inventor|scientist|biologist|"
        r"engineer|naturalist|geneticist)\b",
    ),
    Rule("philosophy", "philosophy ethics logic thought", _IN + r"philosoph\w+\b"),
    Rule(
        "religion", "religion church faith bible",
        _IN +
        r"(religio\w+|church\w*|christian\w*|islam\w*|hindu\w*|buddh\w+|jewish|judaism|"
        r"bible|biblical|saint|bishop|pope|theolog\w+)\b",
    ),
    Rule(
        "health", "disease health medicine treatment",
        _IN +
        r"(diseases?|medical|syndrome|disorder|medicine|infection|patients?|cancer|"
        r"symptoms?|health|drugs?|surg\w+)\b",
    ),
    Rule(
        "biology", "biology cell gene evolution",
        _IN +
        r"(cells?|genes?|genetic\w*|dna|proteins?|organisms?|evolution\w*|biolog\w+|"
        r"enzymes?|anatomy|species|bacteria\w*)\b",
    ),
    Rule(
        "physics", "physics energy particle force",
        _IN +
        r"(physic\w+|particles?|quantum|electr\w+|radiation|energy|thermodynamic\w*|"
        r"magnet\w*)\b",
    ),
    Rule(
        "waters", "river lake sea water",
        _WAS +
        r"(rivers?|lakes?|sea|ocean|strait|gulf|bay|canal|waterfall)\b",
    ),
    Rule(
        "islands", "island ocean coast territory",
        _WAS +
        r"(islands?|atoll|archipelago|territory|islets?)\b",
    ),
    Rule(
        "cities", "city population district urban",
        _WAS +
        r"(city|capital|town|village|metropol\w+|borough)\b",
    ),
    Rule(
        "business", "company business money economy",
        _IN +
        r"(compan(y|ies)|econom\w+|currenc(y|ies)|bank\w*|money|business\w*|corporation|"
        r"trade|market\w*|coins?)\b",
    ),
    Rule(
        "law", "law rights court treaty",
        _IN +
        r"(law|legal|rights|crimes?|courts?|treaty|constitution\w*|statutes?|police)\b",
    ),
)  # fmt: skip


def aims_of(name: str, library: Library, data: Path) -> list[Aim]:
    """Return the development topics, the benchmark's `twelve`, or `all`."""
    found = list(_twelve(library, data)) if name in ("twelve", "all") else []
    return found + (list(_development(library)) if name in ("development", "all") else [])


def _twelve(library: Library, data: Path) -> Iterator[Aim]:
    data = data / "focus" if (data / "focus").is_dir() else data
    for topic in read_topics(data):
        seeds = {
            kind: tuple(library.number_of[unquote(path)] for path in paths)
            for kind, paths in topic.seeds.items()
        }
        pages = (
            n for n, path in enumerate(library.paths) if topic.name in library.web.topics[path]
        )
        yield Aim(topic.name, topic.query, frozenset(pages), seeds)


def _development(library: Library) -> Iterator[Aim]:
    taken: set[int] = {n for n, path in enumerate(library.paths) if library.web.topics[path]}
    for rule in RULES:
        pages = {
            number
            for number, volume in enumerate(library.volumes)
            if number not in taken and _is_of(volume, rule)
        }
        taken |= pages
        yield Aim(rule.name, rule.query, frozenset(pages), _seeds(library, pages))


def _is_of(volume: Volume, rule: Rule) -> bool:
    document = volume.document
    lines = document.text[:4000].split("\n")
    begin = next((line for line in lines if len(line) > _SENTENCE), "")
    parts = ((rule.sentence, begin[:250].lower()), (rule.table, document.text[:4000]))
    named = bool(rule.title) and bool(re.search(rule.title, document.title))
    return named or any(pattern and re.search(pattern, text) for pattern, text in parts)


def _seeds(library: Library, pages: set[int]) -> dict[str, tuple[int, ...]]:
    """Draw three pages of the topic, and three at least two links away from it."""
    lots = random.Random(SEED)
    able = [n for n, volume in enumerate(library.volumes) if len(volume.links) >= _LEAST_LINKS]
    near = [n for n in able if n in pages]
    far = [n for n in able if not pages.intersection([n, *library.volumes[n].targets])]
    return {"near": tuple(lots.sample(near, SEEDS)), "far": tuple(lots.sample(far, SEEDS))}
