from telusur.models import Page
from telusur.pipeline.parsing.jobs import ParseJob


def test_a_job_gives_the_page_back_as_the_archive_keeps_it():
    page = Page(
        "http://a.example/", 203, "", (("A", "b"), ("Set-Cookie", "c")), b"body", 12.5, 0.0, True,
        "192.0.2.1", "HTTP/1.1 203 So", (("User-Agent", "T"),),
    )  # fmt: skip
    assert ParseJob.of(page, 3).page == page
