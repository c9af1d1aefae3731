"""How each extractor reads a page: `READERS[name]()` gives a function from a page to an answer.

Runs in the peers' environment as well as in ours, so it imports nothing before it is asked to. A
page is a row of the data set (`html`, `url`, `site`, ...); an answer has `text`, `title`, `author`
and `date`, as far as the extractor gives them.
"""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

Page = dict[str, Any]
Answer = dict[str, str | None]
Reader = Callable[[Page], Answer]

# fmt: off
_BLOCKS = (
    "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main",
    "nav", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul",
)
# fmt: on


def telusur() -> Reader:
    """Telusur; each page read with the model that was trained without its site, if there are such.

    `FOLD_MODELS` in the environment is a directory that `telusur train --fold-models` made.
    """
    from telusur.extract.document import extract_document
    from telusur.learn.teaching import load_folds

    directory = os.environ.get("FOLD_MODELS")
    models = load_folds(Path(directory)) if directory else []
    by_site = {site: model for model in models for site in model.about["held_back"]}
    other = models[0] if models else None

    def read(page: Page) -> Answer:
        model = by_site.get(page["site"] or page.get("id"), other)
        document = extract_document(page["html"], page["url"] or "", model=model)
        return {
            "text": document.text, "title": document.title, "author": document.author,
            "date": document.date,
        }  # fmt: skip

    return read


def trafilatura(*, with_comments: bool = False, **options: bool) -> Callable[[], Reader]:
    """Trafilatura in one of its modes, with metadata; it keeps readers' comments apart."""

    def make() -> Reader:
        import trafilatura

        logging.disable(logging.CRITICAL)

        def read(page: Page) -> Answer:
            found = trafilatura.bare_extraction(
                page["html"], url=page["url"], with_metadata=True, **options
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


def trafilatura_baseline() -> Reader:
    """Trafilatura's `baseline`: JSON-LD, article elements or all paragraphs; text only."""
    from trafilatura import baseline

    logging.disable(logging.CRITICAL)

    def read(page: Page) -> Answer:
        _, text, _ = baseline(page["html"])
        return {"text": text}

    return read


def resiliparse() -> Reader:
    """Resiliparse's main content without link targets and bullets; the title is `<title>`."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    def read(page: Page) -> Answer:
        tree = HTMLTree.parse(page["html"])
        text = extract_plain_text(tree, main_content=True, links=False, list_bullets=False)
        return {"text": text, "title": tree.title}

    return read


def readability() -> Reader:
    """readability-lxml's summary as text, its short title and its author."""
    from lxml import html as lxml_html
    from readability import Document

    logging.disable(logging.CRITICAL)

    def read(page: Page) -> Answer:
        document = Document(page["html"], url=page["url"])
        root = lxml_html.fromstring(document.summary(html_partial=True))
        for element in root.iter(*_BLOCKS):
            element.tail = f"\n{element.tail or ''}"
        return {
            "text": root.text_content(), "title": document.short_title(),
            "author": document.author(),
        }  # fmt: skip

    return read


def newspaper() -> Reader:
    """newspaper4k's article, nothing fetched; the language is the page's own."""
    import newspaper
    import tldextract

    logging.disable(logging.CRITICAL)
    # Its list of suffixes comes with it; it would look for a newer one in the network.
    tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=())

    def read(page: Page) -> Answer:
        article = newspaper.Article(page["url"] or "http://unknown.example/", fetch_images=False)
        article.download(input_html=page["html"])
        article.parse()
        date = article.publish_date
        return {
            "text": article.text, "title": article.title, "author": ", ".join(article.authors),
            "date": date.date().isoformat() if date else None,
        }  # fmt: skip

    return read


def turbohtml(*, with_dates: bool = False) -> Callable[[], Reader]:
    """turbohtml's article finder; with its finder of dates, which reads the page once more."""

    def make() -> Reader:
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


READERS: dict[str, Callable[[], Reader]] = {
    "telusur": telusur,
    "trafilatura": trafilatura(),
    "trafilatura-comments": trafilatura(with_comments=True),
    "trafilatura-precision": trafilatura(favor_precision=True),
    "trafilatura-recall": trafilatura(favor_recall=True),
    "trafilatura-fast": trafilatura(fast=True),
    "trafilatura-no-comments": trafilatura(include_comments=False),
    "trafilatura-no-tables": trafilatura(include_tables=False),
    "trafilatura-baseline": trafilatura_baseline,
    "resiliparse": resiliparse,
    "readability": readability,
    "newspaper": newspaper,
    "turbohtml": turbohtml(),
    "turbohtml-dates": turbohtml(with_dates=True),
}
