"""Cookies of servers that set many, and of a file that was given; real servers on loopback."""

import asyncio
import itertools
import time
from pathlib import Path

import pytest

from telusur.fetch.curl import cookie_jar
from telusur.fetch.curl.client import HttpClient
from telusur.fetch.curl.cookie_jar import MOST_IN_ALL, MOST_OF_DOMAIN, keep_newest
from tests.sites import Answer, serving


def fetch_all(urls, **settings):
    async def go():
        client = HttpClient(user_agent="T", clock=time.time, allow_private=True, **settings)
        for url in urls:
            await client.fetch(url)
        client.close()

    asyncio.run(go())


def sent_by(request):
    return dict(pair.split("=") for pair in request.headers.get("Cookie", "").split("; ") if pair)


def setting_others(path):
    """A page that sets a cookie with its own name."""
    return Answer("x", headers={"Set-Cookie": f"c{path.strip('/')}=1; Path=/"})


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "cookies.txt"
    path.write_text("127.0.0.1\tFALSE\t/\tFALSE\t0\tmine\tyes\n")
    return str(path)


def test_a_server_that_sets_new_cookies_all_the_time_has_its_newest_kept(file, monkeypatch):
    monkeypatch.setattr(cookie_jar, "MOST_OF_DOMAIN", 5)
    monkeypatch.setattr(cookie_jar, "LOOK_AFTER", 10)
    with serving({}, otherwise=setting_others) as site:
        fetch_all([site.url(f"/{n}") for n in range(60)], cookies=file)
        sent = [sent_by(request) for request in site.requests]
    assert all(cookies["mine"] == "yes" for cookies in sent), "what was given stays"
    assert all(f"c{number - 1}" in sent[number] for number in range(1, 60))
    assert max(map(len, sent)) <= 1 + 5 + 10
    assert "c44" not in sent[59]


def test_no_server_pushes_out_the_cookies_of_others(monkeypatch):
    monkeypatch.setattr(cookie_jar, "MOST_IN_ALL", 20)
    monkeypatch.setattr(cookie_jar, "LOOK_AFTER", 10)
    own = {"Set-Cookie": "session=open"}
    with (
        serving({"/": Answer("x", headers=own)}) as good,
        serving({}, otherwise=setting_others, address="127.0.0.2") as hostile,
    ):
        fetch_all([good.url("/"), *(hostile.url(f"/{n}") for n in range(100)), good.url("/")])
        assert sent_by(good.requests[-1]) == {"session": "open"}
        assert len(sent_by(hostile.requests[-1])) <= 20 + 10


def test_a_file_of_cookies_is_read_once_and_a_server_may_change_them(file):
    numbers = itertools.count()

    def renewing(path):
        Path(file).write_text("127.0.0.1\tFALSE\t/\tFALSE\t0\tlate\tyes\n")
        return Answer("x", headers={"Set-Cookie": f"mine=new{next(numbers)}; Path=/"})

    with serving({}, otherwise=renewing) as site:
        fetch_all([site.url("/")] * 4, cookies=file)
        sent = [sent_by(request) for request in site.requests]
    assert sent == [{"mine": value} for value in ("yes", "new0", "new1", "new2")]


def line(domain, name):
    return f"{domain}\tFALSE\t/\tFALSE\t0\t{name}\tv".encode()


def test_a_jar_is_as_full_as_in_browsers():
    of_one = [line("a.example", n) for n in range(1000)]
    assert keep_newest(of_one, ()) == of_one[-MOST_OF_DOMAIN:]
    few = [line("few.example", n) for n in range(3)]
    many = [line(f"{n % 100}.example", n) for n in range(10_000)]
    kept = keep_newest([*few, *many], ())
    assert len(kept) <= MOST_IN_ALL
    assert set(few) <= set(kept)
    wide = [line(f"{n}.example", 1) for n in range(5000)]
    assert keep_newest(wide, ()) == wide[-MOST_IN_ALL:]


def test_cookies_that_were_given_are_known_by_domain_path_and_name():
    given = {(b"a.example", b"/", b"0")}
    hidden = b"#HttpOnly_" + line(".A.example", 0)
    many = [line("a.example", n) for n in range(1, 1000)]
    assert keep_newest([hidden, *many, b"no cookie"], given)[0] == hidden
