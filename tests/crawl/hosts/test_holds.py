from telusur.crawl.hosts.holds import Hold, moment, pack_holds, standing, unpack_holds

NOW = 1_800_000_000.0
ASKED = Hold("http://a", NOW + 60, "it asked for that (http 503, Retry-After)", stands=True)
OURS = Hold("http://b", NOW + 600, "600 s lie between two requests to it, as --delay says")
ASIDE = Hold("http://c", None, "it does not answer (network: no connection)")


def test_a_hold_is_told_in_one_sentence():
    assert ASKED.in_words() == (
        "http://a is paused until 2027-01-15 08:01:00 UTC: "
        "it asked for that (http 503, Retry-After)."
    )
    assert ASIDE.in_words() == (
        "http://c gets no more requests in this run: it does not answer (network: no connection)."
    )


def test_a_time_that_no_calendar_knows_is_told_too():
    assert moment(1e308) == moment(float("inf")) == moment(float("nan")) == "the end of time"


def test_holds_are_kept_and_read_again_also_those_of_another_version():
    assert unpack_holds(pack_holds([ASKED, OURS, ASIDE])) == [ASKED, OURS, ASIDE]
    assert unpack_holds(None) == []
    assert unpack_holds(b'[{"host": "x"}, {"news": 1}]') == []


def test_only_what_a_host_asked_for_stands_and_never_for_more_than_an_hour():
    endless = Hold("http://d", 1e308, "", stands=True)
    over = Hold("http://e", NOW - 1, "", stands=True)
    kept = standing([ASKED, OURS, ASIDE, endless, over], NOW)
    assert kept == {"http://a": 60, "http://d": 3600}
