/* The memory of words: bounded, and those that are met again stay. Words are looked up eight bytes at a time. */

#include "words.h"
#include "keyed.h"
#include <string.h>

enum { LONGEST_TERM = 64, SEVEN_BITS = 0x7F7F7F7F, NOT_ASKED = 2 };

int open_words(Words *words, size_t most) {
    size_t room = 64;
    while (room < 2 * most) room *= 2;
    words->most = most;
    words->mask = room - 1;
    words->entries = PyMem_Calloc(most, sizeof *words->entries);
    words->slots = PyMem_Calloc(room, sizeof *words->slots);
    if (words->entries && words->slots) return 0;
    PyErr_NoMemory();
    return -1;
}

void close_words(Words *words) {
    Py_XDECREF(words->stem);
    Py_XDECREF(words->make);
    Py_XDECREF(words->is_stop_word);
    if (words->scatter.obj) PyBuffer_Release(&words->scatter);
    PyMem_Free(words->entries);
    PyMem_Free(words->slots);
    PyMem_Free(words->bytes);
}

static void take_slot(Words *words, size_t number) {
    size_t at = words->entries[number].hash & words->mask;
    while (words->slots[at]) at = (at + 1) & words->mask;
    words->slots[at] = (uint32_t)number + 1;
}

/* Makes room: words that were met once only go, and all but half of the others. What is kept moves up. */
static void forget(Words *words) {
    size_t most = words->most / 2, kept = 0, length = 0;
    for (size_t i = 0; i < words->count && kept < most; i++) {
        Entry entry = words->entries[i];
        if (!entry.is_met_again) continue;
        uint32_t back = entry.word - (uint32_t)length;
        memmove(words->bytes + length, words->bytes + entry.word, (size_t)entry.size * 8);
        entry.word -= back;
        entry.stem -= back;
        entry.exact -= back;
        entry.is_met_again = 0;
        length += (size_t)entry.size * 8;
        words->entries[kept++] = entry;
    }
    words->count = kept;
    words->length = length;
    memset(words->slots, 0, (words->mask + 1) * sizeof *words->slots);
    for (size_t i = 0; i < kept; i++) take_slot(words, i);
}

/* Keeps some bytes, and zeros behind them up to a multiple of eight. */
static int keep(Words *words, const char *data, size_t size) {
    size_t padded = (size + 7) / 8 * 8;
    if (grow((void **)&words->bytes, &words->room, words->length + padded + PADDING, 1) < 0) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(words->bytes + words->length, data, size);
    memset(words->bytes + words->length + size, 0, padded - size);
    words->length += padded;
    return 0;
}

/* Keeps a form of the word that was kept last, which often is a part of it. */
static int keep_form(Words *words, const Entry *entry, PyObject *text, uint32_t *at, uint16_t *length) {
    Py_ssize_t size;
    const char *utf8 = PyUnicode_AsUTF8AndSize(text, &size);
    if (!utf8) return -1;
    if (size > UINT16_MAX) {
        PyErr_SetString(PyExc_ValueError, "what becomes of a word is not so long");
        return -1;
    }
    *length = (uint16_t)size;
    *at = entry->word;
    if (size <= entry->word_length && !memcmp(words->bytes + entry->word, utf8, (size_t)size)) return 0;
    *at = (uint32_t)words->length;
    return keep(words, utf8, (size_t)size);
}

uint32_t hash_term(const Words *words, const char *term, size_t length) {
    const uint64_t *of_byte = words->scatter.buf, *of_place = of_byte + 256;
    uint64_t sum = 0;
    for (size_t i = 0; i < length; i++) sum += of_byte[(uint8_t)term[i]] * of_place[i & 255];
    uint32_t hash = (uint32_t)(sum * of_byte[512] >> 32) & SEVEN_BITS;
    return hash ? hash : 1;
}

/* Returns stem and exact form of a new word, as Python has them, or NULL. */
static PyObject *make_forms(Words *words, const char *word, size_t length) {
    size_t ascii = 0;
    while (words->lowers && ascii < length && !(word[ascii] & 128)) ascii++;
    if (ascii < length) {
        PyObject *text = PyUnicode_DecodeUTF8(word, (Py_ssize_t)length, NULL);
        PyObject *made = text ? PyObject_CallOneArg(words->make, text) : NULL;
        Py_XDECREF(text);
        return made;
    }
    size_t kept = length < LONGEST_TERM ? length : LONGEST_TERM;
    PyObject *text = PyUnicode_DecodeUTF8(word, (Py_ssize_t)kept, NULL);
    PyObject *stem = !text ? NULL : words->stem == Py_None ? Py_NewRef(text) : PyObject_CallOneArg(words->stem, text);
    if (stem && PyUnicode_Check(stem) && !PyUnicode_GET_LENGTH(stem)) Py_SETREF(stem, Py_NewRef(text));
    PyObject *made = stem ? PyTuple_Pack(2, stem, text) : NULL;
    Py_XDECREF(stem);
    Py_XDECREF(text);
    return made;
}

static int is_one_term(PyObject *text) {
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    return length && PyUnicode_FindChar(text, ' ', 0, length, 1) == -1;
}

int ask_for_stop_word(const Words *words, PyObject *word) {
    if (!word || words->is_stop_word == Py_None) {
        int result = word ? 0 : -1;
        Py_XDECREF(word);
        return result;
    }
    PyObject *told = PyObject_CallOneArg(words->is_stop_word, word);
    int result = told ? PyObject_IsTrue(told) : -1;
    Py_DECREF(word);
    Py_XDECREF(told);
    return result;
}

/* Asks Python what becomes of a new word, and remembers it. */
static const Entry *meet(Words *words, const char *word, size_t length, uint32_t hash) {
    PyObject *made = make_forms(words, word, length), *stem, *exact;
    if (!made) return NULL;
    if (!PyTuple_Check(made)) {
        PyErr_SetString(PyExc_TypeError, "what becomes of a word is a pair of strings");
        Py_DECREF(made);
        return NULL;
    }
    if (!PyArg_ParseTuple(made, "UU", &stem, &exact)) {
        Py_DECREF(made);
        return NULL;
    }
    if (words->count == words->most) forget(words);
    size_t before = words->length;
    Entry entry = {.hash = hash, .word = (uint32_t)before, .word_length = (uint16_t)length};
    entry.is_stop_word = NOT_ASKED;
    entry.is_simple = (uint8_t)(is_one_term(stem) && is_one_term(exact));
    int failed = keep(words, word, length) < 0 || keep_form(words, &entry, stem, &entry.stem, &entry.stem_length) < 0 ||
                 keep_form(words, &entry, exact, &entry.exact, &entry.exact_length) < 0;
    Py_DECREF(made);
    if (failed) {
        words->length = before;
        return NULL;
    }
    entry.size = (uint16_t)((words->length - before) / 8);
    entry.term_hash = hash_term(words, words->bytes + entry.stem, entry.stem_length);
    words->entries[words->count] = entry;
    take_slot(words, words->count);
    return &words->entries[words->count++];
}

static uint64_t eight_at(const char *bytes) {
    uint64_t eight;
    memcpy(&eight, bytes, 8);
    return eight;
}

static uint32_t hash_word(const char *word, size_t length) {
    uint64_t hash = hash_start(length);
    for (size_t i = 0; i < length; i += 8) hash = hash_more(hash, eight_at(word + i));
    return hash_end(hash);
}

static int is_same(const char *one, const char *other, size_t length) {
    for (size_t i = 0; i < length; i += 8)
        if (eight_at(one + i) != eight_at(other + i)) return 0;
    return 1;
}

const Entry *find_word(Words *words, const char *word, size_t length) {
    uint32_t hash = hash_word(word, length);
    for (size_t at = hash & words->mask; words->slots[at]; at = (at + 1) & words->mask) {
        Entry *entry = &words->entries[words->slots[at] - 1];
        if (entry->hash == hash && entry->word_length == length && is_same(words->bytes + entry->word, word, length)) {
            entry->is_met_again = 1;
            return entry;
        }
        hash_probes++;
    }
    return meet(words, word, length, hash);
}

int tell_stop_word(Words *words, const char *word, size_t length) {
    const Entry *entry = find_word(words, word, length);
    if (!entry || entry->is_stop_word != NOT_ASKED) return entry ? entry->is_stop_word : -1;
    int told = ask_for_stop_word(words, PyUnicode_DecodeUTF8(word, (Py_ssize_t)length, NULL));
    /* Python may have met other words meanwhile, and moved the entries. */
    entry = told < 0 ? NULL : find_word(words, word, length);
    if (!entry) return -1;
    words->entries[entry - words->entries].is_stop_word = (uint8_t)told;
    return told;
}
