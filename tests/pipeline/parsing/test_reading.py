"""When a page is rendered, and what is parsed then; the browser and the parser are stand-ins."""

import asyncio

import pytest

from telusur.extract.rendered import Rendered
from telusur.models import Page
from telusur.pipeline.parsing.page_parser import Parsed
from telusur.pipeline.parsing.reading import PageReader

PAGE = Page("http://a.example/", 200, headers=(("Content-Type", "text/html"),), body=b"<p>")


class Parser:
    """Remembers its jobs; says of those that may stop at a shell whether they are one."""

    def __init__(self, *, is_shell):
        self.jobs = []
        self.is_shell = is_shell

    async def parse(self, job):
        self.jobs.append((job.stops_at_shell, job.rendered, job.moved_to))
        return Parsed(is_shell=job.stops_at_shell and self.is_shell)


async def fetch(url, headers):
    raise AssertionError("nobody needs anything")


def read(mode, parser, rendered, page=PAGE):
    async def render(page, fetch):
        return rendered

    return asyncio.run(PageReader(parser.parse, render, mode).read(page, 0, fetch))


def test_auto_leaves_an_ordinary_page_to_the_parser():
    parser = Parser(is_shell=False)
    assert read("auto", parser, None).rendering == ""
    assert parser.jobs == [(True, "", "")]


def test_auto_parses_what_the_browser_made_of_a_shell_and_the_shell_not_to_its_end():
    parser = Parser(is_shell=True)
    parsed = read("auto", parser, Rendered("", "<p>ü", moved_to="/on", bytes=7))
    assert parser.jobs == [(True, "", ""), (False, "<p>ü", "/on")]
    assert parsed.rendering == "rendered in a browser"
    assert (parsed.rendered, parsed.part_bytes) == ("<p>ü".encode(), 7)


def test_a_page_that_could_not_be_rendered_is_parsed_as_it_came():
    parser = Parser(is_shell=True)
    parsed = read("always", parser, Rendered("", reason="the browser died"))
    assert parser.jobs == [(False, "", "")]
    assert parsed.rendering == "not rendered: the browser died"
    assert parsed.rendered == b""


@pytest.mark.parametrize(("mode", "kind"), [("never", "text/html"), ("always", "text/plain")])
def test_what_is_never_rendered(mode, kind):
    parser = Parser(is_shell=True)
    page = Page("http://a.example/", 200, headers=(("Content-Type", kind),))
    assert read(mode, parser, None, page).rendering == ""
    assert parser.jobs == [(False, "", "")]
