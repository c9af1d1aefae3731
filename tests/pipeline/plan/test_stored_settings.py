import pytest

from telusur.pipeline.plan.stored_settings import read_stored
from telusur.settings import CrawlSettings
from telusur.store.records import CrawlRecord
from telusur.web.crawls.views import settings_of_run


def test_what_makes_sense_stays_and_secrets_are_left_out():
    stored = {
        "pages": 10, "delay": "no number", "unheard_of": 1,
        "header": ["Authorization: Bearer SECRET", "DNT: 1", "User-Agent: mine/1.0"],
        "proxy": "http://me:SECRET@127.0.0.1:3128",
        "host": {"a.example": {"header": ["X-Key: SECRET"], "delay": 2, "per_host": "many"}},
    }  # fmt: skip
    assert read_stored(stored) == {
        "pages": 10,
        "header": ("Authorization: [left out]", "DNT: 1", "User-Agent: mine/1.0"),
        "proxy": "http://[left out]@127.0.0.1:3128",
        "host": {"a.example": {"header": ("X-Key: [left out]",), "delay": 2.0}},
    }


def test_what_was_left_out_once_stays_as_it_is():
    stored = {"header": ["Cookie: a=b"], "proxy": "http://me:x@127.0.0.1:1"}
    assert read_stored(read_stored(stored)) == read_stored(stored)


@pytest.mark.parametrize(
    "stored", [None, [], "pages", {"host": []}, {"host": {"a": 1}}, {"header": 5}, {"proxy": [1]}]
)
def test_a_stranger_may_have_written_anything(stored):
    assert set(read_stored(stored)) <= {"host", "header", "proxy"}


def test_the_command_to_crawl_again_names_what_it_lacks():
    usual = CrawlSettings()
    stored = read_stored({"proxy": "http://me:SECRET@127.0.0.1:3128", "header": ["Cookie: a=b"]})
    settings, lacking = settings_of_run(CrawlRecord(0.0, None, "", (), stored), usual)
    assert (settings.proxy, settings.header) == (usual.proxy, ())
    assert lacking == ("--proxy", "--header")
