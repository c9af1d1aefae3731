"""A child process for tests: says back what it is told, until there is no more."""

import sys

for line in sys.stdin:
    print(line.strip(), flush=True)
