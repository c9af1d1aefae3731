"""Which style sheets a page names, and in which order they and their imports apply."""

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlsplit

from turbohtml import Element

from telusur.extract.page.resolve import resolve_url
from telusur.extract.style.media import Applies, media_applies
from telusur.extract.style.sheet import Sheet, on_some_screens, parse_sheet

MAX_SHEETS = 12  # of a page, with their imports
_MAX_IMPORT_DEPTH = 2
# They bring letters and symbols, and no rules that hide a text.
_FONT_HOSTS = frozenset((
    "fonts.googleapis.com", "fonts.gstatic.com", "use.typekit.net", "p.typekit.net",
    "fonts.bunny.net", "use.fontawesome.com", "kit.fontawesome.com",
    "cloud.typography.com", "fast.fonts.net", "fonts.loli.net", "maxst.icons8.com", "cdn.fonts.net",
))  # fmt: skip

#: Sheets by URL; None for one that cannot be had. A URL that is missing was not looked for.
Sheets = Mapping[str, Sheet | None]


class GivenSheets(dict[str, Sheet | None]):
    """The sheets that somebody has as texts, by URL; no others can be had."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        super().__init__({url: parse_sheet(text) for url, text in texts.items()})

    def __contains__(self, url: object) -> bool:
        return True


class SheetsMissing(Exception):  # noqa: N818 - it is no error: the page is read again with them
    """A page names style sheets that were not looked for yet."""

    def __init__(self, urls: Sequence[str]) -> None:
        super().__init__(f"{len(urls)} style sheets")
        self.urls = tuple(urls)


def named_sheets(links: Iterable[Element], base: str) -> dict[str, Applies]:
    """Return the URLs of the sheets that `<link>` elements name, and where each applies."""
    found: dict[str, Applies] = {}
    for link in links:
        relations = (link.attr("rel") or "").lower().split()
        if "stylesheet" not in relations or "alternate" in relations:
            continue
        if (
            link.attr("disabled") is not None
            or "css" not in (link.attr("type") or "text/css").lower()
        ):
            continue
        applies = media_applies(link.attr("media") or "")
        if "media" in (link.attr("onload") or ""):  # a way to load a sheet late
            applies = Applies.ALWAYS
        url = resolve_url(base, link.attr("href") or "")
        if url is not None and applies is not Applies.NEVER:
            found[url] = max(applies, found.get(url, applies))
    return found


def in_order(
    named: Mapping[str, Applies], own: Iterable[Sheet], base: str, sheets: Sheets
) -> tuple[list[Sheet], bool]:
    """Return the sheets of a page in the order in which they apply, and whether all are known.

    `own` are those of its `<style>` elements. Imported sheets come before the one that imports
    them. Raises `SheetsMissing` for sheets that should be looked for.
    """
    walk = _Walk(sheets)
    for url, applies in named.items():
        walk.take(url, applies, 0)
    for sheet in own:
        walk.take_with_imports(sheet, base, Applies.ALWAYS, 0)
    if walk.missing:
        raise SheetsMissing(walk.missing)
    return walk.found, walk.is_whole


class _Walk:
    """Collects sheets and their imports."""

    def __init__(self, sheets: Sheets) -> None:
        self._sheets = sheets
        self._seen: set[str] = set()
        self.found: list[Sheet] = []
        self.missing: list[str] = []
        self.is_whole = True

    def take(self, url: str, applies: Applies, depth: int) -> None:
        """Take a sheet by its URL."""
        if url in self._seen:
            return
        sheet = self._sheets.get(url)
        is_left_out = sheet is None and url in self._sheets
        if (is_left_out and not self.is_whole) or urlsplit(url).hostname in _FONT_HOSTS:
            return
        if is_left_out or len(self._seen) >= MAX_SHEETS or depth > _MAX_IMPORT_DEPTH:
            self.is_whole = False
            return
        self._seen.add(url)
        if sheet is None:
            self.missing.append(url)
        else:
            self.take_with_imports(sheet, url, applies, depth)

    def take_with_imports(self, sheet: Sheet, base: str, applies: Applies, depth: int) -> None:
        """Take a sheet after those that it imports."""
        for reference, media in sheet.imports:
            target = resolve_url(base, reference)
            imported = min(applies, media_applies(media))
            if target is not None and imported is not Applies.NEVER:
                self.take(target, imported, depth + 1)
        self.found.append(sheet if applies is Applies.ALWAYS else on_some_screens(sheet))
