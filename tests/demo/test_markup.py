import pytest

from telusur.demo.markup import to_html, to_plain


def html(text):
    return to_html(text, lambda link: "/to/" + link)


@pytest.mark.parametrize(
    ("source", "markup", "plain"),
    [
        ("one\ntwo", "<p>one two</p>", "one two"),
        ("## Head", "<h2>Head</h2>", "Head"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>", "a\nb"),
        ("1. a\n   more", "<ol>\n<li>a more</li>\n</ol>", "a more"),
        ("> said\n> she", "<blockquote><p>said she</p></blockquote>", "said she"),
        ("`--x` **b** *i*", "<p><code>--x</code> <strong>b</strong> <em>i</em></p>", "--x b i"),
        ("[w](x)", '<p><a href="/to/x">w</a></p>', "w"),
        ("a < b & c", "<p>a &lt; b &amp; c</p>", "a < b & c"),
        ("```\na <b>\n\n  c\n```", "<pre><code>a &lt;b&gt;\n\n  c</code></pre>", "a <b>\n\n  c"),
    ],
)
def test_one_source_gives_html_and_plain_text(source, markup, plain):
    assert html(source) == markup
    assert to_plain(source) == plain


def test_a_table_has_a_head_and_rows():
    source = "| A | B |\n|---|---|\n| 1 | 2 |"
    assert to_plain(source) == "A\tB\n1\t2"
    assert html(source) == (
        "<table>\n<tr><th>A</th> <th>B</th></tr>\n<tr><td>1</td> <td>2</td></tr>\n</table>"
    )


def test_text_around_fenced_code_keeps_its_order():
    assert to_plain("before\n\n```\ncode\n```\n\nafter") == "before\ncode\nafter"
