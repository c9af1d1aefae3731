"""Extraction, "bytes in, Document out": decode, parse, links, visible text, blocks, metadata.

`telusur.extract` is both this folder and the public function of the same name: the module can be
called, so that `telusur.extract(html)` works whichever part of the folder was imported before.
"""

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING

# Loaded with the first page: a module of this folder that is needed alone would load all others.
if TYPE_CHECKING:
    from telusur.extract.content.model import Model
    from telusur.models import Document


class _CallableModule(ModuleType):
    def __call__(
        self,
        html: bytes | str,
        url: str | None = "",
        *,
        content_type: str | None = "",
        content: str = "article",
        model: "Model | None" = None,
        style_sheets: Mapping[str, str] | None = None,
    ) -> "Document":
        """Return the content of a page; see `extract_document`."""
        from telusur.extract.document import extract_document

        return extract_document(
            html,
            url,
            content_type=content_type,
            content=content,
            model=model,
            style_sheets=style_sheets,
        )


sys.modules[__name__].__class__ = _CallableModule
