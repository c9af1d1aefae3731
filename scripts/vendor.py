"""Put what the map is drawn with where the workbench serves it, after `npm ci`.

python scripts/vendor.py

D3's modules are joined, in the order they need each other, into two scripts: one for the page, one
for the worker that moves the nodes. Nothing of them is kept in the repository.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
MODULES = ROOT / "node_modules"
VENDOR = ROOT / "telusur" / "web" / "static" / "vendor"
BUNDLES = {
    "d3-force.js": ("d3-dispatch", "d3-quadtree", "d3-timer", "d3-force"),
    "d3-view.js": (
        "d3-dispatch", "d3-timer", "d3-color", "d3-interpolate", "d3-ease", "d3-selection",
        "d3-drag", "d3-transition", "d3-zoom",
    ),
}  # fmt: skip


def main() -> int:
    """Write the scripts and their licences."""
    if not MODULES.is_dir():
        print("There is no node_modules; run `npm ci` first.", file=sys.stderr)
        return 2
    VENDOR.mkdir(exist_ok=True)
    for name, modules in BUNDLES.items():
        (VENDOR / name).write_text("".join(read_module(module) for module in modules))
        print(VENDOR.relative_to(ROOT) / name)
    return 0


def read_module(module: str) -> str:
    """Return the licence of a module and the module itself, as it makes the global `d3`."""
    licence = (MODULES / module / "LICENSE").read_text().replace("*/", "* /")
    script = (MODULES / module / "dist" / f"{module}.min.js").read_text()
    return f"/*! {module}\n\n{licence}*/\n{script}\n"


if __name__ == "__main__":
    sys.exit(main())
