import xml.etree.ElementTree as ElementTree


def test_a_page_becomes_xml(telusur, tmp_path):
    (tmp_path / "a.html").write_bytes(b"<p>one<p>two</i> caf\xc3\xa9 <a href=b>three")
    ran = telusur("xml", "a.html")
    root = ElementTree.fromstring(ran.out.encode())
    assert ran.code == 0
    assert "".join(root.itertext()) == "onetwo café three"


def test_the_view_of_the_index(telusur, tmp_path):
    (tmp_path / "a.html").write_text("<p>one <b>two</b> <a href=b>three</a>")
    ran = telusur("xml", "a.html", "--view", "index", "--url", "http://a.example/x/")
    assert '<p>one two <a href="http://a.example/x/b">three</a></p>' in ran.out


def test_what_cannot_be_read(telusur, tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7")
    assert telusur("xml", "a.pdf").code == 1
    assert telusur("xml", "missing.html").code == 2
    assert telusur("xml", "a.pdf", "--view", "tree").code == 2
