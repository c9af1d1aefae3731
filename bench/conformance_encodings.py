"""Print how many encoding cases are decided as expected: `conformance_encodings.py DATA_DIR`.

DATA_DIR/encodings holds `prescan_cases.jsonl`: one JSON object a line, `content` (base64) and
`expected`. One public case builds its meta element with a script; only a browser can pass it.
Exit code 1 when more than that one differs.
"""

import base64
import json
import sys
from pathlib import Path

from telusur.extract.page.decode import decode_html


def main(directory: str) -> int:
    """Run every case; list those that differ."""
    path = Path(directory) / "encodings" / "prescan_cases.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    right = 0
    for case in map(json.loads, lines):
        content = base64.b64decode(case["content"])
        _, name = decode_html(content)
        if name == case["expected"].lower():
            right += 1
        else:
            print(f"expected {case['expected']}, got {name}: {content[:100]!r}")
    print(f"{right} of {len(lines)} ({right / len(lines):.1%})")
    return 0 if right >= len(lines) - 1 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
