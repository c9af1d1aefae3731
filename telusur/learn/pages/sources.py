"""Where labelled pages come from: files of JSON lines, and directories of label sheets."""

from collections.abc import Iterator
from pathlib import Path

from telusur.learn.pages.dataset import LabelledPage, read_pages
from telusur.learn.pages.label_sheets import SUFFIX, read_sheet


def read_labelled(path: Path) -> Iterator[LabelledPage]:
    """Read a file of JSON lines, a sheet, or a directory of either."""
    if path.suffix == SUFFIX:
        yield read_sheet(path)
        return
    sheets = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else []
    yield from map(read_sheet, sheets)
    if not sheets or any(path.glob("*.jsonl*")):
        yield from read_pages(path)
