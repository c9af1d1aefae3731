import json

import pytest

SITE = "lexikon.localhost"


def rows(out):
    return [json.loads(line) for line in out.splitlines()]


def test_the_table_and_its_json(telusur, demo):
    ran = telusur("clusters", "--in", demo.directory, "--site", SITE, "--limit", "3")
    assert ran.code == 0
    assert "content 100%" in ran.out
    assert "div.mw-parser-output > p" in ran.out
    assert "more; see --limit" in ran.out
    *clusters, summary = rows(
        telusur("clusters", "--in", demo.directory, "--site", SITE, "--json").out
    )
    assert summary["clusters"] == len(clusters)
    assert {each["type"] for each in clusters} == {"cluster"}
    assert summary["unclustered"] + sum(each["blocks"] for each in clusters) == summary["blocks"]
    (title,) = (each for each in clusters if each["selector"] == "body > section.page > h1")
    assert (title["name"], title["label"], title["by_hand"]) == ("title", "title", "")


def test_clusters_are_named_exported_and_shown_on_a_page(telusur, demo_copy, tmp_path):
    def ask(*more):
        return telusur("clusters", "--in", demo_copy, "--site", SITE, "--pages", "12", *more)

    *clusters, summary = rows(ask("--json").out)
    box, *_ = (
        each for each in clusters if each["selector"].endswith("table.infobox > tbody > tr > td")
    )
    named = f"{box['number']}=other"
    ran = ask("--name", named, "--export", tmp_path / "sheets")
    assert (ran.code, "other, by hand" in ran.out) == (0, True)
    assert "12 pages written to" in ran.err
    assert len(list((tmp_path / "sheets").glob("*.labels"))) == 12
    *blocks, last = rows(ask("--page", summary["urls"][0], "--json").out)
    assert last["blocks"] == len(blocks)
    shown = ask("--page", summary["urls"][0])
    head, *lines, _ = shown.out.split("\n")
    assert head.split() == ["cluster", "label", "text"]
    assert f"{len(blocks)} blocks of " in shown.err
    assert [line.split()[1] for line in lines] == [block["label"] for block in blocks]
    ran = ask("--page", "http://nowhere.example/")
    assert (ran.code, "is not a page of lexikon.localhost, the --site." in ran.err) == (2, True)
    missing = summary["urls"][0].partition("/de/")[0] + "/missing"
    ran = ask("--page", missing)
    assert (ran.code, "has no blocks of this page" in ran.err) == (1, True)


def test_a_page_names_its_site(telusur, demo):
    url = demo.url("blog", "/")
    ran = telusur("clusters", "--in", demo.directory, "--page", url, "--pages", "12")
    assert (ran.code, f"{url}: " in ran.err, "blocks of" in ran.err) == (0, True, True)
    assert ran.err.startswith("reading pages ...\n")


@pytest.mark.parametrize("name", ["pages.json", "sheets.zip", "taken"])
def test_a_name_that_looks_like_a_file_is_no_directory_of_sheets(telusur, demo, tmp_path, name):
    (tmp_path / "taken").write_text("mine")
    ran = telusur(
        "clusters", "--in", demo.directory, "--site", SITE, "--pages", "3", "--export", name
    )
    assert (ran.code, "ends in .jsonl, .jsonl.xz, .jsonl.gz." in ran.err) == (2, True)
    assert sorted(path.name for path in tmp_path.iterdir() if path.name == name) in ([], ["taken"])
    assert (tmp_path / "taken").read_text() == "mine"


@pytest.mark.parametrize(
    ("flags", "code", "complaint"),
    [
        (["--site", SITE, "--name", "content"], 2, "'content' is not N=LABEL, for example"),
        (["--site", SITE, "--name", "1=menu"], 2, "'menu' is not one of content, title"),
        (["--site", SITE, "--name", "999=content"], 2, "there is no cluster 999"),
        (["--site", "nowhere.example"], 1, "has no indexed pages of it"),
        ([], 2, "several sites; name one: "),
    ],
)
def test_wrong_use(telusur, demo, flags, code, complaint):
    ran = telusur("clusters", "--in", demo.directory, *flags)
    assert (ran.code, complaint in ran.err) == (code, True), ran.err


def test_a_site_of_few_pages(telusur, small):
    ran = telusur("clusters", "--in", small.directory)
    assert ran.code == 1
    assert "only 2 indexed pages, and clusters need 3; crawl more of the site." in ran.err
