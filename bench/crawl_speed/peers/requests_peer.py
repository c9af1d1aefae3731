"""requests and BeautifulSoup in five threads: `requests_peer.py DIRECTORY LIMIT URL...`."""

import sys
import threading
from collections import deque
from pathlib import Path

import requests
from bs4 import BeautifulSoup
from following import Follower, Saved

THREADS = 5


class Crawl:
    """One queue, one file, and threads that share them."""

    def __init__(self, directory: str, limit: int, start_urls: list[str]) -> None:
        self._follower, self._saved = Follower(start_urls), Saved(Path(directory))
        self._waiting, self._limit = deque(start_urls), limit
        self._busy = 0
        self._changed = threading.Condition()

    def run(self) -> None:
        """Crawl until nothing is left or the limit is reached."""
        threads = [threading.Thread(target=self._work) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self._saved.close()

    def _work(self) -> None:
        session = requests.Session()
        while (url := self._next()) is not None:
            try:
                self._visit(session, url)
            finally:
                with self._changed:
                    self._busy -= 1
                    self._changed.notify_all()

    def _next(self) -> str | None:
        with self._changed:
            while not self._waiting and self._busy:
                self._changed.wait()
            if not self._waiting or 0 < self._limit <= self._saved.count + self._busy:
                return None
            self._busy += 1
            return self._waiting.popleft()

    def _visit(self, session: requests.Session, url: str) -> None:
        response = session.get(url, timeout=20, allow_redirects=False)
        if response.status_code != 200:
            return
        soup = BeautifulSoup(response.content, "lxml")
        references = [str(element["href"]) for element in soup.find_all("a", href=True)]
        title = soup.title.get_text() if soup.title else ""
        text = soup.get_text(" ")
        with self._changed:
            self._saved.add(url, title, text, references)
            self._waiting.extend(self._follower.fresh(url, references))
            self._changed.notify_all()


Crawl(sys.argv[1], int(sys.argv[2]), sys.argv[3:]).run()
