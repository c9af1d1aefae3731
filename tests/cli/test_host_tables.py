"""Settings of single hosts in telusur.toml, from the file to the request."""

import pytest

from tests.sites import page, serving

CRAWL = ("crawl", "--allow-private", "--delay", "0", "--no-index", "--to", "c")


def test_a_table_reaches_the_requests_of_its_host_alone(telusur, tmp_path):
    with serving({"/": page("Home")}) as site:
        host = site.origin.replace("127.0.0.1", "a.localhost")
        (tmp_path / "telusur.toml").write_text(f'[host."{host}"]\nheader = ["X-Pass: 7"]\n')
        urls = [site.url("/").replace("127.0.0.1", f"{name}.localhost") for name in "ab"]
        assert telusur(*CRAWL, *urls).code == 0
        passes = {
            request.headers["Host"][0]: request.headers.get("X-Pass")
            for request in site.requests
            if request.path == "/"
        }
    assert passes == {"a": "7", "b": None}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[host."a.example"]\nspeed = 1', '[host."a.example"] speed: there is no such setting.'),
        ('[host."a.example"]\ndelay = "x"', "[host.\"a.example\"] delay: 'x' is not a number."),
        ('[host."a.example"]\nproxy = "no"', "[host.\"a.example\"] proxy: 'no' is not a proxy"),
        ('[host."http://a.example/"]\ndelay = 1', '[host."http://a.example/"]: this is no table'),
        ("[host]\ndelay = 1", '[host."delay"]: this is no table'),
        ("host = 3", "host: this is no table"),
        ('[crawl]\nweight = { "a.example" = "x" }', "--weight: 'a.example=x'"),
        ('[crawl]\nbudget = { "a.example" = -1 }', "--budget: 'a.example=-1'"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(telusur, tmp_path, text, sentence):
    (tmp_path / "telusur.toml").write_text(text)
    ran = telusur("crawl", "http://a.example/", "--to", "c")
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--proxy", "gopher://a"], "--proxy: 'gopher://a' is not a proxy"),
        (["--ca-bundle", "none.pem"], "--ca-bundle: none.pem is not a file of certificates"),
        (["--weight", "a.example"], "--weight: 'a.example' is not a site and a number"),
        (["--budget", "a.example"], "--budget: 'a.example' is not a place and a number"),
        (["--per-address", "0"], "--per-address: 0 is too small"),
    ],
)
def test_flags_that_make_no_sense_are_one_sentence(telusur, flags, sentence):
    ran = telusur("crawl", "http://a.example/", "--to", "c", *flags)
    assert ran.code == 2
    assert sentence in ran.err
