import os

from telusur.backends.files.blobs import FileBlobs
from telusur.reports.word_lists import COMMON, SYNONYMS, WordLists, stop_words_file
from telusur.search.query.lexicon import NO_LEXICON


def test_without_files_there_are_no_lists_of_the_user(tmp_path):
    assert WordLists(FileBlobs(tmp_path)).lexicon() is NO_LEXICON


def test_files_are_read_again_when_they_change(tmp_path):
    files, source = WordLists(FileBlobs(tmp_path)), tmp_path / "mine.txt"
    source.write_text("a, b\n", encoding="utf-8")
    files.put(SYNONYMS, source)
    first = files.lexicon()
    assert len(first.synonyms.pairs) == 2
    assert files.lexicon() is first
    path = tmp_path / "words" / SYNONYMS
    path.write_text("a, b, c\n", encoding="utf-8")
    os.utime(path, ns=(1, 1))
    assert len(files.lexicon().synonyms.pairs) == 6
    files.put(SYNONYMS, None)
    assert files.lexicon().synonyms.pairs == ()


def test_a_list_knows_its_language(tmp_path):
    files, source = WordLists(FileBlobs(tmp_path)), tmp_path / "mine.txt"
    source.write_text("\ufeffILIK", encoding="utf-8")
    files.put(stop_words_file("tr"), source)
    files.put(COMMON, source)
    lexicon = files.lexicon()
    assert lexicon.stop_words == {"tr": frozenset({"ılık"})}
    assert lexicon.is_stop_word("Ilık", "tr")
    assert not lexicon.is_stop_word("ve", "tr")
    assert lexicon.is_stop_word("ilik", "en")
    assert lexicon.is_stop_word("the", "en")
