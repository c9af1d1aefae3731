"""What control of a collection must do: `ControlSuite`."""

import asyncio
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from telusur.errors import CollectionBusy
from telusur.store.control import Control, Obey
from telusur.store.views import TimelinePoint


class ControlSuite:
    """Ownership, requests to a crawl, its counters over time, and its log."""

    #: True for a shared store: it lets everybody in.
    is_shared = False

    def make_control(self) -> Control:
        """Return the control of an empty collection."""
        raise NotImplementedError

    def reopen(self, control: Control) -> Control:
        """Return the control of the same collection as another process has it."""
        return control

    # Ownership

    def test_a_collection_is_owned_within_the_block(self) -> None:
        control = self.make_control()
        other = self.reopen(control)
        assert not other.is_owned()
        with control.own():
            assert other.is_owned()
            assert control.is_owned()
        assert not other.is_owned()

    def test_only_one_owns_a_collection(self) -> None:
        control = self.make_control()
        other = self.reopen(control)
        with control.own():
            if self.is_shared:
                with other.own():
                    assert control.is_owned()
            else:
                with pytest.raises(CollectionBusy), other.own():
                    pass
            # A caller that is refused or finished does not disturb the owner.
            assert other.is_owned()
        with other.own():
            assert control.is_owned()
        assert not control.is_owned()

    def test_an_error_ends_ownership(self) -> None:
        control = self.make_control()
        with suppress(ZeroDivisionError), control.own():
            _ = 1 / 0
        assert not control.is_owned()
        with control.own():
            assert control.is_owned()

    def test_one_of_many_gets_a_collection(self) -> None:
        control = self.make_control()
        ready, done = threading.Barrier(4), threading.Barrier(4)
        owners: list[int] = []

        def try_it(number: int) -> None:
            ready.wait(30)
            with suppress(CollectionBusy), self.reopen(control).own():
                owners.append(number)
                done.wait(30)
                return
            done.wait(30)

        threads = [threading.Thread(target=try_it, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert len(owners) == (4 if self.is_shared else 1)
        assert not control.is_owned()

    # Requests

    def test_nobody_answers_where_no_crawl_runs(self) -> None:
        control = self.make_control()
        assert control.ask("status") is None
        with control.own():
            assert control.ask("pause", pages=3) is None

    def test_a_crawl_is_asked_and_answers(self) -> None:
        control = self.make_control()
        heard: list[tuple[dict[str, Any], int]] = []

        def obey(line: bytes) -> dict[str, Any]:
            heard.append((json.loads(line), threading.get_ident()))
            return {"ok": True, "heard": len(heard), "word": "ü"}

        def ask(other: Control) -> list[dict[str, Any] | None]:
            return [other.ask("status"), other.ask("limits", pages=3, scope="any ü")]

        answers = self._while_answering(control, obey, ask)
        assert answers == [{"ok": True, "heard": number, "word": "ü"} for number in (1, 2)]
        requests = [request for request, _ in heard]
        assert requests == [{"do": "status"}, {"do": "limits", "pages": 3, "scope": "any ü"}]
        # A crawl gets requests in its own thread, so that it needs no locks.
        assert {thread for _, thread in heard} == {threading.get_ident()}

    def test_nobody_answers_when_a_crawl_has_ended(self) -> None:
        control = self.make_control()
        answer = self._while_answering(control, lambda _: {"ok": True}, lambda it: it.ask("status"))
        assert answer == {"ok": True}
        assert self.reopen(control).ask("status") is None
        again = self._while_answering(control, lambda _: {"ok": 2}, lambda it: it.ask("status"))
        assert again == {"ok": 2}

    def test_an_error_of_the_crawl_ends_the_answers(self) -> None:
        control = self.make_control()

        def fail(_: Control) -> None:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            self._while_answering(control, lambda _: {"ok": True}, fail)
        assert self.reopen(control).ask("status") is None

    def test_a_crawl_answers_many_at_once(self) -> None:
        control = self.make_control()

        def obey(line: bytes) -> dict[str, Any]:
            return {"number": json.loads(line).get("number")}

        def ask(other: Control) -> list[int | None]:
            answers: list[int | None] = [None] * 12

            def ask_one(number: int) -> None:
                answer = other.ask("status", number=number)
                answers[number] = None if answer is None else answer["number"]

            threads = [threading.Thread(target=ask_one, args=(number,)) for number in range(12)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(30)
            return answers

        assert self._while_answering(control, obey, ask) == list(range(12))

    def _while_answering(self, control: Control, obey: Obey, ask: Callable[[Control], Any]) -> Any:
        """Run `ask` in another thread while a crawl answers; return what it returns."""

        async def crawl() -> Any:
            async with control.answering(obey):
                return await asyncio.to_thread(ask, self.reopen(control))

        with control.own():
            return asyncio.run(crawl())

    # Samples

    def test_samples_come_oldest_first(self) -> None:
        control = self.make_control()
        assert control.timeline() == ()
        samples = [make_sample(1_000.0 * number, pages=number) for number in range(1, 6)]
        for sample in samples:
            control.add_sample(sample)
        assert control.timeline() == tuple(samples)
        assert self.reopen(control).timeline() == tuple(samples)
        assert control.timeline(3_000.0) == tuple(samples[2:])
        assert control.timeline(9_000.0) == ()

    def test_a_sample_keeps_every_counter(self) -> None:
        control = self.make_control()
        full = TimelinePoint(5.5, 1, 2, 3, 4, 5, 6, 7, 8, memory_bytes=9)
        control.add_sample(full)
        assert self.reopen(control).timeline() == (full,)

    def test_a_sample_too_soon_after_another_is_not_kept(self) -> None:
        control = self.make_control()
        first, second = make_sample(1_000.0, pages=1), make_sample(1_000.0, pages=2)
        control.add_sample(first)
        control.add_sample(second)
        assert control.timeline() == (first,)

    def test_the_last_sample_of_a_crawl_is_always_kept(self) -> None:
        control = self.make_control()
        first, last = make_sample(1_000.0, pages=1), make_sample(1_000.0, pages=2)
        control.add_sample(first)
        control.add_sample(last, is_last=True)
        assert self.reopen(control).timeline() == (first, last)

    def test_the_next_crawl_goes_on_with_the_timeline(self) -> None:
        control = self.make_control()
        first, second = make_sample(1_000.0), make_sample(2_000.0)
        control.add_sample(first, is_last=True)
        other = self.reopen(control)
        other.add_sample(second)
        assert (control.timeline(), other.timeline()) == ((first, second),) * 2

    # Log

    def test_the_last_words_of_a_crawl(self) -> None:
        control = self.make_control()
        with control.log() as log:
            log.write("Crawling ü\n".encode())
            log.flush()
            assert self.reopen(control).last_words() == "Crawling ü"
            log.write(b"telusur: the disk is full. \xff\n\n  \n")
        assert self.reopen(control).last_words() == "telusur: the disk is full. \ufffd"

    def test_each_crawl_begins_a_new_file(self) -> None:
        control = self.make_control()
        with control.log() as log:
            log.write(b"old words\n")
        with control.log() as log:
            assert control.last_words() == ""
            log.write(b"new\n")
        assert control.last_words() == "new"

    def test_a_crawl_that_never_spoke_has_no_last_words(self) -> None:
        assert self.make_control().last_words() == ""

    def test_a_process_may_write_the_log(self) -> None:
        with self.make_control().log() as log:
            assert log.fileno() > 0


def make_sample(at: float, pages: int = 0) -> TimelinePoint:
    """Return the counters of a moment."""
    return TimelinePoint(at, pages, 0, 0, 0, 0, 0, 0, 0)
