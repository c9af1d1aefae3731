"""The form that labels clusters."""

import re

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from telusur.errors import UsageError
from telusur.reports.clusters.names import AUTO
from telusur.web.frame import urls
from telusur.web.frame.forms import read_form
from telusur.web.frame.problems import wants_json
from telusur.web.frame.render import JSONAnswer
from telusur.web.page.reader import page_reader_of
from telusur.web.site.clusters.finding import clusters_ready

_FIELD = re.compile(r"label-([0-9a-f]{12}(?:-\d{1,6})?)")


async def put_cluster_labels(request: Request) -> Response:
    """Save the labels that were changed; all others stay as they are."""
    form = await read_form(request)
    site, look = form.get("site", ""), form.get("look", "")
    given: dict[int | str, str] = {
        match[1]: label for name, label in form.items() if (match := _FIELD.fullmatch(name))
    }
    view = await clusters_ready(request, site, look)
    known = {each.key: each.by_hand or AUTO for each in view.clusters}
    if unknown := set(given) - set(known):
        raise HTTPException(
            409, f"The site was clustered again, and {len(unknown)} of these clusters are gone; "
            "load the page again.",
        )  # fmt: skip
    changes = {key: label for key, label in given.items() if known[str(key)] != label}
    if changes:
        try:
            await run_in_threadpool(page_reader_of(request).name_clusters, view, changes)
        except UsageError as error:
            raise HTTPException(400, str(error)) from None
    if wants_json(request):
        return JSONAnswer({"ok": True, "site": view.site, "changed": len(changes)})
    return RedirectResponse(_way_back(form, view.site, look), 303)


def _way_back(form: dict[str, str], site: str, look: str) -> str:
    wishes: dict[str, str | int] = {"look": look if look == "rendered" else "", "saved": 1}
    if url := form.get("url", ""):
        cluster = form.get("cluster", "")
        wishes |= {"url": url, "cluster": cluster if cluster.isdecimal() else ""}
        return urls.of_site(urls.SITE_CLUSTER_PAGE, site, **wishes)
    page = form.get("page", "")
    wishes["page"] = page if page.isdecimal() and page != "1" else ""
    return urls.of_site(urls.SITE_CLUSTERS, site, **wishes)
