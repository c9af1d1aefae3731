"""Reading the project's documents."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read(name: str) -> str:
    """Return a document of the project, such as README.md."""
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, kind: str) -> list[str]:
    """Return the code blocks of a document in one language."""
    return [text for language, text in FENCE.findall(read(name)) if language == kind]
