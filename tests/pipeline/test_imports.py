"""What the processes of a crawl load: each library that one does not use would cost it memory."""

import importlib.util
import subprocess
import sys

import pytest

WEB = {"starlette", "uvicorn", "jinja2"}
BROWSER = {"playwright"}
MEANING = {"wordllama", "tokenizers", "huggingface_hub", "safetensors", "requests", "httpx"}
LARGER_LANGUAGE_MODEL = {"py3langid"}
LEARNING = {"sklearn", "scipy", "joblib"}
STYLES = {"tinycss2"}
TERMINAL = {"rich", "click"}
NETWORK = {"pycurl", "asyncio", "ssl"}
NOWHERE = WEB | BROWSER | MEANING | LARGER_LANGUAGE_MODEL | LEARNING | STYLES

OWNER = "import telusur.cli.crawl, telusur.pipeline.crawl, telusur.pipeline.plan.examples"
INDEXER = "import telusur.pipeline.indexing.indexer"
PARSER = """
import telusur.pipeline.parsing.parser
from telusur.crawl.rules.discovery import Discovery
from telusur.crawl.rules.scope import Scope
from telusur.pipeline.parsing.page_parser import PageParser
from telusur.settings import CrawlSettings

settings = CrawlSettings()
parser = PageParser(Discovery(Scope([], settings)), settings.content, settings.max_bytes)
parser.warm_up()
"""


def loaded_by(program: str) -> set[str]:
    """Return the top names of all modules that a process has after running this."""
    program += "\nimport sys\nprint(*{name.partition('.')[0] for name in sys.modules})"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    return set(run.stdout.split())


@pytest.mark.parametrize(
    ("program", "unused"),
    [
        (OWNER, NOWHERE | {"tantivy", "pycld2"}),
        (PARSER, NOWHERE | TERMINAL | NETWORK | {"tantivy", "sqlite3"}),
        (INDEXER, NOWHERE | TERMINAL | NETWORK | {"turbohtml", "pycld2"}),
    ],
    ids=["owner", "parser", "indexer"],
)
def test_a_process_of_a_crawl_loads_nothing_that_it_does_not_use(program, unused):
    if importlib.util.find_spec("pycld2") is None:  # the larger model is all there is then
        unused = unused - LARGER_LANGUAGE_MODEL
    assert loaded_by(program) & unused == set()
