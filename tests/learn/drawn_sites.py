"""Made-up pages that look different only in a browser: their rules ask for what a parser cannot."""

import random

from telusur.learn.pages.dataset import LabelledPage
from tests.learn.made_up_sites import sentence

# Every block is a div in a div; what it is tells the cascade: position and media.
PAGE = """<!doctype html><title>{title}</title>
<meta name=description content="{about}"><style>
  body {{ margin: 0; font-size: 14px }}
  .page > div:nth-of-type(9) {{ font-size: 34px }}
  @media (min-width: 1000px) {{
    .page > div:nth-of-type(n + 10) {{ width: 620px; color: #123; text-align: right; float: left }}
  }}
  .page > div:nth-last-of-type(-n + 4) {{ position: absolute; right: 0; font-size: 11px }}
</style><body><div class=page>{blocks}</div>"""


def nothing(chance: random.Random, words: int) -> str:
    return " ".join(f"{chance.randrange(10**6):06}" for _ in range(words))


def drawn_page(site: str, number: int) -> LabelledPage:
    chance = random.Random(f"{site} {number}")
    menu = [nothing(chance, 12) for _ in range(8)]
    title = sentence(chance, 7)[:-1]
    body = [sentence(chance, 12) for _ in range(5)]
    foot = [nothing(chance, 12) for _ in range(4)]
    blocks = "".join(f"<div>{text}</div>" for text in (*menu, title, *body, *foot))
    return LabelledPage(
        id=f"{site}/{number}", html=PAGE.format(title=title, about=body[0], blocks=blocks),
        url=f"http://{site}/{number}", site=site, page_type="article", title=title,
        text="\n".join(body),
    )  # fmt: skip


def drawn_pages(sites: int = 4, pages: int = 1) -> list[LabelledPage]:
    return [
        drawn_page(f"site{site}.example", number)
        for site in range(sites)
        for number in range(pages)
    ]
