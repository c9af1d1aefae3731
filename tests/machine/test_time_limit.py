import re
import signal
import threading

import pytest

from telusur.machine.time_limit import TimeIsUp, time_limit


def test_a_regular_expression_is_interrupted():
    with pytest.raises(TimeIsUp), time_limit(0.1):
        re.search("(a+)+$", "a" * 60 + "!")


def test_work_that_is_done_in_time_is_left_alone():
    handler = signal.getsignal(signal.SIGALRM)
    with time_limit(60):
        found = re.search("a", "ba")
    assert found is not None
    assert signal.getsignal(signal.SIGALRM) is handler


def test_in_other_threads_nothing_is_limited():
    done = []

    def work() -> None:
        with time_limit(60):
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]
