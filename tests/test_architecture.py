"""The plan of the house, kept true: an import that points the wrong way fails here."""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "telusur"

# Who may import whom. A room may always import itself; `models`, `errors`, `settings`, `version`,
# `compiled`, `closing` are the floor that everybody stands on.
FLOOR = {"models", "errors", "settings", "version", "compiled", "closing"}
STEPS = {"crawl", "extract", "index", "search", "graph", "learn"}
HOUSE = {"language", "adapters", "run", "collection"}
MAY_IMPORT = {
    "models": set(),
    "errors": set(),
    "version": set(),
    "compiled": set(),
    "closing": set(),
    "settings": {"errors"},
    "language": FLOOR,
    "crawl": FLOOR | {"language", "graph"},
    "extract": FLOOR | {"language"},
    "learn": FLOOR | {"language", "extract", "crawl"},
    "index": FLOOR | {"language"},
    "graph": FLOOR | {"language"},
    "search": FLOOR | {"language", "index"},
    "adapters": FLOOR | STEPS | {"language"},
    "run": FLOOR | STEPS | {"language", "adapters"},
    "collection": FLOOR | STEPS | {"language", "adapters", "run"},
    "laboratory": FLOOR | STEPS | HOUSE,
    "shelf": FLOOR | STEPS | HOUSE,
    "demo": FLOOR | STEPS | HOUSE,
    "web": FLOOR | STEPS | HOUSE | {"shelf"},
    "cli": FLOOR | STEPS | HOUSE | {"laboratory", "shelf", "web", "demo"},
}


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and room of each import of ours."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: write imports in full"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "telusur" and len(parts) > 1:
                yield node.lineno, parts[1]


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


def test_every_room_has_its_place_on_the_plan():
    rooms = {room_of(path) for path in PACKAGE.rglob("*.py")} - {"__init__"}
    assert rooms == set(MAY_IMPORT)


def test_only_adapters_touch_network_disk_and_databases():
    outside_world = {"pycurl", "socket", "sqlite3", "tantivy", "urllib.request", "http.client"}
    allowed = {"adapters", "run", "collection", "web", "demo", "cli"}
    for path in PACKAGE.rglob("*.py"):
        if room_of(path) in allowed:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names = {alias.name for alias in node.names}
                assert not names & outside_world, f"{path}:{node.lineno}"
