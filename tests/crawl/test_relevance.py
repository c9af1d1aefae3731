import json

import pytest

from telusur.crawl.relevance import Bar, Gauge, measure, saved_gauge
from telusur.crawl.topic import PageText, Topic, TopicExample
from telusur.errors import UsageError
from telusur.models import Document

TOPIC = Topic("coffee roasting")


def page(text, title=""):
    return PageText(Document(title=title, text=text, language="en"))


def judge(gauge, text, title="", topic=TOPIC):
    return gauge.judge(measure(page(text, title), topic))


def test_a_page_is_relevant_by_its_words_and_more_by_its_title():
    gauge = Gauge()
    for _ in range(20):
        judge(gauge, "The harbour is full of boats that sail in the morning. " * 3)
    none = judge(gauge, "Boats sail at night. " * 10)
    some = judge(gauge, "Boats carry coffee. " + "Boats sail at night. " * 10)
    both = judge(gauge, "Coffee is roasted here, the roast of coffee. " * 4)
    titled = judge(gauge, "Coffee is roasted here, the roast of coffee. " * 4, "Coffee roasting")
    assert 0.0 == none < some < both < titled < 1.0
    assert some < 0.5 < both


def test_a_word_on_every_page_says_little():
    gauge = Gauge()
    for _ in range(50):
        judge(gauge, "Welcome to the coffee pages, about boats and sails and harbours. " * 2)
    common = judge(gauge, "Welcome to the coffee pages, about owls and woods and nights. " * 2)
    rare = judge(gauge, "Welcome to the roasting pages, about owls and woods and nights. " * 2)
    assert common < 0.2 < rare


def test_what_was_learned_is_saved():
    gauge = Gauge()
    judge(gauge, "coffee and boats")
    again = saved_gauge({"relevance": gauge.save()})
    assert again.save() == gauge.save()
    assert judge(again, "roasting") == judge(gauge, "roasting")


def test_examples_stand_for_words():
    topic = Topic(examples=(TopicExample("Coffee", "How coffee is roasted. Coffee beans.", "en"),))
    assert topic
    weights = topic.weights("en")
    assert max(weights, key=weights.get) == "coffe"
    gauge = Gauge()
    about, other = (judge(gauge, text, topic=topic) for text in ("Coffee beans", "Boats sail"))
    assert about > other == 0.0
    assert not Topic()


def test_the_best_share_of_the_pages_seen_so_far_is_relevant():
    gauge, tenth = Gauge(), Bar(share=0.1)
    for _ in range(200):
        judge(gauge, "The harbour is full of boats that sail in the morning. " * 3)
    low = judge(gauge, "One word of coffee among many others that say nothing about it. " * 3)
    assert gauge.reaches(low, tenth), "the best so far"
    for _ in range(30):
        high = judge(gauge, "Coffee roasting and the roasting of coffee. " * 3)
    assert gauge.reaches(high, tenth)
    low = judge(gauge, "One word of coffee among many others that say nothing about it. " * 3)
    assert not gauge.reaches(low, tenth)
    assert gauge.reaches(low, Bar(share=1.0))
    assert not gauge.reaches(judge(gauge, "Boats sail."), Bar(share=1.0)), "it has no word at all"
    again = saved_gauge({"relevance": gauge.save()})
    assert not again.reaches(low, tenth)
    assert again.reaches(high, tenth)


def test_what_a_crawl_of_an_older_version_saved_can_be_read():
    gauge = saved_gauge({"relevance": json.dumps([3, 30, {"coffe": 1}]).encode()})
    assert gauge.reaches(judge(gauge, "coffee roasting"), Bar(share=0.5))


def test_the_best_share_of_all_pages():
    scores = {"a": 0.2, "b": 0.9, "c": 0.9, "d": 0.0}
    assert Bar(share=0.25).choose(scores) == {"b"}
    assert Bar(share=1.0).choose(scores) == {"a", "b", "c"}
    assert Bar(0.3).choose(scores) == {"b", "c"}
    with pytest.raises(UsageError, match=r"--relevant-share: 10 is more than all pages"):
        Bar(share=10.0)


def test_a_topic_has_a_name_also_when_its_examples_have_none():
    assert Topic(examples=(TopicExample("", "coffee"),)).name == "examples"
    assert not Topic().name
