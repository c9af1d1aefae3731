from telusur.models import Hit, HitGroup, SearchResults
from telusur.web.paperdoll.doll import PaperDoll

CAT = Hit("https://zoo.example/cat", "Cats <b>purr</b>", "", 1.0)
COMPANY = Hit("https://firm.example/", "Cat makes diggers", "", 0.9)


class TwoMeanings(PaperDoll):
    """A collection in which a word has two meanings."""

    def answer(self, request):
        groups = (HitGroup("animals fur", 1, (CAT,)), HitGroup("machines", 1, (COMPANY,)))
        found = groups if request.group == "topic" else ()
        return SearchResults(request.query, 2, (CAT, COMPANY), request.page, 10, groups=found)


def test_hits_are_one_click_away_from_their_topics(show):
    workbench = show(TwoMeanings([], []))
    plain = workbench.get("/search?q=cat").text
    assert 'href="/search?q=cat&amp;group=topic"' in plain
    grouped = workbench.get("/search?q=cat&group=topic").text
    places = [grouped.index(each) for each in ("animals fur", "Cats &lt;b&gt;purr", "Cat makes")]
    assert places == sorted(places)
    assert 'href="#topic-2"' in grouped
    assert "Show one list" in grouped
