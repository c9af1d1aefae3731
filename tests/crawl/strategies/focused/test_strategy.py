import numpy as np
import pytest

from telusur.crawl.strategies import Setup, Visit
from telusur.crawl.strategies.by_name import make_strategy
from telusur.crawl.strategies.focused import strategy as focused
from telusur.crawl.strategies.focused.features import FEATURES
from telusur.crawl.strategies.focused.memory import Memory, SeenPage, TopicVocabulary, settle
from telusur.crawl.strategies.focused.pages import PageModel
from telusur.crawl.strategies.focused.record import pack_page, unpack_page
from telusur.crawl.strategies.focused.sight import look_at
from telusur.crawl.strategies.focused.strategy import Focused
from telusur.crawl.strategies.focused.terms import bucket_of, link_text
from telusur.crawl.strategies.focused.weights import LinkWeights
from telusur.crawl.topic import PageText, Topic, TopicExample
from telusur.models import Document, Link, url_id_of
from tests.crawl.strategy_suite import PAGES, Run, _check_kill, address, check_strategy

COFFEE = "Coffee of arabica, espresso from a grinder. Coffee again."
UNNAMED = "Arabica for espresso; the grinder is loud."
BOATS = "The harbour has boats, sails and a lighthouse."
WANTED = Topic("coffee").weights("en")


def page_of(text: str, title: str = "") -> PageText:
    return PageText(Document(title=title, text=text, language="en"))


def seen(number: int, text: str, links=(), **more) -> SeenPage:
    url_id = url_id_of(f"http://a/{number}")
    targets = b"".join(url_id_of(link.url) for link in links)
    return SeenPage(number, url_id, look_at(page_of(text), links, WANTED), targets, **more)


def some_pages() -> list[SeenPage]:
    return [seen(n, COFFEE if n % 3 == 0 else f"{BOATS} {n}") for n in range(12)]


def fitted(pages: list[SeenPage]) -> PageModel:
    memory = Memory(TopicVocabulary())
    model = PageModel(memory, [bucket_of("coffe")])
    read = [memory.vocabulary.read(page.sight) for page in pages]
    memory.add(read, np.array([page.label for page in pages]))
    model.fit()
    return model


def guess(model: PageModel, text: str) -> float:
    return float(model.guess([model.vocabulary.read(seen(99, text).sight)])[0])


def test_a_page_without_the_words_is_found_by_those_that_come_with_them():
    model = fitted(some_pages())
    assert guess(model, UNNAMED) > 2 * guess(model, BOATS)


def test_what_the_user_says_changes_what_is_thought_of_other_pages():
    before = guess(fitted(some_pages()), UNNAMED)
    pages = some_pages()
    for page in pages:
        page.label = 0.0 if page.number % 3 == 0 else 1.0
    assert guess(fitted(pages), UNNAMED) < before


def test_pages_called_bad_teach_nothing_until_something_good_is_known():
    guesses = np.array([0.9, 0.1, 0.6])
    only_bad = settle(np.array([0.0, 0.0, 0.0]), guesses)
    assert only_bad.tolist() == guesses.tolist()
    good = np.ones(6)
    known = settle(np.concatenate([only_bad * 0.0, good]), np.concatenate([guesses, good]))
    assert known.tolist() == [0.0, 0.0, 0.0, *good]


def test_what_the_user_calls_good_stands_at_once_and_what_he_left_open_is_guessed():
    outcomes = settle(np.array([1.0, np.nan, 0.0]), np.array([0.2, 0.3, 0.5]))
    assert outcomes[:2].tolist() == [1.0, 0.3]
    assert 0.0 < outcomes[2] < 0.5


def test_a_model_begins_anew_each_time():
    model = fitted(some_pages())
    first = guess(model, UNNAMED)
    model.fit()
    assert guess(model, UNNAMED) == first


def test_links_have_the_terms_of_their_texts():
    texts = ["Red apples", "", "the of", "Zürich 3 cats", "x"]
    links = [Link(f"http://a/{n}", text) for n, text in enumerate(texts)]
    sight = look_at(page_of(""), links, {"cat": 1.0})
    assert sight.anchor_lengths.tolist() == [2, 0, 0, 3, 1]
    assert sight.anchors.tolist() == [
        bucket_of(term) for term in ("red", "appl", "zürich", "3", "cat", "x")
    ]
    assert [bool(named) for named in sight.named] == [False, False, False, True, False]


def test_a_page_has_its_most_frequent_terms_the_first_among_equals():
    sight = look_at(page_of("owl cat owl dog cat owl bee"), [], {})
    assert sight.terms.tolist() == [bucket_of(term) for term in ("owl", "cat", "dog", "bee")]
    assert sight.weights.tolist() == pytest.approx([1 + np.log(n) for n in (3, 2, 1, 1)])


def test_a_remembered_page_is_the_same_when_it_is_read_again():
    links = [Link("http://a/7", "Coffee beans", "about coffee beans here")]
    page = seen(3, COFFEE, links, label=1.0, evidence=np.arange(15, dtype=np.float32))
    read = unpack_page(pack_page(page))
    assert (read.number, read.url_id, read.targets) == (3, page.url_id, page.targets)
    assert read.label == 1.0
    for ours, theirs in zip(page.sight, read.sight, strict=True):
        assert np.array_equal(ours, theirs)
    assert np.array_equal(read.evidence, page.evidence)
    assert unpack_page(pack_page(seen(4, ""))).evidence is None


def found_page(strategy, number: int | str, text: str, links) -> Visit:
    document = Document(text=text, language="en")
    return Visit(
        f"http://a/{number}", 1, url_id=url_id_of(f"http://a/{number}"), document=document,
        sight=strategy.look(PageText(document), links),
        link_ids=b"".join(url_id_of(link.url) for link in links),
    )  # fmt: skip


def visit(strategy, number: int | str, text: str, links) -> list[float]:
    found = found_page(strategy, number, text, links)
    strategy.learn(found)
    return list(strategy.score(links, found))


def test_links_are_scored_by_words_learned_from_relevant_pages():
    strategy = make_strategy(Focused, Setup(Topic("coffee")))
    for page in some_pages():
        visit(strategy, page.number, COFFEE if page.number % 3 == 0 else BOATS, [])
    strategy.rescore(Run(Focused, Setup(Topic("coffee"))).frontier)
    links = [Link("http://a/x", "Espresso"), Link("http://a/y", "Lighthouse")]
    espresso, lighthouse = visit(strategy, 50, UNNAMED, links)
    assert espresso > lighthouse


def test_a_url_that_relevant_pages_lead_to_gains_with_each_of_them():
    strategy = make_strategy(Focused, Setup(Topic("coffee")))
    link = Link("http://a/x", "More")
    for number in range(3):
        visit(strategy, number, BOATS, [Link(f"http://a/other{number}", "Boat")])
    (once,) = visit(strategy, 3, f"{BOATS} {BOATS}", [link])
    (twice,) = visit(strategy, 4, COFFEE, [link])
    assert twice > once


def test_a_url_gains_by_the_company_it_keeps():
    """Where the other links of its parents led counts, and more so what the user said of them."""
    names = {kind: [f"http://a/{kind}{n}" for n in range(8)] for kind in ("good", "bad")}
    labels = [(url_id_of(url), kind == "good") for kind, urls in names.items() for url in urls]
    labels += [(url_id_of(f"http://a/{kind}"), False) for kind in names]
    strategy = make_strategy(Focused, Setup(Topic("coffee", labels=tuple(labels))))
    for kind, urls in names.items():
        visit(strategy, kind, BOATS, [Link(url, "More") for url in [*urls, f"http://a/{kind}x"]])
    for url in [url for pair in zip(*names.values(), strict=True) for url in pair]:
        visit(strategy, url.removeprefix("http://a/"), BOATS, [])
    strategy.rescore(Run(Focused, Setup(Topic("coffee"))).frontier)
    links = [Link("http://a/goodx", "More"), Link("http://a/badx", "More")]
    in_good_company, in_bad_company = visit(strategy, "last", BOATS, links)
    assert in_good_company > in_bad_company


def test_the_more_is_told_the_more_the_weights_for_labels_count():
    features = np.zeros((len(FEATURES), 1))
    features[FEATURES.index("bad")] = 1.0
    weights, scores = LinkWeights(), []
    for told in (0.0, 0.5, 1.0):
        weights.fit(np.zeros((0, len(FEATURES))), np.zeros(0), told)
        scores.append(float(weights.score(features)[0]))
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[2]


def test_pages_that_come_together_are_learned_from_as_one_after_the_other():
    """Whether a page saw how another of its group turned out is all that may differ."""
    shared = [Link("http://a/x", "Espresso"), Link("http://a/y", "Lighthouse")]
    texts = [COFFEE, BOATS, UNNAMED, f"{BOATS} {COFFEE}"]
    one_by_one, together = (make_strategy(Focused, Setup(Topic("coffee"))) for _ in range(2))
    shown = []
    for number, text in enumerate(texts):
        links = [*shared, Link(f"http://a/only{number}", "Espresso")]
        scores = visit(one_by_one, number, text, links)
        shown.append((links, found_page(together, number, text, links)))
    at_once = together.score_pages(shown)
    assert [len(found) for found in at_once] == [3] * len(texts)
    assert at_once[-1] == pytest.approx(scores), "all links to a URL count, in the end"
    states = [strategy.save() for strategy in (one_by_one, together)]
    assert states[0].keys() == states[1].keys()


def test_example_pages_stand_in_for_words():
    examples = (TopicExample("Coffee", COFFEE, "en"),)
    strategy = make_strategy(Focused, Setup(Topic(examples=examples)))
    coffee, boat = visit(
        strategy, 1, BOATS, [Link("http://a/x", "Coffee"), Link("http://a/y", "Boat")]
    )
    assert coffee > boat


def test_it_forgets_the_oldest_pages_and_a_kill_then_loses_nothing(monkeypatch):
    monkeypatch.setattr(focused, "MOST_PAGES", 16)
    check_strategy(Focused, forgets=False)
    run = Run(Focused, Setup(Topic("coffee bean")))
    run.go(60)
    assert sum(part.startswith("sight") for part in run.state) == 16


@pytest.mark.parametrize("number", [0, 1])
def test_a_page_without_a_sight_or_links_does_no_harm(number):
    strategy = make_strategy(Focused, Setup(Topic("coffee")))
    links = [Link("http://a/x")] * number
    found = Visit("http://a/", 0, document=Document(text=COFFEE))
    strategy.learn(found)
    assert list(strategy.score(links, found)) == [0.0] * number


def test_the_words_of_an_address_are_part_of_what_a_link_says():
    assert link_text(Link("http://a/wiki/King_Kong_(1933_film).htm", "King Kong")) == (
        "King Kong film"
    )
    assert link_text(Link("http://a/News/harbour%20fire/?page=2", "More")) == "More harbour fire"
    for url in ("http://a", "http://a/", "http://a/xkcd", "http://a/12-34"):
        assert link_text(Link(url, "More")) == "More"


def test_links_stand_as_on_the_page_and_have_their_scores_as_they_were_given():
    links = [Link(f"http://a/{n}", word, position=n) for n, word in enumerate(("Sail", "Coffee"))]
    scores = []
    for given in (links, links[::-1]):
        strategy = make_strategy(Focused, Setup(Topic("coffee")))
        scores.append(visit(strategy, 9, BOATS, given))
    assert scores[0] == scores[1][::-1]
    assert scores[0][1] > scores[0][0]


def told(*, good: int = 3) -> Setup:
    labels = tuple((url_id_of(address(n)), n % good == 0) for n in range(PAGES))
    return Setup(Topic("coffee bean", labels=labels), seed=7)


@pytest.mark.parametrize("most", [2000, 16])
@pytest.mark.parametrize("pages", [1, 7, 30])
def test_a_kill_loses_nothing_of_what_labels_taught(monkeypatch, most, pages):
    monkeypatch.setattr(focused, "MOST_PAGES", most)
    _check_kill(Run(Focused, told()), Run(Focused, told()), pages, forgets=False)


def test_a_crawl_may_go_on_with_labels_that_it_did_not_have_before():
    run = Run(Focused, Setup(Topic("coffee bean"), seed=7))
    run.go(10)
    strategy = make_strategy(Focused, told())
    strategy.restore(run.state)
    links = [Link("http://a/x", "Coffee"), Link("http://a/y", "Sail")]
    coffee, sail = visit(strategy, 99, COFFEE, links)
    assert coffee > sail


def test_labels_are_not_looked_up_before_a_page_is_fetched():
    """What is said of URLs that wait would be an oracle."""
    fetched = [(url_id_of(f"http://a/{n}"), n % 2 == 0) for n in range(12)]
    links = [Link("http://a/x", "More"), Link("http://a/y", "Other")]
    waiting = [(url_id_of("http://a/x"), True), (url_id_of("http://a/y"), False)]
    scores = []
    for labels in (fetched, fetched + waiting):
        strategy = make_strategy(Focused, Setup(Topic("coffee", labels=tuple(labels))))
        for number in range(12):
            visit(strategy, number, BOATS if number % 2 else COFFEE, [])
        strategy.rescore(Run(Focused, Setup(Topic("coffee"))).frontier)
        scores.append(visit(strategy, 50, UNNAMED, links))
    assert scores[0] == scores[1]


@pytest.mark.parametrize(("page", "model"), [("page0", "model"), ("seen0", "models")])
def test_what_an_older_version_saved_is_left_aside(page, model):
    strategy = make_strategy(Focused, Setup(Topic("coffee")))
    strategy.restore({model: b"[0, 1, 1]", page: b"something else"})
    coffee, boat = visit(
        strategy, 1, BOATS, [Link("http://a/x", "Coffee"), Link("http://a/y", "Boat")]
    )
    assert coffee > boat
