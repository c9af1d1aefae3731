import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.extract.page.decode import (
    _RUN_WITH_HIGH_BYTES,
    _runs_with_high_bytes,
    clean_text,
    decode_html,
    detect_encoding,
)

RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю"
SAMPLES = {
    "windows-1251": RUSSIAN,
    "windows-1254": "İstanbul'da güneşli bir gündü; çocuklar ağaçların altında şarkı söylüyorlardı",
    "windows-1252": "Über den Dächern saß ein Käuzchen und äugte schläfrig in die kühle Frühe",
    "shift_jis": "日本語のテキストです。これは文字コードを判定するための文章です。",
    "euc-jp": "日本語のテキストです。これは文字コードを判定するための文章です。",
    "gb18030": "这是一个用来测试编码检测的中文网页,里面有一些常用的汉字和句子。",
    "big5": "這是一個用來測試編碼檢測的中文網頁,裡面有一些常用的漢字和句子。",
    "euc-kr": "한국어로 쓴 글입니다. 이 글은 문자 인코딩을 알아내는 데 쓰입니다.",
    "utf-8": RUSSIAN,
}


@pytest.mark.parametrize("name", SAMPLES)
def test_unlabelled_bytes(name):
    text, _ = decode_html(f"<title>x</title><p>{SAMPLES[name]}</p>".encode(name))
    assert SAMPLES[name] in text


@pytest.mark.parametrize(
    ("data", "content_type", "name"),
    [
        (b"\xef\xbb\xbfabc", "text/html; charset=windows-1251", "utf-8"),
        ("\ufeffабв".encode("utf-16-le"), "text/html; charset=iso-8859-1", "utf-16le"),
        (b"<meta charset=utf-8>abc", "text/html; charset=windows-1251", "windows-1251"),
        (b"<meta charset=windows-1251>abc", "text/html", "windows-1251"),
        (b"<meta charset=windows-1251>abc", "text/html; charset=klingon", "windows-1251"),
        (b"<meta charset=utf-16le>abc", "", "utf-8"),
        (b"abc", "text/html; charset = 'Latin1'", "windows-1252"),
        (b"abc", "", "windows-1252"),
        (b"<!--" + b"x" * 2000 + b"--><meta charset=iso-8859-2>", "", "iso-8859-2"),
        (b"<!-- <meta charset=iso-8859-2> --><p>", "", "windows-1252"),
    ],
)
def test_which_label_wins(data, content_type, name):
    assert decode_html(data, content_type)[1] == name


@pytest.mark.parametrize(
    "label", ["zip", "rot13", "unicode_escape", "idna", "utf-7", "hex", "base64"]
)
def test_names_of_python_codecs_are_no_labels(label):
    data = f"<meta charset={label}><p>Codec \\u0041</p>".encode()
    text, name = decode_html(data, f"text/html; charset={label}")
    assert (text, name) == (data.decode(), "windows-1252")


@pytest.mark.parametrize("content_type", ["text/html; charset=utf-8", ""])
def test_a_utf8_label_on_other_bytes_is_passed_over(content_type):
    data = b"<meta charset=utf-8><p>" + RUSSIAN.encode("windows-1251")
    assert decode_html(data, content_type)[1] == "windows-1251"


def test_one_broken_character_does_not_refute_utf8():
    text, name = decode_html(f"<p>{RUSSIAN}".encode() + b"\xff", "text/html; charset=utf-8")
    assert (text, name) == (f"<p>{RUSSIAN}\ufffd", "utf-8")


def test_a_latin1_label_on_utf8_is_passed_over():
    assert RUSSIAN in decode_html(RUSSIAN.encode(), "text/html; charset=iso-8859-1")[0]


def test_utf8_cut_within_a_character_is_still_utf8():
    assert detect_encoding("жук".encode()[:-1]) == "utf-8"


def test_nuls_are_dropped():
    assert decode_html(b"a\x00b")[0] == "ab"


@given(st.binary(max_size=500), st.text(max_size=40))
def test_any_bytes_and_header(data, content_type):
    text, name = decode_html(data, content_type)
    assert "\x00" not in text
    assert name == name.lower()


@given(
    st.lists(
        st.sampled_from(
            [b"<meta", b" ", b"charset", b"=", b'"', b"'", b"utf-8", b">", b"<!--", b"<a", b"/"]
        )
    )
)
def test_any_start_of_a_head(pieces):
    assert decode_html(b"".join(pieces))[1] in ("utf-8", "windows-1252")


def test_halves_of_characters_and_nuls_are_no_text():
    assert clean_text("tide \ud800\x00 \udc00 \ud83c\udf0a") == "tide \ufffd \ufffd 🌊"
    assert clean_text("潮") == "潮"


_PIECES = st.sampled_from([b"<", b">", b"a" * 150, b"b" * 3, b"\xe9", b"\xff" * 2, b" " * 420])


@given(st.lists(_PIECES | st.binary(max_size=5), max_size=30).map(b"".join))
def test_the_text_around_high_bytes_is_what_a_search_by_the_pattern_finds(data):
    assert list(_runs_with_high_bytes(data)) == _RUN_WITH_HIGH_BYTES.findall(data)
