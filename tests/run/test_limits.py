import telusur
from tests.sites import Answer, page, serving


def crawl(tmp_path, site, **settings):
    """Crawl a site; return how it ended and the reason of each URL that is known."""
    with serving(site) as served, telusur.open(tmp_path / "c") as collection:
        summary = collection.crawl([served.url()], allow_private=True, delay=0, **settings)
        stories = {path: collection.why(served.url(path)) for path in site}
        return summary, {path: story.reason for path, story in stories.items() if story}


def test_a_crawl_ends_by_its_size(tmp_path):
    links = "".join(f'<a href="/{number}">{number}</a>' for number in range(50))
    site = {"/": page("Start", links)}
    site |= {f"/{number}": page(f"Page {number}", "x" * 10_000) for number in range(50)}
    summary, _ = crawl(tmp_path, site, total_bytes=60_000)
    assert summary.outcome == "bytes"
    assert 3 <= summary.progress.pages < 50
    with telusur.open(tmp_path / "c") as collection:
        assert collection.counts().waiting + summary.progress.pages == 51


def test_only_the_wanted_types_are_kept(tmp_path):
    plain = Answer("plain words", headers={"Content-Type": "text/plain"})
    site = {
        "/": page("Start", '<a href="/a">a</a><a href="/b">b</a>'),
        "/a": plain,
        "/b": page("B"),
    }
    _, reasons = crawl(tmp_path, site, content_type=("text/html",))
    assert reasons == {"/": "", "/a": "content type: text/plain", "/b": ""}
