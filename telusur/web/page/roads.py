"""The routes of one page that change something; a read-only server has none of them."""

from telusur.web.frame import urls
from telusur.web.frame.params import TOKEN, Param, form_field
from telusur.web.page import label_form, mark_form
from telusur.web.roads import HTML, Road
from telusur.web.site.clusters import form as cluster_form


def _field(name: str, help: str) -> Param:
    return form_field(name, help, most=16_000)


LABEL_ROADS = (
    Road(urls.PAGE_LABEL, label_form.put_labels, "Saves corrected labels.",
         (TOKEN, _field("url", "the page"),
          _field("label-0", "the label of block 0; likewise for each block"),
          _field("page", "the page of the list to return to")), HTML, methods=("POST",)),
    Road(urls.SITE_CLUSTER_LABEL, cluster_form.put_cluster_labels, "Labels clusters of a site.",
         (TOKEN, _field("site", "the site"), _field("look", "rendered, or empty"),
          _field("label-KEY", "the label of the cluster with this key, or auto to remove it"),
          _field("page", "the page of the list to return to"),
          _field("url", "or the page of the site to return to"),
          _field("cluster", "and the cluster outlined there")), HTML, methods=("POST",)),
    Road(urls.PAGE_MARK, mark_form.put_mark, "Marks a page as good or bad for the topic.",
         (TOKEN, _field("url", "the page"), _field("said", "good, bad, or forget")), HTML,
         methods=("POST",)),
)  # fmt: skip
