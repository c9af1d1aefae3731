/* A text that is read word by word, and which of its words can be those that a snippet looks for. */
#ifndef TELUSUR_LANGUAGE_SOUGHT_H
#define TELUSUR_LANGUAGE_SOUGHT_H

#include "words.h"
#include <string.h>

enum { OUTSIDE, PLAIN, PAIRED, PLAIN_GLUE, PAIRED_GLUE }; /* kinds of characters; others are odd */
enum { LONGEST_WORD = 1024, FURTHEST = 127, MOST_SPARE = 1 << 20 }; /* in bytes */
enum { IN_WORD = 1, MAY_BEGIN = 2, CANNOT_TELL = 4, LETTERS = 26 }; /* what a character says about sought words */

#ifdef __GNUC__
#define MADE_FOR_EACH_KIND __attribute__((always_inline)) static inline
#else
#define MADE_FOR_EACH_KIND static inline
#endif

/* How sought words begin: what the first 256 characters say, and which small letters may follow a first one. */
typedef struct {
    uint8_t says[256];
    uint32_t seconds[128];
} Sought;

/* A text, and a word of it in UTF-8 with zeros behind it. */
typedef struct {
    PyObject *text;
    const void *data;
    Py_ssize_t length;
    const uint8_t *kinds;
    Py_UCS4 known;     /* from here on all characters are of one kind */
    Py_UCS4 lower_bit; /* what makes a capital in ASCII small */
    const Sought *sought; /* NULL: all words are read */
    Py_ssize_t last;   /* where the token before starts */
    size_t size;
    char word[LONGEST_WORD + 4 + PADDING];
} Reading;

MADE_FOR_EACH_KIND uint8_t kind_at(const Reading *reading, int kind, Py_ssize_t at) {
    Py_UCS4 character = PyUnicode_READ(kind, reading->data, at);
    return reading->kinds[character < reading->known ? character : reading->known];
}

/* Tells whether a sought word may begin with two characters; one that is no letter may be anything. */
MADE_FOR_EACH_KIND int may_begin(const Reading *reading, int kind, Py_ssize_t at) {
    if (at + 1 == reading->length) return 1;
    Py_UCS4 first = PyUnicode_READ(kind, reading->data, at), second = PyUnicode_READ(kind, reading->data, at + 1);
    uint32_t letter = (second | 32) - 'a';
    return second >= 128 || letter >= LETTERS || reading->sought->seconds[first & 127] >> letter & 1;
}

/* Returns where a word ends whose first letter is an ASCII one that no sought word has; else where it starts. That letter
   is what normalising leaves of it unless a mark follows, and unless the word is cut into pieces. */
MADE_FOR_EACH_KIND Py_ssize_t pass_over(const Reading *reading, int kind, Py_ssize_t start) {
    Py_UCS4 first = PyUnicode_READ(kind, reading->data, start);
    if (first >= 128 || reading->sought->says[first] != IN_WORD) return start;
    Py_ssize_t at = start + 1;
    for (uint8_t is; at < reading->length && (is = kind_at(reading, kind, at)) != OUTSIDE; at++)
        if (is != PLAIN && (is != PLAIN_GLUE || at == start + 1)) return start;
    return at;
}

/* Returns where the next word starts that may be sought; -1 without any. */
MADE_FOR_EACH_KIND Py_ssize_t next_sought(const Reading *reading, int kind, Py_ssize_t from) {
    const uint8_t *says = reading->sought->says;
    uint8_t is, before = 0;
    for (Py_ssize_t at = from; at < reading->length; at++) {
        Py_UCS4 character = PyUnicode_READ(kind, reading->data, at);
        is = character < 256 ? says[character] : kind_at(reading, kind, at) == OUTSIDE ? 0 : CANNOT_TELL;
        if (is == CANNOT_TELL) {
            while (at > from && kind_at(reading, kind, at - 1) != OUTSIDE) at--;
            Py_ssize_t end = pass_over(reading, kind, at);
            if (end == at) return at;
            from = at = end;
            is = 0;
        } else if (is & ~before & MAY_BEGIN && may_begin(reading, kind, at)) {
            return at;
        }
        before = is & IN_WORD ? MAY_BEGIN : 0;
    }
    return -1;
}

/* Reads how sought words begin: pairs of a small letter or a digit and the letter behind it, "*" for any. English makes
   an "ie" of some "ying": "y" is always possible. */
static void read_beginnings(const Py_buffer *kinds_of, const char *pairs, Py_ssize_t length, Sought *sought) {
    const uint8_t *kinds = kinds_of->buf;
    uint8_t *says = sought->says;
    memset(sought->seconds, 0, sizeof sought->seconds);
    for (Py_ssize_t i = 0; i < 256; i++) {
        uint8_t is = kinds[i < kinds_of->len ? i : kinds_of->len - 1];
        says[i] = is == OUTSIDE ? 0 : i < 128 && is == PLAIN ? IN_WORD : CANNOT_TELL;
    }
    for (Py_ssize_t i = 0; i + 1 < length; i += 2) {
        uint8_t first = (uint8_t)pairs[i], second = (uint8_t)pairs[i + 1];
        if (first >= 128 || !(says[first] & IN_WORD)) continue;
        uint8_t large = (uint8_t)(first - 'a') < LETTERS ? first - 32 : first;
        says[first] |= MAY_BEGIN;
        says[large] |= MAY_BEGIN;
        sought->seconds[first] |= (uint8_t)(second - 'a') < LETTERS ? 1u << (second - 'a') | 1u << ('y' - 'a') : UINT32_MAX;
        sought->seconds[large] = sought->seconds[first];
    }
}

#endif
