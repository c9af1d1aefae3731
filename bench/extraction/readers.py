"""How each extractor reads a page: `READERS[name](model)` gives a function from page to answer.

Runs in the peers' environment as well as in ours, so it imports nothing before it is asked to. A
page is a row of the data set (`html`, `url`, `language`, ...); an answer has `text`, `title`,
`author` and `date`, as far as the extractor gives them. Only Telusur uses `model`, a path.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

Page = dict[str, Any]
Answer = dict[str, Any]
Reader = Callable[[Page], Answer]
MakeReader = Callable[[str | None], Reader]

# fmt: off
_BLOCKS = (
    "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main",
    "nav", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul",
)
_STOP_WORDS = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "pt": "Portuguese",
    "it": "Italian", "nl": "Dutch", "pl": "Polish", "ru": "Russian", "el": "Greek",
    "cs": "Czech", "sv": "Swedish", "da": "Danish", "fi": "Finnish", "hu": "Hungarian",
    "ro": "Romanian", "tr": "Turkish", "id": "Indonesian", "hr": "Croatian", "lv": "Latvian",
    "uk": "Ukrainian", "bg": "Bulgarian", "ar": "Arabic", "he": "Hebrew", "ko": "Korean",
    "vi": "Vietnamese", "no": "Norwegian_Bokmal", "zh": "", "ja": "", "th": "",
}
# fmt: on
_NO_WORDS = {"stopwords_low": 0.0, "stopwords_high": 0.0}


def telusur(model: str | None) -> Reader:
    """Telusur; its answer also has the type of the page and the labels of its blocks."""
    from telusur.extract.content.model import load_model
    from telusur.extract.document import extract_document

    loaded = load_model(Path(model)) if model else None

    def read(page: Page) -> Answer:
        document = extract_document(page["html"], page.get("url") or "", model=loaded)
        return {
            "text": document.text, "title": document.title, "author": document.author,
            "date": document.date, "page_type": document.page_type,
            "after": lambda: {"labels": [block.label for block in document.blocks]},
        }  # fmt: skip

    return read


def trafilatura(*, with_comments: bool = False, **options: bool) -> MakeReader:
    """Trafilatura in one of its modes, with metadata; it keeps readers' comments apart."""

    def make(_: str | None) -> Reader:
        import trafilatura

        logging.disable(logging.CRITICAL)

        def read(page: Page) -> Answer:
            found = trafilatura.bare_extraction(
                page["html"], url=page.get("url"), with_metadata=True, **options
            )
            if found is None:
                return {}
            text = found.text or ""
            if with_comments and found.comments:
                text = f"{text}\n{found.comments}"
            return {
                "text": text, "title": found.title, "author": found.author, "date": found.date,
            }  # fmt: skip

        return read

    return make


def trafilatura_baseline(_: str | None) -> Reader:
    """Trafilatura's `baseline`: JSON-LD, article elements or all paragraphs; text only."""
    from trafilatura import baseline

    logging.disable(logging.CRITICAL)

    def read(page: Page) -> Answer:
        _, text, _ = baseline(page["html"])
        return {"text": text}

    return read


def resiliparse(_: str | None) -> Reader:
    """Resiliparse's main content without link targets and bullets; the title is `<title>`."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    def read(page: Page) -> Answer:
        tree = HTMLTree.parse(page["html"])
        text = extract_plain_text(tree, main_content=True, links=False, list_bullets=False)
        return {"text": text, "title": tree.title}

    return read


def readability(_: str | None) -> Reader:
    """readability-lxml's summary as text, its short title and its author."""
    from lxml import html as lxml_html
    from readability import Document

    logging.disable(logging.CRITICAL)

    def read(page: Page) -> Answer:
        document = Document(page["html"], url=page.get("url"))
        root = lxml_html.fromstring(document.summary(html_partial=True))
        for element in root.iter(*_BLOCKS):
            element.tail = f"\n{element.tail or ''}"
        return {
            "text": root.text_content(), "title": document.short_title(),
            "author": (document.author() or "").removeprefix("[no-author]"),
        }  # fmt: skip

    return read


def newspaper(_: str | None) -> Reader:
    """newspaper4k's article, nothing fetched; the language is the page's own."""
    import newspaper
    import tldextract

    logging.disable(logging.CRITICAL)
    # Its list of suffixes comes with it; it would look for a newer one in the network.
    tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=())

    def read(page: Page) -> Answer:
        article = newspaper.Article(
            page.get("url") or "http://unknown.example/", fetch_images=False
        )
        article.download(input_html=page["html"])
        article.parse()
        date = article.publish_date
        return {
            "text": article.text, "title": article.title, "author": ", ".join(article.authors),
            "date": date.date().isoformat() if date else None,
        }  # fmt: skip

    return read


def justext(_: str | None) -> Reader:
    """jusText with the stop words of the page's language; headings are kept."""
    from justext import get_stoplist, get_stoplists
    from justext import justext as paragraphs_of

    known = get_stoplists()

    def read(page: Page) -> Answer:
        name = _STOP_WORDS.get((page.get("language") or "en")[:2], "English")
        # In a language without a list, every text has enough of them.
        words, limits = (get_stoplist(name), {}) if name in known else (frozenset(), _NO_WORDS)
        found = paragraphs_of(page["html"], words, **limits)
        return {"text": "\n".join(one.text for one in found if not one.is_boilerplate)}

    return read


def boilerpy(_: str | None) -> Reader:
    """boilerpy3's article extractor; text and title."""
    from boilerpy3.extractors import ArticleExtractor

    logging.disable(logging.CRITICAL)
    extractor = ArticleExtractor(raise_on_failure=False)

    def read(page: Page) -> Answer:
        document = extractor.get_doc(page["html"])
        return {"text": document.content, "title": document.title}

    return read


def goose(_: str | None) -> Reader:
    """goose3's cleaned text, title, authors and date; the language is the page's own."""
    from goose3 import Configuration, Goose

    logging.disable(logging.CRITICAL)
    options = Configuration()
    options.enable_image_fetching = False
    options.use_meta_language = True
    extractor = Goose(options)

    def read(page: Page) -> Answer:
        article = extractor.extract(raw_html=page["html"])
        # Data of a page may name several dates.
        said = article.publish_date or ""
        date = str((said or [""])[0]) if isinstance(said, list) else said
        return {
            "text": article.cleaned_text, "title": article.title,
            "author": ", ".join(article.authors), "date": date[:10],
        }  # fmt: skip

    return read


def turbohtml(*, with_dates: bool = False) -> MakeReader:
    """turbohtml's article finder; with its finder of dates, which reads the page once more."""

    def make(_: str | None) -> Reader:
        from turbohtml import parse
        from turbohtml.extract import DateExtraction, dates

        published = DateExtraction(original=True)

        def read(page: Page) -> Answer:
            article = parse(page["html"]).article()
            date = article.date
            if with_dates and (found := dates(page["html"], published)) is not None:
                date = found.date
            return {
                "text": article.text, "title": article.title, "author": article.byline,
                "date": date,
            }  # fmt: skip

        return read

    return make


READERS: dict[str, MakeReader] = {
    "telusur": telusur,
    "trafilatura": trafilatura(include_comments=False),
    "trafilatura-plain": trafilatura(),
    "trafilatura-comments": trafilatura(with_comments=True),
    "trafilatura-precision": trafilatura(include_comments=False, favor_precision=True),
    "trafilatura-recall": trafilatura(include_comments=False, favor_recall=True),
    "trafilatura-fast": trafilatura(include_comments=False, fast=True),
    "trafilatura-no-tables": trafilatura(include_comments=False, include_tables=False),
    "trafilatura-baseline": trafilatura_baseline,
    "resiliparse": resiliparse,
    "readability": readability,
    "newspaper": newspaper,
    "justext": justext,
    "boilerpy": boilerpy,
    "goose": goose,
    "turbohtml": turbohtml(),
    "turbohtml-dates": turbohtml(with_dates=True),
}
