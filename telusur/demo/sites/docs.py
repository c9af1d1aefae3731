"""The documentation of Mossbox, an invented backup tool: guides, commands, and an older version."""

from dataclasses import dataclass
from typing import Any

from telusur.demo.content import DemoText, read_table, read_texts
from telusur.demo.feeds import sitemap
from telusur.demo.markup import to_plain
from telusur.demo.records import Truth
from telusur.demo.site import Site
from telusur.demo.sites.furniture import XML, furnish

CURRENT, OLD = "2.3", "1.4"
_SECTIONS = {
    "start": "Getting started",
    "guide": "Guides",
    "concepts": "Concepts",
    "commands": "Commands",
}
_OLD_COMMANDS = ("snap", "restore", "prune", "check")
_ROBOTS = """User-agent: *
Disallow: /internal/
Sitemap: {origin}/sitemap.xml
"""
_OLD_NOTE = f"This page describes Mossbox {OLD}, which is no longer maintained. "


@dataclass(frozen=True, slots=True)
class ManualPage:
    """One page of the documentation before it is rendered."""

    section: str
    slug: str
    title: str
    body: str
    date: str

    @property
    def path(self) -> str:
        """Return its path in the current version."""
        return f"/{self.section}/{self.slug}.html"


def build(site: Site) -> None:
    """Put guides, command pages and the old version into the documentation."""
    furnish(site, "404: page not found", "Try the table of contents on the left.", _ROBOTS)
    commands = read_table("docs/commands")["commands"]
    pages = [_guide(text) for text in read_texts("docs")]
    pages.sort(key=lambda page: list(_SECTIONS).index(page.section))
    pages += [_command(command) for command in commands]
    truths = [_show(site, pages, position) for position in range(len(pages))]
    for page in pages:
        if page.section == "commands" and page.slug in _OLD_COMMANDS:
            _show_old(site, pages, page)
    _show_contents(site, pages)
    site.file("/sitemap.xml", sitemap(truths), XML, shows=("sitemap",))
    _show_special_cases(site)


def _guide(text: DemoText) -> ManualPage:
    return ManualPage(text.file, text.slug, text.title, text.body, text.get("date"))


def _command(facts: dict[str, Any]) -> ManualPage:
    name = facts["name"]
    options = "".join(
        f"| `{option}` | {meaning} |\n" for option, meaning in facts["options"].items()
    )
    see = ", ".join(f"[mossbox {other}](/commands/{other}.html)" for other in facts["see"])
    body = (
        f"{facts['summary']}\n\n## Synopsis\n\n```\nmossbox {name} {facts['arguments']}\n```\n\n"
        f"## Description\n\n{facts['text'].strip()}\n\n## Options\n\n"
        f"| Option | Meaning |\n{options}\n"
        f"## Example\n\n```\n{facts['example'].strip()}\n```\n\n## See also\n\n{see}"
    )
    return ManualPage("commands", name, f"mossbox {name}", body, facts["date"])


def _show(site: Site, pages: list[ManualPage], position: int) -> Truth:
    page = pages[position]
    truth = site.truth(
        page.path,
        title=page.title,
        kind="documentation",
        date=page.date,
        topic=page.section,
        text=to_plain(page.body),
    )
    around = {
        "previous": pages[position - 1] if position else None,
        "next": pages[position + 1] if position + 1 < len(pages) else None,
    }
    _render(site, pages, truth, page.body, CURRENT, **around)
    return truth


def _show_old(site: Site, pages: list[ManualPage], page: ManualPage) -> None:
    body = _OLD_NOTE + page.body.replace("--repo", "--box")
    truth = site.truth(
        f"/{OLD}{page.path}",
        title=page.title,
        kind="documentation",
        date="2024-02-01",
        topic=page.section,
        text=to_plain(body),
        indexed=False,
        shows=("near-duplicate", "canonical-elsewhere"),
        location=site.url(page.path),
    )
    _render(site, pages, truth, body, OLD, previous=None, next=None)


def _render(
    site: Site,
    pages: list[ManualPage],
    truth: Truth,
    body: str,
    version: str,
    **around: ManualPage | None,
) -> None:
    name = truth.path.rpartition("/")[2].removesuffix(".html")
    site.show(
        truth,
        "docs/page.html",
        body=site.html(body),
        pages=pages,
        sections=_SECTIONS,
        version=version,
        canonical=truth.location or truth.url,
        old_path=f"/commands/{name if name in _OLD_COMMANDS else 'snap'}.html",
        **around,
    )


def _show_contents(site: Site, pages: list[ManualPage]) -> None:
    for path, shows in (("/", ()), ("/index.html", ("exact-duplicate", "url-spellings"))):
        truth = site.truth(
            path,
            kind="home",
            title="Mossbox documentation",
            shows=shows,
            indexed=path == "/",
            location=site.url("/"),
        )
        site.show(
            truth,
            "docs/contents.html",
            pages=pages,
            sections=_SECTIONS,
            version=CURRENT,
            canonical=site.url("/"),
        )
    for section, title in _SECTIONS.items():
        truth = site.truth(f"/{section}/index.html", kind="list", title=title, topic=section)
        chosen = [page for page in pages if page.section == section]
        site.show(
            truth,
            "docs/contents.html",
            pages=chosen,
            sections={section: title},
            version=CURRENT,
            canonical=truth.url,
        )
        site.redirect(f"/{section}/", f"/{section}/index.html", 301, "redirect-301")


def _show_special_cases(site: Site) -> None:
    site.redirect("/latest/commands/snap.html", "/commands/snap.html", 302, "redirect-302")
    site.redirect("/man/loop-a", "/man/loop-b", 302, "redirect-loop")
    site.redirect("/man/loop-b", "/man/loop-a", 302, "redirect-loop")
    site.redirect("/chat", "forum:/c/software", 301, "redirect-cross-site")
    site.dead("/commands/defrost.html", 404, "dead-404")
    text = "Release checklist: bump the number, sign the archive, feed the cat."
    truth = site.truth(
        "/internal/release.html",
        kind="page",
        title="Release checklist",
        text=text,
        allowed=False,
        indexed=False,
        shows=("robots-disallow",),
    )
    _render(site, [], truth, text, CURRENT, previous=None, next=None)
