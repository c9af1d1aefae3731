"""The labels that people gave to clusters, stored with the collection by the shape of blocks."""

import json
import re
import threading
from collections import Counter, defaultdict
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from telusur.errors import UsageError
from telusur.learn.pages.label_sheets import LABELS
from telusur.reports.clusters.shapes import Shape
from telusur.store.blobs import Blobs

#: Given as a label, it removes the label that a person gave.
AUTO = "auto"
_FOLDER = "clusters"
_UNSAFE = re.compile(r"[^a-z0-9.]+")
_MOST_SHAPES = 5_000
_WRITING = threading.Lock()


class ClusterNames:
    """Labels of shapes; an empty label means that a cluster with the shape has no label."""

    def __init__(self, labels: Mapping[Shape, str]) -> None:
        self._labels = dict(labels)
        self._of_place: dict[tuple[str, str, int], Counter[str]] = defaultdict(Counter)
        for shape, label in self._labels.items():
            self._of_place[shape.place][label] += 1

    def label_of(self, shapes: Mapping[Shape, int]) -> str:
        """Return the label of a cluster, given how many blocks of each shape it has; or "".

        At least half of its blocks must have a shape with the label. A new shape counts like most
        others of its place.
        """
        votes = Counter[str]()
        for shape, count in shapes.items():
            said = self._labels.get(shape)
            if said is None and (others := self._of_place.get(shape.place)):
                said = others.most_common(1)[0][0]
            votes[said or ""] += count
        label, count = max(votes.items(), key=lambda vote: (bool(vote[0]), vote[1]))
        return label if 2 * count >= votes.total() else ""


def read_names(blobs: Blobs, site: str) -> ClusterNames:
    """Return the labels that people gave to clusters of a site."""
    return ClusterNames(_read(blobs, site))


def write_names(
    blobs: Blobs, site: str, given: Mapping[str, str], clusters: Mapping[str, Mapping[Shape, int]]
) -> None:
    """Store labels of clusters by their keys; `clusters` has the shapes of all clusters."""
    for label in given.values():
        if label not in (*LABELS, AUTO):
            raise UsageError(
                f"label: {label[:40]!r} is not one of {', '.join(LABELS)}, or {AUTO} for none."
            )
    with _WRITING:
        known = _read(blobs, site)
        before = ClusterNames(known)
        chosen = {key: before.label_of(shapes) for key, shapes in clusters.items()}
        chosen |= given
        fresh: dict[Shape, str] = {}
        # Shapes of clusters without a label are stored too, or they would count like their place.
        for key in sorted(clusters, key=lambda key: key in given):
            label = chosen[key].replace(AUTO, "")
            fresh |= dict.fromkeys(clusters[key], label)
        known = _kept(known | fresh)
        rows = [{**shape._asdict(), "label": label} for shape, label in known.items()]
        text = json.dumps({"site": site, "shapes": rows}, ensure_ascii=False, indent=1)
        blobs.write(_name_of(site), text.encode("utf-8", "replace"))


def _kept(labels: Mapping[Shape, str]) -> dict[Shape, str]:
    """Return the last shapes, and of those without a label only where others have one."""
    named = {shape.place for shape, label in labels.items() if label}
    rows = [(shape, label) for shape, label in labels.items() if label or shape.place in named]
    return dict(rows[-_MOST_SHAPES:])


def _read(blobs: Blobs, site: str) -> dict[Shape, str]:
    try:
        stored = json.loads(blobs.read(_name_of(site)) or b"{}")
        return dict(map(_shape_in, stored.get("shapes", ())))
    except (ValueError, AttributeError, KeyError, TypeError):
        return {}  # somebody's broken file is like none; naming a cluster replaces it


def _shape_in(row: Mapping[str, Any]) -> tuple[Shape, str]:
    shape = Shape(str(row["path"]), str(row["names"]), int(row["links"]), int(row["length"]))
    label = str(row["label"])
    return shape, label if label in LABELS else ""


def _name_of(site: str) -> str:
    """Return the file name of a site: readable, and unique."""
    readable = _UNSAFE.sub("-", site.lower())[:60].strip("-.")
    digest = blake2b(site.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return f"{_FOLDER}/{readable}-{digest}.json"
