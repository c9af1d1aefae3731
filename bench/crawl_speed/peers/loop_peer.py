"""A hand-rolled loop, the ceiling: `loop_peer.py DIRECTORY LIMIT PROCESSES URL...`.

pycurl's multi interface and turbohtml, nothing else: no robots.txt, politeness, retries, durability
or limits on what a server may send. Two processes share the hosts between them. Limit 0 is none.
"""

import multiprocessing
import sys
from collections import deque
from io import BytesIO
from pathlib import Path
from typing import Any

import pycurl
import turbohtml
from following import Follower, Saved

IN_FLIGHT = 32


def read(body: bytes) -> tuple[str, str, list[str]]:
    """Return title, text and references of a page."""
    tree = turbohtml.parse(body.decode("utf-8", "replace"), positions=False)
    title = tree.select_one("title")
    references = [element.attr("href") or "" for element in tree.select("a[href]")]
    return (title.text if title is not None else ""), tree.to_text(), references


def make_handle() -> Any:
    """Return a handle that is used again for one URL after the other."""
    handle = pycurl.Curl()
    handle.setopt(pycurl.NOSIGNAL, 1)
    handle.setopt(pycurl.USERAGENT, "loop")
    return handle


def start(multi: Any, handle: Any, url: str) -> None:
    """Ask for a URL."""
    handle.url, handle.body = url, BytesIO()
    handle.setopt(pycurl.URL, url)
    handle.setopt(pycurl.WRITEDATA, handle.body)
    multi.add_handle(handle)


def crawl(directory: str, limit: int, name: str, start_urls: list[str]) -> None:
    """Fetch everything that can be reached from the start URLs."""
    follower, saved = Follower(start_urls), Saved(Path(directory), f"pages-{name}.jsonl")
    waiting, idle = deque(start_urls), [make_handle() for _ in range(IN_FLIGHT)]
    multi, running = pycurl.CurlMulti(), 0
    while (waiting or running) and not 0 < limit <= saved.count:
        while waiting and idle:
            start(multi, idle.pop(), waiting.popleft())
            running += 1
        multi.perform()
        _, done, failed = multi.info_read()
        for handle in [*done, *(handle for handle, _, _ in failed)]:
            multi.remove_handle(handle)
            idle.append(handle)
            running -= 1
            if handle.getinfo(pycurl.RESPONSE_CODE) == 200:
                title, text, references = read(handle.body.getvalue())
                saved.add(handle.url, title, text, references)
                waiting.extend(follower.fresh(handle.url, references))
        if not done and not failed:
            multi.select(1.0)
    saved.close()


def main() -> None:
    """Share the hosts among the processes and wait for all."""
    directory, limit, processes, *start_urls = sys.argv[1:]
    count = int(processes)
    shares = [(str(n), start_urls[n::count]) for n in range(count)]
    children = [
        multiprocessing.Process(target=crawl, args=(directory, int(limit) // count, name, urls))
        for name, urls in shares[1:]
    ]
    for child in children:
        child.start()
    crawl(directory, int(limit) // count, *shares[0])
    for child in children:
        child.join()


if __name__ == "__main__":
    main()
