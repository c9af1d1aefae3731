/* What is written somewhere on a page: the tags of its elements, and signs that an attribute is there. Text that only
   looks like a tag counts too, so nothing is missed: see TagIndex of telusur/extract/page/dom.py. */

#include "../../language/native/keyed.h"
#include "native.h"
#include <string.h>

enum { MOST_TAGS = 256, LONGEST_ATTRIBUTE = 20 };

/* The attributes that are looked for, and words in their values. */
enum { HIDDEN = 1, STYLE = 2, AUTHOR = 4, DATE = 8, POSTER = 16 };

typedef struct {
    int kind;
    const void *data;
    Py_ssize_t length;
    char tags[MOST_TAGS][LONGEST_TAG + 2]; /* each behind `<`; none begins with 0 */
    int found, count;
} Signs;

#define AT(signs, i) PyUnicode_READ((signs)->kind, (signs)->data, i)

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
        if (at >= signs->length || (AT(signs, at) | 0x20) != (Py_UCS4)*word) return 0;
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
    if (!strcmp(name, "class") || !strcmp(name, "itemprop") || !strcmp(name, "rel")) signs->found |= words_of(signs, equals + 2);
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

/* Looks at every `<` and `="`; the same for each width that characters may have. */
#define LOOK_AT_ALL(Character)                                                          \
    do {                                                                                \
        const Character *data = signs->data;                                            \
        for (Py_ssize_t at = 0; at + 1 < signs->length; at++) {                         \
            if (data[at] != '<' && data[at] != '=') continue;                           \
            if (data[at] == '<' && note_tag(signs, at + 1) < 0) return -1;              \
            if (data[at] == '=' && data[at + 1] == '"') note_attribute(signs, at);      \
        }                                                                               \
    } while (0)

static int look_at_all(Signs *signs) {
    if (signs->kind == PyUnicode_1BYTE_KIND) LOOK_AT_ALL(Py_UCS1);
    else if (signs->kind == PyUnicode_2BYTE_KIND) LOOK_AT_ALL(Py_UCS2);
    else LOOK_AT_ALL(Py_UCS4);
    return 0;
}

/* signs(page): the set of them, or None for a page with more different tags than pages have. */
PyObject *native_signs(PyObject *self, PyObject *page) {
    Signs signs;
    if (!PyUnicode_Check(page)) {
        PyErr_SetString(PyExc_TypeError, "a page is a text");
        return NULL;
    }
    memset(&signs, 0, sizeof signs);
    signs.kind = PyUnicode_KIND(page), signs.data = PyUnicode_DATA(page), signs.length = PyUnicode_GET_LENGTH(page);
    if (look_at_all(&signs) < 0) Py_RETURN_NONE;
    return as_set(&signs);
}
