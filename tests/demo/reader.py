"""Reads the demo web as a visitor would: follows its links, sees its words."""

import re
from urllib.parse import urlsplit

import ada_url
from selectolax.lexbor import LexborHTMLParser


def ask(web, url, headers=None, attempt=1):
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return web.answer(parts.netloc, target, headers or {}, attempt)


def links(answer, url, encoding="utf-8"):
    tree = LexborHTMLParser(answer.body.decode(encoding, "replace"))
    found = [ada_url.join_url(url, node.attributes["href"] or "") for node in tree.css("a[href]")]
    return [link.partition("#")[0] for link in found if link and link.startswith("http:")]


def words(answer, encoding="utf-8"):
    tree = LexborHTMLParser(answer.body.decode(encoding))
    return flat(tree.body.text(separator=""))


def flat(text):
    return re.sub(r"\s+", " ", text).strip()


def visit(web):
    """Return every URL that is reached from the news, with its status and the page it was found on.

    The endless parts are followed one step beyond the pages that are listed in the truth.
    """
    truth = {one.url: one for one in web.truth}
    found = {web.start_urls[0]: None}
    statuses = {}
    waiting = list(found)
    while waiting:
        url = waiting.pop()
        answer = ask(web, url)
        statuses[url] = answer.status
        if url not in truth:
            continue
        if answer.header("location"):
            follow = [ada_url.join_url(url, answer.header("location"))]
        elif answer.header("content-type").startswith("text/html"):
            follow = links(answer, url, truth[url].encoding)
        else:
            follow = []
        for link in follow:
            if link not in found:
                found[link] = url
                waiting.append(link)
    return statuses, found
