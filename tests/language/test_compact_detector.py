import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telusur.language.compact_detector import recognise
from telusur.language.detect import detect_language
from tests.language.test_detect import SENTENCES

PAGES = {
    "id": (
        "Perpustakaan kota buka setiap hari kecuali hari libur nasional. Pengunjung dapat meminjam "
        "buku selama dua minggu, dan masa peminjaman bisa diperpanjang lewat telepon. Anak-anak "
        "boleh masuk bersama orang tua mereka. Di lantai dua tersedia ruang baca yang tenang, "
        "sedangkan koran dan majalah ada di lantai satu. Kalau buku yang Anda cari sedang dipinjam "
        "orang lain, petugas akan memberi tahu Anda begitu buku itu dikembalikan. Kartu anggota "
        "gratis untuk pelajar, tetapi orang dewasa harus membayar biaya tahunan. Jangan lupa "
        "membawa kartu tanda penduduk ketika mendaftar, karena tanpa kartu itu pendaftaran tidak "
        "bisa diproses oleh petugas kami."
    ),
    "ms": (
        "Perpustakaan bandar dibuka setiap hari kecuali cuti umum. Pengunjung boleh meminjam buku "
        "selama dua minggu, dan tempoh pinjaman boleh dilanjutkan melalui telefon. Kanak-kanak "
        "boleh masuk bersama ibu bapa mereka. Di tingkat dua disediakan bilik bacaan yang sunyi, "
        "manakala surat khabar dan majalah berada di tingkat satu. Sekiranya buku yang anda cari "
        "sedang dipinjam oleh orang lain, kakitangan kami akan memberitahu anda sebaik sahaja buku "
        "itu dipulangkan. Kad ahli adalah percuma untuk pelajar, tetapi orang dewasa perlu membayar"
        " yuran tahunan. Jangan lupa membawa kad pengenalan semasa mendaftar, kerana tanpa kad itu "
        "pendaftaran tidak dapat diproses."
    ),
    "tr": (
        "Şehir kütüphanesi resmi tatiller dışında her gün açıktır. Ziyaretçiler kitapları iki hafta"
        " süreyle ödünç alabilir ve süre telefonla uzatılabilir. Çocuklar anne ve babalarıyla "
        "birlikte girebilir. İkinci katta sessiz bir okuma salonu vardır, gazeteler ve dergiler ise"
        " birinci kattadır. Aradığınız kitap başkasındaysa, geri geldiğinde görevliler size haber "
        "verir. Öğrenciler için üyelik ücretsizdir, yetişkinler yıllık bir ücret öder."
    ),
}


@pytest.mark.parametrize(("language", "page"), PAGES.items())
def test_a_page_gets_the_language_of_its_speakers(language, page):
    assert detect_language(page) == language


@pytest.mark.parametrize("sentence", [SENTENCES["id"], SENTENCES["ja"][:30], "Tamam mı?", ""])
def test_it_leaves_short_texts_and_close_relatives_to_the_larger_model(sentence):
    assert recognise(sentence) is None


def test_spanish_about_computers_is_not_english():
    words = (
        "El uso del protocolo de cifrado obsoleto WEP es posible con el paquete wireless-tools. "
        "Para instrucciones consulte /usr/share/doc/wireless-tools/README.Debian."
    )
    assert detect_language(words) == "es"


@given(text=st.text(min_size=60, max_size=400))
@settings(deadline=None)
def test_any_text_may_be_asked_about(text):
    recognised = recognise(text * 3)
    assert recognised is None or len(recognised[0]) == 2


def test_characters_that_no_text_may_have_do_not_matter():
    odd = "".join(
        chr(number)
        for number in range(0x110000)
        if unicodedata.category(chr(number)) in ("Cc", "Cs", "Cn") and number % 997 < 60
    )
    pytest.importorskip("pycld2")
    for start in range(0, len(odd), 300):
        assert recognise(odd[start : start + 300] + PAGES["tr"]) in (("tr", 0.99), None)
    assert recognise("\0\ud800\ufffe\U0010ffff" + PAGES["tr"]) is not None


def test_without_it_the_larger_model_answers():
    """As on systems that it is not made for: a process that cannot import it."""
    program = (
        "import sys\n"
        "sys.modules['pycld2'] = None\n"
        "from telusur.language.compact_detector import recognise\n"
        "from telusur.language.detect import detect_language\n"
        "text = sys.stdin.read()\n"
        "assert recognise(text) is None\n"
        "print(detect_language(text))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        input=PAGES["tr"],
        capture_output=True,
        check=True,
        text=True,
    )
    assert run.stdout.strip() == "tr"
