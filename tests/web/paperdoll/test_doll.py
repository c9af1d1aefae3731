from telusur.models import State
from telusur.search.request import SearchRequest
from telusur.web.paperdoll.doll import make_paper_doll


def test_it_finds_documents_that_have_all_words():
    results = make_paper_doll().answer(SearchRequest("tide clocks"))
    assert results.hits[0].title == "The tide clocks of the northern harbours"
    assert all(hit.score > 0 for hit in results.hits)


def test_it_stays_within_a_site():
    results = make_paper_doll().answer(SearchRequest("site:lexikon.example clock"))
    assert {hit.site for hit in results.hits} == {"lexikon.example"}


def test_marks_point_at_the_words():
    hit = make_paper_doll().answer(SearchRequest("kuah soto")).hits[0]
    assert {hit.snippet[start:end].lower() for start, end in hit.marks} == {"kuah", "soto"}


def test_every_document_has_a_story():
    doll = make_paper_doll()
    story = doll.why(doll.answer(SearchRequest("soto")).hits[0].url)
    assert story is not None
    assert [event.state for event in story.events] == [State.WAITING, State.LEASED, State.DONE]


def test_the_counts_fit():
    doll = make_paper_doll()
    assert doll.counts().documents == sum(number for _, number in doll.sites())
    assert make_paper_doll(is_empty=True).counts().found == 0
    assert make_paper_doll(is_crawling=True).is_crawling()
