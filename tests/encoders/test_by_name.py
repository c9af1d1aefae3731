"""The models: tiny ones in the layout of the packages, and the real ones, which `make` installs."""

import pickle

import numpy as np
import pytest

from telusur.encoders import by_name as encoders
from telusur.encoders.by_name import find_vectors, get_encoder
from telusur.errors import UsageError
from tests.encoders.test_safetensors import write

WORDS = ("[UNK]", "owl", "bird", "bread")


def write_pieces(path):
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    path.parent.mkdir(parents=True, exist_ok=True)
    pieces = Tokenizer(WordLevel({word: n for n, word in enumerate(WORDS)}, "[UNK]"))
    pieces.pre_tokenizer = Whitespace()
    pieces.save(str(path))


def test_a_static_vector_is_the_mean_of_the_words(tmp_path):
    from telusur.encoders.static import StaticEncoder

    write_pieces(tmp_path / "tokenizers" / "l2_supercat_tokenizer_config.json")
    (tmp_path / "weights").mkdir()
    table = np.array([[0, 0], [1, 0], [1, 0], [0, 1]], np.float16)
    write(tmp_path / "weights" / "l2_supercat_256.safetensors", table=table)
    encoder = StaticEncoder(tmp_path)
    owl, both, none = encoder.encode(["owl", "bird bread", ""])
    assert encoder.dimensions == 2
    assert owl.tolist() == [1.0, 0.0]
    assert both == pytest.approx([0.5**0.5, 0.5**0.5])
    assert none.tolist() == [0.0, 0.0]


def test_the_transformer_does_not_see_what_fills_up_a_batch(tmp_path):
    from telusur.encoders.transformer import LAYERS, TransformerEncoder

    write_pieces(tmp_path / "model" / "tokenizer.json")
    write(tmp_path / "model" / "model.safetensors", **random_weights(LAYERS))
    encoder = TransformerEncoder(tmp_path)
    texts = ["owl", "bread bird owl bird bread bread", "bird owl"]
    together = encoder.encode(texts)
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert np.allclose(together, alone, atol=1e-5)
    assert np.allclose((together**2).sum(axis=1), 1.0)
    assert not np.allclose(encoder.encode(["owl bird"]), encoder.encode(["bird owl"]), atol=1e-3)


def random_weights(layers, width=24):
    chance = np.random.default_rng(1)

    def some(*shape):
        return chance.normal(size=shape).astype(np.float32)

    weights = {
        "embeddings.word_embeddings.weight": some(len(WORDS), width),
        "embeddings.position_embeddings.weight": some(16, width),
        "embeddings.token_type_embeddings.weight": some(2, width),
    }
    normed = ["embeddings"]
    for layer in range(layers):
        name = f"encoder.layer.{layer}"
        normed += [f"{name}.attention.output", f"{name}.output"]
        dense = dict.fromkeys(("query", "key", "value"), (width, width))
        parts = {f"attention.self.{part}": shape for part, shape in dense.items()}
        parts |= {
            "attention.output.dense": (width, width),
            "intermediate.dense": (2 * width, width),
            "output.dense": (width, 2 * width),
        }
        for part, shape in parts.items():
            weights[f"{name}.{part}.weight"] = some(*shape)
            weights[f"{name}.{part}.bias"] = some(shape[0])
    for name in normed:
        weights[f"{name}.LayerNorm.weight"] = some(width)
        weights[f"{name}.LayerNorm.bias"] = some(width)
    return weights


def test_the_static_model_knows_what_words_mean():
    car, automobile, soup = get_encoder("static").encode(["a car", "an automobile", "tomato soup"])
    assert car @ automobile > 0.5 > 0.3 > car @ soup


def test_the_transformer_gives_the_vectors_that_its_makers_publish():
    (vector,) = get_encoder("transformer").encode(["This is an example sentence"])
    published = [6.76569e-02, 6.34959e-02, 4.87131e-02, 7.93049e-02, 3.74480e-02]
    assert vector[:5] == pytest.approx(published, abs=5e-4)


def test_a_model_that_is_unknown_or_missing_is_told_in_a_sentence():
    with pytest.raises(UsageError, match="model 'dense' is not known; try static, transformer"):
        get_encoder("dense")
    with pytest.raises(UsageError, match="'x' is not installed; get it with `pip install y`"):
        encoders._package("no_such_package_at_all", "pip install y", "x")


def test_a_model_that_cannot_be_read_is_told_in_a_sentence(monkeypatch):
    def damaged():
        raise ValueError("no safetensors file")

    monkeypatch.setitem(encoders.ENCODERS, "damaged", damaged)
    with pytest.raises(UsageError, match="The model 'damaged' cannot be read"):
        get_encoder("damaged")


def test_the_vectors_for_a_crawl_are_sent_unloaded_and_say_the_same_elsewhere():
    vectors = find_vectors()
    assert vectors is not None, "the package comes with Telusur"
    sent = pickle.loads(pickle.dumps(vectors))
    texts = ["axe", "", "steam engine"]
    assert np.array_equal(sent.encode(texts), get_encoder("static").encode(texts))


def test_without_its_package_a_crawl_has_no_vectors(monkeypatch):
    monkeypatch.setattr(encoders, "installed_models", lambda: ())
    assert find_vectors() is None
