import pytest

from telusur.crawl.hosts.shares import Budgets, parse_budget, parse_weights
from telusur.errors import UsageError


def test_a_weight_belongs_to_a_site():
    texts = ["example.org=2", "www.example.co.uk=0.5", "127.0.0.1:8000=3"]
    assert parse_weights(texts) == {"example.org": 2, "example.co.uk": 0.5, "127.0.0.1:8000": 3}


@pytest.mark.parametrize(
    "text", ["example.org", "=2", "example.org=0", "example.org=much", "a b=1"]
)
def test_what_is_no_weight_is_named_in_one_sentence(text):
    with pytest.raises(UsageError, match=r"--weight: .* write it as example.org=2"):
        parse_weights([text])


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("example.org=1", "https://www.example.org/a", "https://example.com/"),
        ("www.example.org=1", "https://www.example.org/a", "https://example.org/a"),
        ("www.example.org=1", "http://www.example.org/a", "http://m.example.org/a"),
        ("https://example.org=1", "https://example.org/a", "http://example.org/a"),
        ("http://example.org/shop/=1", "http://example.org/shop/a", "http://example.org/shops"),
        ("127.0.0.1:81=1", "http://127.0.0.1:81/", "http://127.0.0.1:82/"),
    ],
)
def test_what_a_budget_holds(text, inside, outside):
    budgets = Budgets([text])
    assert budgets.take(inside) == ""
    assert budgets.take(outside) == ""
    assert budgets.take(inside) == f"budget: {text.replace('=', ' ')}"
    assert budgets.take(outside) == ""


@pytest.mark.parametrize(
    "text", ["example.org", "=5", "example.org=-1", "example.org=x", "=", "a b=1"]
)
def test_what_is_no_budget_is_named_in_one_sentence(text):
    with pytest.raises(UsageError, match=r"--budget: "):
        parse_budget(text)


def test_several_budgets_must_all_have_room():
    budgets = Budgets(["example.org=3", "http://example.org/shop/=1"])
    assert budgets.take("http://example.org/shop/1") == ""
    assert budgets.take("http://example.org/shop/2") == "budget: http://example.org/shop/ 1"
    assert budgets.take("http://example.org/1") == ""
    assert budgets.take("http://example.org/2") == ""
    assert budgets.take("http://example.org/3") == "budget: example.org 3"
    assert budgets.taken() == {"example.org": 3, "http://example.org/shop/": 1}


def test_pages_fetched_before_count_and_what_is_given_back_does_not():
    budgets = Budgets(["example.org=2"])
    budgets.count(["http://example.org/1", "http://elsewhere.example/"])
    assert budgets.take("http://example.org/2") == ""
    assert budgets.objection("http://example.org/3")
    budgets.give_back("http://example.org/2")
    assert budgets.objection("http://example.org/3") == ""


def test_without_budgets_nothing_is_refused():
    assert not Budgets()
    assert Budgets().take("http://example.org/") == ""
