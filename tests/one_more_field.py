"""A process in which `Document` has two more rows: what else does a new field take?

Run as `python -m tests.one_more_field DIRECTORY`. It prints where the fields appear, as JSON.
"""

import importlib.machinery
import importlib.util
import io
import json
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

ROW = """    mood: str = document_field(
        "", "Its mood.", since=99, hits_since=99, label="Mood",
        facets=(Facet("mood", "mood", "Mood", since=99),),
    )
    noise: int = document_field(0, "How loud it is.", since=99, hits_since=99, is_tag=False)
"""
# What stands behind the last row.
BEHIND = "\n\n@dataclass(slots=True, frozen=True)\nclass Page:"


class OneMoreRow(importlib.machinery.SourceFileLoader):
    """Loads `telusur.models` with the rows."""

    def get_code(self, fullname):
        before, after = self.get_data(self.path).decode().split(BEHIND)
        return compile(before + ROW + BEHIND + after, self.path, "exec")


class Finder:
    """Finds `telusur.models`, and nothing else."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "telusur.models":
            return None
        location = str(Path(path[0]) / "models.py")
        return importlib.util.spec_from_file_location(
            name, location, loader=OneMoreRow(name, location)
        )


def fill(directory):
    """Make a collection with two pages, and index them."""
    from telusur.backends.embedded.store import EmbeddedStore, create_collection
    from telusur.pipeline.indexing.indexer import catch_up
    from telusur.testing.cases import StoreCase
    from telusur.testing.reading.filling import FilledStore

    class Case(StoreCase):
        def make_store(self, clock):
            create_collection(directory)
            return EmbeddedStore(directory, clock)

    filled = FilledStore(Case())
    for path, mood, noise in (("a.example/1", "Calm", 3), ("a.example/2", "wild", 80)):
        filled.fetch(path)
        filled.put_document(path, text="An owl.", mood=mood, noise=noise)
    filled.session.close()
    with closing(filled.store.index()) as index:
        catch_up(filled.store, index)
    filled.store.close()


def main(directory):
    """Print where the fields appear."""
    fill(directory)

    from rich.console import Console

    from scripts.make_docs import fields_page
    from telusur.cli.search import show_hits
    from telusur.collection import open_collection
    from telusur.extract.writing.part_records import Statements
    from telusur.models import Hit
    from telusur.search.request import SearchRequest
    from telusur.web.api.answers import describe_document
    from telusur.web.api.schemas import schema_of
    from telusur.web.frame.render import values_of
    from telusur.web.search.hit_views import view_hit
    from telusur.web.search.searching import FoundHits

    schemas = {}
    schema_of(Hit, schemas)
    with open_collection(directory) as collection:
        found = collection.search("owl mood:calm", facets=("mood",))
        columns = collection.search_columns("wild", ["mood"])
        out = Console(record=True, file=io.StringIO(), width=80)
        show_hits(found.hits, out)
        view = view_hit(found.hits[0], FoundHits(SearchRequest("owl"), found))
        print(
            json.dumps(
                {
                    "hit": [values_of(found.hits[0])[name] for name in ("mood", "noise")],
                    "hits": found.total,
                    "tags": view.tags,
                    "terminal": "Calm" in out.export_text().splitlines()[0],
                    "facet": [(one.value, one.count) for one in found.facets["mood"]],
                    "export": sorted(page["mood"] for page in collection.pages()),
                    "column": [hit.url for hit in columns.hits],
                    "page": describe_document(collection.document("http://a.example/2"))["mood"],
                    "show": [name for name in asdict(Statements()) if name in ("mood", "noise")],
                    "schema": schemas["Hit"]["properties"]["mood"],
                    "docs": [line for line in fields_page().splitlines() if "`mood`" in line],
                }
            )
        )


if __name__ == "__main__":
    sys.meta_path.insert(0, Finder)
    main(Path(sys.argv[1]))
