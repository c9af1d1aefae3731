/* The words in the names of elements and what they mean: the loops of telusur/extract/content/element_names.py. */

#include "native.h"
#include <string.h>

#define LONGEST_NAME 60
#define MOST_NAMES 12
#define MOST_NAME_WORDS 8

typedef struct {
    char letters[LONGEST_NAME + 1];
    size_t length;
} NameWord;

int are_names(PyObject *element) {
    if (PyTuple_Check(element) && PyTuple_GET_SIZE(element) == 4) {
        int i = 0;
        while (i < 4 && PyUnicode_Check(PyTuple_GET_ITEM(element, i))) i++;
        if (i == 4) return 1;
    }
    PyErr_SetString(PyExc_TypeError, "names are tuples of four strings");
    return 0;
}

/* Writes `<tag`; returns its length, 0 when it is too long. */
size_t read_tag_name(PyObject *element, char *to) {
    Py_ssize_t length;
    const char *tag = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(element, 0), &length);
    if (!tag) PyErr_Clear();
    if (!tag || length + 1 > LONGEST_WORD) return 0;
    to[0] = '<';
    memcpy(to + 1, tag, (size_t)length);
    return (size_t)length + 1;
}

/* Finds the first names in a row of names with white space between; returns how many. */
static int split_names(PyObject *names, Span *spans) {
    int kind = PyUnicode_KIND(names), count = 0;
    const void *data = PyUnicode_DATA(names);
    Py_ssize_t length = PyUnicode_GET_LENGTH(names), at = 0;
    while (count < MOST_NAMES) {
        while (at < length && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, at))) at++;
        if (at >= length) break;
        spans[count].start = at;
        while (at < length && !Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, at))) at++;
        spans[count++].end = at;
    }
    return count;
}

/* Finds the different words of a name, in lower case; returns how many. */
static int read_name_words(PyObject *names, Span span, NameWord *words) {
    int kind = PyUnicode_KIND(names), count = 0;
    const void *data = PyUnicode_DATA(names);
    Py_ssize_t end = span.end - span.start > LONGEST_NAME ? span.start + LONGEST_NAME : span.end;
    for (Py_ssize_t at = span.start; at < end && count < MOST_NAME_WORDS;) {
        NameWord *word = &words[count];
        Py_UCS4 first = PyUnicode_READ(kind, data, at);
        int is_upper = first >= 'A' && first <= 'Z';
        word->length = 0;
        if (!is_upper && !(first >= 'a' && first <= 'z')) {
            at++;
            continue;
        }
        word->letters[word->length++] = (char)(first | 32);
        at++;
        Py_UCS4 second = at < end ? PyUnicode_READ(kind, data, at) : 0;
        char low = is_upper && second >= 'A' && second <= 'Z' ? 'A' : 'a';
        for (; at < end; at++) {
            Py_UCS4 character = PyUnicode_READ(kind, data, at);
            if (character < (Py_UCS4)low || character > (Py_UCS4)(low + 25)) break;
            word->letters[word->length++] = (char)(character | 32);
        }
        int is_new = word->length > 1;
        for (int i = 0; i < count && is_new; i++)
            is_new = words[i].length != word->length || memcmp(words[i].letters, word->letters, word->length);
        count += is_new;
    }
    return count;
}

static int put_name_span(const Lexicon *self, Bags *bags, PyObject *names, Span span, char sign) {
    NameWord words[MOST_NAME_WORDS];
    int count = read_name_words(names, span, words);
    for (int i = 0; i < count; i++) {
        char key[LONGEST_NAME + 2];
        key[0] = sign;
        memcpy(key + 1, words[i].letters, words[i].length);
        int64_t number = lexicon_number(self, key, words[i].length + 1);
        if (number >= 0 && bags_put(bags, number) < 0) return -1;
    }
    return 0;
}

int bags_put_names(Bags *bags, const Lexicon *self, PyObject *names, char sign) {
    Span spans[MOST_NAMES];
    int count = split_names(names, spans);
    for (int i = 0; i < count; i++)
        if (put_name_span(self, bags, names, spans[i], sign) < 0) return -1;
    return 0;
}

int bags_put_name(Bags *bags, const Lexicon *self, PyObject *name, char sign) {
    Span whole = {0, PyUnicode_GET_LENGTH(name)};
    return put_name_span(self, bags, name, whole, sign);
}

static int64_t senses_of_name(PyObject *names, Span span, const Lexicon *exact, const Lexicon *prefixes) {
    NameWord words[MOST_NAME_WORDS];
    char pair[2 * LONGEST_NAME];
    int64_t senses = 0;
    int count = read_name_words(names, span, words);
    for (int i = 0; i < count; i++) {
        const NameWord *word = &words[i];
        int64_t first = -1, bits = lexicon_number(exact, word->letters, word->length);
        if (bits > 0) senses |= bits;
        for (size_t length = 1; length <= word->length; length++) {
            int64_t sense = lexicon_number(prefixes, word->letters, length);
            if (sense >= 0 && (first < 0 || sense < first)) first = sense;
        }
        if (first >= 0) senses |= (int64_t)1 << first;
        if (i) { /* two words that follow each other also count as one */
            memcpy(pair, words[i - 1].letters, words[i - 1].length);
            memcpy(pair + words[i - 1].length, word->letters, word->length);
            bits = lexicon_number(exact, pair, words[i - 1].length + word->length);
            if (bits > 0) senses |= bits;
        }
    }
    return senses;
}

/* name_senses(names, tags, exact, prefixes): the senses of each tuple of names, a bit for each; int64.
   `tags` and `exact` have bits for words, `prefixes` the number of the first sense with that beginning. */
PyObject *native_name_senses(PyObject *self, PyObject *args) {
    PyObject *names, *senses;
    Lexicon *tags, *exact, *prefixes;
    if (!PyArg_ParseTuple(args, "O!O!O!O!", &PyList_Type, &names, &LexiconType, &tags, &LexiconType, &exact,
                          &LexiconType, &prefixes))
        return NULL;
    Py_ssize_t rows = PyList_GET_SIZE(names);
    if (!(senses = PyBytes_FromStringAndSize(NULL, rows * (Py_ssize_t)sizeof(int64_t)))) return NULL;
    for (Py_ssize_t row = 0; row < rows; row++) {
        PyObject *element = PyList_GET_ITEM(names, row);
        if (!are_names(element)) {
            Py_DECREF(senses);
            return NULL;
        }
        char tag[LONGEST_WORD];
        size_t length = read_tag_name(element, tag);
        int64_t bits = length > 1 ? lexicon_number(tags, tag + 1, length - 1) : -1;
        if (bits < 0) bits = 0;
        Span spans[MOST_NAMES];
        int count = split_names(PyTuple_GET_ITEM(element, 1), spans);
        for (int i = 0; i < count; i++) bits |= senses_of_name(PyTuple_GET_ITEM(element, 1), spans[i], exact, prefixes);
        for (int i = 2; i < 4; i++) {
            Span whole = {0, PyUnicode_GET_LENGTH(PyTuple_GET_ITEM(element, i))};
            bits |= senses_of_name(PyTuple_GET_ITEM(element, i), whole, exact, prefixes);
        }
        ((int64_t *)PyBytes_AS_STRING(senses))[row] = bits;
    }
    return senses;
}
