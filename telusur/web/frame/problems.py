"""One form for every error, as JSON and as a page, on every route."""

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from telusur.errors import TelusurError, UsageError
from telusur.web.frame import urls
from telusur.web.frame.params import BadRequestError
from telusur.web.frame.render import JSONAnswer, render_html
from telusur.web.frame.text import clean_line
from telusur.web.guard.security import secure

_SENTENCES = {
    404: "There is no page at this address.",
    500: "Something went wrong inside Telusur; the terminal of the server has the details.",
}


async def answer_http_error(request: Request, error: Exception) -> Response:
    """Answer 404, 405, 421, 429 and other refusals of the framework."""
    assert isinstance(error, HTTPException)
    named = error.detail != HTTPStatus(error.status_code).phrase
    sentence = error.detail if named else _SENTENCES.get(error.status_code, error.detail)
    if error.status_code == 405:
        ways = " and ".join(sorted((error.headers or {}).get("Allow", "GET, HEAD").split(", ")))
        sentence = f"This address supports only {ways}."
    response = answer_problem(request, error.status_code, (sentence,))
    response.headers.update(error.headers or {})
    return response


async def answer_telusur_error(request: Request, error: Exception) -> Response:
    """Answer errors of Telusur: 400 for wrong use, 503 for a broken collection."""
    assert isinstance(error, TelusurError)
    status = 400 if isinstance(error, UsageError) else 503
    sentences = error.sentences if isinstance(error, BadRequestError) else (str(error),)
    return answer_problem(request, status, sentences)


async def answer_crash(request: Request, error: Exception) -> Response:
    """Answer a bug: the framework logs it, and the visitor sees no internals."""
    response = answer_problem(request, 500, (_SENTENCES[500],))
    # This response is made outside the middleware that secures all others.
    secure(response.headers)
    return response


def answer_problem(request: Request, status: int, sentences: tuple[str, ...]) -> Response:
    """Return the error as JSON to programs and as a page to people."""
    sentences = tuple(clean_line(sentence, 500) for sentence in sentences)
    if wants_json(request):
        return JSONAnswer(describe_problem(status, sentences), status)
    query = clean_line(request.query_params.get("q", ""))
    phrase = HTTPStatus(status).phrase
    values = {"code": status, "phrase": phrase, "sentences": sentences, "query": query}
    return render_html(request, "problem.html", None, values, status)


def describe_problem(status: int, sentences: tuple[str, ...]) -> dict[str, object]:
    """Return an error as a record."""
    return {"ok": False, "error": " ".join(sentences), "errors": list(sentences), "status": status}


def wants_json(request: Request) -> bool:
    """Tell whether the client is a program."""
    accept = request.headers.get("accept", "")
    by_header = "application/json" in accept and "text/html" not in accept
    return by_header or request.url.path.endswith((".json", ".rss", ".xml", urls.SUGGEST))
