"""The views of one site as tabs; a new view of a site is a row here."""

from telusur.web.frame import urls
from telusur.web.page.tabs import Tab

# Route, name, and whether the view can show all sites together.
_TABS = (
    (urls.SITE, "Health", True),
    (urls.SITE_FILES, "Files", True),
    (urls.SITE_CLUSTERS, "Clusters", False),
    (urls.SITE_FRAME, "Frame", False),
)


def view_site_tabs(site: str, shown: str) -> list[Tab]:
    """Return the views of a site, or of all sites for ""; `shown` is the route of the current."""
    return [
        Tab(text, urls.of_site(road, site), road == shown)
        for road, text, is_for_all in _TABS
        if site or is_for_all
    ]
