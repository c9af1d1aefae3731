"""The pool of parser processes: a process that hangs or dies is replaced.

A process may be killed from outside, which is not the fault of a page. So a page fails only if it
was alone in two processes that died.
"""

import asyncio
import contextlib
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from telusur.crawl.rules.scope import Scope
from telusur.models import Reason
from telusur.pipeline.children import end_child, start_child
from telusur.pipeline.parsing import messages
from telusur.pipeline.parsing.jobs import ParseJob
from telusur.pipeline.parsing.page_parser import PageParser, Parsed
from telusur.pipeline.parsing.shared_block import SharedBlock
from telusur.pipeline.parsing.site_memory import SiteMemory
from telusur.pipeline.parsing.site_shelf import News, ToldSites

BATCH = 16
# Bytes in a full batch; all its pages are copied, and wait for the last one.
BATCH_BYTES = 1_000_000
LIMIT_SECONDS = 30.0
START_SECONDS = 120.0
MOST_FAILED_STARTS = 3
# How long to restart a process that is killed during its start.
KILLED_SECONDS = 60.0
DEATHS_TO_BLAME = 2
# asyncio reports this exit code when something else has reaped the process.
_UNKNOWN_EXIT = 255
_DIED = f"{Reason.PARSER}: the process died"


@dataclass(slots=True)
class _Pending:
    job: ParseJob
    answer: asyncio.Future[Parsed]
    # Processes that died with this page alone.
    deaths: int = 0

    def blame(self, failure: str) -> None:
        """Count a process that failed with this page alone; fail the page if it is to blame."""
        self.deaths += 1
        if failure != _DIED or self.deaths >= DEATHS_TO_BLAME:
            self.resolve(Parsed(skip_reason=failure))

    def resolve(self, parsed: Parsed) -> None:
        if not self.answer.done():
            self.answer.set_result(parsed)


@dataclass(slots=True)
class _Line:
    """A parser process, its shared memory, its scope, and what it knows about sites."""

    process: Process
    block: SharedBlock
    scope: Scope
    told: ToldSites = field(default_factory=ToldSites)

    async def ask(
        self, jobs: Sequence[ParseJob], scope: Scope, sites: SiteMemory | None = None
    ) -> list[Parsed]:
        """Have pages parsed, and their links judged by this scope."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        places = self.block.put([job.body for job in jobs])
        bare = [
            job if place is None else job.without_body()
            for job, place in zip(jobs, places, strict=True)
        ]
        news = None if scope is self.scope else scope
        self.scope = scope
        records: list[News] = []
        if sites is not None:
            records = self.told.news_for([job.url for job in jobs], sites.latest)
        await messages.send_async(self.process.stdin, (bare, places, news, records))
        answers: list[Parsed] = await messages.receive_async(self.process.stdout, self.block)
        return answers


class ParserPool:
    """Parses pages in `workers` processes; enter it as a context manager."""

    def __init__(
        self,
        parser: PageParser,
        workers: int,
        limit_seconds: float = LIMIT_SECONDS,
        killed_seconds: float = KILLED_SECONDS,
        sites: SiteMemory | None = None,
    ) -> None:
        self._sites = sites
        self._killed_seconds = killed_seconds
        self._parser = parser
        self._workers = workers
        self._limit = limit_seconds
        self._queue: asyncio.Queue[_Pending] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._last_exit: int | None = None
        # Process ids by worker number.
        self.pids: dict[int, int] = {}

    async def __aenter__(self) -> "ParserPool":
        self._tasks = [asyncio.create_task(self._work(number)) for number in range(self._workers)]
        return self

    async def __aexit__(self, *exc: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def parse(self, job: ParseJob) -> Parsed:
        """Return the parsed page; if it crashed the parser, with that reason."""
        answer: asyncio.Future[Parsed] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Pending(job, answer))
        return await answer

    async def _work(self, number: int) -> None:
        """Keep one process running; if that fails, raise the error in every caller."""
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
        """Replace the process when it dies; give up after repeated failed starts."""
        failed_starts, began_at = 0, time.monotonic()
        while failed_starts < MOST_FAILED_STARTS or self._may_be_killed(began_at):
            try:
                async with self._process() as line:
                    self.pids[number] = line.process.pid
                    failed_starts = 0
                    await self._serve(line)
            except (asyncio.IncompleteReadError, ConnectionError, TimeoutError):
                began_at = began_at if failed_starts else time.monotonic()
                failed_starts += 1

    def _may_be_killed(self, began_at: float) -> bool:
        """Tell whether failed starts may be kills from outside."""
        exit_code = self._last_exit
        is_killed = exit_code is not None and (exit_code < 0 or exit_code == _UNKNOWN_EXIT)
        return is_killed and time.monotonic() - began_at < self._killed_seconds

    @contextlib.asynccontextmanager
    async def _process(self) -> AsyncIterator[_Line]:
        """Start a parser process and wait until it is ready; end it afterwards."""
        block = SharedBlock.make()
        with contextlib.closing(block):
            process = await start_child(
                "telusur.pipeline.parsing.parser",
                str(block.fd),
                stdout=PIPE,
                stderr=None,
                pass_fds=[block.fd],
            )
            assert process.stdin is not None
            assert process.stdout is not None
            scope = self._parser.discovery.scope
            try:
                messages.widen(process.stdin.get_extra_info("pipe"))
                async with asyncio.timeout(START_SECONDS):
                    await messages.send_async(process.stdin, self._parser)
                    await messages.receive_async(process.stdout)
                self._last_exit = None
                yield _Line(process, block, scope)
            finally:
                await end_child(process)
                self._last_exit = process.returncode

    async def _serve(self, line: _Line) -> None:
        """Serve batches until the process fails; then retry the pages of its batch one by one."""
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
            finally:
                # Pages that were not retried, because no process started, go back to the queue.
                for pending in batch:
                    if not pending.answer.done():
                        self._queue.put_nowait(pending)

    async def _ask(self, line: _Line, batch: list[_Pending]) -> str:
        """Have one batch parsed; return how the process failed, or ""."""
        try:
            async with asyncio.timeout(self._limit):
                scope = self._parser.discovery.scope
                jobs = [pending.job for pending in batch]
                answers = await line.ask(jobs, scope, self._sites)
        except TimeoutError:
            return f"{Reason.PARSER}: took longer than {self._limit:g} s"
        except (asyncio.IncompleteReadError, ConnectionError):
            return _DIED
        for pending, parsed in zip(batch, answers, strict=True):
            pending.resolve(parsed)
        return ""

    async def _single_out(self, batch: list[_Pending], failure: str) -> None:
        """Find the page that crashed the process, by retrying the batch one by one."""
        if len(batch) == 1:
            batch[0].blame(failure)
        waiting = [pending for pending in batch if not pending.answer.done()]
        while waiting:
            async with self._process() as line:
                failure = ""
                while waiting and not failure:
                    failure = await self._ask(line, waiting[-1:])
                    if failure:
                        waiting[-1].blame(failure)
                    if waiting[-1].answer.done():
                        waiting.pop()
