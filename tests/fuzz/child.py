"""Tries inputs on targets, one after the other, each for its time; a failure ends the process.

`python -m tests.fuzz.child PLACE SEED SECONDS TARGET...`, with the inputs under way in PLACE.
"""

import faulthandler
import os
import random
import sys
import time
import traceback
from pathlib import Path

# What an input of 20 kB may take, with sanitizers, on a busy machine.
HANG_SECONDS = float(os.environ.get("TELUSUR_FUZZ_HANG_SECONDS", "120"))


MOST_TOLD = 3_000


def main() -> None:
    """Serve one list of targets."""
    place, seed, seconds, *names = sys.argv[1:]
    if names[0] != "planted":
        from tests.fuzz import build

        build.use()
    from tests.fuzz.mutation import mutate, tokens_of
    from tests.fuzz.targets import TARGETS, seeds_of, warm_up

    if names[0] != "planted":
        warm_up()
    input_file, target_file = Path(place) / "input", Path(place) / "target"
    for name in names:
        target_file.write_text(name)
        target, seeds = TARGETS[name], seeds_of(name)
        tokens, dice = tokens_of(seeds), random.Random(f"{seed} {name}")
        started, runs = time.monotonic(), 0
        while time.monotonic() - started < float(seconds):
            data = seeds[runs] if runs < len(seeds) else mutate(seeds, tokens, dice)
            input_file.write_bytes(data)
            faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
            try:
                target(data)
            except BaseException:
                print(traceback.format_exc()[-MOST_TOLD:], file=sys.stderr, flush=True)
                sys.exit(1)
            runs += 1
        faulthandler.cancel_dump_traceback_later()
        print(f"{name}: {runs:,} inputs", flush=True)


if __name__ == "__main__":
    main()
