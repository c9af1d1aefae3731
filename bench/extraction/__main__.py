"""Extractors side by side on the same pages: `python bench/extraction DATA_DIR CACHE_DIR`.

DATA_DIR/extraction/wcxb_dev.jsonl.xz has pages with their true text, title, author and date. The
peers are installed into CACHE_DIR once. Each contestant reads all pages in a process of its own, in
turns; of its rounds the one with the least CPU time counts. Their answers stay in CACHE_DIR, so
that `--resume` goes on where a run was ended. See docs/benchmarks.md.
"""

import argparse
import json
import os
import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from contestants import CONTESTANTS, Contestant, Task, make_peers, run_worker, versions
from report import Cost, Result, json_lines, show

from telusur.learn.measures import ExtractorAnswer, score_page, summarize_by_type
from telusur.learn.pages.dataset import LabelledPage, read_pages

Lines = list[dict[str, Any]]
Truths = dict[str, LabelledPage]


def main() -> int:
    """Read the arguments, let everybody read, print the tables."""
    options = _options()
    data = Path(options.data) / "extraction" / "wcxb_dev.jsonl.xz"
    if not data.is_file():
        print(f"There is no {data}.", file=sys.stderr)
        return 2
    if options.fold_models:
        os.environ["FOLD_MODELS"] = str(Path(options.fold_models).resolve())
    else:
        print("Telusur's model has seen these pages; see --fold-models.", file=sys.stderr)
    wanted = [one for one in CONTESTANTS if not options.only or one.name in options.only]
    cache = Path(options.cache).resolve()
    cache.mkdir(parents=True, exist_ok=True)
    peers = make_peers(cache)
    truths = read_truths(data, options.pages)
    task = Task(data, cache / "ids.txt", peers, options.limit)
    task.ids.write_text("\n".join(truths))
    summary = {"pages": len(truths), "cores": os.cpu_count(), "versions": versions(peers)}
    best: dict[str, Lines] = {}
    for number in range(1, options.rounds + 1):
        for contestant in wanted:
            answers = cache / f"{contestant.name}.{number}.jsonl"
            lines = read_answers(answers, truths) if options.resume else None
            if lines is None:
                trouble = run_worker(contestant.name, task, answers)
                lines = read_answers(answers, truths)
                if lines is None:
                    print(f"{contestant.name}: {trouble or 'no answers'}", file=sys.stderr)
                    continue
            _say(number, contestant, lines)
            known = best.get(contestant.name)
            if known is None or cpu_of(lines) < cpu_of(known):
                best[contestant.name] = lines
    results = [judge(one, best[one.name], truths) for one in wanted if one.name in best]
    if options.json:
        print(json_lines(results, summary))
    elif results:
        print(f"{summary['pages']} pages; {summary['cores']} cores; {summary['versions']}\n")
        print(show(results))
    return 0 if len(results) == len(wanted) else 1


def read_truths(data: Path, most: int) -> Truths:
    """Return the truth of each page by its id; of a sample, which is always the same."""
    truths = {page.id: replace(page, html="") for page in read_pages(data)}
    if 0 < most < len(truths):
        chosen = frozenset(random.Random(4).sample(list(truths), most))
        truths = {name: page for name, page in truths.items() if name in chosen}
    return truths


def read_answers(file: Path, truths: Truths) -> Lines | None:
    """Return the lines of a run that is complete and read these very pages, or None."""
    if not file.is_file():
        return None
    try:
        with file.open(encoding="utf-8") as rows:
            lines = [json.loads(row) for row in rows]
    except json.JSONDecodeError:  # its writer was ended
        return None
    is_complete = [line.get("id") for line in lines] == [*truths, None]
    return lines if is_complete else None


def judge(contestant: Contestant, lines: Lines, truths: Truths) -> Result:
    """Return the figures and costs of one extractor."""
    *answers, last = lines
    scores = [score_page(truths[line["id"]], _answer(line)) for line in answers]
    worst = max(answers, key=lambda line: line["seconds"])
    cost = Cost(cpu_of(lines), worst["seconds"], worst["id"], last["peak_mb"])
    failed = sum("error" in line for line in answers)
    return Result(contestant, summarize_by_type(scores), cost, failed)


def cpu_of(lines: Iterable[dict[str, Any]]) -> float:
    """Return the CPU seconds of all pages."""
    return float(sum(line.get("seconds", 0.0) for line in lines))


def _answer(line: dict[str, Any]) -> ExtractorAnswer:
    return ExtractorAnswer(
        line.get("text") or "", line.get("title"), line.get("author"), line.get("date")
    )


def _say(number: int, contestant: Contestant, lines: Sequence[dict[str, Any]]) -> None:
    speed = (len(lines) - 1) / max(1e-9, cpu_of(lines))
    line = f"round {number}: {contestant.name}, {speed:,.1f} pages per CPU second"
    print(line, file=sys.stderr, flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="extraction", description="Compare extractors.")
    parser.add_argument("data", metavar="DATA_DIR", help="has extraction/wcxb_dev.jsonl.xz")
    parser.add_argument("cache", metavar="CACHE_DIR", help="where peers and answers are kept")
    parser.add_argument("--pages", type=int, default=0, help="a sample of so many; 0: all of them")
    parser.add_argument("--rounds", type=int, default=2, help="runs of each; the best counts")
    names = [one.name for one in CONTESTANTS]
    parser.add_argument(
        "--only", action="append", metavar="NAME", choices=names, help="only this extractor"
    )
    parser.add_argument("--fold-models", metavar="DIR", help="of `telusur train --fold-models`")
    parser.add_argument("--resume", action="store_true", help="use complete runs of before")
    parser.add_argument("--limit", type=float, default=3600, help="seconds a run may take")
    parser.add_argument("--json", action="store_true", help="one object a line, the summary last")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
