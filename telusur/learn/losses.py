"""How wrong the network is about labelled pages, and in which direction it must change."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from telusur.arrays import Floats
from telusur.extract.content.model import PAGE_TYPES
from telusur.extract.content.network import Batch
from telusur.learn.lessons.example import Example

TypeLoudness = Mapping[str, float]
_LOUD_FACTS = np.array([0.15, 0.05, 0.05], np.float32)
_LOUD_TYPE = 0.14
_LOUDEST_TYPE = 0.5
# How frequent each type is on sites that people crawl. Sets of pages have many forums and few
# manuals, so a model that believed in their shares would take odd pages for forums.
_TYPE_SHARES = {
    "article": 0.42, "service": 0.14, "documentation": 0.14, "product": 0.08, "collection": 0.08,
    "listing": 0.08, "forum": 0.06,
}  # fmt: skip


def loss_of(
    examples: Sequence[Example],
    batch: Batch,
    scores: Floats,
    types: Floats,
    loudness: TypeLoudness,
) -> tuple[float, Floats, Floats]:
    """Return the loss summed over the pages, and its gradients by scores and types.

    For each page: the loss of its content, plus a little for its facts and its type. Only what is
    known counts.
    """
    likely = (1 / (1 + np.exp(-np.clip(scores, -30, 30)))).astype(np.float32)
    content_loss, by_content = _loss_of_content(examples, batch, likely[:, 0])
    facts = np.concatenate([each.facts for each in examples])
    loud = np.stack([each.known_facts for each in examples])[batch.page_of] * _LOUD_FACTS
    fact_loss = float((_entropy(likely[:, 1:], facts) * loud).sum())
    by_facts = (likely[:, 1:] - facts) * loud
    type_loss, by_type = _loss_of_types(examples, types, loudness)
    by_scores = np.concatenate([by_content[:, None], by_facts], axis=1).astype(np.float32)
    return content_loss + fact_loss + type_loss, by_scores, by_type


def _loss_of_content(
    examples: Sequence[Example], batch: Batch, likely: Floats
) -> tuple[float, Floats]:
    """Return cross-entropy plus one minus F1 by words, summed over the pages, and the gradient.

    In the cross-entropy of a page a line weighs by the 0.7th power of its words.
    """
    true = np.concatenate([each.shares for each in examples])
    known = np.concatenate([each.known for each in examples])
    loudness = np.array([each.loudness for each in examples], np.float32)[batch.page_of]
    words = batch.words * known

    def per_page(values: Floats) -> Floats:
        sums: Floats = np.add.reduceat(values, batch.pages.starts)[batch.page_of]
        return sums

    weight = batch.words**0.7 * known
    weight = loudness * weight / (per_page(weight) + 1e-6)
    right, chosen = per_page(likely * true * words), per_page(likely * words)
    size = chosen + per_page(true * words) + 1e-6
    share = loudness * words / (per_page(words) + 1e-6)
    loss = float((weight * _entropy(likely, true)).sum())
    loss += float(((1 - 2 * right / size) * share).sum())
    by_likely = loudness * words * 2 * (right / size - true) / size
    return loss, weight * (likely - true) + by_likely * likely * (1 - likely)


def _loss_of_types(
    examples: Sequence[Example], scores: Floats, loudness: TypeLoudness
) -> tuple[float, Floats]:
    """Return the weighted cross-entropy of the known page types, and its gradient."""
    known = [(row, PAGE_TYPES.index(each.page_type)) for row, each in enumerate(examples)
             if each.page_type in PAGE_TYPES]  # fmt: skip
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    loss, grad = 0.0, np.zeros_like(scores)
    for row, true in known:
        loud = loudness[PAGE_TYPES[true]]
        loss -= loud * float(np.log(odds[row, true] + 1e-9))
        grad[row] = loud * odds[row]
        grad[row, true] -= loud
    return loss, grad


def loudness_of_types(examples: Sequence[Example]) -> TypeLoudness:
    """Return how much a page of each type counts, so that the types have the shares of the web."""
    counts = Counter(each.page_type for each in examples if each.page_type in PAGE_TYPES)
    known = counts.total() / sum(_TYPE_SHARES[name] for name in counts) if counts else 0
    return {
        name: min(_LOUDEST_TYPE, _LOUD_TYPE * _TYPE_SHARES[name] * known / count)
        for name, count in counts.items()
    }


def _entropy(likely: Floats, true: Floats) -> Floats:
    likely = np.clip(likely, 1e-7, 1 - 1e-7)
    result: Floats = -(true * np.log(likely) + (1 - true) * np.log(1 - likely))
    return result
