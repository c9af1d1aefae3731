"""A child process for tests: tells which of our variables it was given."""

import os

print(*sorted(name for name in os.environ if name.startswith("TELUSUR_")), flush=True)
