"""The parameters of the views of one page or one site, as tables like those of `params.py`."""

from telusur.reports.audit_records import COLUMNS
from telusur.web.frame.params import MAX_PAGE, QUERY, URL, Param

# Per page: a form may have 200 fields.
MOST_BLOCKS = 150
VIEW = Param("view", "choice", "content: the text of the page; original: its original layout",
             "content", choices=("content", "original", "blocks"))  # fmt: skip
COPY = (URL, QUERY, VIEW)
SIDE = Param("side", "choice", "out: links of the page; in: links to it", "out",
             choices=("out", "in"))  # fmt: skip
AFTER = Param("after", "text", "with side=in: where to continue, from an earlier response",
              "", most=200)  # fmt: skip
PAGE_LINKS = (URL, SIDE, AFTER, Param("page", "whole", "the page of links", 1, most=MAX_PAGE),
              Param("limit", "whole", "links per page", 50, most=500))  # fmt: skip
PAGE_SCORE = (URL, QUERY)
PAGE_BLOCKS = (URL, Param("page", "whole", "the page of blocks", 1, most=MAX_PAGE),
               Param("limit", "whole", "blocks per page", 100, most=MOST_BLOCKS))  # fmt: skip
PAGE_POSTS = (URL, Param("page", "whole", "the page of posts", 1, most=MAX_PAGE),
              Param("limit", "whole", "posts per page", 50, most=500))  # fmt: skip

SITE_NAME = Param("site", "text", "a site of the collection; empty for all", "", most=300)
SITE = (SITE_NAME,)
SITE_ROWS = (SITE_NAME, Param("limit", "whole", "rows of each kind of finding", 100, most=10_000))
SITE_CSV = (SITE_NAME, Param("kind", "choice", "which findings", "broken_links",
                             choices=tuple(COLUMNS)))  # fmt: skip
SITE_FILES = (SITE_NAME, Param("type", "text", "image, pdf, audio, video, document, archive, feed, "
                               "or a media type", "image", most=100))  # fmt: skip
