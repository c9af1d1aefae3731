/* What is written somewhere on a page: the tags of its elements, and signs that an attribute is there. Text that only
   looks like a tag counts too, so nothing is missed: see TagIndex of telusur/extract/page/dom.py. */

#include "../../language/native/keyed.h"
#include "native.h"
#include <string.h>

enum { MOST_TAGS = 256, LONGEST_ATTRIBUTE = 20 };

/* The attributes that are looked for, and words in their values. */
enum { HIDDEN = 1, STYLE = 2, AUTHOR = 4, DATE = 8, POSTER = 16 };

typedef struct {
    const unsigned char *data; /* a byte for each character; those outside ASCII do not matter */
    Py_ssize_t length;
    char tags[MOST_TAGS][LONGEST_TAG + 2]; /* each behind `<`; none begins with 0 */
    int found, count;
} Signs;

#define AT(signs, i) ((signs)->data[i])

static int is_letter(Py_UCS4 character) {
    return (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9');
}

/* Returns -1 when there are more tags than there is room for. */
static int note_tag(Signs *signs, Py_ssize_t at) {
    if (at < signs->length && !is_letter(AT(signs, at))) return 0;
    char name[LONGEST_TAG + 2] = {'<'};
    size_t length = 1;
    for (; at < signs->length && is_letter(AT(signs, at)); at++) {
        if (length > LONGEST_TAG) return 0;
        name[length++] = (char)AT(signs, at);
    }
    if (length == 1) return 0;
    unsigned hash = hash_bytes(name, sizeof name - 1) % MOST_TAGS;
    for (; signs->tags[hash][0]; hash = (hash + 1) % MOST_TAGS, hash_probes++)
        if (!strcmp(signs->tags[hash], name)) return 0;
    memcpy(signs->tags[hash], name, sizeof name);
    return ++signs->count < MOST_TAGS / 2 ? 0 : -1;
}

/* Whether a value, which ends at a quote, has a word, in any case, at this place. */
static int has_at(const Signs *signs, Py_ssize_t at, const char *word) {
    for (; *word; word++, at++)
        if (at >= signs->length || (AT(signs, at) | 0x20) != *word) return 0;
    return 1;
}

static int words_of(const Signs *signs, Py_ssize_t at) {
    int found = 0;
    for (; at < signs->length && AT(signs, at) != '"'; at++)
        switch (AT(signs, at) | 0x20) {
        case 'a': if (has_at(signs, at, "author")) found |= AUTHOR; break;
        case 'b': if (has_at(signs, at, "byline")) found |= AUTHOR; break;
        case 'u': if (has_at(signs, at, "username")) found |= AUTHOR; break;
        case 'd': if (has_at(signs, at, "date")) found |= DATE; break;
        case 'p': if (has_at(signs, at, "publish") || has_at(signs, at, "posted")) found |= DATE; break;
        }
    return found;
}

/* Notes an attribute whose name ends before `="`. */
static void note_attribute(Signs *signs, Py_ssize_t equals) {
    char name[LONGEST_ATTRIBUTE + 1];
    Py_ssize_t start = equals;
    while (start > 0 && AT(signs, start - 1) != ' ' && equals - start < LONGEST_ATTRIBUTE) start--;
    for (Py_ssize_t i = start; i < equals; i++) name[i - start] = AT(signs, i) < 128 ? (char)AT(signs, i) : 1;
    name[equals - start] = 0;
    if (!strcmp(name, "class") || !strcmp(name, "itemprop") || !strcmp(name, "rel")) {
        if ((signs->found & (AUTHOR | DATE)) != (AUTHOR | DATE)) /* else there is nothing left to find */
            signs->found |= words_of(signs, equals + 2);
    }
    else if (!strcmp(name, "style")) signs->found |= STYLE;
    else if (!strcmp(name, "hidden")) signs->found |= HIDDEN;
    else if (!strncmp(name, "data-author", 11)) signs->found |= POSTER;
}

static int add(PyObject *set, const char *sign) {
    PyObject *text = PyUnicode_FromString(sign);
    int failed = !text || PySet_Add(set, text) < 0;
    Py_XDECREF(text);
    return failed ? -1 : 0;
}

static PyObject *as_set(const Signs *signs) {
    static const struct {
        int sign;
        const char *name;
    } names[] = {{HIDDEN, "hidden"}, {STYLE, "style"}, {AUTHOR, "author"}, {DATE, "date"}, {POSTER, "data-author"}};
    PyObject *set = PySet_New(NULL);
    int failed = !set;
    for (int i = 0; i < MOST_TAGS && !failed; i++)
        if (signs->tags[i][0]) failed = add(set, signs->tags[i]) < 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && !failed; i++)
        if (signs->found & names[i].sign) failed = add(set, names[i].name) < 0;
    if (failed) Py_CLEAR(set);
    return set;
}

/* Returns where the next `<` or `="` is. Pages are mostly text and scripts: a block that has none is passed over at
   once. */
static Py_ssize_t next_sign(const Signs *signs, Py_ssize_t at) {
    enum { BLOCK_LENGTH = 32 };
    const unsigned char *data = signs->data;
    for (; at + BLOCK_LENGTH < signs->length; at += BLOCK_LENGTH) {
        unsigned char any = 0;
        for (int i = 0; i < BLOCK_LENGTH; i++)
            any |= (unsigned char)((data[at + i] == '<') | ((data[at + i] == '=') & (data[at + i + 1] == '"')));
        if (any) break;
    }
    while (at + 1 < signs->length && data[at] != '<' && !(data[at] == '=' && data[at + 1] == '"')) at++;
    return at;
}

static int look_at_all(Signs *signs) {
    for (Py_ssize_t at = next_sign(signs, 0); at + 1 < signs->length; at = next_sign(signs, at + 1)) {
        if (AT(signs, at) == '=') note_attribute(signs, at);
        else if (note_tag(signs, at + 1) < 0) return -1;
    }
    return 0;
}

/* Returns the page with a byte for each character; NULL when memory is out. */
static unsigned char *narrow(PyObject *page, Py_ssize_t length) {
    unsigned char *data = PyMem_Malloc((size_t)length + 1);
    if (!data) return NULL;
    if (PyUnicode_KIND(page) == PyUnicode_2BYTE_KIND) {
        const Py_UCS2 *from = PyUnicode_2BYTE_DATA(page);
        for (Py_ssize_t i = 0; i < length; i++) data[i] = (unsigned char)(from[i] < 128 ? from[i] : 128);
    } else {
        const Py_UCS4 *from = PyUnicode_4BYTE_DATA(page);
        for (Py_ssize_t i = 0; i < length; i++) data[i] = (unsigned char)(from[i] < 128 ? from[i] : 128);
    }
    return data;
}

/* signs(page): the set of them, or None for a page with more different tags than pages have. */
PyObject *native_signs(PyObject *self, PyObject *page) {
    Signs signs;
    if (!PyUnicode_Check(page)) {
        PyErr_SetString(PyExc_TypeError, "a page is a text");
        return NULL;
    }
    memset(&signs, 0, sizeof signs);
    signs.length = PyUnicode_GET_LENGTH(page);
    unsigned char *narrowed = NULL;
    if (PyUnicode_KIND(page) == PyUnicode_1BYTE_KIND) signs.data = PyUnicode_1BYTE_DATA(page);
    else if (!(signs.data = narrowed = narrow(page, signs.length))) return PyErr_NoMemory();
    int failed = look_at_all(&signs) < 0;
    PyMem_Free(narrowed);
    if (failed) Py_RETURN_NONE;
    return as_set(&signs);
}
