"""scikit-learn, which the engines of the source system use: an extra, loaded when needed."""

import importlib.util

from telusur.errors import UsageError


def require_scikit_learn(what: str) -> None:
    """Raise one clear sentence if scikit-learn, which `what` needs, is not installed."""
    if importlib.util.find_spec("sklearn") is None:
        raise UsageError(
            f"{what} needs scikit-learn; in a clone of Telusur run `pip install '.[learn]'`."
        )
