"""New inputs from old ones: cut, repeated, spliced, and strewn with what parsers care about."""

import random
import re
from collections.abc import Sequence

LARGEST_BYTES = 20_000
_TOKEN = re.compile(rb"[\w%&-]{2,40}|[^\w\s]{1,4}")
_MOST_TOKENS = 2_000
ODD = (
    *(b"\x00", b"\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc3\x28", b"\r\n", b"\n"),
    *(b"<", b">", b"</", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"&#xD800;", b"&#0;", b"%00", b"%"),
    *(
        b'"',
        b"'",
        b"=",
        b"{",
        b"}",
        b"[",
        b"]",
        b"(",
        b")",
        b"\\u0000",
        b"\\ud800",
        b"\x1f\x8b\x08",
    ),
    *(
        b"\x28\xb5\x2f\xfd",
        b"99999999999999999999",
        b"-1",
        b"1e999",
        b"*",
        b"$",
        b"://",
        b"@",
        b"#",
    ),
    *("\u0130".encode(), "\u2028".encode(), "日本".encode(), "𝒳".encode(), "\u00ad".encode()),
)


def tokens_of(seeds: Sequence[bytes]) -> list[bytes]:
    """Return what inputs are made of: their words, and the marks between them."""
    found = dict.fromkeys(token for seed in seeds for token in _TOKEN.findall(seed))
    return list(found)[:_MOST_TOKENS]


def mutate(seeds: Sequence[bytes], tokens: Sequence[bytes], dice: random.Random) -> bytes:
    """Return a new input, made of one or two old ones."""
    data = bytearray(dice.choice(seeds))
    if dice.random() < 0.2:
        other = dice.choice(seeds)
        data = data[: _place(data, dice)] + other[_place(other, dice) :]
    for _ in range(dice.choice((1, 1, 2, 3, 5, 8, 16))):
        _change(data, tokens, dice)
        del data[LARGEST_BYTES:]
    return bytes(data)


def _place(data: bytes | bytearray, dice: random.Random) -> int:
    return dice.randint(0, len(data))


def _change(data: bytearray, tokens: Sequence[bytes], dice: random.Random) -> None:
    kind = dice.random()
    at = _place(data, dice)
    some = dice.choice((1, 2, 4, 10, 50, 300))
    if kind < 0.2 and data:
        data[dice.randrange(len(data))] = dice.randrange(256)
    elif kind < 0.3 and data:
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    elif kind < 0.45:
        del data[at : at + some]
    elif kind < 0.6:
        data[at:at] = dice.choice(ODD)
    elif kind < 0.8 and tokens:
        data[at:at] = dice.choice(tokens)
    elif kind < 0.9:
        piece = data[at : at + some]
        data[at:at] = piece * dice.choice((1, 2, 5, 100))
    else:
        piece = data[at : at + some]
        place = _place(data, dice)
        data[place : place + len(piece)] = piece
