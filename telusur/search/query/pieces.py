"""Splits a typed query into pieces: words, quoted texts, brackets, OR, AND, NOT and minus."""

import re
from dataclasses import dataclass

from telusur.document_table import QUERY_WORDS

_QUOTES = dict.fromkeys(map(ord, "“”„‟«»＂〝〞"), '"')
# Pasted text may contain invisible marks that change the writing direction.
_DIRECTIONS = dict.fromkeys(
    [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)
_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), 0xFEFF], " ")
_SURROGATES = re.compile("[\ud800-\udfff]")
_CLEAN = {**_CONTROLS, **_DIRECTIONS, **_QUOTES}

_PIECE = re.compile(
    rf"""(?P<open>\()
       | (?P<close>\))
       | (?P<minus>(?<![^\s(])[-−](?=[^\s−-]))
       | (?P<dash>[-−]+)
       | (?:(?P<field>{"|".join(QUERY_WORDS)}):(?=[^\s)]))?
         (?: "(?P<phrase>[^"]*)"? | (?P<group>(?<=:)\() | (?P<word>[^\s"()]+) )""",
    re.VERBOSE | re.IGNORECASE,
)
OPERATORS = {"OR": "OR", "|": "OR", "||": "OR", "AND": "AND", "&&": "AND", "NOT": "NOT"}


@dataclass(slots=True, frozen=True)
class Piece:
    """One piece; `kind` is text, OR, AND, NOT, a minus sign or a bracket."""

    kind: str
    text: str = ""
    field: str = ""
    is_quoted: bool = False


def split_pieces(text: str) -> list[Piece]:
    """Return the pieces of a query, in order."""
    matches = _PIECE.finditer(clean(text))
    return [_make_piece(match) for match in matches if not match["dash"]]


def clean(text: str) -> str:
    """Return a query without control characters, and with one kind of quotes."""
    return _SURROGATES.sub(" ", text.translate(_CLEAN))


def _make_piece(match: re.Match[str]) -> Piece:
    field = (match["field"] or "").lower()
    if match["open"] or match["group"]:
        return Piece("(", field=field)
    if match["close"]:
        return Piece(")")
    if match["minus"]:
        return Piece("-")
    if match["phrase"] is not None:
        return Piece("text", match["phrase"], field, is_quoted=True)
    word = match["word"]
    if not field and word in OPERATORS:
        return Piece(OPERATORS[word])
    return Piece("text", word, field)
