-- The tables of a collection as Telusur 0.1 made them, format 1.
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
CREATE TABLE urls (
    seq INTEGER PRIMARY KEY,                  -- order of discovery
    url_id BLOB NOT NULL UNIQUE,
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
CREATE INDEX urls_waiting ON urls (host_id, score DESC, seq) WHERE state = 0;
CREATE INDEX urls_leased ON urls (host_id) WHERE state = 1;
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
    warc_length INTEGER
);
CREATE INDEX pages_of_url ON pages (url_id);
CREATE TABLE documents (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,    -- grows with every change: the indexer follows it
    url_id BLOB NOT NULL UNIQUE,
    url TEXT NOT NULL,
    site TEXT NOT NULL,
    fetched_at REAL NOT NULL,
    title TEXT NOT NULL,
    author TEXT,
    date TEXT,
    description TEXT NOT NULL,
    keywords TEXT NOT NULL,
    text TEXT NOT NULL,
    language TEXT NOT NULL,
    html5 INTEGER NOT NULL,
    digest BLOB NOT NULL,                     -- of title and text: exact duplicates share it
    canonical BLOB,                           -- url_id that the page names as its original
    not_indexed TEXT NOT NULL                 -- the reason, or empty
);
CREATE INDEX documents_digest ON documents (digest);
CREATE INDEX documents_site ON documents (site);
CREATE TABLE links (                          -- one compressed record a page
    url_id BLOB PRIMARY KEY,
    links BLOB NOT NULL
) WITHOUT ROWID;
