"""A crawl pauses while the disk is nearly full, and goes on by itself when there is space."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.sites import page, serving

PROGRAM = os.path.join(os.path.dirname(sys.executable), "telusur")

# Run in a namespace of our own on a disk of 40 MB that is filled before the crawl begins.
SCRIPT = """
mount -t tmpfs -o size=40m tmpfs "$1" && cd "$1" || exit 99
telusur=$2; url=$3
head -c 25000000 /dev/zero > ballast
$telusur crawl "$url" --to c --allow-private --delay 0 --min-free-bytes 20000000 2> err &
tries=0
until grep -q 'Paused: only' err; do
  sleep 0.1; tries=$((tries + 1)); test $tries -lt 900 || exit 98
done
sleep 1
$telusur status --in c --json
rm ballast
wait $!; code=$?
$telusur status --in c --json
cat err >&2
exit $code
"""


def run_on_a_small_disk(tmp_path, url):
    if not shutil.which("unshare"):
        pytest.fail("this test needs `unshare`: apt-get install util-linux")
    mount = tmp_path / "disk"
    mount.mkdir()
    ran = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", SCRIPT, "sh", mount, PROGRAM, url],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    if ran.returncode == 99 or "unshare failed" in ran.stderr:
        pytest.fail(f"this machine lets nobody mount a small disk: {ran.stderr}")
    return ran


def test_a_full_disk_pauses_the_crawl_until_there_is_space(tmp_path):
    pages = {"/": page("Home", links=["/a", "/b"])}
    with serving(pages, otherwise=page) as site:
        ran = run_on_a_small_disk(tmp_path, site.url())
        first_asked_at = min(request.at for request in site.requests)
    assert ran.returncode == 0, ran.stderr
    paused, ended = (json.loads(line) for line in ran.stdout.splitlines() if line[0] == "{")
    assert (paused["state"], paused["pages"]) == ("paused", 0)
    assert "GB free" in paused["reason"]
    assert paused["started_at"] + paused["seconds"] < first_asked_at, "nothing was asked"
    assert (ended["state"], ended["done"]) == ("idle", 3)
    assert "the crawl resumes when there is space" in ran.stderr
    assert "Disk space is free again." in ran.stderr


@pytest.mark.slow
def test_a_disk_with_space_pauses_nothing(tmp_path):
    with serving({"/": page("Home")}) as site:
        ran = subprocess.run(
            [PROGRAM, "crawl", site.url(), "--to", tmp_path / "c", "--allow-private",
             "--min-free-bytes", "1"],
            capture_output=True, text=True, timeout=100, check=True,
        )  # fmt: skip
    assert "Paused" not in ran.stderr
