"""Dapur & Jalan: an Indonesian blog about food, coffee, batik, journeys and mountains."""

from telusur.demo.content import DemoText, read_texts, slugify
from telusur.demo.feeds import atom
from telusur.demo.records import Truth
from telusur.demo.site import Site
from telusur.demo.sites.furniture import furnish, neighbours

_CATEGORIES = {
    "masakan": "Masakan",
    "perjalanan": "Perjalanan",
    "kopi": "Kopi",
    "batik": "Batik dan kerajinan",
    "gunung": "Gunung dan alam",
}
_ROBOTS = """User-agent: *
Disallow: /cari
Allow: /
"""
_COMMENTS = (
    ("Wulan", "Terima kasih, besok langsung saya coba!"),
    ("Pak Darto", "Tulisannya bikin kangen rumah."),
    ("Sinta", "Boleh minta tips untuk pemula?"),
    ("Bagus", "Fotonya ditunggu ya, Mbak."),
    ("Ningsih", "Di kampung saya caranya agak lain, tapi hasilnya sama enak."),
)


def build(site: Site) -> None:
    """Put all posts, categories and the feed into the blog."""
    furnish(
        site,
        "Halaman tidak ditemukan",
        "Maaf, halaman ini sudah pindah atau tidak pernah ada.",
        _ROBOTS,
    )
    texts = sorted(read_texts("blog"), key=lambda text: text.get("date"), reverse=True)
    pages = [_truth(site, text) for text in texts]
    for position, (text, page) in enumerate(zip(texts, pages, strict=True)):
        comments = neighbours(_COMMENTS, position, 1 + position % 3)
        _render(
            site,
            page,
            "post",
            body=site.html(text.body),
            comments=comments,
            related=neighbours(pages, position, 3),
        )
    _show_lists(site, pages)
    feed = atom("Dapur & Jalan", site.url("/"), site.url("/atom.xml"), pages[:15])
    site.file("/atom.xml", feed, "application/atom+xml; charset=utf-8", shows=("feed-atom",))
    site.redirect("/tentang-saya", "/tentang/", 301, "redirect-301")
    site.dead("/2023/01/resep-yang-hilang/", 404, "dead-404")


def _truth(site: Site, text: DemoText) -> Truth:
    year, month = text.get("date").split("-")[:2]
    kind = "page" if text.file == "tentang" else "post"
    return site.truth(
        "/tentang/" if kind == "page" else f"/{year}/{month}/{text.slug}/",
        kind=kind,
        title=text.title,
        author=text.get("author"),
        date=text.get("date"),
        topic=text.file,
        text=text.plain,
        shows=text.list("shows"),
    )


def _show_lists(site: Site, pages: list[Truth]) -> None:
    posts = [page for page in pages if page.kind == "post"]
    _render(site, site.truth("/", kind="home", title="Dapur & Jalan"), "list", pages=posts[:12])
    _render(site, site.truth("/arsip/", kind="list", title="Arsip"), "list", pages=posts)
    for name, title in _CATEGORIES.items():
        chosen = [page for page in posts if page.topic == name]
        truth = site.truth(f"/kategori/{slugify(name)}/", kind="list", title=title, topic=name)
        _render(site, truth, "list", pages=chosen)


def _render(site: Site, truth: Truth, template: str, **context: object) -> None:
    site.show(truth, f"blog/{template}.html", categories=_CATEGORIES, **context)
