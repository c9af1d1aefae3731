"""Sites clustered in the background, one at a time, so that a server can show the progress."""

import threading
import time
import traceback
from collections.abc import Callable, Hashable

from telusur.errors import TelusurError
from telusur.reports.clusters.clustered_site import ClusteredSite, Watch

#: After this time no further pages are read; those read so far are clustered.
MOST_SECONDS = 60.0
#: Clusters stay valid for this long at least, and for `LONGEST_SECONDS` if no pages were added.
LEAST_SECONDS = 300.0
LONGEST_SECONDS = 3_600.0
#: A failure is shown for this long before another attempt.
FAILURE_SECONDS = 10.0
# Python runs one thread at a time: a second run would only make both slower.
_TURN = threading.Lock()

Work = Callable[[Watch], ClusteredSite]


class ClusterRun:
    """The clustering of a site, which starts at once; safe for several threads."""

    def __init__(
        self,
        work: Work,
        pages: int,
        *,
        is_unwanted: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._work = work
        self._is_unwanted = is_unwanted
        self._clock = clock
        self._over = threading.Event()
        # How many pages the site had at the start.
        self.pages = pages
        # How many pages were read, and how many are to be read; 0 while it waits for its turn.
        self.read, self.of = 0, 0
        self.view: ClusteredSite | None = None
        # Why there are no clusters; empty if nothing went wrong.
        self.problem = ""
        # Whether the time was too short for all pages.
        self.is_cut = False
        self.ended_at = 0.0
        threading.Thread(target=self._run, name="clusters", daemon=True).start()

    @property
    def is_over(self) -> bool:
        """Tell whether it has ended, well or not."""
        return self._over.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait for at most this long; tell whether it has ended."""
        return self._over.wait(seconds)

    def is_good(self, pages: int) -> bool:
        """Tell whether its result may be shown again, given how many pages the site has now."""
        if not self.is_over:
            return True
        age = self._clock() - self.ended_at
        if self.problem:
            return age < FAILURE_SECONDS
        return age < (LONGEST_SECONDS if pages == self.pages else LEAST_SECONDS)

    def _run(self) -> None:
        try:
            with _TURN:
                started = self._clock()
                self.view = self._work(lambda read, of: self._watch(read, of, started))
                self.read = self.of if not self.is_cut else self.read
        except TelusurError as error:
            self.problem = str(error)
        except Exception:
            self.problem = "The clustering failed; the terminal of the server says why."
            if not self._is_unwanted():  # a server that is closing has closed the collection
                traceback.print_exc()
        finally:
            self.ended_at = self._clock()
            self._over.set()

    def _watch(self, read: int, of: int, started: float) -> bool:
        self.read, self.of = read, of
        self.is_cut = self._clock() - started > MOST_SECONDS
        return not (self.is_cut or self._is_unwanted())


class ClusterRuns:
    """The recent runs of a collection, so that whoever returns finds the same clusters."""

    def __init__(self, most: int = 8) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: dict[Hashable, ClusterRun] = {}

    def get(self, key: Hashable, pages: int, start: Callable[[], ClusterRun]) -> ClusterRun | None:
        """Return the run of a key while it is good, or a new one; None if too many have not ended.

        `pages` is how many pages the site has.
        """
        with self._lock:
            kept = self._kept.pop(key, None)
            if kept is None or not kept.is_good(pages):
                if not self._make_room():
                    return None
                kept = start()
            self._kept[key] = kept
            return kept

    def _make_room(self) -> bool:
        """Forget the run that was asked for longest ago, of those that have ended."""
        if len(self._kept) < self._most:
            return True
        for key, run in self._kept.items():
            if run.is_over:
                del self._kept[key]
                return True
        return False
