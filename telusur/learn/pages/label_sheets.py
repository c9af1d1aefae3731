"""Label sheets: the blocks of a page as a text file, one per row, to correct in an editor.

The page `NAME.html` and its sheet `NAME.labels` are side by side:

    # url: https://example.org/ferries
    other    Home
    title    Ferries in winter
    content  The first ferry leaves at seven.

Change only the first word of a row. A block with line breaks is one row, with `\\n`.
"""

from collections.abc import Sequence
from pathlib import Path

from telusur.errors import UsageError
from telusur.extract.document import extract_document
from telusur.learn.pages.dataset import LabelledPage
from telusur.models import Block, Document

LABELS = ("content", "title", "author", "date", "other")
SUFFIX = ".labels"
_WIDTH = 9
_URL = "# url: "


def write_sheet(html: str, document: Document, directory: Path, name: str) -> Path:
    """Write a page and its sheet, with the labels that the model gives now; return the sheet.

    An existing sheet is somebody's work and is not overwritten.
    """
    labels = [block.label for block in document.blocks]
    return put_sheet(directory, name, html, sheet_text(document.url, document.blocks, labels))


def put_sheet(directory: Path, name: str, html: str, text: str) -> Path:
    """Write a page and the text of its sheet; return the sheet."""
    sheet = directory / f"{name}{SUFFIX}"
    if sheet.exists():
        raise UsageError(f"{sheet} exists; move it away, or name another directory.")
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"{name}.html").write_text(html, "utf-8", newline="")
    sheet.write_text(text, "utf-8")
    return sheet


def sheet_text(url: str, blocks: Sequence[Block], labels: Sequence[str]) -> str:
    """Return the sheet of a page whose blocks have these labels."""
    rows = [
        f"{label:<{_WIDTH}}{_one_row(block.text)}"
        for block, label in zip(blocks, labels, strict=True)
    ]
    return "\n".join([f"{_URL}{url}", *rows, ""])


def read_rows(text: str) -> list[tuple[str, str]]:
    """Return label and text of each row of a sheet, the text as it is there."""
    split = (row.split(None, 1) for row in text.split("\n") if _is_block(row))
    return [(words[0].lower(), words[1] if len(words) > 1 else "") for words in split]


def row_of(block: Block) -> str:
    """Return the text of a block as one row."""
    return _one_row(block.text)


def read_sheet(sheet: Path) -> LabelledPage:
    """Return the page of a sheet with the truth given by its labels."""
    page = sheet.with_suffix(".html")
    try:
        rows = sheet.read_text("utf-8").split("\n")
        html = page.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{sheet}: it cannot be read with its page {page.name}: {error}") from None
    url = rows[0][len(_URL) :].strip() if rows and rows[0].startswith(_URL) else ""
    labels = [_label_in(row, sheet, number) for number, row in enumerate(rows, 1) if _is_block(row)]
    blocks = extract_document(html, url).blocks
    if len(blocks) != len(labels):
        raise UsageError(
            f"{sheet}: it has {len(labels)} rows, but its page has {len(blocks)} blocks; "
            "rows may not be added or removed. Make the sheet again with `telusur label`."
        )
    return labelled_page(sheet.stem, html, url, blocks, labels)


def labelled_page(
    name: str, html: str, url: str, blocks: Sequence[Block], labels: Sequence[str]
) -> LabelledPage:
    """Return a page with the truth that the labels of its blocks give."""

    def texts(label: str) -> list[str]:
        return [block.text for block, own in zip(blocks, labels, strict=True) if own == label]

    return LabelledPage(
        id=name,
        html=html,
        url=url,
        site=url.partition("://")[2].partition("/")[0] or name,
        title=(texts("title") or [""])[0],
        author=", ".join(texts("author")) or None,
        date=next(iter(texts("date")), None),
        text="\n".join(texts("content")),
        labels=tuple(labels),
    )


def _one_row(text: str) -> str:
    return "\\n".join(text.replace("\\", "\\\\").splitlines())


def _is_block(row: str) -> bool:
    return bool(row.strip()) and not row.startswith("# ")


def _label_in(row: str, sheet: Path, number: int) -> str:
    label = row.split(None, 1)[0].lower()
    if label not in LABELS:
        raise UsageError(
            f"{sheet}, row {number}: {label!r} is not a label; use one of {', '.join(LABELS)}."
        )
    return label
