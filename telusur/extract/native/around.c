/* The words around a link in the text of its page: what Surroundings of telusur/extract/page/links.py does. */

#include "native.h"

enum { AROUND = 70, MOST_TRIES = 20, LEAST_SPACES = 3 };

#define AT(text, i) PyUnicode_READ_CHAR(text, i)

static int is_alnum_at(PyObject *text, Py_ssize_t at) { return Py_UNICODE_ISALNUM(AT(text, at)); }

static int has(PyObject *text, Py_ssize_t at) { return at >= 0 && at < PyUnicode_GET_LENGTH(text); }

/* Whether letters or digits stand on both sides, or on one if the other is an end of the text. */
static int is_within_word(PyObject *text, Span span) {
    int has_before = has(text, span.start - 1), has_after = has(text, span.end);
    if (!has_before && !has_after) return 0;
    return (!has_before || is_alnum_at(text, span.start - 1)) && (!has_after || is_alnum_at(text, span.end));
}

static int is_row_end(PyObject *text, Py_ssize_t at) { return !has(text, at) || AT(text, at) == '\n'; }

static Py_ssize_t find(PyObject *text, PyObject *words, Py_ssize_t from) {
    return PyUnicode_Find(text, words, from, PyUnicode_GET_LENGTH(text), 1);
}

/* Returns where the next whole words like these stand, the first place if nowhere; -2 with an error set. */
static Py_ssize_t next_whole(PyObject *text, PyObject *words, Py_ssize_t first) {
    Py_ssize_t length = PyUnicode_GET_LENGTH(words), start = first;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        start = find(text, words, start + length);
        if (start < 0 || !is_within_word(text, (Span){start, start + length})) break;
    }
    return start == -1 ? first : start;
}

static Span strip(PyObject *text, Span span) {
    while (span.start < span.end && Py_UNICODE_ISSPACE(AT(text, span.start))) span.start++;
    while (span.end > span.start && Py_UNICODE_ISSPACE(AT(text, span.end - 1))) span.end--;
    return span;
}

/* The beginning of the next row when it reads like a sentence. */
static PyObject *teaser(PyObject *text, Py_ssize_t row_end) {
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), spaces = 0;
    Span row = {row_end + 1, row_end + 1};
    for (; row.end < length && row.end < row.start + 2 * AROUND && AT(text, row.end) != '\n'; row.end++)
        spaces += AT(text, row.end) == ' ';
    if (spaces < LEAST_SPACES) return PyUnicode_New(0, 0);
    Py_UCS4 last = AT(text, row.end - 1);
    int is_end = last == '.' || last == '!' || last == '?' || last == 0x2026 || last == 0x3002;
    return is_end || row.end - row.start > AROUND ? PyUnicode_Substring(text, row.start, row.end) : PyUnicode_New(0, 0);
}

/* About ten words each side of a stretch, in its row. */
static PyObject *both_sides(PyObject *text, Span of) {
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    Span before = {of.start, of.start}, after = {of.end, of.end};
    while (before.start > 0 && before.end - before.start < AROUND && AT(text, before.start - 1) != '\n') before.start--;
    while (after.end < length && after.end - after.start < AROUND && AT(text, after.end) != '\n') after.end++;
    if (before.end - before.start == AROUND) { /* the first word may be half of one */
        while (before.start < before.end && AT(text, before.start) != ' ') before.start++;
    }
    if (after.end - after.start == AROUND) {
        while (after.end > after.start && AT(text, after.end - 1) != ' ') after.end--;
    }
    before = strip(text, before), after = strip(text, after);
    if (before.end == before.start) return PyUnicode_Substring(text, after.start, after.end);
    if (after.end == after.start) return PyUnicode_Substring(text, before.start, before.end);
    PyObject *one = PyUnicode_Substring(text, before.start, before.end);
    PyObject *other = PyUnicode_Substring(text, after.start, after.end);
    PyObject *joined = one && other ? PyUnicode_FromFormat("%U %U", one, other) : NULL;
    Py_XDECREF(one);
    Py_XDECREF(other);
    return joined;
}

/* around(text, words of a link, position): what stands around them, and where they end; nothing and the position when
   they are not there. */
PyObject *native_around(PyObject *self, PyObject *args) {
    PyObject *text, *words;
    Py_ssize_t position;
    if (!PyArg_ParseTuple(args, "UUn", &text, &words, &position)) return NULL;
    if (position < 0 || !PyUnicode_GET_LENGTH(words)) return too_small();
    Py_ssize_t start = find(text, words, position), length = PyUnicode_GET_LENGTH(words);
    if (start == -1) return Py_BuildValue("sn", "", position);
    if (start >= 0 && is_within_word(text, (Span){start, start + length})) start = next_whole(text, words, start);
    if (start < 0) return NULL;
    Span span = {start, start + length};
    int is_alone = is_row_end(text, span.start - 1) && is_row_end(text, span.end);
    PyObject *found = is_alone ? teaser(text, span.end) : both_sides(text, span);
    return found ? Py_BuildValue("Nn", found, span.end) : NULL;
}
