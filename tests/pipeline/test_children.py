import asyncio
import os
import signal
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from telusur.pipeline.children import end_child, start_child


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_child_is_started_and_ended():
    async def go():
        process = await start_child("this", stdout=PIPE)
        assert b"Beautiful is better than ugly." in await process.stdout.read()
        await process.wait()
        assert await end_child(process) == ""
        return process

    assert asyncio.run(go()).returncode == 0


def test_what_a_child_complains_about_is_returned():
    async def go():
        process = await start_child("no_such_module_of_ours")
        await process.wait()
        return await end_child(process)

    assert "No module named no_such_module_of_ours" in asyncio.run(go())


def test_a_child_outlives_what_ends_its_owner_gracefully(monkeypatch):
    """Ctrl-C, `timeout` and systemd reach all processes; who started us still needs us."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))

    async def go():
        process = await start_child("tests.pipeline.echo_child", stdout=PIPE)
        process.stdin.write(b"here\n")
        assert await process.stdout.readline() == b"here\n"
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGINT)
        process.stdin.write(b"still there\n")
        process.stdin.close()
        words = await process.stdout.read()
        await process.wait()
        await end_child(process)
        return words, process.returncode

    assert asyncio.run(go()) == (b"still there\n", 0)


SECRET = ("TELUSUR_HEADER", "TELUSUR_KEY", "TELUSUR_PASSWORD", "TELUSUR_PROXY")


def test_a_child_is_given_no_credentials(monkeypatch):
    """It reads what strangers wrote, and has no use for them."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    for name in (*SECRET, "TELUSUR_TEST_OTHER"):
        monkeypatch.setenv(name, "x")

    async def go():
        process = await start_child("tests.pipeline.environment_child", stdout=PIPE)
        words = await process.stdout.read()
        await end_child(process)
        return words.decode().split()

    given = asyncio.run(go())
    assert "TELUSUR_TEST_OTHER" in given
    assert not set(SECRET) & set(given)


@pytest.mark.parametrize("delay", [0, 0.001, 0.01])
def test_being_cancelled_while_starting_or_ending_leaves_nothing_behind(delay):
    pids = []

    async def work():
        process = await start_child("http.server", "0")
        pids.append(process.pid)
        await end_child(process)

    async def go():
        tasks = [asyncio.create_task(work()) for _ in range(3)]
        await asyncio.sleep(delay)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(go())
    assert not any(is_running(pid) for pid in pids)
