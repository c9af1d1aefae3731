/* The words met so far, and what became of each. */
#ifndef TELUSUR_LANGUAGE_WORDS_H
#define TELUSUR_LANGUAGE_WORDS_H

#include "native.h"

/* A word is handed over with so many zero bytes behind it, and forms have so many bytes behind them that may be read. */
enum { PADDING = 16 };

typedef struct {
    uint32_t hash, term_hash;
    uint32_t word, stem, exact; /* where they begin in `bytes`; stem and exact form may lie within the word */
    uint16_t word_length, stem_length, exact_length;
    uint16_t size;     /* of all this in `bytes`, in units of eight */
    uint8_t is_simple; /* one term, so that it can be used as it is */
    uint8_t is_stop_word; /* 2: nobody has asked yet; an index never does */
    uint8_t is_met_again;
} Entry;

typedef struct {
    PyObject *stem; /* called with an ASCII word in lower case: its stem; None when it is the word itself */
    PyObject *make; /* called with any other word: its stem and its exact form */
    PyObject *is_stop_word; /* called with any word; None when none is */
    Py_buffer scatter; /* 256 numbers for bytes, 256 for their places, one for the end */
    int lowers;
    Entry *entries;
    uint32_t *slots; /* number of the entry plus one */
    char *bytes;
    size_t count, most, mask, length, room;
} Words;

/* Makes room for so many words; -1 with an error set. */
int open_words(Words *words, size_t most);
void close_words(Words *words);

/* Returns what became of a word in UTF-8, asking Python when it is new; NULL with an error set. Good until the next call. */
const Entry *find_word(Words *words, const char *word, size_t length);

/* Tells whether a word in UTF-8 is a stop word, and asks Python the first time; -1 with an error set. */
int tell_stop_word(Words *words, const char *word, size_t length);

/* Tells whether a word, which is given away, is a stop word; -1 with an error set. */
int ask_for_stop_word(const Words *words, PyObject *word);

/* The hash of a term, as token_table.hash_terms has it. */
uint32_t hash_term(const Words *words, const char *term, size_t length);

#endif
