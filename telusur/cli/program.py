"""How the user started Telusur, so that the commands we suggest work as printed."""

import os
import shutil
import sys
from shlex import quote

NAME = "telusur"


def program() -> str:
    """Return what to type for `telusur`; if it is not on the PATH, the way it was started."""
    if shutil.which(NAME):
        return NAME
    started = sys.argv[0] if sys.argv else ""
    if os.path.basename(started).partition(".")[0] == NAME and os.access(started, os.X_OK):
        return quote(started)
    return f"{quote(sys.executable)} -m telusur.cli" if sys.executable else NAME


def as_typed(sentence: str) -> str:
    """Return a sentence whose commands between backticks begin with what to type for `telusur`."""
    return sentence.replace(f"`{NAME} ", f"`{program()} ")
