"""The stored copy of a page: its content with words marked, and nothing that runs."""

from base64 import b64encode
from hashlib import sha256
from html import escape

from telusur.errors import CollectionError
from telusur.extract.writing.formats import read_content, structure_of
from telusur.extract.writing.markup import markup_of
from telusur.web.frame.text import clean_line, language_tag, paragraphs
from telusur.web.page.marking import Ranges, mark_markup
from telusur.web.reader import CollectionReader

STYLE = (
    ":root{color-scheme:light dark}"
    "body{max-width:44rem;margin:1.5rem auto;padding:0 1rem;font:1.05rem/1.6 Georgia,serif;"
    "overflow-wrap:anywhere}"
    "h1,h2,h3,h4{line-height:1.25;font-family:system-ui,'Liberation Sans',Arial,sans-serif}"
    "h1{font-size:1.5rem}a{color:#0b5a8a;text-decoration-thickness:1px}"
    "table{border-collapse:collapse;display:block;overflow:auto}"
    "td,th{border:1px solid #8b867a;padding:.2em .5em}"
    "pre{overflow:auto;white-space:pre-wrap}"
    "mark{background:#fde9a9;color:#1c2326;border-radius:2px}"
    "@media(prefers-color-scheme:dark){body{background:#1a2124;color:#e7eae8}a{color:#8cc4ee}"
    "mark{background:#5b4a12;color:#fff3cf}}"
)
_STYLE_HASH = b64encode(sha256(STYLE.encode()).digest()).decode()
# Links open in a new tab, outside the sandbox; nothing else is allowed.
SANDBOX = "allow-popups allow-popups-to-escape-sandbox"
CONTENT_HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; "
        f"form-action 'none'; frame-ancestors 'self'; sandbox {SANDBOX}"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}


def write_copy(collection: CollectionReader, url: str, query: str) -> str | None:
    """Return the stored copy as a page for the frame, or None when nothing is stored."""
    document = collection.document(url)
    stored = None
    try:
        stored = collection.html(url)
    except CollectionError:  # the archive is damaged here; the extracted text is not
        if document is None:
            raise
    if stored is not None:
        reading = read_content(stored[0], url, content_type=stored[1])
        title, language = reading.document.title, reading.document.language
        body = markup_of(structure_of(reading))
    elif document is not None:
        title, language = document.title, document.language
        body = "\n".join(f"<p>{escape(line)}</p>" for line in paragraphs(document.text))
    else:
        return None
    tag = f' lang="{language_tag(language)}"' if language_tag(language) else ""

    def find(text: str) -> Ranges:
        return collection.find_words(query, text, language) if query else ()

    return (
        f'<!doctype html>\n<html{tag}>\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<base target="_blank"><title>{escape(clean_line(title))}</title>'
        f"<style>{STYLE}</style></head>\n"
        f'<body dir="auto">\n{mark_markup(body, find)}\n</body>\n</html>'
    )
