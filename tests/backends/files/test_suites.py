"""Files of a collection pass the suites of control, pieces and vectors."""

from functools import partial

import pytest

from telusur import testing
from telusur.backends.files.blobs import FileBlobs
from telusur.backends.files.control import FileControl
from telusur.backends.files.vectors import VectorFile


class InDirectory:
    @pytest.fixture(autouse=True)
    def _directory(self, tmp_path):
        self.directory = tmp_path


class TestControl(InDirectory, testing.ControlSuite):
    def make_control(self):
        return FileControl(self.directory)

    def reopen(self, control):
        return FileControl(self.directory)


class TestBlobs(InDirectory, testing.BlobsSuite):
    def make_blobs(self):
        return FileBlobs(self.directory)

    def reopen(self, blobs):
        return FileBlobs(self.directory)


class TestVectors(InDirectory, testing.VectorsSuite):
    def make_opener(self):
        return partial(VectorFile, self.directory)
