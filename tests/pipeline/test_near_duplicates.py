import telusur
from tests.sites import page, serving

WORDS = " ".join(f"word{number} about the harbour" for number in range(100))


def crawl(tmp_path, site, **settings):
    with serving(site) as served, telusur.open(tmp_path / "c") as collection:
        collection.crawl([served.url()], allow_private=True, delay=0, **settings)
        return [collection.why(served.url(path)).reason for path in site]


def near_copies():
    links = "".join(f'<a href="/{n}">{n}</a> ' for n in range(3))
    site = {"/": page("Start", links)}
    for number in range(3):
        site[f"/{number}"] = page("Harbour", f"<p>Visitor {number}</p><p>{WORDS}</p>")
    return site


def test_of_pages_that_say_nearly_the_same_one_is_indexed(tmp_path):
    reasons = crawl(tmp_path, near_copies())
    told = [reason for reason in reasons if reason.startswith("duplicate: near http")]
    assert len(told) == 2


def test_all_are_indexed_when_asked_for(tmp_path):
    reasons = crawl(tmp_path, near_copies(), near_duplicates=False)
    assert not any(reason.startswith("duplicate") for reason in reasons)
