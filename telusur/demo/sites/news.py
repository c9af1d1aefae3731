"""The Harbour Gazette: articles by subject, with feeds, tags, print versions and sitemaps."""

from dataclasses import replace

from telusur.demo.content import DemoText, read_texts, slugify
from telusur.demo.feeds import compressed, rss, sitemap, sitemap_index
from telusur.demo.records import Truth
from telusur.demo.site import Site
from telusur.demo.sites.furniture import XML, furnish, neighbours, unique

SUBJECTS = ("local", "science", "economy", "culture", "sports")
_WITH_JSON_LD = ("science", "economy")
_WITH_OPEN_GRAPH = ("sports", "culture", "science")
_ROBOTS = """# The Harbour Gazette welcomes readers and polite robots.
User-agent: *
Disallow: /search
Disallow: /private/
Allow: /private/press-kit
Disallow: /*?print=secret$

User-agent: GreedyBot
Disallow: /

Sitemap: {origin}/sitemap.xml
"""


def build(site: Site) -> None:
    """Put all pages of the newspaper into its site."""
    furnish(site, "Nothing here", "We have no such page. The tide may have taken it.", _ROBOTS)
    texts = sorted(read_texts("news"), key=lambda text: text.get("date"), reverse=True)
    pages = [_truth(site, text) for text in texts]
    for position, (text, page) in enumerate(zip(texts, pages, strict=True)):
        _show_article(site, text, page, neighbours(pages, position, 4))
    _show_lists(site, texts, pages)
    _show_feeds(site, pages)
    _show_sitemaps(site, pages)
    _show_special_cases(site, pages)


def _truth(site: Site, text: DemoText) -> Truth:
    year, month = text.get("date").split("-")[:2]
    return site.truth(
        f"/{text.get('topic') or text.file}/{year}/{month}/{text.slug}",
        title=text.title,
        author=text.get("author"),
        date=text.get("date"),
        topic=text.get("topic") or text.file,
        text=text.plain,
        shows=text.list("shows"),
    )


def _show_article(site: Site, text: DemoText, page: Truth, related: list[Truth]) -> None:
    context = {
        "body": site.html(text.body),
        "tags": text.list("tags"),
        "related": related,
        "jsonld": _json_ld(page) if page.topic in _WITH_JSON_LD else None,
        "og": page.topic in _WITH_OPEN_GRAPH,
        "description": page.text.split("\n", 1)[0][:150],
        "slug": slugify,
        "canonical": page.url,
    }
    site.show(page, "news/article.html", **context)
    printed = replace(
        page,
        url=page.url + "?print=1",
        path=page.path + "?print=1",
        kind="print",
        indexed=False,
        shows=("print-version", "canonical-elsewhere"),
        location=page.url,
    )
    site.show(printed, "news/print.html", **context)


def _json_ld(page: Truth) -> dict[str, object]:
    return {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": page.title,
        "datePublished": page.date,
        "author": {"@type": "Person", "name": page.author},
        "mainEntityOfPage": page.url,
    }


def _show_lists(site: Site, texts: list[DemoText], pages: list[Truth]) -> None:
    _show_list(site, "/", "The Harbour Gazette", pages[:24], kind="home")
    for subject in SUBJECTS:
        chosen = [page for page in pages if page.topic == subject]
        _show_list(site, f"/{subject}/", subject.capitalize(), chosen, topic=subject)
    for tag in unique(tag for text in texts for tag in text.list("tags")):
        chosen = [p for p, text in zip(pages, texts, strict=True) if tag in text.list("tags")]
        _show_list(site, f"/tag/{slugify(tag)}", f"Tag: {tag}", chosen)
    for author in unique(page.author or "" for page in pages):
        chosen = [page for page in pages if page.author == author]
        _show_list(site, f"/author/{slugify(author)}", author, chosen)


def _show_list(site: Site, path: str, title: str, pages: list[Truth], **facts: str) -> None:
    truth = site.truth(path, title=title, **{"kind": "list", **facts})
    site.show(truth, "news/list.html", pages=pages)


def _show_feeds(site: Site, pages: list[Truth]) -> None:
    kind = "application/rss+xml; charset=utf-8"
    for subject in SUBJECTS:
        chosen = [page for page in pages if page.topic == subject]
        title = f"The Harbour Gazette: {subject}"
        site.file(
            f"/feeds/{subject}.xml",
            rss(title, site.url(f"/{subject}/"), chosen),
            kind,
            shows=("feed-rss",),
        )


def _show_sitemaps(site: Site, pages: list[Truth]) -> None:
    """Nest the sitemaps: an index names a plain one, a compressed one, and a second index."""
    by_year = {
        year: [p for p in pages if (p.date or "")[:4] == year] for year in ("2024", "2025", "2026")
    }
    site.file("/sitemaps/2024.xml", sitemap(by_year["2024"]), XML, shows=("sitemap",))
    site.file(
        "/sitemaps/2025.xml.gz",
        compressed(sitemap(by_year["2025"])),
        "application/gzip",
        shows=("sitemap", "sitemap-gzip"),
    )
    site.file("/sitemaps/2026.xml", sitemap(by_year["2026"]), XML, shows=("sitemap",))
    latest = [(site.url("/sitemaps/2026.xml"), by_year["2026"][0].date)]
    site.file("/sitemaps/current.xml", sitemap_index(latest), XML, shows=("sitemap-index",))
    names = (
        ("2024.xml", by_year["2024"][0].date),
        ("2025.xml.gz", by_year["2025"][0].date),
        ("current.xml", latest[0][1]),
    )
    index = sitemap_index((site.url(f"/sitemaps/{name}"), date) for name, date in names)
    site.file("/sitemap.xml", index, XML, shows=("sitemap-index",))


def _show_special_cases(site: Site, pages: list[Truth]) -> None:
    local = [page for page in pages if page.topic == "local"]
    site.redirect("/science", "/science/", 301, "redirect-301")
    site.redirect("/today", local[0].path, 302, "redirect-302")
    site.redirect(
        "/weather", "calendar:/calendar/2026/06", 307, "redirect-307", "redirect-cross-site"
    )
    site.redirect("/archive/1999/front-page", "/archive/front-page", 301, "redirect-chain")
    site.redirect("/archive/front-page", "/front", 302, "redirect-chain")
    site.redirect("/front", "/", 301, "redirect-chain")
    site.dead("/local/2023/11/ferry-strike-called-off", 410, "dead-410")
    site.dead("/competition", 404, "dead-404")
    original = next(page for page in local if "duplicated" in page.shows)
    site.repeat(original, "/breaking/harbour", "canonical-elsewhere")
    for text in read_texts("news/pages"):
        _show_page(site, text)


def _show_page(site: Site, text: DemoText) -> None:
    """Show a page that is no article; its head says whether robots may come."""
    is_allowed = text.get("allowed") != "no"
    truth = site.truth(
        text.get("path"),
        kind="page",
        title=text.title,
        topic="about",
        text=text.plain,
        allowed=is_allowed,
        indexed=is_allowed,
        shows=text.list("shows"),
    )
    site.show(truth, "news/plain.html", body=site.html(text.body))
