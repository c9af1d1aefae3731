"""The examples of docs/customising.md, run as a reader would run them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import telusur
from telusur.cli import run
from telusur.demo.content import read_table
from telusur.demo.server import serve

DOCS = Path(__file__).parents[3] / "docs" / "customising.md"
EXAMPLES = re.findall(r"^```python\n# (\w+\.py)\n(.*?)^```$", DOCS.read_text(), re.M | re.S)


@pytest.fixture(scope="module")
def shop():
    with serve() as web:
        yield web.origins["shop"]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, code in EXAMPLES:
        (tmp_path / name).write_text(code)
    return tmp_path


def test_prices_of_all_wares(desk, shop, capsys):
    flags = ["--allow-private", "--delay", "0", "--render", "never", "--no-index"]
    assert run(["crawl", f"{shop}/", "--to", "wares", "--hooks", "wares.py", *flags]) == 0
    capsys.readouterr()
    run(["export", "--in", "wares", "--format", "jsonl"])
    pages = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    prices = {page["title"]: page["fields"]["price"] for page in pages if page["fields"]}
    products = read_table("shop")["products"]
    assert prices == {product["name"]: product["price"] for product in products}
    paths = {page["url"].removeprefix(shop).split("/")[1] for page in pages}
    assert paths == {"", "c", "p"}


@pytest.mark.slow
def test_a_program_of_ones_own(desk, shop):
    file = desk / "measures.py"
    code = file.read_text().replace("https://shop.example", shop)
    file.write_text(code.replace("pages=30", "pages=30, allow_private=True, delay=0"))
    ran = subprocess.run(
        [sys.executable, file.name], cwd=desk, capture_output=True, text=True, check=True
    )
    titles = [line.rpartition(" {")[0] for line in ran.stdout.splitlines()]
    assert titles[0] == "Chandler & Daughters"
    names = {product["name"] for product in read_table("shop")["products"]}
    assert len(titles) == 30
    assert len(names.intersection(titles)) > 20
    assert "'Maker': " in ran.stdout
    with telusur.open("measured") as collection:
        found = {hit.title for hit in collection.search("Chandler OR brass OR rope").hits}
    assert found
    assert found <= names
