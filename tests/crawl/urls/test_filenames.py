import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from telusur import UsageError, file_name_of, url_of
from telusur.crawl.urls.filenames import SEGMENT_LENGTH
from telusur.crawl.urls.identity import parse_url

URLS = st.text(max_size=700).map("http://example.com/".__add__)
IMPOSSIBLE_ON_WINDOWS = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?|.*[. ]")


@given(URLS)
def test_every_url_comes_back(url):
    assert url_of(file_name_of(url)) == url


HOSTS = st.from_regex(r"[a-z0-9äß中-]{1,30}(\.[a-zé]{2,10}){0,3}(:[0-9]{1,5})?", fullmatch=True)


@given(st.sampled_from(["http", "https"]), HOSTS | st.text(max_size=60), st.text(max_size=2100))
def test_every_url_that_is_fetched_comes_back(scheme, host, path):
    url = parse_url(f"{scheme}://{host}/{path}")
    assume(url is not None)
    assert url_of(file_name_of(url)) == url


@given(URLS)
def test_a_file_can_have_the_name(url):
    name = file_name_of(url)
    with TemporaryDirectory() as directory:
        path = Path(directory, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
        (found,) = (each for each in Path(directory).rglob("*") if each.is_file())
        assert url_of(found.relative_to(directory).as_posix()) == url


@given(URLS)
def test_every_part_is_legal_everywhere(url):
    for part in file_name_of(url).split("/"):
        assert re.fullmatch(r"[a-z0-9+,=._-]{1,202}", part)
        assert not IMPOSSIBLE_ON_WINDOWS.fullmatch(part)


@given(URLS, URLS)
def test_no_file_is_another_ones_directory(one, other):
    assert not file_name_of(other).startswith(file_name_of(one) + "/")


def test_names_are_readable():
    name = file_name_of("https://www.example.com/News/a_b.html?q=sea")
    assert name == "https=3a,,www.example.com,+news,a_b.html=3fq=3dsea"


def test_urls_that_differ_in_case_only_differ_on_systems_that_fold_it():
    one, other = file_name_of("http://a.example/A"), file_name_of("http://a.example/a")
    assert one.lower() != other.lower()


def test_a_long_url_becomes_directories():
    url = "http://a.example/" + "x" * (SEGMENT_LENGTH * 2)
    parts = file_name_of(url).split("/")
    assert len(parts) == 3
    assert all(part.endswith("=") for part in parts[:-1])
    assert url_of("/".join(parts)) == url


def test_a_part_never_becomes_a_reserved_name():
    filler = "x" * (SEGMENT_LENGTH - len(file_name_of("http://a.example/")))
    assert file_name_of(f"http://a.example/{filler}con").split("/")[1] == "_con"


FOREIGN = ["", "A", "a=", "a=3", "a=3G", "a/b", "../a", "a+1", "=ff", "con", "index.html"]
OTHER_SPELLINGS = ["=61", "=2f", "+a/b", "=ff", "=ED=A0", "a.", "x=/_y", "../a"]


@pytest.mark.parametrize(
    "name", [*FOREIGN, *(f"http=3a,,a.example,{more}" for more in OTHER_SPELLINGS)]
)
def test_a_name_that_no_url_has_is_refused(name):
    with pytest.raises(UsageError, match="is not the file name of a URL"):
        url_of(name)


@given(st.text("abct:/=+,._-0123 A", max_size=30).map("http=3a,,".__add__))
def test_a_url_has_one_name(name):
    try:
        url = url_of(name)
    except UsageError:
        return
    assert file_name_of(url) == name


@pytest.mark.parametrize("url", ["", "con", "ftp://a.example/", "mailto:ann@a.example", "/a"])
def test_what_is_no_url_has_no_name(url):
    with pytest.raises(UsageError, match="has no file name; give a URL with"):
        file_name_of(url)
