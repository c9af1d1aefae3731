/* What the parts of telusur.extract._native share. */
#ifndef TELUSUR_NATIVE_H
#define TELUSUR_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

/* Kinds of tags, the bits that `_kinds_of_tags` of telusur/extract/page/layout.py gives them. */
enum { BLOCK = 1, VERBATIM = 2, LINK = 4, TELLING = 8, STATING = 16, VOID = 32, RAW = 64, BREAK = 128, FOREIGN = 256, DOMESTIC = 512, PLAIN = 1024 };

#define LONGEST_TAG 15

/* The kinds of a tag as `native_set_tags` was told; 0 for one that it was not told of. */
int kind_of_tag(const char *name, size_t length);

/* Whether the name of a tag ends before this character, as the HTML standard says. */
static inline int ends_tag_name(Py_UCS4 character) {
    return character == '>' || character == '/' || character == ' ' || character == '\t' || character == '\n' ||
           character == '\f' || character == '\r';
}

/* A growing array of characters or numbers. */
typedef struct {
    Py_UCS4 *items;
    size_t length, room;
} Characters;

typedef struct {
    int32_t *items;
    size_t length, room;
} Numbers;

/* Bags of numbers, one after the other, each behind a zero; no number twice in a bag. */
typedef struct {
    int64_t *ids, *at;
    size_t length, room, count;
    uint32_t *stamps; /* for each number the last bag it was put into */
    size_t stamps_room;
} Bags;

typedef struct {
    PyObject_HEAD
    char *words; /* one after the other */
    uint32_t *slots, *lengths; /* where the word begins, plus one */
    int64_t *numbers;
    size_t mask;
    uint8_t sieve[8192]; /* bits of beginnings, ends and lengths: most words that are asked for are not there */
} Lexicon;

int bags_begin(Bags *bags);
int bags_put(Bags *bags, int64_t number);
PyObject *bags_finish(Bags *bags, int failed);
int64_t lexicon_number(const Lexicon *self, const char *word, size_t length);

/* A stretch of a string. */
typedef struct {
    Py_ssize_t start, end;
} Span;

#define LONGEST_WORD 64 /* bytes; longer ones are in no vocabulary */

/* Whether an object is a tuple of tag, classes, id and role; sets an error if not. */
int are_names(PyObject *element);
/* Writes `<tag`; returns its length, 0 when it is too long. */
size_t read_tag_name(PyObject *element, char *to);
/* Puts the numbers of the words of names that stand in a row, or of one name, behind a sign. */
int bags_put_names(Bags *bags, const Lexicon *self, PyObject *names, char sign);
int bags_put_name(Bags *bags, const Lexicon *self, PyObject *name, char sign);

/* The block elements of a page, and which of them holds each line. */
typedef struct {
    const int32_t *starts, *parents, *containers, *names_of;
    Py_ssize_t count, lines;
} Elements;

/* Rows of (start, end, depth, parent); the row of each line; where the names of each row begin; names. */
typedef struct {
    Numbers rows, holders, at, members;
} Groups;

int groups_make(Groups *to, const Elements *from); /* -1 with an error set */
void groups_free(Groups *groups);

/* Releases views that were filled; others are zeroed. */
void release(Py_buffer *views, int count);

int characters_reserve(Characters *to, size_t more);
int numbers_add(Numbers *to, int32_t item);
PyObject *numbers_as_bytes(const Numbers *of);
PyObject *too_small(void);

PyObject *native_scan(PyObject *self, PyObject *args);
PyObject *native_set_tags(PyObject *self, PyObject *args);
PyObject *native_around(PyObject *self, PyObject *args);
PyObject *native_signs(PyObject *self, PyObject *page);
PyObject *native_element_names(PyObject *self, PyObject *page);
PyObject *native_sheet_parts(PyObject *self, PyObject *args);
PyObject *native_nearby(PyObject *self, PyObject *args);
PyObject *native_count_kinds(PyObject *self, PyObject *args);
PyObject *native_group(PyObject *self, PyObject *args);
PyObject *native_join_bags(PyObject *self, PyObject *args);
PyObject *native_sum_bags(PyObject *self, PyObject *args);
PyObject *native_sum_within(PyObject *self, PyObject *args);
PyObject *native_sum_around(PyObject *self, PyObject *args);

PyObject *native_has_surrogates(PyObject *self, PyObject *args);
/* Which share of the words of a text, in any case, a lexicon has; -1 with an error set. */
int lexicon_share(const Lexicon *self, PyObject *text, float *share);

PyObject *native_hold(PyObject *self, PyObject *args);
PyObject *native_read(PyObject *self, PyObject *args);
PyObject *native_name_senses(PyObject *self, PyObject *args);

extern PyTypeObject LexiconType;

#endif
