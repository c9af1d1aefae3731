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
    *lines, _ = ask("--page", summary["urls"][0]).out.split("\n")
    assert [line.split()[1] for line in lines] == [block["label"] for block in blocks]
    assert ask("--page", "http://nowhere.example/").code == 1


@pytest.mark.parametrize(
    ("flags", "code", "complaint"),
    [
        (["--site", SITE, "--name", "content"], 2, "'content' is not N=LABEL, for example"),
        (["--site", SITE, "--name", "1=menu"], 2, "'menu' is not one of content, title"),
        (["--site", SITE, "--name", "999=content"], 2, "there is no cluster 999"),
        (["--site", "nowhere.example"], 1, "has no indexed pages of it"),
        ([], 2, "several sites; name one"),
    ],
)
def test_wrong_use(telusur, demo, flags, code, complaint):
    ran = telusur("clusters", "--in", demo.directory, *flags)
    assert (ran.code, complaint in ran.err) == (code, True), ran.err


def test_a_site_of_few_pages(telusur, small):
    ran = telusur("clusters", "--in", small.directory)
    assert ran.code == 1
    assert "only 2 indexed pages, and clusters need 3; crawl more of the site." in ran.err
