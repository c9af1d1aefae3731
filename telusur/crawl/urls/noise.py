"""The parts of a URL that do not identify the page: tracking and session ids."""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TRACKING_PREFIXES = ("utm_", "mtm_", "pk_", "piwik_", "matomo_", "hsa_", "itm_", "oly_", "vero_")
TRACKING_PARAMETERS = _words("""
    gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid _ga _gl _gac
    ga_source ga_medium ga_term ga_content ga_campaign ga_place
    fbclid fb_ref fb_source fb_action_ids fb_action_types
    msclkid yclid ysclid _openstat twclid ttclid li_fat_id igshid igsh epik rdt_cid
    mc_cid mc_eid mkt_tok ml_subscriber ml_subscriber_hash
    __hssc __hstc __hsfp _hsenc _hsmi hsctatracking
    s_kwcid ef_id wickedid irclickid zanpid cjevent partnerid clickid
    xtor xtref at_medium at_campaign wt_mc wt_zmc cmpid ocid spm aftr_source
    ref_src ref_url trk_contact trk_msg trk_module trk_sid
    guccounter guce_referrer guce_referrer_sig
""")

SESSION_PREFIXES = ("aspsessionid",)
SESSION_PARAMETERS = _words("jsessionid phpsessid cfid cftoken oscsid zenid")
# These names mean many things; a long hexadecimal value makes them a session.
PERHAPS_SESSION_PARAMETERS = _words("sid s ses sess sessid session sessionid session_id")
_LONG_HEXADECIMAL = re.compile(r"[0-9a-fA-F]{32,64}")

# `;jsessionid=...` of servlets, and `/(S(...))/` of ASP.NET without cookies.
_SESSION_IN_PATH = re.compile(
    r";(?:jsessionid|phpsessid)=[^/;]*|/\((?:[a-z]\([0-9a-z]{24}\))+\)(?=/)", re.IGNORECASE
)


def is_noise(name: str, value: str) -> bool:
    """Tell whether a query parameter, its name in lower case, says nothing about the page."""
    return (
        name in TRACKING_PARAMETERS
        or name in SESSION_PARAMETERS
        or name.startswith(TRACKING_PREFIXES)
        or name.startswith(SESSION_PREFIXES)
        or (name in PERHAPS_SESSION_PARAMETERS and bool(_LONG_HEXADECIMAL.fullmatch(value)))
    )


def without_sessions(path: str) -> str:
    """Return a path without the session ids servers write into it."""
    return _SESSION_IN_PATH.sub("", path)
