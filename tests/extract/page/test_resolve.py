import ada_url
import pytest

from telusur.extract.page.resolve import resolve_url


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("c", "http://coast.example/a/c"),
        ("/c?d#e", "http://coast.example/c?d"),
        ("?q", "http://coast.example/a/b?q"),
        ("//other.example", "http://other.example/"),
        ("\\\\other.example\\x", "http://other.example/x"),
        ("../../..", "http://coast.example/"),
        (" \n/c\t", "http://coast.example/c"),
        ("HTTPS://Coast.Example:443/", "https://coast.example/"),
        ("", None),
        ("#top", None),
        ("JavaScript:void(0)", None),
        ("java\nscript:void(0)", None),
        ("file:///etc/passwd", None),
        ("http://", None),
        ("http://coast.example:99999/", None),
        ("/" + "x" * 3000, None),
    ],
)
def test_references(reference, expected):
    assert resolve_url("http://coast.example/a/b", reference) == expected


def test_without_base_only_absolute_references_lead_anywhere():
    assert resolve_url("", "http://coast.example") == "http://coast.example/"
    assert resolve_url("", "/c") is None


@pytest.mark.parametrize(
    "base",
    [
        "http://coast.example/a/b?c=d",
        "https://Coast.example/a/",
        "http://x",
        "http://127.0.0.1:8080/a/b/c.html",
    ],
)
@pytest.mark.parametrize(
    "reference",
    ["c", "c/d.html", "/c", "/", "c/", "./c", "../c", "../../c/d.html#e",
     "../../../../c", "../c/../d", ".../c", "c/../d", "c//d", "//other.example/c", "c/.",
     "a:b", "a.b-c_d~e", "c d", "c%20d", "c?d", "c#d", "C", "1", "~c", "-c", "c/..d", "é"],
)  # fmt: skip
def test_the_quick_way_gives_what_the_standard_says(base, reference):
    expected = ada_url.join_url(base, reference).partition("#")[0]
    found = resolve_url(base, reference)
    assert found == (expected if expected.startswith("http") else None)


def test_references_that_are_nearly_plain_take_no_time():
    assert resolve_url("http://coast.example/", "a" * 2000 + "é")
