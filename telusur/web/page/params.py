"""What may be asked about one page or one site, as tables like those of `params.py`."""

from telusur.adapters.sqlite_links import PARTS
from telusur.run.audit_records import COLUMNS
from telusur.web.params import MAX_PAGE, QUERY, URL, Param

MOST_BLOCKS = 150
"""On one page: a form may have 200 fields."""
VIEW = Param("view", "choice", "content: what the page says; original: as it looked", "content",
             choices=("content", "original", "blocks"))  # fmt: skip
COPY = (URL, QUERY, VIEW)
SIDE = Param("side", "choice", "out: links of the page; in: links to it", "out",
             choices=("out", "in"))  # fmt: skip
AFTER = Param("after", "whole", "with side=in: where to look on, as an earlier answer has it", 0,
              least=0, most=PARTS - 1)  # fmt: skip
PAGE_LINKS = (URL, SIDE, AFTER, Param("page", "whole", "which page of links", 1, most=MAX_PAGE),
              Param("limit", "whole", "links on a page", 50, most=500))  # fmt: skip
PAGE_SCORE = (URL, QUERY)
PAGE_BLOCKS = (URL, Param("page", "whole", "which page of blocks", 1, most=MAX_PAGE),
               Param("limit", "whole", "blocks on a page", 100, most=MOST_BLOCKS))  # fmt: skip

SITE_NAME = Param("site", "text", "a site of the collection; empty for all", "", most=300)
SITE = (SITE_NAME,)
SITE_ROWS = (SITE_NAME, Param("limit", "whole", "rows of each kind of finding", 100, most=10_000))
SITE_CSV = (SITE_NAME, Param("kind", "choice", "which findings", "broken_links",
                             choices=tuple(COLUMNS)))  # fmt: skip
SITE_FILES = (SITE_NAME, Param("type", "text", "image, pdf, audio, video, document, archive, feed, "
                               "or a media type", "image", most=100))  # fmt: skip
