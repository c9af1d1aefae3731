"""Makes crawled text safe to show: no control characters, no bidi tricks, limited length."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

MAX_TITLE_CHARS = 200
MAX_SNIPPET_CHARS = 600
MAX_TEXT_CHARS = 300_000

# C0 and C1 controls (except tab and line feed), and surrogates that no encoding can hold.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# Embeddings, overrides and isolates (Unicode TR9); the marks U+200E and U+200F are harmless.
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_SPACES = re.compile(r"\s+")
_LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}")

LANGUAGE_NAMES = {
    "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan", "cs": "Czech",
    "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian",
    "it": "Italian", "ja": "Japanese", "jv": "Javanese", "ko": "Korean", "lt": "Lithuanian",
    "lv": "Latvian", "ms": "Malay", "nb": "Norwegian", "nl": "Dutch", "no": "Norwegian",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak",
    "sl": "Slovenian", "sr": "Serbian", "su": "Sundanese", "sv": "Swedish", "sw": "Swahili",
    "ta": "Tamil", "th": "Thai", "tl": "Tagalog", "tr": "Turkish", "uk": "Ukrainian",
    "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip


class TextPiece(NamedTuple):
    """A run of a snippet, matching the query or not."""

    text: str
    marked: bool


def clean(text: str) -> str:
    """Return the text without characters that could break, hide or reverse the text around it."""
    return _BIDI.sub("", _UNPRINTABLE.sub("\ufffd", text))


def clean_line(text: str, most: int = MAX_TITLE_CHARS) -> str:
    """Return the text as one clean line of at most `most` characters, cut with an ellipsis."""
    # Clean only a little more than is shown, so that a title of 100 kB costs no more than a short
    # one.
    line = _SPACES.sub(" ", clean(text[: most * 4])).strip()
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def mark_pieces(snippet: str, marks: Iterable[tuple[int, int]]) -> list[TextPiece]:
    """Return the snippet in pieces, cut at its marks; wrong marks and overlong text are
    tolerated."""
    snippet = snippet[:MAX_SNIPPET_CHARS]
    pieces = []
    at = 0
    for first, last in sorted(marks):
        start, end = max(first, at), min(last, len(snippet))
        if start >= end:
            continue
        pieces.append(TextPiece(clean(snippet[at:start]), False))
        pieces.append(TextPiece(clean(snippet[start:end]), True))
        at = end
    pieces.append(TextPiece(clean(snippet[at:]), False))
    return [piece for piece in pieces if piece.text]


def paragraphs(text: str) -> Iterator[str]:
    """Yield the cleaned paragraphs of a stored text, up to a length that browsers handle well."""
    for line in clean(text[:MAX_TEXT_CHARS]).split("\n"):
        if stripped := line.strip():
            yield stripped


def language_tag(language: str) -> str:
    """Return the tag if it is valid in a `lang` attribute, or an empty string."""
    return language if _LANGUAGE_TAG.fullmatch(language) else ""


def language_name(language: str) -> str:
    """Return the English name of a language, its tag if the name is unknown, or an empty string."""
    tag = language_tag(language)
    return LANGUAGE_NAMES.get(tag.split("-")[0].lower(), tag)


def show_bytes(number: float) -> str:
    """Return a size in words: `512 bytes`, `1.2 MB`."""
    size = float(number)
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} GB"


def show_span(seconds: float) -> str:
    """Return a long duration in words: `12 s`, `3 min 5 s`, `2 h 10 min`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours:,} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def show_seconds(seconds: float) -> str:
    """Return a duration in words: `0.4 ms`, `27 ms`, `1.3 s`."""
    if seconds >= 1:
        return f"{seconds:.1f} s"
    milliseconds = seconds * 1000
    return f"{milliseconds:.1f} ms" if milliseconds < 10 else f"{milliseconds:.0f} ms"
