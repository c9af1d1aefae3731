from telusur.fetch.curl.large_downloads import LargeDownloads


class Handle:
    """Stands for a download that libcurl has paused."""

    def __init__(self):
        self.went_on = 0

    def pause(self, state):
        self.went_on += 1


def test_downloads_wait_until_their_whole_size_fits():
    large = LargeDownloads(budget_bytes=10)
    first, second, third = Handle(), Handle(), Handle()
    assert large.may_grow(first, 6)
    assert large.may_grow(first, 6)
    assert not large.may_grow(second, 6)
    assert not large.may_grow(third, 5)
    large.end(first)
    assert (second.went_on, third.went_on) == (1, 0)
    assert large.may_grow(second, 6)


def test_a_single_download_may_be_larger_than_the_budget():
    large = LargeDownloads(budget_bytes=10)
    assert large.may_grow(Handle(), 50)


def test_a_waiting_download_that_ends_is_not_woken():
    large = LargeDownloads(budget_bytes=10)
    first, second = Handle(), Handle()
    assert large.may_grow(first, 6)
    assert not large.may_grow(second, 6)
    large.end(second)
    large.end(first)
    assert second.went_on == 0
