import subprocess
import sys

import pytest

from telusur.backends.files.lock import OwnerLock, is_owned
from telusur.errors import CollectionBusy


def test_one_owner_at_a_time(tmp_path):
    assert not is_owned(tmp_path)
    with OwnerLock(tmp_path):
        assert is_owned(tmp_path)
        with pytest.raises(CollectionBusy, match="is writing this collection"), OwnerLock(tmp_path):
            pass
    assert not is_owned(tmp_path)


def test_the_lock_of_a_killed_process_is_free(tmp_path):
    code = (
        "import sys, time; from pathlib import Path\n"
        "from telusur.backends.files.lock import OwnerLock\n"
        "with OwnerLock(Path(sys.argv[1])): print('locked', flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "locked\n"
        assert is_owned(tmp_path)
        with pytest.raises(CollectionBusy, match=f"process {process.pid} "), OwnerLock(tmp_path):
            pass
        process.kill()
        process.wait()
    with OwnerLock(tmp_path):
        assert is_owned(tmp_path)
