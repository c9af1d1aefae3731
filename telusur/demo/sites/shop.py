"""Chandler & Daughters: products with facets that multiply, session ids and pages of results."""

from hashlib import blake2b
from typing import Any
from urllib.parse import parse_qsl, urlencode

from telusur.demo.content import read_table, slugify
from telusur.demo.files import png
from telusur.demo.markup import to_plain
from telusur.demo.records import SiteEntry, Truth
from telusur.demo.site import Site
from telusur.demo.sites.furniture import furnish, neighbours, unique

Product = dict[str, Any]
PRODUCTS_ON_A_PAGE = 12
_PRICES = ("10", "25", "50", "100", "250")
_SORTS = {"name": "Name", "price": "Price", "weight": "Weight"}
_ROBOTS = """User-agent: *
Disallow: /cart
Disallow: /*sort=weight
"""


def build(site: Site) -> None:
    """Put all products, categories and the faceted list into the shop."""
    furnish(site, "Out of stock", "We do not carry this. Ask at the counter.", _ROBOTS)
    products: list[Product] = read_table("shop")["products"]
    for position, product in enumerate(products):
        _show_product(site, product, neighbours(products, position, 3))
    categories = unique(product["category"] for product in products)
    _show(
        site,
        site.truth("/", kind="home", title="Chandler & Daughters"),
        "home",
        products=products[:8],
        categories=categories,
    )
    for category in categories:
        chosen = [product for product in products if product["category"] == category]
        truth = site.truth(f"/c/{slugify(category)}", kind="list", title=category, topic=category)
        _show(site, truth, "home", products=chosen, categories=categories)
    truth = site.truth(
        "/products", kind="list", title="All products", shows=("facets", "pagination", "session-id")
    )
    site.put("/products", _entry(_list(site, products, {}), truth))
    site.rule("/products", lambda path, query: _answer(site, products, path, query))
    _show_special_cases(site, products)


def product_path(product: Product) -> str:
    """Return the path of a product without a session."""
    return f"/p/{slugify(product['name'])}"


def _show(site: Site, truth: Truth, template: str, **context: Any) -> None:
    site.show(truth, f"shop/{template}.html", path_of=product_path, **context)


def _show_product(site: Site, product: Product, others: list[Product]) -> None:
    body = _body(product)
    truth = site.truth(
        product_path(product),
        kind="product",
        title=product["name"],
        topic=product["category"],
        text=to_plain(body),
    )
    _show(
        site,
        truth,
        "product",
        product=product,
        body=site.html(body),
        others=others,
        canonical=truth.url,
    )
    if product["colours"]:
        site.file(f"/img/{slugify(product['name'])}.png", png(product["colours"][0]), "image/png")


def _body(product: Product) -> str:
    """Return the description, one sentence about the make, and the table of measures."""
    colours = ", ".join(product["colours"]) or "one finish only"
    rows = {
        "Maker": product["maker"],
        "Material": product["material"],
        "Weight": f"{product['weight']} g",
        "Colours": colours,
    }
    if product["sizes"]:
        rows["Sizes"] = ", ".join(product["sizes"])
    table = "".join(f"| {name} | {value} |\n" for name, value in rows.items())
    return (
        f"{product['text'].strip()}\n\nMade of {product['material']} by {product['maker']}; "
        f"it weighs {product['weight']} grams and costs {product['price']:.2f} crowns.\n\n"
        f"| Property | Value |\n{table}"
    )


def _answer(site: Site, products: list[Product], path: str, query: str) -> SiteEntry | None:
    if path != "/products" or not query:
        return None
    return _entry(_list(site, products, dict(parse_qsl(query))), None)


def _entry(html: str, truth: Truth | None) -> SiteEntry:
    return SiteEntry(html.encode(), truth=truth)


def _list(site: Site, products: list[Product], chosen: dict[str, str]) -> str:
    """Render one page of the list for the chosen facets, each of which links to all others."""
    found = sorted((p for p in products if _matches(p, chosen)), key=lambda p: _sort_key(p, chosen))
    page = int(chosen["page"]) if chosen.get("page", "").isdecimal() else 1
    start = (page - 1) * PRODUCTS_ON_A_PAGE
    session = blake2b(urlencode(chosen).encode(), digest_size=6).hexdigest()
    return site.render(
        "shop/list.html",
        title="All products",
        products=found[start : start + PRODUCTS_ON_A_PAGE],
        total=len(found),
        facets=_facets(products, chosen),
        next=_link(chosen, page=str(page + 1)) if start + PRODUCTS_ON_A_PAGE < len(found) else None,
        previous=_link(chosen, page=str(page - 1)) if page > 1 else None,
        session=session,
        path_of=product_path,
    )


def _facets(
    products: list[Product], chosen: dict[str, str]
) -> list[tuple[str, list[tuple[str, str]]]]:
    values = {
        "colour": unique(colour for product in products for colour in product["colours"]),
        "size": unique(size for product in products for size in product["sizes"]),
        "max": _PRICES,
        "sort": tuple(_SORTS),
    }
    free = {name: value for name, value in chosen.items() if name != "page"}
    return [
        (name, [(value, _link(free, **{name: value})) for value in some])
        for name, some in values.items()
    ]


def _link(chosen: dict[str, str], **more: str) -> str:
    return "/products?" + urlencode({**chosen, **more})


def _matches(product: Product, chosen: dict[str, str]) -> bool:
    highest = chosen.get("max", "")
    return (
        chosen.get("colour") in (None, *product["colours"])
        and chosen.get("size") in (None, *product["sizes"])
        and (not highest.isdecimal() or product["price"] <= int(highest))
    )


def _sort_key(product: Product, chosen: dict[str, str]) -> tuple[Any, str]:
    field = chosen.get("sort", "name")
    return (product[field] if field in _SORTS else 0, product["name"])


def _show_special_cases(site: Site, products: list[Product]) -> None:
    text = "Your basket is empty."
    truth = site.truth(
        "/cart",
        kind="page",
        title="Basket",
        text=text,
        allowed=False,
        indexed=False,
        shows=("robots-disallow",),
    )
    _show(site, truth, "note", text=text)
    text = "Sorry, the page you were looking for could not be found. It may have been removed."
    truth = site.truth(
        "/p/left-handed-anchor",
        kind="error",
        title="Page not found",
        text=text,
        indexed=False,
        shows=("soft-404",),
    )
    _show(site, truth, "note", text=text)
    site.redirect("/sale", product_path(products[0]), 302, "redirect-302")
    site.dead("/p/glass-hammer", 410, "dead-410")
