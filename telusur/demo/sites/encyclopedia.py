"""Two corners of an encyclopedia, Turkish and German, built alike and written apart."""

from dataclasses import dataclass

from telusur.demo.content import DemoText, read_texts
from telusur.demo.feeds import sitemap
from telusur.demo.records import Truth
from telusur.demo.site import Site
from telusur.demo.sites.furniture import XML, furnish, neighbours, unique


@dataclass(frozen=True, slots=True)
class SubjectWords:
    """What the two corners say differently."""

    name: str
    article: str
    category: str
    see_also: str
    missing_title: str
    missing_text: str
    changed: str
    edit: str
    edit_text: str


_WORDS = {
    "tr": SubjectWords(
        "Küçük Ansiklopedi", "madde", "kategori", "Ayrıca bakınız", "Böyle bir madde yok",
        "Aradığınız madde henüz yazılmadı. İsterseniz siz yazın.", "Son değişiklik", "Değiştir",
        "Değiştirmek için oturum açmalısınız.",
    ),
    "de": SubjectWords(
        "Kleines Lexikon", "artikel", "kategorie", "Siehe auch", "Diesen Artikel gibt es nicht",
        "Der gesuchte Artikel wurde noch nicht geschrieben. Prüfen Sie die Schreibweise.",
        "Zuletzt geändert", "Bearbeiten",
        "Zum Bearbeiten müssen Sie angemeldet sein.",
    ),
}  # fmt: skip
_ROBOTS = """User-agent: *
Disallow: /edit
Sitemap: {origin}/sitemap.xml
"""


def build(site: Site) -> None:
    """Put all articles and categories of one language into its site."""
    words = _WORDS[site.language]
    furnish(site, words.missing_title, words.missing_text, _ROBOTS)
    texts = read_texts(site.name)
    pages = [_truth(site, text, words) for text in texts]
    for position, (text, page) in enumerate(zip(texts, pages, strict=True)):
        _show_article(site, text, page, neighbours(pages, position, 4), words)
    _show_list(site, site.truth("/", kind="home", title=words.name), pages, words)
    for topic in unique(page.topic for page in pages):
        chosen = [page for page in pages if page.topic == topic]
        truth = site.truth(
            site.href(f"/{words.category}/{topic}"), kind="list", title=topic, topic=topic
        )
        _show_list(site, truth, chosen, words)
    site.file("/sitemap.xml", sitemap(pages), XML, shows=("sitemap",))
    site.redirect("/random", pages[7].path, 302, "redirect-302")


def article_path(word: str, title: str) -> str:
    """Return the path of an article: its title with underscores, as encyclopedias do."""
    return f"/{word}/{title.replace(' ', '_')}"


def _truth(site: Site, text: DemoText, words: SubjectWords) -> Truth:
    path = site.href(article_path(words.article, text.title))
    return site.truth(
        path,
        title=text.title,
        date=text.get("date"),
        topic=text.get("topic"),
        text=text.plain,
        shows=text.list("shows"),
    )


def _show_article(
    site: Site, text: DemoText, page: Truth, more: list[Truth], words: SubjectWords
) -> None:
    facts = [fact.partition("=")[::2] for fact in text.get("facts").split(";") if "=" in fact]
    edit_path = f"/edit?title={text.slug}"
    site.show(
        page,
        "encyclopedia/article.html",
        body=site.html(text.body),
        facts=facts,
        more=more,
        words=words,
        edit_path=edit_path,
    )
    edit = site.truth(
        edit_path,
        kind="page",
        title=f"{words.edit}: {text.title}",
        text=words.edit_text,
        allowed=False,
        indexed=False,
        shows=("robots-disallow",),
    )
    site.show(edit, "missing.html", text=words.edit_text)


def _show_list(site: Site, truth: Truth, pages: list[Truth], words: SubjectWords) -> None:
    topics = unique(page.topic for page in pages)
    site.show(truth, "encyclopedia/list.html", pages=pages, topics=topics, words=words)
