"""Pages that want to harm whoever looks at them: nothing runs, and the layout holds."""

import re

import pytest
from playwright.sync_api import expect

from telusur.models import Event, Explanation, FacetCount, Hit, SearchResults, State, Story
from telusur.search.help.completion import Suggestion
from telusur.search.request import FACETS
from telusur.web.frame import urls
from telusur.web.paperdoll.doll import PaperDoll

RUN = "window.harmed=1;alert(1)"
TEXTS = [
    f"<script>{RUN}</script>",
    f"</title></h1><script>{RUN}</script>",
    f'"><img src=x onerror="{RUN}">',
    f"' onmouseover='{RUN}' autofocus onfocus='{RUN}",
    f"<svg onload='{RUN}'><animate onbegin='{RUN}'/></svg>",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>",
    "<style>*{display:none}</style><base href='//evil.example/'>",
    "<meta http-equiv=refresh content='0;url=//evil.example/'>",
    "{{ 7 * 7 }}{% raw %}",
    "invoice \u202efdp.exe \u2066\u2067\u202d and on",
    "\u0000\u0007\u009b31m\ud800",
    "w" * 100_000,
    "long words " * 10_000,
    "z\u0300" * 20_000,
]
URLS = [
    "javascript:window.harmed=1",
    "JaVaScRiPt:window.harmed=1",
    f"data:text/html,<script>{RUN}</script>",
    'https://evil.example/"onmouseover="window.harmed=1',
    "https://evil.example/<script>",
    "https://evil.example/\u202egpj.exe",
    "https://bank.example@evil.example/",
    "https://evil.example/" + "x" * 8_000,
    "https://" + "a." * 100 + "example/",
]


class Hostile(PaperDoll):
    """Every text in every place a collection can bring forth."""

    def __init__(self):
        pages = []
        for number, (url, text) in enumerate(pairs()):
            pages.append(
                {"url": url, "site": text[:300], "title": text, "author": text, "date": text}
                | {"text": f"find {text}\n{text} {number}", "description": text, "keywords": text}
                | {"language": text}
            )
        super().__init__(pages, [])
        self.name = TEXTS[2]

    def answer(self, request):
        hits = [
            Hit(
                url, document.title, document.text[:3000], 1.0, ((0, 4), (5, 20)), document.title,
                page_type=document.title, more_from_site=3, duplicates=(url, document.title),
                explanation=Explanation(1e300, document.title, (Explanation(0.1, document.text),)),
            )
            for url, document in self._documents.items()
        ]  # fmt: skip
        counts = tuple(FacetCount(text, 10**9) for text in TEXTS)
        return SearchResults(
            request.query, len(hits), tuple(hits), request.page, request.limit,
            understood=TEXTS[0], did_you_mean=TEXTS[2], facets=dict.fromkeys(FACETS, counts),
        )  # fmt: skip

    def suggest(self, typed, limit=10):
        return tuple(Suggestion(text, "title", 1, URLS[0]) for text in TEXTS)[:limit]

    def html(self, url):
        text = self._documents[url].title if url in self._documents else ""
        return f"<title>{text}</title><body><p>find {text}</p><a href='{url}'>find</a>", "text/html"

    def why(self, url):
        if url not in self._documents:
            return None
        text = self._documents[url].title
        events = (Event(1e300, State.WAITING, text), Event(0.0, State.DONE, text, 200))
        return Story(url, State.DONE, text, 1, url, text, 0.0, events, title=text)


def pairs():
    """Yield every hostile text with a URL of its own, and every hostile URL."""
    for number, text in enumerate(TEXTS):
        yield f"https://n{number}.example/", text
    for url in URLS:
        yield url, "A title"


def assert_harmless(page, base_url):
    assert page.evaluate("window.harmed") is None
    assert page.url.startswith(base_url)
    assert page.locator("main script, main style, main iframe, main img, main base").count() == 0
    hrefs = page.eval_on_selector_all("[href]:not(use)", "all => all.map(one => one.href)")
    assert {href.split(":")[0] for href in hrefs} <= {"http", "https"}
    within = page.eval_on_selector_all("use", "all => all.map(one => one.getAttribute('href'))")
    assert all(re.fullmatch(r"#[a-z]+-\d+", each) for each in within)
    names = """() => [...document.querySelectorAll("*")].flatMap(e => e.getAttributeNames())"""
    assert not [n for n in page.evaluate(names) if n.startswith("on") or n == "style"]


def assert_layout_holds(page):
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [375, pytest.param(1200, marks=pytest.mark.slow)])
def test_hostile_hits(show, open_tab, width):
    running = show(Hostile())
    page = open_tab(viewport={"width": width, "height": 800}).page
    for path in ("/", "/sites", "/api", "/search?q=find&limit=100&why=1"):
        page.goto(running.url + path)
        assert_harmless(page, running.url)
        assert_layout_holds(page)
    expect(page.locator(".hit")).to_have_count(len(TEXTS) + len(URLS))
    heights = [hit.bounding_box()["height"] for hit in page.locator(".hit-title").all()]
    assert max(heights) < 150
    for title in page.locator("[data-hit]").all():
        title.focus()
        title.dispatch_event("mouseover")
    assert_harmless(page, running.url)


@pytest.mark.slow
def test_hostile_documents(show, open_tab):
    running = show(Hostile())
    page = open_tab(viewport={"width": 375, "height": 800}).page
    for url, _ in pairs():
        page.goto(running.url + urls.page_url(url))
        expect(page.locator(".timeline-step")).to_have_count(2)
        assert_harmless(page, running.url)
        assert_layout_holds(page)


def test_hostile_suggestions(show, open_tab):
    running = show(Hostile())
    page = open_tab(viewport={"width": 375, "height": 800}).page
    page.goto(running.url)
    page.get_by_role("combobox").press_sequentially("f")
    expect(page.get_by_role("option").first).to_be_visible()
    assert_harmless(page, running.url)
    assert_layout_holds(page)
    page.get_by_role("option").first.click()
    page.wait_for_url("**/page?url=javascript*")
    assert_harmless(page, running.url)


@pytest.mark.slow
def test_hostile_copies(show, open_tab):
    running = show(Hostile())
    page = open_tab(viewport={"width": 375, "height": 800}).page
    for url, _ in pairs():
        page.goto(running.url + urls.copy_url(url, "find"))
        frame = page.frame_locator("iframe").locator("body")
        expect(frame).to_contain_text("find")
        assert page.evaluate("window.harmed") is None
        assert_layout_holds(page)
        within = page.frames[1].content()
        assert not re.search(r"<(script|img|iframe|svg|form|object)[\s>]", within)
        assert not re.search(r"<[^>]*\s(on\w+|style)=|href=.?(javascript|data):", within)


@pytest.mark.slow
def test_hostile_queries(workbench, open_tab):
    page = open_tab().page
    for text in TEXTS:
        page.goto(workbench.url + urls.search_url(text[:1000]))
        assert_harmless(page, workbench.url)
        assert_layout_holds(page)


@pytest.mark.slow
def test_no_direction_override_reaches_the_browser(show):
    running = show(Hostile())
    for path in (
        "/search?q=find&limit=100",
        "/search.rss?q=x",
        "/suggest.json?q=f",
        "/sites",
        *(urls.page_url(url) for url in URLS),
        *(urls.copy_url(url) for url in URLS),
        *(urls.copy_url(url, road=urls.COPY_CONTENT) for url, _ in pairs()),
    ):
        text = running.get(path).text
        assert not set(text) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\0")
