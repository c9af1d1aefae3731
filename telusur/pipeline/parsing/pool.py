"""The pool of parser processes: one that hangs or dies is replaced, and costs one page."""

import asyncio
import contextlib
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from telusur.crawl.scope import Scope
from telusur.models import Reason
from telusur.run import wire
from telusur.run.children import end_child, start_child
from telusur.run.parsing import PageParser, Parsed, ParseJob
from telusur.run.shared_block import SharedBlock

BATCH = 16
BATCH_BYTES = 1_000_000
"""Bytes of pages after which a batch is full; each is copied on its way, and waits for the last."""
LIMIT_SECONDS = 30.0
START_SECONDS = 120.0
MOST_FAILED_STARTS = 3


@dataclass(slots=True, frozen=True)
class _Pending:
    job: ParseJob
    answer: asyncio.Future[Parsed]


@dataclass(slots=True)
class _Line:
    """A parser process, the memory its pages are handed over in, and the scope it goes by."""

    process: Process
    block: SharedBlock
    scope: Scope

    async def ask(self, jobs: Sequence[ParseJob], scope: Scope) -> list[Parsed]:
        """Have pages parsed, their links judged by this scope."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        places = self.block.put([job.body for job in jobs])
        bare = [
            job if place is None else job._replace(body=b"")
            for job, place in zip(jobs, places, strict=True)
        ]
        news = None if scope is self.scope else scope
        self.scope = scope
        await wire.send_async(self.process.stdin, (bare, places, news))
        answers: list[Parsed] = await wire.receive_async(self.process.stdout)
        return answers


class ParserPool:
    """Parses pages in `workers` processes; enter it as a context manager."""

    def __init__(
        self, parser: PageParser, workers: int, limit_seconds: float = LIMIT_SECONDS
    ) -> None:
        self._parser = parser
        self._workers = workers
        self._limit = limit_seconds
        self._queue: asyncio.Queue[_Pending] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self.pids: dict[int, int] = {}
        """The process of each worker, by worker number."""

    async def __aenter__(self) -> "ParserPool":
        self._tasks = [asyncio.create_task(self._work(number)) for number in range(self._workers)]
        return self

    async def __aexit__(self, *exc: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def parse(self, job: ParseJob) -> Parsed:
        """Return the parsed page; a page that takes the parser down has that as its reason."""
        answer: asyncio.Future[Parsed] = asyncio.get_running_loop().create_future()
        await self._queue.put(_Pending(job, answer))
        return await answer

    async def _work(self, number: int) -> None:
        """Keep one process at work; when that cannot be, tell everyone who asks why."""
        try:
            await self._keep_at_work(number)
            trouble: Exception = RuntimeError("the parser process does not start")
        except Exception as error:
            trouble = error
        while True:
            pending = await self._queue.get()
            if not pending.answer.done():
                pending.answer.set_exception(trouble)

    async def _keep_at_work(self, number: int) -> None:
        """Replace the process when it dies; give up when it does not start, again and again."""
        failed_starts = 0
        while failed_starts < MOST_FAILED_STARTS:
            try:
                async with self._process() as line:
                    self.pids[number] = line.process.pid
                    failed_starts = 0
                    await self._serve(line)
            except (asyncio.IncompleteReadError, ConnectionError, TimeoutError):
                failed_starts += 1

    @contextlib.asynccontextmanager
    async def _process(self) -> AsyncIterator[_Line]:
        """Run a parser process that has said it is ready; end it afterwards."""
        block = SharedBlock.make()
        with contextlib.closing(block):
            process = await start_child(
                "telusur.run.parser", str(block.fd), stdout=PIPE, stderr=None, pass_fds=[block.fd]
            )
            assert process.stdin is not None
            assert process.stdout is not None
            wire.widen(process.stdin.get_extra_info("pipe").fileno())
            scope = self._parser.discovery.scope
            try:
                async with asyncio.timeout(START_SECONDS):
                    await wire.send_async(process.stdin, self._parser)
                    await wire.receive_async(process.stdout)
                yield _Line(process, block, scope)
            finally:
                await end_child(process)

    async def _serve(self, line: _Line) -> None:
        """Work on batches until the process fails; its pages are then tried one by one."""
        while True:
            batch = [await self._queue.get()]
            size = len(batch[0].job.body)
            while len(batch) < BATCH and size < BATCH_BYTES and not self._queue.empty():
                batch.append(self._queue.get_nowait())
                size += len(batch[-1].job.body)
            try:
                failure = await self._ask(line, batch)
                if failure:
                    await self._single_out(batch, failure)
                    return
            finally:  # what could not be tried, because no process started, is tried later
                for pending in batch:
                    if not pending.answer.done():
                        self._queue.put_nowait(pending)

    async def _ask(self, line: _Line, batch: list[_Pending]) -> str:
        """Have one batch parsed; return how the process failed, or an empty string."""
        try:
            async with asyncio.timeout(self._limit):
                scope = self._parser.discovery.scope
                answers = await line.ask([pending.job for pending in batch], scope)
        except TimeoutError:
            return f"{Reason.PARSER}: took longer than {self._limit:g} s"
        except (asyncio.IncompleteReadError, ConnectionError):
            return f"{Reason.PARSER}: the process died"
        for pending, parsed in zip(batch, answers, strict=True):
            _resolve(pending, parsed)
        return ""

    async def _single_out(self, batch: list[_Pending], failure: str) -> None:
        """Find the page of a batch that took the process down, by trying them one by one."""
        if len(batch) == 1:
            _resolve(batch.pop(), Parsed(skip_reason=failure))
        while batch:
            async with self._process() as line:
                failure = ""
                while batch and not failure:
                    pending = batch[-1]
                    failure = await self._ask(line, [pending])
                    batch.pop()
            if failure:
                _resolve(pending, Parsed(skip_reason=failure))


def _resolve(pending: _Pending, parsed: Parsed) -> None:
    if not pending.answer.done():
        pending.answer.set_result(parsed)
