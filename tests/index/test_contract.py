from telusur.index.contract import NO_CANDIDATES, Candidate, Candidates

ONES = [Candidate(3.0, 30, 1, "c"), Candidate(2.0, 20, 2, "b"), Candidate(1.0, 10, 1, "a")]


def test_candidates_are_a_sequence_of_what_they_were_made_of():
    candidates = Candidates.of(ONES)
    assert list(candidates) == ONES
    assert (len(candidates), candidates[0], candidates[-1]) == (3, ONES[0], ONES[-1])
    assert list(candidates[1:]) == ONES[1:]
    assert list(candidates[:1] + candidates[2:]) == [ONES[0], ONES[2]]
    assert all(isinstance(each, Candidate) for each in candidates)


def test_some_of_them_in_another_order():
    assert list(Candidates.of(ONES).at([2, 0])) == [ONES[2], ONES[0]]


def test_none_are_none():
    assert list(Candidates.of([])) == list(NO_CANDIDATES) == list(NO_CANDIDATES[:5]) == []
    assert not NO_CANDIDATES + NO_CANDIDATES
