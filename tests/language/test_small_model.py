import contextlib
import shutil
import subprocess
import sys
from array import array
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from telusur.language.compiled import native
from telusur.language.small_model import load_small_model
from tests.language.test_detect import SENTENCES


@pytest.fixture(scope="module")
def models():
    large = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    return large, load_small_model(lambda label: True)


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=200) | st.binary(max_size=100))
def test_it_answers_as_the_whole_model_does_where_that_is_sure(models, text):
    large, small = models
    label, confidence = large.classify(text)
    same, almost = small.classify(text)
    if confidence > 0.6:  # below, rounded weights may tip the balance
        assert same == label
        assert almost == pytest.approx(confidence, abs=0.05)


@pytest.mark.parametrize(("language", "sentence"), SENTENCES.items())
def test_a_sentence_gets_the_language_of_its_speakers(models, language, sentence):
    large, small = models
    assert small.classify(sentence)[0] == large.classify(sentence)[0] == language


def test_it_is_small(models):
    _, small = models
    automaton = (small.tk_nextmove, small._piece_of, small._rowbase, small.tk_output)
    assert sum(len(part) * part.itemsize for part in automaton) < 8_000_000
    assert small.nb_ptc.nbytes < 15_000_000


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the peak")
def test_loading_it_takes_little_more_than_keeping_it():
    """In a process of its own, since the most memory that a process ever had is counted."""
    program = (
        "import re\n"
        "from telusur.machine.memory import return_large_blocks\n"
        "from telusur.language.small_model import load_small_model\n"
        "return_large_blocks()\n"
        "peak = lambda: int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
        "before = peak()\n"
        "model = load_small_model(lambda label: len(label) == 2)\n"
        "print(peak() - before)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert int(run.stdout) < 45_000


@given(data=st.binary(max_size=300) | st.text(max_size=100).map(str.encode))
def test_the_compiled_way_meets_the_same_features(models, data):
    _, small = models
    met = [each.tolist() for each in small._visit(data)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("telusur.language.small_model.native", None)
        assert [each.tolist() for each in small._visit(data)] == met


def test_an_automaton_that_leads_out_of_itself_is_refused():
    if native is None:
        pytest.skip("Telusur was installed without a compiler")
    numbers, table = array("I", [7] * 16), array("B", [0])
    with pytest.raises(ValueError, match="out of itself"):
        native.visits(numbers, numbers, numbers, numbers, b"a", table, 1)


def wants_two(label):
    return label in ("id", "tr")


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Two languages, loaded where nothing can be kept."""
    gone = tmp_path_factory.mktemp("cache") / "gone"
    model = load_small_model(wants_two, gone)
    assert not gone.exists()
    return model


@pytest.fixture(scope="module")
def first_cache(tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache")
    load_small_model(wants_two, cache)
    return cache


@pytest.fixture
def cache(first_cache, tmp_path):
    """A cache with the model, which a test may change."""
    return shutil.copytree(first_cache, tmp_path / "cache")


def kept_in(cache):
    (kept,) = cache.iterdir()
    return kept


def test_a_kept_model_gives_the_same_answers(cache, two):
    made = kept_in(cache).stat()
    model = load_small_model(wants_two, cache)
    assert model.nb_classes == ["id", "tr"]
    for text in (*SENTENCES.values(), ""):
        assert model.classify(text) == two.classify(text)
    assert isinstance(model.nb_ptc, np.memmap)
    assert kept_in(cache).stat() == made, "it was made again"


def test_one_with_other_languages_is_replaced(cache):
    assert load_small_model(lambda label: label == "en", cache).nb_classes == ["en"]
    assert len(list(cache.iterdir())) == 1


@pytest.mark.parametrize(
    "name", ["weights.npy", pytest.param("about.json", marks=pytest.mark.slow)]
)
def test_one_that_is_damaged_is_replaced(cache, two, name):
    file = kept_in(cache) / name
    file.write_bytes(file.read_bytes()[:50])
    text = SENTENCES["id"]
    assert load_small_model(wants_two, cache).classify(text) == two.classify(text)
    assert file.stat().st_size > 50


FIRST_USE = """
import sys
from pathlib import Path
from telusur.language.small_model import load_small_model
sys.stdin.read()
model = load_small_model(lambda label: label in ("id", "tr"), Path(sys.argv[1]))
print(repr(model.classify(sys.argv[2])), type(model.nb_ptc).__name__)
"""


def test_processes_that_use_it_first_at_the_same_time_keep_it_once(tmp_path, two):
    text = SENTENCES["id"]
    command = [sys.executable, "-c", FIRST_USE, str(tmp_path), text]
    with contextlib.ExitStack() as all_of_them:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        started = [all_of_them.enter_context(subprocess.Popen(command, **pipes)) for _ in range(3)]
        for process in started:
            process.stdin.close()
        told = [process.stdout.read() for process in started]
    assert told == [f"{two.classify(text)!r} memmap\n"] * 3
    assert len(list(tmp_path.iterdir())) == 1
