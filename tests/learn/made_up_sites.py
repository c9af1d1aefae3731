"""Made-up sites with known truth: every page of a site has the same layout and other words."""

import random

from telusur.learn.pages.dataset import LabelledPage

WORDS = [
    "harbour", "ferry", "tide", "lantern", "keeper", "storm", "rope", "sail", "captain", "island",
    "market", "bread", "stone", "garden", "winter", "summer", "river", "bridge", "letter", "window",
    "clock", "candle", "orchard", "valley", "mountain", "cloud", "engine",
]  # fmt: skip
AUTHORS = ("Marta Vesely", "Jonas Lind", "Amara Okoye", "Petra Novak", "Luis Ferreira")


def sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(words)).capitalize() + "."


def made_up_page(site: str, number: int, main: str = "div", text: str = "p") -> LabelledPage:
    chance = random.Random(f"{site} {number}")
    title, author = sentence(chance, 6)[:-1], AUTHORS[number % len(AUTHORS)]
    body = [sentence(chance, 30) for _ in range(4)]
    comments = [sentence(chance, 35) for _ in range(6)]
    menu = "".join(f"<li><a href=/{word}>{word.capitalize()}</a></li>" for word in WORDS[:8])
    html = (
        f"<html><head><title>{title}</title><meta name=author content='{author}'>"
        f"<meta name=description content='{body[0]}'>"
        "<style>.byline{font-style:italic;font-size:13px} .text p{line-height:1.6}</style></head>"
        f"<body><nav><ul>{menu}</ul></nav><{main} class=text><h1>{title}</h1>"
        f"<div class=byline>By {author}</div>{''.join(f'<{text}>{one}</{text}>' for one in body)}"
        "</" + main + "><div id=comments><h3>Comments</h3>"
        f"{''.join(f'<div class=said><p>{one}</p></div>' for one in comments)}</div>"
        f"<footer><p>Copyright of {site}, all rights reserved by the owners</p></footer></body>"
    )
    return LabelledPage(
        id=f"{site}/{number}", html=html, url=f"http://{site}/{number}", site=site,
        page_type="article", title=title, author=author, text="\n".join(body),
    )  # fmt: skip


def made_up_pages(sites: int = 4, pages: int = 3) -> list[LabelledPage]:
    layouts = [("div", "p"), ("article", "p"), ("section", "p"), ("main", "p")]
    return [
        made_up_page(f"site{site}.example", number, *layouts[site % len(layouts)])
        for site in range(sites)
        for number in range(pages)
    ]
