"""The routes of login, logout and the key."""

from telusur.web.frame import urls
from telusur.web.guard import key_pages, login
from telusur.web.roads import Road

POST = ("POST",)

LOGIN_ROADS = (
    Road(urls.LOGIN, login.show_login, "Asks for the password."),
    Road(urls.LOGIN, login.log_in, "Takes the password.", methods=POST),
)

KEY_ROADS = (
    Road(urls.KEY, key_pages.show_key, "Asks for the key."),
    Road(urls.KEY, key_pages.put_key, "Takes the key.", methods=POST),
)

LOGOUT_ROADS = (
    Road(urls.LOGOUT, login.show_logout, "Asks whether to log out."),
    Road(urls.LOGOUT, login.log_out, "Logs out.", methods=POST),
)
