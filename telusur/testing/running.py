"""Running a suite without a test runner: which of its tests fail on an implementation."""

from typing import Any

import pytest


def failures_of(suite: type[Any]) -> dict[str, BaseException]:
    """Run all tests of a suite; return what those raised that failed, by name."""
    failures: dict[str, BaseException] = {}
    for name in sorted(dir(suite)):
        if name.startswith("test_"):
            error = _failure(suite(), name)
            if error is not None:
                failures[name] = error
    return failures


def _failure(case: Any, name: str) -> BaseException | None:
    try:
        getattr(case, name)()
    except (Exception, pytest.fail.Exception) as error:
        return error
    finally:
        if hasattr(case, "teardown_method"):
            case.teardown_method()
    return None
