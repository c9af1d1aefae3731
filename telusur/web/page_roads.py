"""The roads of one page that change something; a server that only shows has none of them."""

from telusur.web import label_form, mark_form, urls
from telusur.web.params import Param
from telusur.web.roads import HTML, Road


def _form(name: str, help: str) -> Param:
    return Param(name, "text", help, "", most=16_000, place="form")


_TOKEN = _form("token", "that of a form or of /crawls/new.json, with the cookie it came with")

LABEL_ROADS = (
    Road(urls.PAGE_LABEL, label_form.put_labels, "Keeps labels that a person put right.",
         (_TOKEN, _form("url", "the page"),
          _form("label-0", "the label of block 0; so for each block"),
          _form("page", "the page of the list to go back to")), HTML, methods=("POST",)),
    Road(urls.PAGE_MARK, mark_form.put_mark, "Calls a page good or bad for the topic.",
         (_TOKEN, _form("url", "the page"), _form("said", "good, bad, or forget")), HTML,
         methods=("POST",)),
)  # fmt: skip
