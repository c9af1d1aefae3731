import pytest
from click import Option

from telusur.cli.crawl import command as crawl
from telusur.errors import UsageError
from telusur.settings import CrawlSettings, ServeSettings
from telusur.settings.reading import make_settings, settings_from_env, settings_of


def test_defaults_are_those_of_the_table():
    settings = make_settings(CrawlSettings)
    assert settings == CrawlSettings()
    assert settings.scope == "site"
    assert settings.per_host == 1
    assert settings.delay is None


def test_the_first_source_that_names_a_setting_wins():
    settings = make_settings(
        CrawlSettings, ("{flag}", {"pages": "5"}), ("env", {"pages": "7", "depth": 2})
    )
    assert (settings.pages, settings.depth) == (5, 2)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"pages": "many"}, "--pages: 'many' is not a whole number."),
        ({"pages": -1}, "--pages: -1 is too small; the least is 1."),
        ({"pages": 2.5}, "--pages: 2.5 is not a whole number."),
        ({"pages": True}, "--pages: True is not a whole number."),
        ({"delay": "nan"}, "--delay: 'nan' is not a number."),
        ({"delay": "-0.1"}, "--delay: -0.1 is too small; the least is 0."),
        ({"seconds": "1e999"}, "--seconds: '1e999' is not a number."),
        ({"scope": "galaxy"}, "there is no 'galaxy'; choose one of site, host, prefix, any."),
        ({"allow_private": "perhaps"}, "'perhaps' is not true or false."),
        ({"workers": 100_000}, "--workers: 100000 is too large; the most is 256."),
        ({"delay": "1e308"}, "--delay: 1e308 is too large; the most is 86,400."),
        ({"pages": 10**5000}, "--pages: this number is too large; the most is 1,000,000,000,000,"),
        ({"timeout": float("inf")}, "--timeout: inf is not a number."),
        ({"relevant": 1.5}, "--relevant: 1.5 is too large; the most is 1."),
        ({"pages": "9" * 5000}, "9… is not a whole number."),
        (
            {"user_agent": "me\nCookie: x"},
            "has a line break, a control character or a character outside ASCII",
        ),
        ({"exclude": ["a\nb"]}, "has a control character in it, '\\n'; leave it out."),
        ({"proxy": "http://a\0b"}, "has a control character in it"),
        ({"topic": "x" * 100_001}, "100,001 characters are too many; the most is 100,000."),
        ({"topic": ["a"]}, "--topic: ['a'] is not text."),
        ({"include": 5.5, "pages": 0}, "--pages: 0 is too small; the least is 1."),
        ({"host": {"a.example": {"delay": 1e9}}}, "delay: 1000000000.0 is too large"),
        ({"colour": "red"}, "colour: there is no such setting."),
    ],
)
def test_what_makes_no_sense_is_named_in_one_sentence(values, sentence):
    with pytest.raises(UsageError) as error:
        make_settings(CrawlSettings, ("{flag}", values))
    assert sentence in str(error.value)


def test_a_topic_may_have_several_lines():
    assert make_settings(CrawlSettings, ("", {"topic": "sea\nferry"})).topic == "sea\nferry"


def test_environment_with_our_and_the_historic_names():
    environ = {
        "TELUSUR_PAGES": "10",
        "CRAWLER_MAX_THREADS": "3",
        "CRAWLER_DURATION_SECONDS": "60",
        "TELUSUR_ALLOW_PRIVATE": "yes",
        "TELUSUR_INCLUDE": "/news/ /blog/",
        "UNRELATED": "x",
    }
    settings = make_settings(CrawlSettings, ("{env}", settings_from_env(CrawlSettings, environ)))
    assert settings.pages == 10
    assert settings.workers == 3
    assert settings.seconds == 60
    assert settings.allow_private is True
    assert settings.include == ("/news/", "/blog/")


def test_our_name_wins_over_the_historic_one():
    environ = {"TELUSUR_WORKERS": "2", "CRAWLER_MAX_THREADS": "9"}
    assert settings_from_env(CrawlSettings, environ) == {"workers": "2"}


@pytest.mark.parametrize("table", [CrawlSettings, ServeSettings])
def test_every_setting_has_a_line_of_help_and_a_flag(table):
    for row in settings_of(table):
        assert row.help.endswith(".") or row.help.endswith(")"), row.name
        assert "\n" not in row.help
        assert row.flag.startswith("--")


def test_a_switch_that_is_on_is_turned_off_by_its_flag():
    flags = {row.name: row.flag for row in settings_of(CrawlSettings)}
    assert flags["index"] == "--no-index"
    assert flags["allow_private"] == "--allow-private"


def test_name_and_value_pairs_may_be_a_list_or_a_table():
    for value in (["a.example=2"], {"a.example": 2}, "a.example=2"):
        assert make_settings(CrawlSettings, ("", {"weight": value})).weight == ("a.example=2",)


def test_the_help_of_a_switch_tells_what_the_field_does_and_the_flag_what_it_turns_off():
    """The form of the workbench shows the field, `telusur crawl --help` the flag."""
    rows = [row for row in settings_of(CrawlSettings) if row.flag.startswith("--no-")]
    assert {row.name for row in rows} >= {"index", "traps", "near_duplicates"}
    for row in rows:
        assert row.off, row.flag
        assert row.off != row.help
    helps = {option.name: option.help for option in crawl.params if isinstance(option, Option)}
    assert helps["index"] == "Do not index while crawling."
    assert next(row.help for row in rows if row.name == "index") == "Index pages while crawling."
