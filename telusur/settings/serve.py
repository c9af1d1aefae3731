"""The settings of the web server, in a table like that of a crawl."""

from dataclasses import dataclass

from telusur.settings.row import FILE, VISITORS, setting


@dataclass(frozen=True, kw_only=True)
class ServeSettings:
    """The settings of the web server."""

    host: str = setting(
        "127.0.0.1", "Address to listen on. The default is reachable from this machine only."
    )
    port: int = setting(8080, "Port to listen on; 0 picks a free one.", minimum=0, maximum=65_535)
    rate_limit: float = setting(
        50.0,
        "Requests per second allowed from one address, on average; 0 for no limit.",
        minimum=0,
        maximum=1_000_000,
    )
    read_only: bool = setting(False, "Search and read only: crawls are neither shown nor started.")
    password: str = setting(
        "",
        "Ask visitors for this password. Set it in TELUSUR_PASSWORD or a file to hide it "
        "from `ps`.",
    )
    password_file: str | None = setting(
        None,
        "Ask visitors for the password in this file.",
        metavar="FILE",
        **FILE,
    )
    key: str = setting(
        "",
        "Require this key to start and change things, instead of a new one at each start."
        " Set it in TELUSUR_KEY to hide it from `ps`.",
        **VISITORS,
    )
    open_to_all: bool = setting(
        False,
        "Let everybody on this machine start and change things, without the key.",
        **VISITORS,
    )
    trust_header: str = setting(
        "",
        "Let in users that a reverse proxy names in this header, for example X-Remote-User.",
        metavar="NAME",
        **VISITORS,
    )
    trust_proxy: tuple[str, ...] = setting(
        (),
        "Address of a proxy whose headers are trusted, X-Forwarded-For included; may be repeated.",
        metavar="ADDRESS",
        **VISITORS,
    )
