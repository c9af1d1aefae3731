"""The plan of the house, kept true: an import that points the wrong way fails here."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "telusur"

MOST_LINES = 400
MOST_MODULES = 20
# One file a command, however many commands there are.
MAY_BE_LARGE = {"cli"}
# `import telusur`: the whole program, so no room may import it.
FACADE = "telusur"


def read_plan() -> tuple[set[str], dict[str, set[str]]]:
    """Return the floor that everybody stands on, and which room may import which.

    Both are read from ARCHITECTURE.md. A room may always import itself.
    """
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = text.partition("## Who may import whom")[2].partition("\n## ")[0]
    floor = set(re.findall(r"`(\w+)`", section.partition("the floor: ")[2].partition(".")[0]))
    plan = {}
    for rooms, targets in re.findall(r"^\| (`.+?`) \| (.+) \|$", section, re.MULTILINE):
        allowed = set(re.findall(r"`(\w+)`", targets))
        for room in re.findall(r"`(\w+)`", rooms):
            plan[room] = allowed if room in floor else allowed | floor
    return floor, plan


FLOOR, MAY_IMPORT = read_plan()


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree))


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and room of each import of ours."""
    for node in nodes_of(tree_of(path)):
        names = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: write imports in full"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "telusur":
                yield node.lineno, parts[1] if len(parts) > 1 else FACADE


def test_imports_point_inwards():
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        room = room_of(path)
        if room == "__init__":
            continue
        for line, target in imports_of(path):
            if target != room and target not in MAY_IMPORT[room]:
                wrong.append(f"{path.relative_to(PACKAGE)}:{line}: {room} imports {target}")
    assert not wrong, "\n".join(wrong)


def test_an_import_of_the_whole_program_is_seen(tmp_path):
    file = tmp_path / "room.py"
    file.write_text("import telusur\nfrom telusur import models\n", encoding="utf-8")
    assert list(imports_of(file)) == [(1, FACADE), (2, "models")]
    assert all(FACADE not in targets for targets in MAY_IMPORT.values())


def test_every_room_has_its_place_on_the_plan():
    rooms = {room_of(path) for path in PACKAGE.rglob("*.py")} - {"__init__"}
    assert rooms == set(MAY_IMPORT)


def test_every_arrow_of_the_plan_is_used():
    used: dict[str, set[str]] = {room: set() for room in MAY_IMPORT}
    for path in PACKAGE.rglob("*.py"):
        used.get(room_of(path), set()).update(target for _, target in imports_of(path))
    unused = {room: MAY_IMPORT[room] - FLOOR - used[room] for room in MAY_IMPORT}
    assert {room: targets for room, targets in unused.items() if targets} == {}


def test_no_two_rooms_import_each_other():
    pairs = [(room, target) for room, targets in MAY_IMPORT.items() for target in targets]
    assert [pair for pair in pairs if pair[::-1] in pairs] == []


def test_no_folder_has_too_many_modules():
    modules = (path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")
    counted = Counter(path.parent.relative_to(PACKAGE).as_posix() for path in modules)
    too_large = {folder for folder, count in counted.items() if count > MOST_MODULES}
    assert too_large <= MAY_BE_LARGE, f"more than {MOST_MODULES} modules each: {too_large}"


def test_no_module_is_too_long():
    too_long = {
        path.relative_to(PACKAGE).as_posix(): lines
        for path in PACKAGE.rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES
    }
    assert too_long == {}, "look for a second subject that deserves a module of its own"


OUTSIDE_WORLD = {"pycurl", "socket", "sqlite3", "tantivy", "urllib.request", "http.client"}
# Processes of the pipeline talk to each other over sockets.
MAY_TOUCH_IT = {"backends", "fetch", "pipeline", "web", "demo", "cli"}
# Engines, and the only room that may name each.
ENGINES = {
    "sqlite3": "backends", "tantivy": "backends", "boto3": "backends", "psycopg": "backends",
    "opensearchpy": "backends", "pycurl": "fetch", "playwright": "fetch",
}  # fmt: skip
# Where a store is opened and handed on; nobody else knows where a collection is kept.
COMPOSITION_ROOTS = {
    "collection.py",
    "pipeline/crawl_gate.py",
    "pipeline/indexing/indexer.py",
    "reports/column_child.py",
    "shelf.py",
}


def touches_of(tree: ast.Module, world: set[str]) -> list[int]:
    """Return the lines that import something of the outside world."""
    lines = []
    for node in nodes_of(tree):
        names: set[str] = set()
        if isinstance(node, ast.Import):
            names = {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
        if any(f"{name}.".startswith(f"{part}.") for name in names for part in world):
            lines.append(node.lineno)
    return lines


def test_pure_rooms_import_neither_network_nor_databases():
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if room_of(path) not in MAY_TOUCH_IT:
            lines = touches_of(tree_of(path), OUTSIDE_WORLD)
            wrong += [f"{path.relative_to(PACKAGE)}:{line}" for line in lines]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("engine", "room"), ENGINES.items())
def test_an_engine_is_imported_in_one_room_only(engine, room):
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if room_of(path) != room:
            lines = touches_of(tree_of(path), {engine})
            wrong += [f"{path.relative_to(PACKAGE)}:{line}" for line in lines]
    assert not wrong, "\n".join(wrong)


def test_no_statement_of_a_database_stands_outside_backends():
    found = [
        str(path.relative_to(PACKAGE))
        for path in sorted(PACKAGE.rglob("*.py"))
        if room_of(path) != "backends" and runs_statements(tree_of(path))
    ]
    assert found == []


def test_only_composition_roots_import_backends():
    found = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if room_of(path) != "backends"
        and any(target == "backends" for _, target in imports_of(path))
    }
    assert found == COMPOSITION_ROOTS


def test_composition_roots_import_no_single_backend():
    wrong = []
    for name in sorted(COMPOSITION_ROOTS):
        for node in nodes_of(tree_of(PACKAGE / name)):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            if module.startswith("telusur.backends."):
                wrong.append(f"{name}:{node.lineno}: {module}")
    assert wrong == []


# Directories that are no collections: where pages are saved, models trained, a shelf lies.
OTHER_DIRECTORIES = {
    "collection.py", "fetch/browser/drawn_pages.py", "laboratory.py", "machine/disk.py",
    "machine/resources.py", "reports/chosen_pages.py", "reports/save_pages.py", "shelf.py",
}  # fmt: skip
ROOMS_WITH_STORES = {"collection", "fetch", "laboratory", "machine", "memory", "pipeline",
                     "reports", "shelf", "store", "web"}  # fmt: skip


def test_no_function_takes_a_directory_for_a_collection():
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in nodes_of(tree_of(path)) if room_of(path) in ROOMS_WITH_STORES else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                if any(one.arg == "directory" for one in given):
                    found.add(str(path.relative_to(PACKAGE)))
    assert found <= OTHER_DIRECTORIES


def runs_statements(tree: ast.AST) -> bool:
    """Tell whether a module runs statements of a database."""
    return any(
        isinstance(node, ast.Attribute) and node.attr in {"execute", "executemany"}
        for node in nodes_of(tree)
    )


@pytest.mark.parametrize(
    "code",
    [
        "import sqlite3",
        "import urllib.request",
        "from tantivy import Query",
        "from urllib import request",
        "from http.client import HTTPConnection",
        "def f():\n    from socket import socket",
    ],
)
def test_every_way_to_import_the_outside_world_is_seen(code):
    assert touches_of(ast.parse(code), OUTSIDE_WORLD)


def test_what_only_looks_like_the_outside_world_is_let_pass():
    code = "from urllib.parse import urlsplit\nimport sqlite3_tools\nimport http"
    assert touches_of(ast.parse(code), OUTSIDE_WORLD) == []


def test_a_public_class_has_a_name_of_its_own():
    places: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(str(path.relative_to(PACKAGE)))
    doubled = {name: found for name, found in places.items() if len(found) > 1}
    assert not doubled


def test_a_constant_is_explained_by_a_comment_above_it():
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in nodes_of(tree_of(path)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                pairs = pairwise(node.body)
                found += [f"{path}:{after.lineno}" for one, after in pairs if explains(one, after)]
    assert not found


def explains(one: ast.stmt, after: ast.stmt) -> bool:
    """Tell whether a bare string stands behind an assignment."""
    return (
        isinstance(one, ast.Assign | ast.AnnAssign)
        and isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
    )
