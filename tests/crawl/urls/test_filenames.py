import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.crawl.filenames import SEGMENT_LENGTH, file_name_of, url_of
from telusur.errors import UsageError

URLS = st.text(max_size=700).map("http://example.com/".__add__)
IMPOSSIBLE_ON_WINDOWS = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?|.*[. ]")


@given(URLS)
def test_every_url_comes_back(url):
    assert url_of(file_name_of(url)) == url


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


@pytest.mark.parametrize("name", ["", "A", "a=", "a=3", "a=3G", "a/b", "../a", "a+1"])
def test_a_foreign_file_name_is_refused(name):
    with pytest.raises(UsageError, match="is not the file name of a URL"):
        url_of(name)
