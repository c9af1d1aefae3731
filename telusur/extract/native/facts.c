/* What lines have in common with what the page says about itself: the loop of telusur/extract/content/head_overlap.py. */

#include "native.h"
#include <math.h>
#include <string.h>

enum { AGAIN, IS_TITLE, SHARE, SUMMARY, STATED, HAS_STATED, NAMED, YEAR, DAY, CLOCK, OFTEN, COLUMNS };
enum { GRAM = 3, GRAM_BITS = 16384 };
enum { SHORT = 160, TELLING_FROM = 20, START = 60, ROOM = 8, MOST_OFTEN = 9 };

typedef struct {
    PyObject *title, *description, *stated, *names; /* in folded case, but for the names */
    Lexicon *title_words;
    const float *digits;
    /* Bits of three ASCII signs in a row in description and text: the beginnings of most lines are in neither. */
    uint8_t grams[GRAM_BITS / 8];
} Known;

/* The bit of three signs, which are ASCII and no capitals. */
static inline unsigned gram_bit(const Py_UCS4 *of) {
    return (of[0] * 16807u + of[1] * 271u + of[2] * 31u) % GRAM_BITS;
}

static void note_grams(Known *known, PyObject *text) {
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_UCS4 last[GRAM] = {0x80, 0x80, 0x80};
    for (Py_ssize_t at = 0; at < length; at++) {
        last[0] = last[1], last[1] = last[2], last[2] = PyUnicode_READ(kind, data, at);
        unsigned bit = gram_bit(last);
        known->grams[bit >> 3] |= (uint8_t)(1 << (bit & 7));
    }
}

/* Whether description or text may have the beginning of a line, in any case. */
static int may_be_known(const Known *known, PyObject *text) {
    Py_UCS4 first[GRAM];
    for (int i = 0; i < GRAM; i++) {
        first[i] = PyUnicode_READ_CHAR(text, i);
        if (first[i] >= 128) return 1;
        if (first[i] >= 'A' && first[i] <= 'Z') first[i] |= 0x20;
    }
    unsigned bit = gram_bit(first);
    return known->grams[bit >> 3] >> (bit & 7) & 1;
}

static int is_word(PyObject *text, Py_ssize_t at) {
    if (at < 0 || at >= PyUnicode_GET_LENGTH(text)) return 0;
    Py_UCS4 character = PyUnicode_READ_CHAR(text, at);
    return character == '_' || Py_UNICODE_ISALNUM(character);
}

static int has_word_at(PyObject *text, Py_ssize_t at, const Py_UCS4 *word, Py_ssize_t length) {
    if (at + length > PyUnicode_GET_LENGTH(text) || is_word(text, at - 1) || is_word(text, at + length)) return 0;
    for (Py_ssize_t i = 0; i < length; i++)
        if (PyUnicode_READ_CHAR(text, at + i) != word[i]) return 0;
    return 1;
}

/* A year is 19 or 20 and two digits, a time 8:30, "ago" or the same in Indonesian and Turkish. */
static void find_times(PyObject *text, float *year, float *clock) {
    static const Py_UCS4 ago[] = {'a', 'g', 'o'}, lalu[] = {'y', 'a', 'n', 'g', ' ', 'l', 'a', 'l', 'u'};
    static const Py_UCS4 once[] = {0xF6, 'n', 'c', 'e'};
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    int digits = 0;
    Py_UCS4 last[3] = {0}; /* the three characters before */
    for (Py_ssize_t at = 0; at < length; at++) {
        Py_UCS4 character = PyUnicode_READ_CHAR(text, at);
        digits = Py_UNICODE_ISDECIMAL(character) ? digits + 1 : 0;
        if (digits >= 2 && at >= 3 && ((last[0] == '1' && last[1] == '9') || (last[0] == '2' && last[1] == '0'))) *year = 1;
        if (digits >= 2 && at >= 3 && last[1] == ':' && Py_UNICODE_ISDECIMAL(last[0])) *clock = 1;
        if ((character == 'a' && has_word_at(text, at, ago, 3)) || (character == 'y' && has_word_at(text, at, lalu, 9)) ||
            (character == 0xF6 && has_word_at(text, at, once, 4)))
            *clock = 1;
        last[0] = last[1], last[1] = last[2], last[2] = character;
    }
}

static PyObject *folded(PyObject *text) { return PyObject_CallMethod(text, "casefold", NULL); }

static int hold_telling(PyObject *text, const Known *known, float *row) {
    if (!may_be_known(known, text)) return 0; /* a telling text is longer than the signs that are looked at */
    PyObject *start = PyUnicode_Substring(text, 0, START), *fold = start ? folded(start) : NULL;
    int in_description = 0, in_stated = 0;
    if (fold && PyUnicode_GET_LENGTH(known->description)) in_description = PyUnicode_Contains(known->description, fold);
    if (fold && PyUnicode_GET_LENGTH(known->stated)) in_stated = PyUnicode_Contains(known->stated, fold);
    int failed = !fold || in_description < 0 || in_stated < 0;
    Py_XDECREF(start);
    Py_XDECREF(fold);
    row[SUMMARY] = (float)in_description;
    row[STATED] = (float)in_stated;
    return failed ? -1 : 0;
}

static int hold_short(PyObject *text, const Known *known, float digits, float *row) {
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), wanted = PyUnicode_GET_LENGTH(known->title);
    if (wanted) {
        if (length - wanted <= ROOM && wanted - length <= ROOM) {
            PyObject *fold = folded(text);
            if (!fold) return -1;
            row[IS_TITLE] = PyUnicode_Compare(fold, known->title) == 0;
            Py_DECREF(fold);
        }
        if (lexicon_share(known->title_words, text, &row[SHARE]) < 0) return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(known->names); i++) {
        int named = PyUnicode_Contains(text, PyTuple_GET_ITEM(known->names, i));
        if (named < 0) return -1;
        if (named) row[NAMED] = 1;
    }
    if (digits > 0) {
        find_times(text, &row[YEAR], &row[CLOCK]);
        if (digits < 4) row[YEAR] = 0;
    }
    return 0;
}

/* Counts how often each text stands on the page, and which stand above already. */
static int count_texts(PyObject *texts, float *table) {
    Py_ssize_t rows = PyList_GET_SIZE(texts);
    PyObject *first = PyDict_New();
    float *counts = PyMem_Calloc((size_t)rows + 1, sizeof *counts);
    Py_ssize_t *first_of = PyMem_Calloc((size_t)rows + 1, sizeof *first_of);
    int failed = !first || !counts || !first_of;
    for (Py_ssize_t row = 0; row < rows && !failed; row++) {
        PyObject *number = PyLong_FromSsize_t(row);
        PyObject *known = number ? PyDict_SetDefault(first, PyList_GET_ITEM(texts, row), number) : NULL;
        Py_XDECREF(number);
        if (!known) failed = 1;
        else {
            first_of[row] = PyLong_AsSsize_t(known);
            counts[first_of[row]]++;
        }
    }
    for (Py_ssize_t row = 0; row < rows && !failed; row++) {
        table[row * COLUMNS + AGAIN] = first_of[row] != row;
        if (counts[first_of[row]] > 1) table[row * COLUMNS + OFTEN] = logf(fminf(counts[first_of[row]], MOST_OFTEN));
    }
    Py_XDECREF(first);
    PyMem_Free(counts);
    PyMem_Free(first_of);
    return failed ? -1 : 0;
}

/* hold(texts, digits, title, title_words, description, stated, names): the table of facts.py, float32, but for
   whether a line is the date. */
PyObject *native_hold(PyObject *self, PyObject *args) {
    PyObject *texts, *table;
    Py_buffer digits;
    Known known;
    if (!PyArg_ParseTuple(args, "O!y*UO!UUO!", &PyList_Type, &texts, &digits, &known.title, &LexiconType,
                          &known.title_words, &known.description, &known.stated, &PyTuple_Type, &known.names))
        return NULL;
    Py_ssize_t rows = PyList_GET_SIZE(texts);
    int is_sound = digits.len == rows * (Py_ssize_t)sizeof(float);
    for (Py_ssize_t i = 0; i < rows && is_sound; i++) is_sound = PyUnicode_Check(PyList_GET_ITEM(texts, i));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(known.names) && is_sound; i++)
        is_sound = PyUnicode_Check(PyTuple_GET_ITEM(known.names, i));
    if (!is_sound) {
        PyBuffer_Release(&digits);
        return too_small();
    }
    memset(known.grams, 0, sizeof known.grams);
    note_grams(&known, known.description);
    note_grams(&known, known.stated);
    table = PyBytes_FromStringAndSize(NULL, rows * COLUMNS * (Py_ssize_t)sizeof(float));
    float *out = table ? (float *)PyBytes_AS_STRING(table) : NULL;
    int failed = !table;
    if (table) {
        memset(out, 0, (size_t)PyBytes_GET_SIZE(table));
        failed = count_texts(texts, out) < 0;
    }
    for (Py_ssize_t row = 0; row < rows && !failed; row++, out += COLUMNS) {
        PyObject *text = PyList_GET_ITEM(texts, row);
        Py_ssize_t length = PyUnicode_GET_LENGTH(text);
        if (length > TELLING_FROM) failed = hold_telling(text, &known, out) < 0;
        if (length <= SHORT && !failed) failed = hold_short(text, &known, ((const float *)digits.buf)[row], out) < 0;
    }
    PyBuffer_Release(&digits);
    if (failed) {
        Py_XDECREF(table);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    return table;
}
