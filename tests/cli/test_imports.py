"""What quick commands import: most of their CPU time is imports, so each has only what it uses."""

import os
import subprocess
import sys

import pytest

CRAWLING = {
    "asyncio", "pycurl", "ssl", "telusur.crawl.strategies.by_name", "telusur.fetch",
    "telusur.pipeline.crawl", "telusur.pipeline.indexing.indexer", "telusur.pipeline.parsing",
    "telusur.pipeline.plan", "telusur.pipeline.scouter",
}  # fmt: skip
EXTRACTING = {"telusur.extract.content", "telusur.extract.document", "turbohtml"}
SEARCHING = {"Stemmer", "telusur.search.engine"}
REPORTING = {
    "telusur.graph.maps", "telusur.language.roots", "telusur.reports.audit",
    "telusur.reports.join_pages", "telusur.reports.learned_sites.site_frame",
    "telusur.reports.maps",
}  # fmt: skip
OTHERS = {"telusur.backends.embedded.verify", "telusur.learn", "telusur.web", "wordllama"}
STORE = {"sqlite3", "tantivy", "telusur.backends", "telusur.collection", "telusur.store"}


def run_and_list(*arguments: object) -> tuple[str, set[str]]:
    """Run a command in a new process; return its output, and all modules it has at the end."""
    program = (
        "import sys\nfrom telusur.cli import run\ncode = run(sys.argv[1:])\n"
        "print('', *sys.modules, sep='\\n', file=sys.stderr)\nsys.exit(code)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        capture_output=True, check=True, text=True, env={**os.environ, "COLUMNS": "300"},
    )  # fmt: skip
    return ran.stdout, set(ran.stderr.split())


@pytest.mark.parametrize(
    ("command", "unused"),
    [
        ("search", CRAWLING | EXTRACTING | REPORTING | OTHERS),
        ("status", CRAWLING | EXTRACTING | REPORTING | OTHERS | {"telusur.search.engine"}),
        ("why", CRAWLING | EXTRACTING | REPORTING | OTHERS | {"telusur.search.engine"}),
    ],
)
def test_a_quick_command_imports_only_what_it_uses(small, command, unused):
    words = {"search": ["ferry"], "status": [], "why": [small.url]}[command]
    told, loaded = run_and_list(command, *words, "--in", small.directory)
    assert "/ferry" in told or command == "status"
    assert "telusur.collection" in loaded
    assert loaded & unused == set()


def test_extracting_a_file_imports_only_what_it_uses(tmp_path):
    file = tmp_path / "page.html"
    file.write_text("<title>Tides</title><p>The moon pulls the sea.", encoding="utf-8")
    told, loaded = run_and_list("extract", file)
    assert "The moon pulls the sea." in told
    assert "telusur.extract.document" in loaded
    assert loaded & (CRAWLING | SEARCHING | REPORTING | OTHERS | STORE | {"rich"}) == set()


def test_a_part_of_extraction_can_be_imported_without_the_rest():
    program = "import sys, telusur.extract.media_types; print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert set(ran.stdout.split()) & (EXTRACTING | {"numpy"}) == set()
