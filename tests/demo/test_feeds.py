import gzip
from xml.etree import ElementTree

from tests.demo import reader

SCHEMA = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
ATOM = "{http://www.w3.org/2005/Atom}"


def tree(web, url):
    body = reader.ask(web, url).body
    return ElementTree.fromstring(gzip.decompress(body) if url.endswith(".gz") else body)


def sitemap_urls(web, url):
    root = tree(web, url)
    if root.tag == SCHEMA + "urlset":
        return [(row.findtext(SCHEMA + "loc"), row.findtext(SCHEMA + "lastmod")) for row in root]
    return [pair for row in root for pair in sitemap_urls(web, row.findtext(SCHEMA + "loc"))]


def test_the_nested_sitemaps_of_the_news_list_every_article_with_its_day(web):
    listed = sitemap_urls(web, "http://news.localhost:8800/sitemap.xml")
    articles = [
        one
        for one in web.truth
        if one.site == "news" and one.kind == "article" and "exact-duplicate" not in one.shows
    ]
    assert sorted(listed) == sorted((one.url, one.date) for one in articles)


def test_robots_files_name_sitemaps_that_exist(web):
    named = [
        line.removeprefix("Sitemap: ")
        for origin in web.origins.values()
        for line in reader.ask(web, origin + "/robots.txt").body.decode().splitlines()
        if line.startswith("Sitemap: ")
    ]
    assert len(named) == 4
    assert all(sitemap_urls(web, url) for url in named)


def test_each_subject_has_a_feed_of_its_articles(web):
    for subject in ("local", "science", "economy", "culture", "sports"):
        items = tree(web, f"http://news.localhost:8800/feeds/{subject}.xml").findall("channel/item")
        assert len(items) == 14
        assert all(f"/{subject}/" in item.findtext("link") for item in items)
        assert items[0].findtext("pubDate").endswith("GMT")


def test_the_blog_has_an_atom_feed_newest_first(web):
    root = tree(web, "http://blog.localhost:8800/atom.xml")
    moments = [entry.findtext(ATOM + "updated") for entry in root.findall(ATOM + "entry")]
    assert len(moments) == 15
    assert moments == sorted(moments, reverse=True)
    assert root.findtext(ATOM + "updated") == moments[0]
