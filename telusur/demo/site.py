"""One site of the demo web: its entries by path, and the rendering of its pages."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from telusur.demo.markup import to_html
from telusur.demo.records import SiteEntry, Truth

_TEMPLATES = Path(__file__).parent / "templates"
Header = tuple[str, str]
Rule = Callable[[str, str], SiteEntry | None]


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


class Site:
    """A site being built: pages, files and redirects are added, and requests look them up."""

    def __init__(self, name: str, language: str, base: Callable[[str], str]) -> None:
        self.name = name
        self.language = language
        self.base = base
        self.entries: dict[str, SiteEntry] = {}
        self.rules: list[tuple[str, Rule]] = []
        self.missing = SiteEntry(b"Not found\n", "text/plain; charset=utf-8", 404)

    def url(self, path: str) -> str:
        """Return the absolute URL of a path of this site."""
        return self.base(self.name) + path

    def href(self, link: str) -> str:
        """Return the link to write into a page: `docs:/x` names another site, `/x` a path here."""
        site, colon, path = link.partition(":/")
        if colon and not path.startswith("/"):
            return self.base(site) + quote("/" + path, safe="/?&=%#;:+,~")
        return quote(link, safe="/?&=%#;:+,~@()'")

    def html(self, text: str) -> Markup:
        """Return a text in the small markup as HTML of this site."""
        return Markup(to_html(text, self.href))  # noqa: S704 - the markup escapes everything

    def render(self, template: str, **context: Any) -> str:
        """Return a template of this site as a page."""
        context = {"description": "", "head": "", "jsonld": None, "body_class": "", **context}
        return _environment().get_template(template).render(site=self, **context)

    def truth(self, path: str, **facts: Any) -> Truth:
        """Return the truth about a path, with what is the same for the whole site filled in."""
        return Truth(
            **{"language": self.language, **facts}, url=self.url(path), site=self.name, path=path
        )

    def put(self, path: str, entry: SiteEntry) -> None:
        """Serve an entry under a path; no path may be given twice."""
        key = _key(path)
        if key in self.entries:
            raise ValueError(f"{self.name}: {path} already exists")
        self.entries[key] = entry

    def show(self, truth: Truth, template: str, **context: Any) -> None:
        """Render a page and serve it together with its truth."""
        body = self.render(template, truth=truth, title=truth.title, **context).encode()
        self.put(truth.path, self.entry(body, truth))

    def entry(self, body: bytes, truth: Truth) -> SiteEntry:
        """Return an HTML page with its truth."""
        return SiteEntry(body, truth=truth, status=truth.status, changed=truth.date)

    def file(self, path: str, body: bytes | str, content_type: str, **facts: Any) -> None:
        """Serve a file other than a page; it has a truth only if facts about it are given."""
        data = body.encode() if isinstance(body, str) else body
        truth = self.truth(path, kind="file", indexed=False, **facts) if facts else None
        self.put(path, SiteEntry(data, content_type, truth=truth))

    def repeat(self, original: Truth, path: str, *shows: str) -> None:
        """Serve the bytes of a page a second time under another path."""
        twin = replace(
            original,
            url=self.url(path),
            path=path,
            shows=("exact-duplicate", *shows),
            indexed=False,
            location=original.url,
        )
        self.put(path, self.entry(self.find(original.path).body, twin))

    def redirect(self, path: str, to: str, status: int, *shows: str) -> None:
        """Answer a path with a redirect."""
        location = self.href(to)
        absolute = self.url(location) if location.startswith("/") else location
        truth = self.truth(
            path, status=status, kind="redirect", shows=shows, indexed=False, location=absolute
        )
        body = self.render("redirect.html", to=absolute, title="Moved").encode()
        self.put(
            path, SiteEntry(body, status=status, headers=(("Location", location),), truth=truth)
        )

    def dead(self, path: str, status: int, *shows: str) -> None:
        """Answer a path with an error, and record it in the truth."""
        truth = self.truth(path, status=status, kind="error", shows=shows, indexed=False)
        self.put(path, SiteEntry(self.missing.body, status=status, truth=truth))

    def static(self, name: str, content_type: str) -> None:
        """Serve a file from the directory of templates."""
        source = (_TEMPLATES / self.name / name).read_text(encoding="utf-8")
        self.file(f"/static/{name}", source, content_type)

    def rule(self, prefix: str, answer: Rule) -> None:
        """Let a function answer all other paths that start with a prefix."""
        self.rules.append((prefix, answer))

    def find(self, target: str) -> SiteEntry:
        """Return what is served for a request target: path, and query if any."""
        if target.startswith("http"):  # absolute form, RFC 9112 section 3.2.2
            parts = urlsplit(target)
            target = (parts.path or "/") + ("?" + parts.query if parts.query else "")
        path, _, query = target.partition("?")
        path = unquote(path)
        exact = self.entries.get(f"{path}?{query}") if query else None
        return exact or self._by_rule(path, query) or self.entries.get(path) or self.missing

    def _by_rule(self, path: str, query: str) -> SiteEntry | None:
        for prefix, answer in self.rules:
            if path.startswith(prefix) and (entry := answer(path, query)):
                return entry
        return None


def _key(path: str) -> str:
    path, mark, query = path.partition("?")
    return unquote(path) + mark + query
