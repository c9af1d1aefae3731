"""Compare HTML parsers at what extraction does: `html_parsers.py PAGES_DIR` (files *.html).

Without a directory the pages are made up: articles of about 60 kB with menus, tables and inline
styles. Needs both candidates: `pip install turbohtml selectolax`. Prints CPU microseconds a page,
then what some hostile pages cost, each in a process of its own that is ended after eight seconds.
"""

import multiprocessing
import sys
import time
from collections.abc import Callable
from pathlib import Path

import turbohtml
from selectolax.lexbor import LexborHTMLParser

HOSTILE = {
    "100,000 nested div": "<div>" * 100_000 + "x",
    "50,000 nested ul li": "<ul><li>" * 50_000 + "x",
    "50,000 unclosed b i a": "<b><i><a href=x>" * 50_000 + "x",
    "30,000 nested h1 h2 div": "<h1><h2><div>" * 30_000 + "x",
    "100,000 attributes": "<p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">x",
}


def made_up_page(seed: int) -> str:
    """Return a page of the usual build: menu, article, table, list of related links, footer."""
    menu = "".join(
        f"<li class='item i{n}'><a href='/s{seed}/{n}'>Section {n}</a></li>" for n in range(60)
    )
    prose = "".join(
        f"<p class='para'>Paragraph {n} of page {seed} tells of <b>lamps</b>, "
        f"<a href='/w/{n}'>lenses</a> and keepers, of the fog and of the long nights "
        "between two ships that pass. </p>\n"
        for n in range(150)
    )
    rows = "".join(
        f"<tr><td style='color:#333'>{n}</td><td>tower</td><td>{n} m</td></tr>" for n in range(80)
    )
    return (
        f"<!doctype html><html><head><title>Page {seed}</title></head><body>"
        f"<nav><ul>{menu}</ul></nav>"
        f"<main><article><h1>Page {seed}</h1>{prose}<table>{rows}</table></article></main>"
        f"<aside><ul>{menu}</ul></aside><footer>the end</footer></body></html>"
    )


def turbohtml_parse(page: str) -> object:
    """Parse only."""
    return turbohtml.parse(page, positions=False)


def turbohtml_walk(page: str) -> object:
    """Parse; name and class of every element, text of every text node."""
    found = []
    for node in turbohtml.parse(page, positions=False).descendants:
        if type(node) is turbohtml.Element:
            found.append((node.tag, node.attr("class")))
        elif type(node) is turbohtml.Text:
            found.append((node.data, None))
    return found


def turbohtml_links_and_text(page: str) -> object:
    """Parse; take out scripts and styles; links with their words; all text, laid out."""
    tree = turbohtml.parse(page, positions=False)
    tree.remove("script,style,template,noscript,[hidden]")
    return [(a.attr("href"), a.text) for a in tree.select("a[href]")], tree.to_text()


def selectolax_parse(page: str) -> object:
    """Parse only."""
    return LexborHTMLParser(page)


def selectolax_walk(page: str) -> object:
    """Parse; name and class of every element, text of every text node."""
    found = []
    root = LexborHTMLParser(page).root
    assert root is not None
    for node in root.traverse(include_text=True):
        if node.tag == "-text":
            found.append((node.text_content, None))
        else:
            found.append((node.tag, node.attributes.get("class")))
    return found


def selectolax_links_and_text(page: str) -> object:
    """Parse; take out scripts and styles; links with their words; all text, not laid out."""
    tree = LexborHTMLParser(page)
    tree.strip_tags(["script", "style", "template", "noscript"], recursive=True)
    return [(a.attributes.get("href"), a.text()) for a in tree.css("a[href]")], tree.text(
        separator="\n"
    )


TASKS: list[Callable[[str], object]] = [
    turbohtml_parse,
    selectolax_parse,
    turbohtml_walk,
    selectolax_walk,
    turbohtml_links_and_text,
    selectolax_links_and_text,
]


def best_of_three(task: Callable[[str], object], pages: list[str]) -> float:
    """Return the CPU seconds of the best of three rounds."""
    rounds = []
    for _ in range(3):
        start = time.process_time()
        for page in pages:
            task(page)
        rounds.append(time.process_time() - start)
    return min(rounds)


def time_hostile(task: Callable[[str], object], page: str) -> str:
    """Return the seconds a hostile page takes, in a process that may be ended."""
    process = multiprocessing.Process(target=task, args=(page,))
    start = time.perf_counter()
    process.start()
    process.join(8)
    if process.is_alive():
        process.kill()
        process.join()
        return "over 8 s"
    seconds = time.perf_counter() - start
    return f"{seconds:.2f} s" if process.exitcode == 0 else f"exit {process.exitcode}"


def main(directory: str | None) -> int:
    """Print both tables."""
    if directory:
        pages = [
            path.read_text("utf-8", "replace") for path in sorted(Path(directory).glob("*.html"))
        ]
    else:
        pages = [made_up_page(seed) for seed in range(100)]
    size = sum(map(len, pages)) / len(pages) / 1000
    print(f"{len(pages)} pages of {size:.0f} kB on average; CPU microseconds a page")
    for task in TASKS:
        print(f"  {task.__name__:28} {best_of_three(task, pages) / len(pages) * 1e6:8.0f}")
    print("hostile pages, parse only")
    for name, page in HOSTILE.items():
        ours, theirs = time_hostile(turbohtml_parse, page), time_hostile(selectolax_parse, page)
        print(f"  {name:28} turbohtml {ours:10} selectolax {theirs}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else None))
