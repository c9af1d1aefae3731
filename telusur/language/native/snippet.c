/* A piece of a text around the words of a query: what telusur/search/show/snippet.py does, character by character. */

#include "native.h"

typedef struct {
    int kind;
    const void *data;
    Py_ssize_t length;
} Text;

typedef struct {
    Py_UCS4 *items;
    size_t length, room;
} Made;

static Py_UCS4 at(const Text *text, Py_ssize_t place) { return PyUnicode_READ(text->kind, text->data, place); }

/* Ends a sentence if a space follows, quotes and brackets in between. */
static int is_stop(Py_UCS4 c) {
    return c == '.' || c == '!' || c == '?' || c == 0x2026 || c == 0x61F || c == 0x6D4 || c == 0x964;
}

static int is_closing(Py_UCS4 c) {
    return c == '"' || c == '\'' || c == 0x201D || c == 0x2019 || c == ')' || c == ']' || c == 0xBB;
}

/* Ends a sentence whatever follows. */
static int is_wide_stop(Py_UCS4 c) { return c == 0x3002 || c == 0xFF01 || c == 0xFF1F; }

/* Where the last sentence ends that ends between two places; -1 when none does. */
static Py_ssize_t last_end(const Text *text, Py_ssize_t from, Py_ssize_t to) {
    Py_ssize_t found = -1, place = from;
    while (place < to) {
        Py_UCS4 c = at(text, place++);
        if (c == '\n' || is_wide_stop(c)) {
            found = place;
        } else if (is_stop(c)) {
            Py_ssize_t next = place;
            while (next < to && is_closing(at(text, next))) next++;
            if (next < to && Py_UNICODE_ISSPACE(at(text, next))) found = place = next + 1;
        }
    }
    return found;
}

static Py_ssize_t start_of_word(const Text *text, Py_ssize_t from, Py_ssize_t first) {
    if (from == 0) return 0;
    Py_ssize_t to = from + 30 < first ? from + 30 : first, place = from;
    while (place < to && !Py_UNICODE_ISSPACE(at(text, place))) place++;
    if (place >= to) return from;
    while (place < to && Py_UNICODE_ISSPACE(at(text, place))) place++;
    return place;
}

static Py_ssize_t end_of_sentence(const Text *text, Py_ssize_t last, Py_ssize_t end, Py_ssize_t widest) {
    if (end >= text->length) return text->length;
    Py_ssize_t low = end - widest / 3 > last ? end - widest / 3 : last, found = last_end(text, low, end);
    if (found >= 0) return found;
    for (Py_ssize_t place = end - 1; place > low; place--)
        if (at(text, place) == ' ' || at(text, place) == '\n') return place;
    return end;
}

/* Grows a window to the length of a snippet: whole sentences, else whole words. */
static Window widen(const Text *text, Window window, Py_ssize_t widest) {
    Py_ssize_t first = window.first, last = window.last, size = last - first;
    Py_ssize_t room = size < widest ? widest - size : 0, low = first > room ? first - room : 0;
    Py_ssize_t start = last_end(text, low, first);
    if (start < 0) start = low ? start_of_word(text, first > room / 3 ? first - room / 3 : 0, first) : 0;
    Py_ssize_t end = start + widest > last ? start + widest : last;
    end = end_of_sentence(text, last, end < text->length ? end : text->length, widest);
    return (Window){start, end > last ? end : last};
}

/* Tells whether a sentence, and nothing but spaces, ends right before a place. */
static int is_sentence_before(const Text *text, Py_ssize_t place) {
    Py_ssize_t low = place > 9 ? place - 9 : 0, end = place;
    for (; end > low && Py_UNICODE_ISSPACE(at(text, end - 1)); end--)
        if (at(text, end - 1) == '\n') return 1;
    if (end > low && is_wide_stop(at(text, end - 1))) return 1;
    if (end == place) return 0;
    while (end > low && is_closing(at(text, end - 1))) end--;
    return end > low && is_stop(at(text, end - 1));
}

/* Adds a piece with single spaces, and none at the beginning; there must be room. */
static void add(Made *made, const Text *text, Py_ssize_t from, Py_ssize_t to) {
    for (; from < to; from++) {
        Py_UCS4 c = at(text, from);
        if (Py_UNICODE_ISSPACE(c)) {
            if (!made->length || made->items[made->length - 1] == ' ') continue;
            c = ' ';
        }
        made->items[made->length++] = c;
    }
}

static int add_range(PyObject *ranges, size_t from, size_t to) {
    PyObject *range = Py_BuildValue("nn", (Py_ssize_t)from, (Py_ssize_t)to);
    int failed = !range || PyList_Append(ranges, range) < 0;
    Py_XDECREF(range);
    return failed ? -1 : 0;
}

/* Adds the text from `start` to `end` and the ranges of its marks; those that touch are one. */
static int add_marked(Made *made, const Text *text, Window window, const Marks *marks, PyObject *ranges) {
    Py_ssize_t place = window.first;
    for (size_t n = 0; n < marks->length;) {
        Mark mark = marks->items[n++];
        if (mark.start < window.first || mark.end > window.last) continue;
        for (; n < marks->length && marks->items[n].start <= mark.end; n++)
            if (marks->items[n].end <= window.last && marks->items[n].end > mark.end) mark.end = marks->items[n].end;
        add(made, text, place, mark.start);
        size_t before = made->length;
        add(made, text, mark.start, mark.end);
        if (add_range(ranges, before, made->length) < 0) return -1;
        place = mark.end;
    }
    add(made, text, place, window.last);
    return 0;
}

static PyObject *cut(const Text *text, Window window, const Marks *marks) {
    Made made = {0};
    PyObject *ranges = PyList_New(0), *result = NULL;
    if (!ranges) return NULL;
    if (grow((void **)&made.items, &made.room, (size_t)(window.last - window.first) + 4, sizeof *made.items) < 0) {
        PyErr_NoMemory();
        goto done;
    }
    if (window.first > 0 && !is_sentence_before(text, window.first)) {
        made.items[made.length++] = 0x2026;
        made.items[made.length++] = ' ';
    }
    if (add_marked(&made, text, window, marks, ranges) < 0) goto done;
    while (made.length && made.items[made.length - 1] == ' ') made.length--;
    Py_UCS4 end = made.length ? made.items[made.length - 1] : 0;
    if (window.last < text->length && !is_stop(end) && !is_wide_stop(end)) {
        made.items[made.length++] = ' ';
        made.items[made.length++] = 0x2026;
    }
    PyObject *piece = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, made.items, (Py_ssize_t)made.length);
    PyObject *marked = piece ? PyList_AsTuple(ranges) : NULL;
    if (marked) result = PyTuple_Pack(2, piece, marked);
    Py_XDECREF(piece);
    Py_XDECREF(marked);
done:
    PyMem_Free(made.items);
    Py_DECREF(ranges);
    return result;
}

PyObject *cut_snippet(PyObject *string, const Table *table, PyObject *runs, PyObject *weights, Py_ssize_t widest,
                      Py_ssize_t most) {
    Text text = {PyUnicode_KIND(string), PyUnicode_DATA(string), PyUnicode_GET_LENGTH(string)};
    Marks marks = {0};
    Window window = {0, 0};
    PyObject *result = NULL;
    if (find_window(table, runs, weights, widest, most, &marks, &window) == 0) {
        if (!marks.length)
            result = Py_BuildValue("s()", "");
        else if (widest < 1 || marks.items[marks.length - 1].start > text.length || window.last > text.length)
            PyErr_SetString(PyExc_ValueError, "this table is of another text");
        else
            result = cut(&text, widen(&text, window, widest), &marks);
    }
    PyMem_Free(marks.items);
    return result;
}

/* make_snippet(text, table, runs, weights, widest, most): a piece and the ranges of its marks, empty without any. */
PyObject *native_make_snippet(PyObject *self, PyObject *args) {
    PyObject *string, *packed, *runs, *weights;
    Py_ssize_t widest, most, size;
    if (!PyArg_ParseTuple(args, "UUO!O!nn", &string, &packed, &PyList_Type, &runs, &PyList_Type, &weights, &widest, &most))
        return NULL;
    const char *bytes = PyUnicode_AsUTF8AndSize(packed, &size);
    if (!bytes) return NULL;
    if (size % 6) {
        PyErr_SetString(PyExc_ValueError, "this is no table");
        return NULL;
    }
    const uint8_t *hashes = (const uint8_t *)bytes;
    Table table = {hashes, hashes + 4 * (size / 6), hashes + 5 * (size / 6), size / 6};
    return cut_snippet(string, &table, runs, weights, widest, most);
}
