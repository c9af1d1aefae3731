"""How many files, pipes and sockets this process may have open at once."""

import resource

_OURS = 64
_EACH_WORKER, _EACH_CONNECTION, _EACH_BROWSER = 4, 2, 20


def files_needed(workers: int, connections: int, browsers: int) -> int:
    """Return about how many files a crawl has open at most."""
    more = workers * _EACH_WORKER + connections * _EACH_CONNECTION + browsers * _EACH_BROWSER
    return _OURS + more


def most_files() -> int | None:
    """Return how many files a process may open at most; None for no limit."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if most == resource.RLIM_INFINITY else most


def allow_files(number: int) -> None:
    """Raise the limit of this process if it is too low."""
    usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if usual != resource.RLIM_INFINITY and usual < number:
        top = number if most == resource.RLIM_INFINITY else min(number, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (top, most))
