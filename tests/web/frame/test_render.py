"""Sentences of the program as pages show them."""

import pytest

from telusur.web.frame.render import show_code


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("Run `telusur index`.", "Run <code>telusur index</code>."),
        ("`a` and `b`", "<code>a</code> and <code>b</code>"),
        ("plain", "plain"),
        ("a ` alone", "a ` alone"),
        ("<b>`<i>`</b>", "&lt;b&gt;<code>&lt;i&gt;</code>&lt;/b&gt;"),
        ("``", "<code></code>"),
    ],
)
def test_what_stands_between_backticks_is_code(sentence, shown):
    assert str(show_code(sentence)) == shown
