"""A map as text for other programs, written piece by piece: JSON, GraphML, a list of URLs."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from telusur.graph.contract import MapLink, MapNode

Writer = Callable[[Iterable[MapNode], Iterable[MapLink]], Iterator[str]]

# Characters that XML 1.0 cannot represent: controls, lone surrogates.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_KEYS = (
    ("url", "node", "string"), ("domain", "node", "string"), ("title", "node", "string"),
    ("depth", "node", "int"), ("rank", "node", "double"), ("topic", "node", "double"),
    ("link_depth", "edge", "int"),
    ("tree", "edge", "boolean"),
)  # fmt: skip


def xml_text(text: str) -> str:
    """Return any text escaped for XML."""
    return escape(_NOT_XML.sub("\ufffd", text))


def xml_value(text: str) -> str:
    """Return a text as an attribute's value, in quotes."""
    return quoteattr(_NOT_XML.sub("\ufffd", text))


def write_json(nodes: Iterable[MapNode], links: Iterable[MapLink]) -> Iterator[str]:
    """Yield nodes {url, domain, id, title, depth, rank} and links {source, target, depth, tree}.

    Every node except the start URLs is the target of one tree link, whose source comes earlier.
    """
    yield '{"nodes":['
    for number, node in enumerate(nodes):
        record: dict[str, Any] = {
            "url": node.url, "domain": node.domain, "id": node.id, "title": node.title,
            "depth": node.depth, "rank": node.rank,
        }  # fmt: skip
        if node.topic is not None:
            record["topic"] = node.topic
        yield f"{',' if number else ''}\n{_as_json(record)}"
    yield '\n],"links":['
    for number, link in enumerate(links):
        yield f"{',' if number else ''}\n{_as_json(asdict(link))}"
    yield "\n]}\n"


def _as_json(record: object) -> str:
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode()


def write_graphml(nodes: Iterable[MapNode], links: Iterable[MapLink]) -> Iterator[str]:
    """Yield the graph as GraphML, for Gephi, yEd, NetworkX and igraph."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for name, of, kind in _KEYS:
        shown = name.removeprefix("link_")
        yield f'<key id="{name}" for="{of}" attr.name="{shown}" attr.type="{kind}"/>\n'
    yield '<graph edgedefault="directed">\n'
    for node in nodes:
        values = (node.url, node.domain, node.title, node.depth, node.rank)
        pairs = zip(("url", "domain", "title", "depth", "rank"), values, strict=True)
        data = "".join(f'<data key="{name}">{xml_text(str(value))}</data>' for name, value in pairs)
        if node.topic is not None:
            data += f'<data key="topic">{node.topic}</data>'
        yield f'<node id="n{node.id}">{data}</node>\n'
    for link in links:
        yield (
            f'<edge source="n{link.source}" target="n{link.target}">'
            f'<data key="link_depth">{link.depth}</data>'
            f'<data key="tree">{str(link.tree).lower()}</data></edge>\n'
        )
    yield "</graph>\n</graphml>\n"


def write_urls(nodes: Iterable[MapNode], links: Iterable[MapLink]) -> Iterator[str]:
    """Yield the URLs, one per line, in the order the pages were found."""
    for node in nodes:
        yield node.url.encode("utf-8", "replace").decode() + "\n"


WRITERS: dict[str, Writer] = {"json": write_json, "graphml": write_graphml, "urls": write_urls}
