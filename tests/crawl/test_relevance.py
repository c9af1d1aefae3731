from telusur.crawl.relevance import Gauge, measure, saved_gauge
from telusur.crawl.topic import Example, PageText, Topic
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
    topic = Topic(examples=(Example("Coffee", "How coffee is roasted. Coffee beans.", "en"),))
    assert topic
    weights = topic.weights("en")
    assert max(weights, key=weights.get) == "coffe"
    gauge = Gauge()
    about, other = (judge(gauge, text, topic=topic) for text in ("Coffee beans", "Boats sail"))
    assert about > other == 0.0
    assert not Topic()
