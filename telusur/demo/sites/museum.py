"""The Museum of Odd Pages: each exhibit does one thing that real pages do to crawlers."""

import json
from collections.abc import Callable
from typing import Any

from telusur.demo.content import DemoText, read_texts
from telusur.demo.files import archive, pdf, png
from telusur.demo.records import SiteEntry, Truth
from telusur.demo.site import Header, Site
from telusur.demo.sites.broken import BREAKERS
from telusur.demo.sites.furniture import furnish

_ROBOTS = """# The museum asks visitors not to touch the honey.
User-agent: *
Disallow: /honeypot/
Disallow: /closed
Allow: /closed/open-window$
Crawl-delay: 0.02
"""
_HIDDEN_STYLES = {
    "hidden-colour": 'style="color:#fffdf5;background:#fffdf5"',
    "hidden-display-none": 'style="display:none"',
    "hidden-attribute": "hidden",
}
_NOT_INDEXED = ("noindex", "x-robots-tag", "canonical-elsewhere", "meta-refresh")


def build(site: Site) -> None:
    """Put every exhibit into the museum."""
    furnish(site, "No such exhibit", "This case is empty.", _ROBOTS)
    texts = read_texts("museum")
    truths = [_truth(site, text) for text in texts]
    for text, truth in zip(texts, truths, strict=True):
        site.put(truth.path, _exhibit(site, text, truth))
    site.repeat(truths[-1], "/annex/no-map")
    home = site.truth(
        "/",
        kind="home",
        title="Museum of Odd Pages",
        shows=("url-spellings", "fragment-variants", "tracking-parameters", "nofollow-link"),
    )
    site.show(home, "museum/home.html", exhibits=truths, **_PLAIN)
    site.static("lighthouse.js", "text/javascript; charset=utf-8")
    site.file("/data/lighthouse.json", _lighthouse(texts), "application/json; charset=utf-8")
    _show_files(site)
    _show_errors(site)


_PLAIN: dict[str, Any] = {
    "meta_charset": "utf-8",
    "robots_meta": "",
    "canonical": "",
    "refresh": "",
    "hidden": "",
    "hidden_style": "",
}


def _path(text: DemoText) -> str:
    return text.get("path") or f"/exhibit/{text.slug}"


def _truth(site: Site, text: DemoText) -> Truth:
    shows = text.list("shows")
    elsewhere = text.get("canonical") or text.get("refresh")
    return site.truth(
        _path(text),
        kind="exhibit",
        title=text.title,
        author=text.get("author") or None,
        date=text.get("date") or None,
        topic=text.get("topic") or "museum",
        language=text.get("language") or site.language,
        text=text.plain,
        shows=shows,
        indexed=not set(shows) & set(_NOT_INDEXED) and text.get("allowed") != "no",
        allowed=text.get("allowed") != "no",
        location=site.url(elsewhere) if elsewhere else None,
        hidden=text.get("hidden"),
        encoding=text.get("encoding") or "utf-8",
    )


def _exhibit(site: Site, text: DemoText, truth: Truth) -> SiteEntry:
    """Render an exhibit as its head asks: with which template, damage, encoding and headers."""
    style = next((_HIDDEN_STYLES[name] for name in truth.shows if name in _HIDDEN_STYLES), "")
    context = {
        **_PLAIN,
        "meta_charset": "" if text.get("meta") == "none" else text.get("meta") or truth.encoding,
        "robots_meta": text.get("robots"),
        "canonical": site.url(text.get("canonical")) if text.get("canonical") else "",
        "refresh": text.get("refresh"),
        "hidden": truth.hidden,
        "hidden_style": style,
    }
    template = f"museum/{text.get('template') or 'page'}.html"
    html = site.render(
        template,
        truth=truth,
        title=truth.title,
        body=site.html(text.body),
        data=_data(text),
        **context,
    )
    damage: Callable[[str], str] = BREAKERS.get(text.get("damage"), str)
    return SiteEntry(
        damage(html).encode(truth.encoding),
        content_type="text/html"
        + (f"; charset={text.get('header')}" if text.get("header") else ""),
        headers=_headers(text),
        truth=truth,
        fails=int(text.get("fails") or 0),
        changed=truth.date,
    )


def _headers(text: DemoText) -> tuple[Header, ...]:
    tag = text.get("x-robots-tag")
    return (("X-Robots-Tag", tag),) if tag else ()


def _data(text: DemoText) -> dict[str, Any]:
    return {"title": text.title, "paragraphs": text.plain.split("\n")}


def _lighthouse(texts: tuple[DemoText, ...]) -> str:
    chosen = next(text for text in texts if "javascript-external" in text.list("shows"))
    return json.dumps(_data(chosen), ensure_ascii=False)


def _show_files(site: Site) -> None:
    leaflet = pdf("Opening hours: every day from ebb to flood. Closed on spring tides.")
    site.file("/files/leaflet.pdf", leaflet, "application/pdf", shows=("file-pdf",))
    site.file("/files/floor-plan.png", png("brass"), "image/png", shows=("file-png",))
    notes = archive("notes.txt", "Notes of the keeper, who kept few.\n")
    site.file("/files/notes.zip", notes, "application/zip", shows=("file-zip",))


def _show_errors(site: Site) -> None:
    site.redirect("/chain/1", "/chain/2", 301, "redirect-chain")
    site.redirect("/chain/2", "/chain/3", 302, "redirect-chain")
    site.redirect(
        "/chain/3", "/exhibit/the-end-of-the-chain", 307, "redirect-chain", "redirect-307"
    )
    site.redirect("/loop/clockwise", "/loop/anticlockwise", 301, "redirect-loop")
    site.redirect("/loop/anticlockwise", "/loop/clockwise", 301, "redirect-loop")
    site.redirect("/loop/self", "/loop/self", 302, "redirect-loop")
    site.redirect("/to-the-shop", "shop:/p/brass-hand-lantern", 301, "redirect-cross-site")
    site.dead("/exhibit/stolen", 404, "dead-404")
    site.dead("/exhibit/sold", 410, "dead-410")
    site.dead("/exhibit/broken-pipe", 500, "error-500")
