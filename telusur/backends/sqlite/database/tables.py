"""The tables of `collection.db`. A change needs a higher `TABLES_FORMAT` and a migration.

A new field of a document names its format, and is added automatically.
"""

from telusur.backends.sqlite.document_row import STORED, column_type

TABLES_FORMAT = 7
FORMAT = max(TABLES_FORMAT, *(field.since for field in STORED))

URLS = """
CREATE TABLE urls (
    seq INTEGER PRIMARY KEY,                  -- order of discovery
    url_id BLOB NOT NULL,                     -- found through the runs below: seq_of(url_id)
    url TEXT NOT NULL,
    host_id INTEGER NOT NULL REFERENCES hosts (id),
    state INTEGER NOT NULL,                   -- 0 waiting 1 leased 2 done 3 failed 4 skipped
    reason TEXT NOT NULL DEFAULT '',
    score REAL NOT NULL DEFAULT 0,
    depth INTEGER NOT NULL,
    hops INTEGER NOT NULL DEFAULT 0,          -- redirects on the way here
    tries INTEGER NOT NULL DEFAULT 0,
    retry_at REAL NOT NULL DEFAULT 0,
    parent BLOB,
    anchor TEXT NOT NULL DEFAULT '',
    found_at REAL NOT NULL,
    changed_at REAL NOT NULL
);
"""

URL_INDEXES = """
CREATE INDEX urls_waiting ON urls (host_id, score DESC, seq) WHERE state = 0;
CREATE INDEX urls_leased ON urls (host_id) WHERE state = 1;
"""

SEEN = """
CREATE TABLE seen_runs (                      -- ids of all rows up to meta.seen_to, sorted
    id INTEGER PRIMARY KEY,
    level INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    first_block INTEGER NOT NULL,
    fences BLOB NOT NULL,                     -- first half of the first id of each block
    filter BLOB NOT NULL
);
CREATE TABLE seen_blocks (id INTEGER PRIMARY KEY, entries BLOB NOT NULL);
"""

OTHERS = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE crawls (
    id INTEGER PRIMARY KEY,
    started_at REAL NOT NULL,
    ended_at REAL,
    settings TEXT NOT NULL,
    start_urls TEXT NOT NULL,
    outcome TEXT NOT NULL DEFAULT 'running'
);
CREATE TABLE sites (
    id INTEGER PRIMARY KEY,
    site TEXT NOT NULL UNIQUE,
    taken INTEGER NOT NULL DEFAULT 0          -- pages fetched: what fairness compares
);
CREATE TABLE hosts (
    id INTEGER PRIMARY KEY,
    host TEXT NOT NULL UNIQUE,
    site_id INTEGER NOT NULL REFERENCES sites (id),
    waiting INTEGER NOT NULL DEFAULT 0,       -- urls in state 0
    leased INTEGER NOT NULL DEFAULT 0,        -- 1 while a scouter has the host
    not_before REAL NOT NULL DEFAULT 0,
    robots BLOB,                              -- the file as last fetched
    robots_status INTEGER,
    robots_at REAL
);
CREATE INDEX hosts_ready ON hosts (not_before) WHERE waiting > 0 AND leased = 0;
CREATE TABLE pages (                          -- every finished fetch, also of tries that failed
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    url_id BLOB NOT NULL,
    fetched_at REAL NOT NULL,
    seconds REAL NOT NULL,
    status INTEGER,
    reason TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    truncated INTEGER NOT NULL,
    final INTEGER NOT NULL,                   -- 0: the URL will be tried again
    warc_file TEXT,
    warc_offset INTEGER,
    warc_length INTEGER,
    operations TEXT NOT NULL DEFAULT '',      -- seconds by operation: "extract 0.005123,links ..."
    crawl_id INTEGER                          -- the crawl that fetched it
);
CREATE INDEX pages_of_url ON pages (url_id);
"""

DOCUMENTS = f"""
CREATE TABLE documents (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,    -- grows with every change: the indexer follows it
    url_id BLOB NOT NULL UNIQUE,
    site TEXT NOT NULL,
    fetched_at REAL NOT NULL,
    digest BLOB NOT NULL,                     -- of title and text: exact duplicates share it
    canonical BLOB,                           -- url_id that the page names as its original
    not_indexed TEXT NOT NULL,                -- the reason, or empty
    {", ".join(f"{field.name} {column_type(field)}" for field in STORED)}
);
CREATE INDEX documents_digest ON documents (digest);
CREATE INDEX documents_site ON documents (site);
"""

# Created when a crawl with a topic begins: scores are stored behind the long texts.
BY_TOPIC = (
    "CREATE INDEX IF NOT EXISTS documents_topics ON documents (fetched_at, topic_score, url_id)"
    " WHERE topic_score IS NOT NULL"
)
TOPIC_SCORES = "SELECT url_id, topic_score FROM documents WHERE topic_score IS NOT NULL"

# Which crawl fetched a page, for a collection that does not say so.
CRAWL_BY_TIME = "(SELECT max(crawls.id) FROM crawls WHERE crawls.started_at <= fetched_at)"

COPIES = """
CREATE INDEX documents_copies ON documents (not_indexed) WHERE not_indexed != '';
"""

LINKS = """
CREATE TABLE links (                          -- one compressed record a page
    url_id BLOB PRIMARY KEY,
    targets BLOB NOT NULL,                    -- url_ids, 16 bytes each: the edges of the graph
    links BLOB NOT NULL                       -- in the same order: see crawl/urls/link_record.py
) WITHOUT ROWID;
"""

STRATEGY = """
CREATE TABLE notes (                          -- what a strategy remembers about a waiting URL
    seq INTEGER PRIMARY KEY,                  -- that of urls
    note BLOB NOT NULL
);
CREATE TABLE strategy_state (part TEXT PRIMARY KEY, value BLOB NOT NULL);
CREATE TABLE marks (                          -- pages that the user called good or bad
    url_id BLOB PRIMARY KEY,
    is_good INTEGER NOT NULL,
    marked_at REAL NOT NULL,
    url TEXT NOT NULL DEFAULT ''              -- as the user named it
);
"""

SITEMAPS = """
CREATE TABLE sitemaps (                       -- those of urls that are sitemaps
    seq INTEGER PRIMARY KEY,                  -- that of urls
    site_id INTEGER NOT NULL REFERENCES sites (id),
    level INTEGER NOT NULL,                   -- sitemaps that lead to it, itself included
    urls INTEGER                              -- how many it names; empty until it was read
);
CREATE INDEX sitemaps_of_site ON sitemaps (site_id);
CREATE TABLE listed (                         -- what the newest sitemap that names a URL says
    seq INTEGER PRIMARY KEY,                  -- that of urls
    sitemap INTEGER NOT NULL,                 -- seq of the sitemap
    lastmod REAL,
    changefreq TEXT NOT NULL,                 -- always hourly daily weekly monthly yearly never
    priority REAL
);
"""

SITE_RECORDS = """
CREATE TABLE site_records (                   -- what was learned about a site while crawling
    site TEXT PRIMARY KEY,
    record BLOB NOT NULL                      -- see extract/site/record.py
);
"""

SCHEMA = (
    URLS
    + URL_INDEXES
    + SEEN
    + OTHERS
    + DOCUMENTS
    + COPIES
    + LINKS
    + STRATEGY
    + SITEMAPS
    + SITE_RECORDS
)
