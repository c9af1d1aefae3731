import random

import pytest

from telusur.graph.memory import MemoryGraph, MemoryPage


def make_graph(count=200, seed=1, links=4):
    """A web that a crawl may have found: each page on an earlier one, links to anywhere."""
    chance = random.Random(seed)
    pages = []
    for place in range(count):
        parent = -1 if place < 3 else chance.randrange(max(0, place - 30), place)
        depth = 0 if parent < 0 else pages[parent].depth + 1
        site = f"site{place % 7}.example"
        url = f"https://{site}/{place}"
        pages.append(
            MemoryPage(1000 + place, url, f"Page {place}", site, parent, depth, chance.random())
        )
    ends = [(chance.randrange(count), chance.randrange(count)) for _ in range(links * count)]
    ends += [(page.parent, place) for place, page in enumerate(pages) if page.parent >= 0]
    return MemoryGraph(pages, ends), pages, set(ends)


@pytest.fixture
def web():
    return make_graph()
