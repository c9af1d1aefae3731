"""What other extractors find on pages without a true text.

    python bench/extraction/witnesses.py CACHE_DIR OUT SET...

Each SET is a file of labelled pages. The peers are installed into CACHE_DIR once. OUT gets a line
of JSON for each page: `source`, `id` and `texts`. `telusur train --witnesses OUT` learns from them.
"""

import json
import lzma
import sys
from pathlib import Path

from contestants import Task, make_peers, run_worker

WITNESSES = ("trafilatura-no-comments", "readability")
LIMIT_SECONDS = 3600


def main(cache: str, out: str, *sets: str) -> int:
    """Ask every witness about every set, and join their answers."""
    place = Path(cache).resolve()
    place.mkdir(parents=True, exist_ok=True)
    peers = make_peers(place)
    rows: list[str] = []
    for path in map(Path, sets):
        source = path.name.partition(".")[0]
        texts: dict[str, list[str]] = {name: [] for name in _ids_without_text(path)}
        task = Task(path, place / "witnesses.ids", peers, LIMIT_SECONDS)
        task.ids.write_text("\n".join(texts))
        for name in WITNESSES:
            answers = place / f"witness.{source}.{name}.jsonl"
            if trouble := run_worker(name, task, answers):
                print(f"{source}, {name}: {trouble}", file=sys.stderr)
                return 1
            for line in answers.read_text(encoding="utf-8").strip().split("\n")[:-1]:
                answer = json.loads(line)
                texts[answer["id"]].append(answer.get("text") or "")
        rows += [
            json.dumps({"source": source, "id": name, "texts": said})
            for name, said in texts.items()
        ]
        print(f"{source}: {len(texts)} pages", file=sys.stderr, flush=True)
    Path(out).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return 0


def _ids_without_text(path: Path) -> list[str]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        pages = map(json.loads, lines)
        return [page["id"] for page in pages if page.get("text") is None]


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
