from telusur.fetch.browser.cache import FRESH_SECONDS, PartCache
from telusur.models import Page

NOW = 1000.0


def part(url, body=b"x" * 100, status=200, **headers):
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Page(url, status=status, body=body, headers=named, fetched_at=NOW)


def test_scripts_and_style_sheets_are_kept_for_a_while():
    cache = PartCache()
    cache.put("/a.js", part("/a.js"), "script")
    cache.put("/a.css", part("/a.css"), "stylesheet")
    assert cache.get("/a.js", NOW + 1).url == "/a.js"
    assert cache.get("/a.css", NOW + FRESH_SECONDS - 1) is not None
    assert cache.get("/a.css", NOW + FRESH_SECONDS + 1) is None
    assert cache.get("/never", NOW) is None


def test_data_errors_and_what_may_not_be_stored_are_not_kept():
    cache = PartCache()
    cache.put("/1", part("/1"), "fetch")
    cache.put("/2", part("/2", status=404), "script")
    cache.put("/3", part("/3", cache_control="private, No-Store"), "script")
    cache.put("/4", part("/4", vary="*"), "script")
    assert [cache.get(f"/{n}", NOW) for n in (1, 2, 3, 4)] == [None] * 4


def test_memory_is_bounded_and_what_is_used_stays():
    cache = PartCache(most_bytes=250)
    cache.put("/1", part("/1"), "script")
    cache.put("/2", part("/2"), "script")
    cache.put("/2", part("/2"), "script")
    assert cache.get("/1", NOW) is not None
    cache.put("/3", part("/3"), "script")
    assert [cache.get(f"/{n}", NOW) is not None for n in (1, 2, 3)] == [True, False, True]
