"""Real pages: documentation packages of Debian, downloaded and unpacked but not installed."""

import html
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

# In this order until there are enough pages; each becomes a host of its own.
# Together about 12,400 HTML files of 22 kB in the mean.
# Alternatives stand side by side: the first that this release of Debian has is taken.
PACKAGES = (
    ("git-doc",),
    ("python3.13-doc", "python3.11-doc"),
    ("python-django-doc",),
    ("sqlite3-doc",),
    ("postgresql-doc-17", "postgresql-doc-15"),
    ("cmake-doc",),
    ("debian-handbook",),
    ("libboost1.83-doc", "libboost1.74-doc"),
)
DOCUMENT_ROOT = "usr/share/doc"


@dataclass(slots=True, frozen=True)
class Site:
    """The pages of one package and the page that leads to them."""

    package: str
    root: Path
    start_page: Path
    pages: int


def fetch_sites(cache: Path, least_pages: int) -> list[Site]:
    """Return sites with at least this many HTML files together; downloads what is missing."""
    sites: list[Site] = []
    for alternatives in PACKAGES:
        if sum(site.pages for site in sites) >= least_pages:
            break
        directory = fetch_package(cache, alternatives)
        sites.append(_make_site(directory.name, directory, cache))
    found = sum(site.pages for site in sites)
    if found < least_pages:
        raise SystemExit(f"The packages have {found} pages, fewer than {least_pages}.")
    return sites


def fetch_package(cache: Path, alternatives: tuple[str, ...]) -> Path:
    """Return the directory of the first package that apt knows; downloads it if it is missing."""
    package = _first_known(alternatives)
    directory = cache / "packages" / package
    if not directory.is_dir():
        _download(package, directory)
    return directory


def _first_known(alternatives: tuple[str, ...]) -> str:
    for package in alternatives:
        asked = subprocess.run(["apt-cache", "show", package], capture_output=True, check=False)
        if asked.returncode == 0 and asked.stdout:
            return package
    raise SystemExit(f"apt knows none of: {', '.join(alternatives)}. Try apt-get update.")


def _download(package: str, directory: Path) -> None:
    """Unpack a package into a directory that appears only when it is complete."""
    part = directory.with_name(f"{package}.part")
    part.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["apt-get", "download", "-q", package], cwd=part, check=True, capture_output=True
    )
    (archive,) = part.glob("*.deb")
    subprocess.run(["dpkg-deb", "-x", archive, part], check=True)
    archive.unlink()
    part.rename(directory)


def _make_site(package: str, directory: Path, cache: Path) -> Site:
    root = directory / DOCUMENT_ROOT
    files = sorted(_html_files(root), key=lambda path: (path.count("/"), path))
    start_page = cache / "start" / f"{package}.html"
    start_page.parent.mkdir(parents=True, exist_ok=True)
    start_page.write_text(_list_of_documents(package, files), "utf-8")
    return Site(package, root, start_page, len(files))


def _html_files(root: Path) -> list[str]:
    """Return the HTML files below a directory, as paths from there; links are not followed."""
    found = []
    for directory, _, names in os.walk(root):
        for name in names:
            path = Path(directory, name)
            if name.endswith(".html") and path.is_file() and not path.is_symlink():
                found.append(path.relative_to(root).as_posix())
    return found


def _list_of_documents(package: str, files: list[str]) -> str:
    """Return a start page with the tables of contents, or all files where there are none."""
    contents = [file for file in files if file.endswith("/index.html")] or files
    items = "".join(f'<li><a href="/{html.escape(f)}">{html.escape(f)}</a></li>' for f in contents)
    return f"<!doctype html><title>{package}</title><h1>{package}</h1><ul>{items}</ul>"
