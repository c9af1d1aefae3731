"""Colours of sites: each its own while there are enough, the same on all pages, and well apart."""

import re
from itertools import combinations
from math import dist

import pytest

import telusur
from telusur.web.frame.render import STATIC_FOLDER
from telusur.web.frame.site_colours import (
    NO_HUE,
    REST_SECONDS,
    SHADES,
    SITE_HUES,
    Hues,
    hues_of,
    shade_of,
)
from telusur.web.maps.svg import HUES
from telusur.web.paperdoll.doll import make_paper_doll

#: Colours nearer than this in CIELAB are easily taken for each other as small dots.
LEAST_DISTANCE = 22


def test_twelve_sites_have_twelve_colours():
    sites = [f"{n}.example" for n in range(SITE_HUES)]
    hues = Hues(lambda: sites)
    assert [hues.of(site) for site in sites] == list(range(SITE_HUES))


def test_a_site_keeps_its_colour_when_others_join_before_it():
    now, sites = [0.0], ["b.example"]
    hues = Hues(lambda: sites, lambda: now[0])
    assert hues.of("b.example") == 0
    sites.insert(0, "a.example")
    assert hues.of("a.example") == NO_HUE, "the order is not read for every unknown site"
    now[0] += REST_SECONDS
    assert (hues.of("a.example"), hues.of("b.example")) == (1, 0)


def test_the_order_is_read_only_for_sites_that_are_not_known():
    reads = []
    hues = Hues(lambda: reads.append("read") or ["a.example"], lambda: 1000.0 * len(reads))
    assert {hues.of("a.example") for _ in range(5)} == {0}
    assert reads == ["read"]


def test_colours_belong_to_one_collection():
    one, other = make_paper_doll(), make_paper_doll()
    assert hues_of(one) is hues_of(one)
    assert hues_of(one) is not hues_of(other)


def test_topic_scores_have_colours_behind_those_of_sites():
    assert [shade_of(score) for score in (0, 0.19, 0.2, 0.99, 1)] == [12, 12, 13, 16, 16]
    assert len(HUES) == SITE_HUES + SHADES


def test_the_sites_of_a_collection_differ_on_every_page(demo, show):
    with telusur.open(demo.directory) as collection:
        running = show(collection)
        graph = {one["domain"]: one["hue"] for one in running.get("/graph.json").json["sites"]}
        order = collection.site_order()
        assert graph == {site: place for place, site in enumerate(order)}
        rows = re.findall(r'dot hue-(\d+)"[^>]*></span><a href="[^"]*">([^<]+)<',
                          running.get("/sites").text)  # fmt: skip
        assert {name: int(hue) for hue, name in rows} == graph
        branches = running.get("/tree.json").json["branches"]
        assert {one["domain"]: one["hue"] for one in branches}.items() <= graph.items()


def colours_of(scheme):
    """Return the colours of sites in tokens.css."""
    text = (STATIC_FOLDER / "css" / "tokens.css").read_text(encoding="utf-8")
    light, _, dark = text.partition("@media")
    found = dict(re.findall(r"--hue-(\d+): (#[0-9a-f]{6})", dark if scheme == "dark" else light))
    return [found[str(place)] for place in range(SITE_HUES)]


def lab_of(colour):
    """Return a colour in CIELAB, where distances are about as people see them (D65)."""
    rgb = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    r, g, b = ((c / 12.92) if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883,
    )
    x, y, z = (c ** (1 / 3) if c > 0.008856 else 7.787 * c + 16 / 116 for c in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_two_colours_are_alike(scheme):
    near = [
        (one, other, round(dist(lab_of(one), lab_of(other))))
        for one, other in combinations(colours_of(scheme), 2)
        if dist(lab_of(one), lab_of(other)) < LEAST_DISTANCE
    ]
    assert near == []


def test_the_picture_of_a_map_has_the_colours_of_light_paper():
    assert list(HUES[:SITE_HUES]) == colours_of("light")
