"""The settings of a crawl, in one table: name, type, default, one line of help.

Command-line flags, environment variables, `.env`, `telusur.toml`, the documentation page and
validation are all made from the fields below; a setting exists nowhere else.
"""

from dataclasses import dataclass, field

from telusur.settings.row import (
    A_DAY,
    CODE,
    FILE,
    LARGEST_PAGE,
    MANY,
    PROGRAM,
    TRUST,
    WAY_OUT,
    setting,
)


@dataclass(frozen=True, kw_only=True)
class CrawlSettings:
    """The settings of a crawl."""

    urls_from: str | None = setting(
        None,
        "Read more start URLs from this file, one per line; - reads standard input.",
        metavar="FILE",
        **FILE,
    )
    pages: int | None = setting(
        None, "Stop after this many pages, counted across restarts.", minimum=1, maximum=MANY
    )
    depth: int | None = setting(
        None,
        "Follow links at most this many steps away from a start URL.",
        minimum=0,
        maximum=1_000_000,
    )
    seconds: float | None = setting(
        None,
        "Stop after this many seconds; nothing is lost.",
        minimum=0.001,
        maximum=1_000_000_000,
        historic_env="CRAWLER_DURATION_SECONDS",
    )
    total_bytes: int | None = setting(
        None, "Stop after about this many bytes; nothing is lost.", minimum=1, maximum=MANY
    )
    strategy: str | None = setting(
        None,
        "Which link to fetch next: the name of a strategy, or your own Python file. The "
        "default is breadth-first, or focused when there is a topic.",
        metavar="NAME",
        **CODE,
    )
    topic: str = setting("", "The topic of the crawl, in a few words.", metavar="WORDS", lines=True)
    replay: str | None = setting(
        None,
        "Replay the archive of this collection instead of using the network.",
        metavar="DIR",
        **FILE,
    )
    like: tuple[str, ...] = setting(
        (),
        "Describe the topic by an example page, a file or a URL; may be repeated.",
        metavar="PAGE",
        **FILE,
    )
    labels: str | None = setting(
        None,
        "Learn the topic from this file: one `good URL` or `bad URL` per line.",
        metavar="FILE",
        **FILE,
    )
    relevant: float = setting(
        0.5, "The topic score, 0 to 1, from which a page counts as relevant.", minimum=0, maximum=1
    )
    relevant_share: float | None = setting(
        None,
        "Count this share of the pages seen so far as relevant instead, best topic scores"
        " first; 0.1 is the best tenth.",
        minimum=0.001,
        maximum=1,
    )
    tune: tuple[str, ...] = setting(
        (), "Set a parameter of the strategy; may be repeated.", metavar="NAME=NUMBER", pairs=True
    )
    seed: int = setting(
        0,
        "Seed for strategies that choose at random; the same seed gives the same choices.",
        minimum=-MANY,
        maximum=MANY,
    )
    most_share: float = setting(
        0.5,
        "The largest share of the pages that one site may take while other sites wait; "
        "only for strategies that score links.",
        minimum=0.001,
        maximum=1,
    )
    scope: str = setting(
        "site",
        "Which links to follow: on the same site, on the same host, below the same path, or any.",
        choices=("site", "host", "prefix", "any"),
    )
    include: tuple[str, ...] = setting(
        (),
        "Fetch only URLs that match this regular expression; may be repeated.",
        metavar="PATTERN",
    )
    exclude: tuple[str, ...] = setting(
        (),
        "Never fetch URLs that match this regular expression; may be repeated.",
        metavar="PATTERN",
    )
    content_type: tuple[str, ...] = setting(
        (),
        "Keep only responses of this media type, for example application/pdf or text/*; "
        "may be repeated. The default is HTML, XHTML and plain text.",
        metavar="TYPE",
    )
    skip_extension: tuple[str, ...] = setting(
        (),
        "Do not follow links with this file extension, for example php; may be repeated.",
        metavar="EXT",
    )
    follow_extension: tuple[str, ...] = setting(
        (),
        "Follow links with this file extension, even if it is skipped by default; may be repeated.",
        metavar="EXT",
    )
    sitemaps: str = setting(
        "auto",
        "Which sitemaps to read: none (never); those named in robots.txt, unless --depth "
        "is set (auto); or those in any case, plus /sitemap.xml on start hosts whose "
        "robots.txt names none (always).",
        choices=("never", "auto", "always"),
    )
    delay: float | None = setting(
        None,
        "Seconds between two requests to a host. The default is 1, and longer for slow servers.",
        minimum=0,
        maximum=A_DAY,
        metavar="SECONDS",
    )
    per_host: int = setting(1, "Parallel requests per host.", minimum=1, maximum=1000)
    per_address: int | None = setting(
        None,
        "Parallel requests per IP address, over all its hosts. The default is 8, or no "
        "limit with --allow-private.",
        minimum=1,
        maximum=10_000,
    )
    patience: float = setting(
        900.0,
        "How long to wait for a host that worked before and is down now; after that its "
        "URLs wait for the next run.",
        minimum=0,
        maximum=1_000_000_000,
        metavar="SECONDS",
    )
    fair: str = setting(
        "equal",
        "Share pages equally between sites (equal), or crawl as fast as politeness allows (none).",
        choices=("equal", "none"),
    )
    weight: tuple[str, ...] = setting(
        (),
        "With --fair equal, give this site this many times the pages of the others; may "
        "be repeated.",
        metavar="SITE=NUMBER",
        pairs=True,
    )
    budget: tuple[str, ...] = setting(
        (),
        "Fetch at most this many pages from a site, from a host or below a URL; may be repeated.",
        metavar="WHAT=PAGES",
        pairs=True,
    )
    most_waiting: int | None = setting(
        None,
        "Keep at most this many URLs in the queue; the worst ones are skipped with the "
        "reason `frontier full`.",
        minimum=1,
        maximum=MANY,
    )
    near_duplicates: bool = setting(
        True,
        "Do not index near-duplicates: pages with the same title and nearly the same text"
        " as another page.",
        off="Index near-duplicates too: pages with the same title and nearly the same text as"
        " another page.",
    )
    traps: bool = setting(
        True,
        "Stop following links into crawler traps: kinds of pages that bring nothing new.",
        off="Follow links into crawler traps too: kinds of pages that bring nothing new.",
    )
    allow_private: bool = setting(False, "Allow fetching from private and loopback addresses.")
    allow_address: tuple[str, ...] = setting(
        (),
        "Allow fetching from this private address and port, for example 127.0.0.1:8000; "
        "may be repeated.",
        metavar="ADDRESS:PORT",
    )
    content: str = setting(
        "article",
        "Index the main content of each page (article), or all visible text (text).",
        choices=("article", "text"),
    )
    style_sheets: bool = setting(
        True,
        "Fetch the style sheets of pages, each once, to leave out text that nobody sees; only "
        "with --content article.",
        off="Fetch no style sheets: text that they hide is indexed.",
    )
    learn_site: bool = setting(
        True,
        "Learn what the pages of a site have in common, and read the next ones with it.",
        off="Read each page by itself.",
    )
    model: str | None = setting(
        None,
        "Find the main content with this model, made by `telusur train`.",
        metavar="FILE",
        **FILE,
    )
    hooks: str | None = setting(
        None,
        "Run this Python file to choose links and to extract data from pages.",
        metavar="FILE",
        **CODE,
    )
    index: bool = setting(True, "Index pages while crawling.", off="Do not index while crawling.")
    vectors: str = setting(
        "auto",
        "Make vectors for semantic search while crawling: never, only if the collection "
        "already has some (auto), or always.",
        choices=("never", "auto", "always"),
    )
    render: str = setting(
        "auto",
        "Load pages in a browser: never, only those that are empty without JavaScript "
        "(auto), or always.",
        choices=("never", "auto", "always"),
    )
    browser: str | None = setting(
        None,
        "The Chromium to render with. The default is the one installed on the system.",
        metavar="FILE",
        **PROGRAM,
    )
    browsers: int = setting(1, "How many browsers render in parallel.", minimum=1, maximum=64)
    render_seconds: float = setting(
        10.0,
        "Seconds a page has to finish rendering; after that it is read as it is.",
        minimum=0.1,
        maximum=A_DAY,
    )
    workers: int | None = setting(
        None,
        "Number of parser processes. The default is one less than the CPU cores, and at least one.",
        minimum=1,
        maximum=256,
        historic_env="CRAWLER_MAX_THREADS",
    )
    connections: int = setting(64, "Parallel requests over all hosts.", minimum=1, maximum=10_000)
    timeout: float = setting(20.0, "Seconds until a request times out.", minimum=0.1, maximum=A_DAY)
    max_bytes: int = setting(
        10_000_000,
        "Read at most this many bytes of a page, before and after decompression.",
        minimum=1000,
        maximum=LARGEST_PAGE,
    )
    min_free_bytes: int = setting(
        1_000_000_000,
        "Pause while less disk space than this is free; 0 never pauses.",
        minimum=0,
        maximum=MANY,
    )
    user_agent: str = setting(
        "Telusur/{version} (a personal search crawler; obeys robots.txt rules for Telusur)",
        "The User-Agent header; say who you are and how to reach you.",
        metavar="TEXT",
        one_line=True,
    )
    header: tuple[str, ...] = setting(
        (),
        'Send this header, for example "Accept-Language: de"; may be repeated.',
        metavar="'K: V'",
        env_separator="\n",
    )
    cookies: str | None = setting(
        None,
        "Load cookies from this file, in Netscape format.",
        metavar="FILE",
        **FILE,
    )
    proxy: str | None = setting(
        None,
        "Send requests through this proxy: http://, https:// or socks5://.",
        metavar="URL",
        **WAY_OUT,
    )
    ca_bundle: str | None = setting(
        None,
        "Trust the certificate authorities in this file instead of the system's.",
        metavar="FILE",
        **TRUST,
    )
    insecure: bool = setting(
        False,
        "Do not check the TLS certificates of servers.",
        **TRUST,
    )
    # Settings for single hosts; they have no flag.
    host: dict[str, "HostSettings"] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class HostSettings:
    """What may be set for one host, in a table of telusur.toml; everything else is as for all."""

    delay: float | None = setting(
        None, "Seconds between two requests to the host.", minimum=0, maximum=A_DAY
    )
    per_host: int | None = setting(None, "Parallel requests to the host.", minimum=1, maximum=1000)
    timeout: float | None = setting(
        None, "Seconds until a request times out.", minimum=0.1, maximum=A_DAY
    )
    max_bytes: int | None = setting(
        None, "Download at most this many bytes of a page.", minimum=1000, maximum=LARGEST_PAGE
    )
    header: tuple[str, ...] = setting(
        (), "More headers to send; one with the same name is replaced."
    )
    proxy: str | None = setting(None, 'The proxy for this host; "" for no proxy.')
