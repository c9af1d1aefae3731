"""The parameters of the pages about the clusters of a site."""

from telusur.web.frame.params import MAX_PAGE, MAX_URL_CHARS, Param

#: Per page: a form may have 200 fields.
MOST_CLUSTERS = 150
SITE = Param("site", "text", "a site of the collection; may be left out if it is the only one", "",
             most=300)  # fmt: skip
LOOK = Param("look", "choice", "parsed: as the parser sees the pages; rendered: as a browser "
             "showed them to `telusur clusters --render`", "parsed",
             choices=("parsed", "rendered"))  # fmt: skip
CLUSTERS = (SITE, LOOK, Param("page", "whole", "the page of clusters", 1, most=MAX_PAGE),
            Param("limit", "whole", "clusters per page", 50, most=MOST_CLUSTERS))  # fmt: skip
ONE_PAGE = (
    SITE, LOOK,
    Param("url", "address", "a page of the site; by default the one with the most clusters", "",
          most=MAX_URL_CHARS),
    Param("cluster", "whole", "outline only this cluster", 0, least=0, most=1_000_000),
)  # fmt: skip
DATA = (SITE, LOOK)
