"""What a person types that would end up where others can read it."""

import pytest


@pytest.mark.parametrize(
    "typed", ["http://me:S3CRET@127.0.0.1:1/", "me:S3CRET@example.org/", "http://me@example.org/"]
)
def test_a_password_in_a_start_url_is_one_sentence_and_kept_nowhere(telusur, tmp_path, typed):
    ran = telusur("crawl", typed, "--to", "c", "--allow-private")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "leave user name and password out of the address" in ran.err
    assert "--header" in ran.err
    assert "S3CRET" not in ran.err
    assert not (tmp_path / "c").exists()


def test_a_password_in_other_addresses_is_refused_too(telusur, tmp_path):
    (tmp_path / "urls.txt").write_text("http://me:S3CRET@example.org/\n")
    for words in (
        ("crawl", "--urls-from", "urls.txt", "--to", "c"),
        ("crawl", "http://example.org/", "--like", "http://me:S3CRET@example.org/", "--to", "c"),
        ("extract", "http://me:S3CRET@example.org/"),
    ):
        ran = telusur(*words)
        assert ran.code == 2
        assert "leave user name and password out" in ran.err
        assert "S3CRET" not in ran.err
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize("agent", ["x\r\nX-Injected: 1", "x\ny", "x\x00", "x\x7f", "Zoë"])
def test_a_user_agent_that_is_more_than_one_line_is_refused(telusur, tmp_path, monkeypatch, agent):
    flags = ("crawl", "http://example.org/", "--to", "c")
    runs = [telusur(*flags, "--user-agent", agent)]
    if "\x00" not in agent:
        monkeypatch.setenv("TELUSUR_USER_AGENT", agent)
        runs.append(telusur(*flags))
        monkeypatch.delenv("TELUSUR_USER_AGENT")
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in agent)
    (tmp_path / "telusur.toml").write_text(f'[crawl]\nuser_agent = "{escaped}"\n')
    runs.append(telusur(*flags))
    for ran in runs:
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert "write it as plain ASCII text on one line" in ran.err
    assert not (tmp_path / "c").exists()
