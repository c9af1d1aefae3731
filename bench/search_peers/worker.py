"""One engine at work in a process of its own: `worker.py TASK.json ANSWER.json`.

Indexes the documents, warms up, asks the queries one after the other in one thread, and writes down
what it found and what it cost. Reading the files is not timed.
"""

import gc
import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

WARM_UP = 20


def run(task: dict[str, Any]) -> dict[str, Any]:
    """Return the rankings and costs of one engine."""
    rows = _read(task["documents"])
    queries = _read(task["queries"])
    with tempfile.TemporaryDirectory(dir=task["directory"]) as place:
        engine = _make(task, Path(place))
        _load_what_is_loaded_late(engine)
        started = time.process_time()
        engine.add(rows)
        answer: dict[str, Any] = {"index_cpu": time.process_time() - started}
        if task["index_again"] and task["name"] == "telusur":
            answer["index_again_cpu"] = _cpu_of_child(engine.index_again)
        del rows
        gc.collect()
        gc.freeze()  # the documents of the benchmark are nobody's garbage to look through
        for query in queries[:WARM_UP]:
            engine.search(query["text"], task["limit"])
        answer |= _ask(engine, queries, task["limit"])
    return answer


def _ask(engine: Any, queries: list[dict[str, str]], limit: int) -> dict[str, Any]:
    found, wall, cpu = [], [], []
    for query in queries:
        at, used = time.perf_counter(), time.process_time()
        ids = engine.search(query["text"], limit)
        wall.append(1000 * (time.perf_counter() - at))
        cpu.append(1000 * (time.process_time() - used))
        found.append(ids)
    return {"found": found, "wall_ms": wall, "cpu_ms": cpu}


def _make(task: dict[str, Any], place: Path) -> Any:
    if task["name"] == "telusur":
        from telusur_engine import Telusur

        return Telusur(place, task["options"])
    from engines import ENGINES

    return ENGINES[task["name"]](place, task["language"])


def _load_what_is_loaded_late(engine: Any) -> None:
    """Models and compiled code are loaded once a process; a service has them loaded."""
    if type(engine).__name__ == "Telusur":
        import telusur

        telusur.extract(b"<p>A page in plain English, so that every model is loaded.</p>")


def _cpu_of_child(work: Any) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _read(path: str) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


if __name__ == "__main__":
    task_file, answer_file = sys.argv[1:]
    answer = run(json.loads(Path(task_file).read_text()))
    Path(answer_file).write_text(json.dumps(answer))
