import telusur


def test_a_rule_that_hides_every_element_is_ignored():
    page = "<p>The lamp is lit.</p><style>*{display:none} .out{display:none}</style>"
    assert telusur.extract(f"{page}<p class=out>It is out.</p>").text == "The lamp is lit."
