/* telusur.language._native: stems, exact forms and token table of a text in one pass, and its snippets.

   Only what most texts are made of is done here: words that are one term each, and the pairs of characters of
   scripts without spaces. Python is asked about other words; a text that is full of them is left to Python (None).
   What a word is and what becomes of it: telusur/language/words.py, analysis.py, exact.py and token_table.py,
   which a test holds against this. */

#include "keyed.h"
#include "version.h"
#include "sought.h"
#include "words.h"
#include <string.h>

uint64_t hash_secrets[3], hash_probes;

enum { IS_PLAIN = 1 << PLAIN | 1 << PLAIN_GLUE, IS_CUT = 1 << PLAIN | 1 << PAIRED, IS_ODD = 1 << 30 }; /* of words */
enum { FIRST_JAMO = 0x1100, LAST_JAMO = 0x11FF }; /* paired, but normalising joins them */
enum { FEW_ODD = 400, ODD_SHARE = 8 }; /* characters of odd words that a text may have, and one in so many */

/* What is made of a text: forms for an index, places for a snippet. */
typedef struct {
    int has_forms, has_places;
    char *stems, *exact;
    uint32_t *hashes;
    uint8_t *steps, *lengths;
    size_t stems_length, stems_room, exact_length, exact_room, count, room;
} Made;

typedef struct {
    PyObject_HEAD
    Words words;
    PyObject *locate; /* called with a word of any number of terms: each with its places, and the exact forms */
    Py_buffer kinds;
    Made spare; /* the room of the text before */
} Analysis;

int grow(void **items, size_t *room, size_t needed, size_t size) {
    if (needed <= *room) return 0;
    size_t larger = *room ? *room : 256;
    while (larger < needed) larger *= 2;
    void *made = PyMem_Realloc(*items, larger * size);
    if (!made) return -1;
    *items = made;
    *room = larger;
    return 0;
}

static int add_token(Made *made, uint32_t hash, size_t step, size_t length) {
    if (made->count == made->room) {
        size_t hashes = made->room, steps = made->room, lengths = made->room, needed = made->room + 1;
        if (grow((void **)&made->hashes, &hashes, needed, sizeof *made->hashes) < 0 ||
            grow((void **)&made->steps, &steps, needed, 1) < 0 || grow((void **)&made->lengths, &lengths, needed, 1) < 0)
            return -1;
        made->room = hashes;
    }
    made->hashes[made->count] = hash;
    made->steps[made->count] = (uint8_t)step;
    made->lengths[made->count++] = (uint8_t)(length < FURTHEST ? length : FURTHEST);
    return 0;
}

/* Adds a token `step` behind the one before; a step too long for a byte is bridged. */
static int add_place(Made *made, uint32_t hash, size_t step, size_t length) {
    if (!made->has_places) return 0;
    for (; step > FURTHEST; step -= FURTHEST)
        if (add_token(made, 0, FURTHEST, 0) < 0) return -1;
    return add_token(made, hash, step, length);
}

/* Returns where the next form goes, behind a space; NULL when memory is out. */
static char *next_form(char **forms, size_t *length, size_t *room, size_t size) {
    if (grow((void **)forms, room, *length + 1 + size + PADDING, 1) < 0) return NULL;
    if (*length) (*forms)[(*length)++] = ' ';
    char *form = *forms + *length;
    *length += size;
    return form;
}

/* Copies a form that has PADDING bytes behind it, as what it is copied to: short ones without asking how short. */
static void copy_padded(char *to, const char *form, size_t size) {
    memcpy(to, form, PADDING);
    if (size > PADDING) memcpy(to + PADDING, form + PADDING, size - PADDING);
}

static int add_forms(Made *made, const char *stem, size_t stem_length, const char *exact, size_t exact_length) {
    if (!made->has_forms) return 0;
    char *to_stems = next_form(&made->stems, &made->stems_length, &made->stems_room, stem_length);
    char *to_exact = next_form(&made->exact, &made->exact_length, &made->exact_room, exact_length);
    if (!to_stems || !to_exact) return -1;
    copy_padded(to_stems, stem, stem_length);
    copy_padded(to_exact, exact, exact_length);
    return 0;
}

/* The same for forms that have nothing behind them. */
static int add_unpadded(Made *made, const char *stem, size_t stem_length, const char *exact, size_t exact_length) {
    if (!made->has_forms) return 0;
    char *to_stems = next_form(&made->stems, &made->stems_length, &made->stems_room, stem_length);
    char *to_exact = next_form(&made->exact, &made->exact_length, &made->exact_room, exact_length);
    if (!to_stems || !to_exact) return -1;
    memcpy(to_stems, stem, stem_length);
    memcpy(to_exact, exact, exact_length);
    return 0;
}

/* Adds the word that was read, which stands from `start` to `end`. Returns 1 when it was added, 0 when it is no single
   term, -1 with an error set. */
static int add_word(Analysis *self, Made *made, Reading *reading, Py_ssize_t start, Py_ssize_t end) {
    memset(reading->word + reading->size, 0, PADDING);
    const Entry *entry = find_word(&self->words, reading->word, reading->size);
    if (!entry) return -1;
    if (!entry->is_simple) return 0;
    const char *bytes = self->words.bytes;
    if (add_forms(made, bytes + entry->stem, entry->stem_length, bytes + entry->exact, entry->exact_length) < 0 ||
        add_place(made, entry->term_hash, (size_t)(start - reading->last), (size_t)(end - start)) < 0)
        return PyErr_NoMemory(), -1;
    reading->last = start;
    return 1;
}

static size_t encode(char *to, Py_UCS4 character) {
    if (character < 0x80) return to[0] = (char)character, 1;
    if (character < 0x800) return to[0] = (char)(0xC0 | character >> 6), to[1] = (char)(0x80 | (character & 63)), 2;
    size_t size = character < 0x10000 ? 3 : 4;
    to[0] = (char)(size == 3 ? 0xE0 | character >> 12 : 0xF0 | character >> 18);
    for (size_t i = 1; i < size; i++) to[i] = (char)(0x80 | (character >> 6 * (size - 1 - i) & 63));
    return size;
}

/* Adds the overlapping pairs of a run of characters, or the only one. */
static int add_pairs(Analysis *self, Made *made, Reading *reading, Py_ssize_t start, Py_ssize_t end) {
    int kind = PyUnicode_KIND(reading->text);
    char pair[2 * PADDING] = {0};
    size_t first = encode(pair, PyUnicode_READ(kind, reading->data, start)), second = 0;
    Py_ssize_t at = start;
    do {
        if (at + 1 < end) second = encode(pair + first, PyUnicode_READ(kind, reading->data, at + 1));
        uint32_t hash = hash_term(&self->words, pair, first + second);
        if (add_forms(made, pair, first + second, pair, first + second) < 0 ||
            add_place(made, hash, (size_t)(at - reading->last), end - start > 1 ? 2 : 1) < 0)
            return PyErr_NoMemory(), -1;
        reading->last = at;
        memmove(pair, pair + first, second);
        first = second;
    } while (++at + 1 < end);
    return 1;
}

/* Adds one term of an odd word, (term, where it starts in the word, where it ends). */
static int add_located(Analysis *self, Made *made, PyObject *located, PyObject *exact, Py_ssize_t start, Py_ssize_t *last) {
    PyObject *term;
    Py_ssize_t from, to, stem_length, exact_length;
    if (!PyTuple_Check(located) || !PyArg_ParseTuple(located, "Unn", &term, &from, &to)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a term comes with its places");
        return -1;
    }
    const char *stem = PyUnicode_AsUTF8AndSize(term, &stem_length), *form = PyUnicode_AsUTF8AndSize(exact, &exact_length);
    if (!stem || !form) return -1;
    if (from < 0 || to < from || start + from < *last) {
        PyErr_SetString(PyExc_ValueError, "terms stand one behind the other");
        return -1;
    }
    uint32_t hash = hash_term(&self->words, stem, (size_t)stem_length);
    if (add_unpadded(made, stem, (size_t)stem_length, form, (size_t)exact_length) < 0 ||
        add_place(made, hash, (size_t)(start + from - *last), (size_t)(to - from)) < 0)
        return PyErr_NoMemory(), -1;
    *last = start + from;
    return 0;
}

/* Adds a word of any number of terms, as Python cuts it. Returns 1, 0 when that does not come out even, or -1 with
   an error set. */
static int add_odd_word(Analysis *self, Made *made, Reading *reading, Py_ssize_t start, Py_ssize_t end) {
    PyObject *word = PyUnicode_Substring(reading->text, start, end), *located, *exact;
    PyObject *found = word ? PyObject_CallOneArg(self->locate, word) : NULL;
    int result = -1;
    Py_XDECREF(word);
    if (!found) return -1;
    if (!PyTuple_Check(found) || PyTuple_GET_SIZE(found) != 2 || !PyList_Check(located = PyTuple_GET_ITEM(found, 0)) ||
        !PyList_Check(exact = PyTuple_GET_ITEM(found, 1))) {
        PyErr_SetString(PyExc_TypeError, "what becomes of an odd word is two lists");
    } else if (PyList_GET_SIZE(located) != PyList_GET_SIZE(exact)) {
        result = 0;
    } else {
        Py_ssize_t i = 0, count = PyList_GET_SIZE(located);
        while (i < count &&
               !add_located(self, made, PyList_GET_ITEM(located, i), PyList_GET_ITEM(exact, i), start, &reading->last))
            i++;
        result = i == count ? 1 : -1;
    }
    Py_DECREF(found);
    return result;
}

/* Reads a character into the word, unless it goes into pairs; returns what it makes of the word. */
MADE_FOR_EACH_KIND uint32_t spell(Reading *reading, int kind, Py_ssize_t at, uint8_t is) {
    Py_UCS4 character = PyUnicode_READ(kind, reading->data, at);
    if (is == PAIRED) return character >= FIRST_JAMO && character <= LAST_JAMO ? IS_ODD : 1u << PAIRED;
    if (reading->size > LONGEST_WORD) return IS_ODD;
    if (character < 128)
        reading->word[reading->size++] = (char)(character - 'A' < 26u ? character | reading->lower_bit : character);
    else
        reading->size += encode(reading->word + reading->size, character);
    return 1u << is;
}

/* Adds a word of pieces that are terms as they are, and pieces that are searched by pairs. */
static int add_pieces(Analysis *self, Made *made, Reading *reading, Py_ssize_t start, Py_ssize_t end) {
    int kind = PyUnicode_KIND(reading->text), added = 1;
    for (Py_ssize_t at = start, from; added > 0 && at < end;) {
        uint8_t is = kind_at(reading, kind, from = at);
        uint32_t seen = reading->size = 0;
        for (; at < end && kind_at(reading, kind, at) == is; at++)
            seen |= spell(reading, kind, at, is);
        if (is == PAIRED)
            added = add_pairs(self, made, reading, from, at);
        else if (seen & IS_ODD || !(added = add_word(self, made, reading, from, at)))
            added = add_odd_word(self, made, reading, from, at);
    }
    return added;
}

MADE_FOR_EACH_KIND int analyse_as(Analysis *self, Reading *reading, Made *made, int kind) {
    Py_ssize_t at = 0, length = reading->length, odd = 0;
    while (at < length) {
        if (reading->sought && (at = next_sought(reading, kind, at)) < 0) break;
        uint8_t is = kind_at(reading, kind, at);
        if (is == OUTSIDE || is == PLAIN_GLUE || is == PAIRED_GLUE) {
            at++;
            continue;
        }
        Py_ssize_t start = at;
        uint32_t seen = 0;
        reading->size = 0;
        do {
            seen |= spell(reading, kind, at, is);
            is = ++at < length ? kind_at(reading, kind, at) : OUTSIDE;
        } while (is != OUTSIDE);
        int is_cut = !(seen & ~(uint32_t)IS_CUT) && seen & 1u << PAIRED;
        int added = is_cut ? add_pieces(self, made, reading, start, at) : 0;
        if (!(seen & ~(uint32_t)IS_PLAIN)) added = add_word(self, made, reading, start, at);
        if (!added && !is_cut) {
            odd += at - start;
            if (odd > FEW_ODD && odd * ODD_SHARE > at) return 0;
            added = add_odd_word(self, made, reading, start, at);
        }
        if (added <= 0) return added;
    }
    return 1;
}

static Reading begin_reading(const Analysis *self, PyObject *text) {
    return (Reading){
        .text = text,
        .data = PyUnicode_DATA(text),
        .length = PyUnicode_GET_LENGTH(text),
        .kinds = self->kinds.buf,
        .known = (Py_UCS4)self->kinds.len - 1,
        .lower_bit = self->words.lowers ? 32 : 0,
    };
}

static int analyse(Analysis *self, PyObject *text, const Sought *sought, Made *made) {
    Reading reading = begin_reading(self, text);
    reading.sought = sought;
    switch (PyUnicode_KIND(text)) {
        case PyUnicode_1BYTE_KIND: return analyse_as(self, &reading, made, PyUnicode_1BYTE_KIND);
        case PyUnicode_2BYTE_KIND: return analyse_as(self, &reading, made, PyUnicode_2BYTE_KIND);
        default: return analyse_as(self, &reading, made, PyUnicode_4BYTE_KIND);
    }
}

static void free_made(Made *made) {
    PyMem_Free(made->stems);
    PyMem_Free(made->exact);
    PyMem_Free(made->hashes);
    PyMem_Free(made->steps);
    PyMem_Free(made->lengths);
    memset(made, 0, sizeof *made);
}

/* Takes the room of the text before; there is none when another text is being read right now. */
static Made take_spare(Analysis *self) {
    Made made = self->spare;
    memset(&self->spare, 0, sizeof self->spare);
    made.stems_length = made.exact_length = made.count = 0;
    made.has_forms = made.has_places = 1;
    return made;
}

static void give_spare(Analysis *self, Made *made) {
    if (self->spare.stems || made->stems_room > MOST_SPARE)
        free_made(made);
    else
        self->spare = *made;
}

/* Writes a hash as tables have it; most machines have it so already. */
static void put_lowest_first(void *to, uint32_t hash) {
    for (int byte = 0; byte < 4; byte++) ((uint8_t *)to)[byte] = (uint8_t)(hash >> 8 * byte);
}

/* The table as telusur/language/token_table.py packs it. */
static PyObject *pack_table(const Made *made) {
    PyObject *table = PyUnicode_New((Py_ssize_t)(6 * made->count), 127);
    if (!table || !made->count) return table;
    char *to = PyUnicode_DATA(table);
    for (size_t i = 0; i < made->count; i++, to += 4) put_lowest_first(to, made->hashes[i]);
    memcpy(to, made->steps, made->count);
    memcpy(to + made->count, made->lengths, made->count);
    return table;
}

/* The forms and the table that were made; what was not made is "". */
static PyObject *give_made(const Made *made) {
    PyObject *result = NULL, *table = pack_table(made);
    PyObject *stems = table ? PyUnicode_DecodeUTF8(made->stems, (Py_ssize_t)made->stems_length, NULL) : NULL;
    PyObject *exact = stems ? PyUnicode_DecodeUTF8(made->exact, (Py_ssize_t)made->exact_length, NULL) : NULL;
    if (exact) result = PyTuple_Pack(3, stems, exact, table);
    Py_XDECREF(table);
    Py_XDECREF(stems);
    Py_XDECREF(exact);
    return result;
}

/* analyse(text, with_table=True, with_forms=True): joined stems, joined exact forms, and the packed table; or None. */
static PyObject *analysis_analyse(Analysis *self, PyObject *args) {
    PyObject *text, *result = NULL;
    int with_table = 1, with_forms = 1;
    if (!PyArg_ParseTuple(args, "U|pp", &text, &with_table, &with_forms)) return NULL;
    Made made = take_spare(self);
    made.has_places = with_table;
    made.has_forms = with_forms;
    int done = analyse(self, text, NULL, &made);
    if (done == 0) result = Py_NewRef(Py_None);
    if (done > 0) result = give_made(&made);
    give_spare(self, &made);
    return result;
}

/* make_snippet(text, beginnings, runs, weights, widest, most): as the function of this name, for a text without a table;
   None when the text is left to Python. Words of ASCII letters are looked up only if they begin so, all without any. */
static PyObject *analysis_make_snippet(Analysis *self, PyObject *args) {
    PyObject *text, *runs, *weights, *result = NULL;
    const char *pairs;
    Sought sought;
    Py_ssize_t widest, most, length;
    if (!PyArg_ParseTuple(args, "Us#O!O!nn", &text, &pairs, &length, &PyList_Type, &runs, &PyList_Type, &weights, &widest,
                          &most))
        return NULL;
    Made made = take_spare(self);
    made.has_forms = 0;
    if (length) read_beginnings(&self->kinds, pairs, length, &sought);
    int done = analyse(self, text, length ? &sought : NULL, &made);
    if (done == 0) {
        result = Py_NewRef(Py_None);
    } else if (done > 0) {
        for (size_t i = 0; i < made.count; i++) put_lowest_first(made.hashes + i, made.hashes[i]);
        Table table = {(const uint8_t *)made.hashes, made.steps, made.lengths, (Py_ssize_t)made.count};
        result = cut_snippet(text, &table, runs, weights, widest, most);
    }
    give_spare(self, &made);
    return result;
}

/* Adds the hashes of a word of any number of terms, unless it is a stop word; -1 with an error set. */
static int hash_odd_word(Analysis *self, Made *made, PyObject *word) {
    int is_stop_word = word ? ask_for_stop_word(&self->words, Py_NewRef(word)) : -1;
    if (is_stop_word) return is_stop_word < 0 ? -1 : 0;
    PyObject *found = PyObject_CallOneArg(self->locate, word), *located = NULL, *term;
    int failed = !found || !PyTuple_Check(found) || !PyTuple_GET_SIZE(found) || !PyList_Check(located = PyTuple_GET_ITEM(found, 0));
    for (Py_ssize_t i = 0; !failed && i < PyList_GET_SIZE(located); i++) {
        PyObject *one = PyList_GET_ITEM(located, i);
        Py_ssize_t length = 0;
        const char *bytes = NULL;
        if (PyTuple_Check(one) && PyTuple_GET_SIZE(one) && PyUnicode_Check(term = PyTuple_GET_ITEM(one, 0)))
            bytes = PyUnicode_AsUTF8AndSize(term, &length);
        failed = !bytes || add_token(made, hash_term(&self->words, bytes, (size_t)length), 0, 0) < 0;
    }
    if (failed && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "what becomes of an odd word is two lists");
    Py_XDECREF(found);
    return failed ? -1 : 0;
}

/* Adds the hash of the word that was read, or the hashes of what it is made of; -1 with an error set. */
static int hash_word(Analysis *self, Made *made, Reading *reading, uint32_t seen, Py_ssize_t start, Py_ssize_t end) {
    if (!(seen & ~(uint32_t)IS_PLAIN)) {
        memset(reading->word + reading->size, 0, PADDING);
        const Entry *entry = find_word(&self->words, reading->word, reading->size);
        if (!entry) return -1;
        if (entry->is_simple) {
            uint32_t term_hash = entry->term_hash;
            int is_stop_word = tell_stop_word(&self->words, reading->word, reading->size);
            if (is_stop_word) return is_stop_word < 0 ? -1 : 0;
            return add_token(made, term_hash, 0, 0) < 0 ? (PyErr_NoMemory(), -1) : 0;
        }
    }
    PyObject *word = PyUnicode_Substring(reading->text, start, end);
    int result = hash_odd_word(self, made, word);
    Py_XDECREF(word);
    return result;
}

/* Adds the hashes of terms until there are `most`, without stop words; -1 with an error set. */
MADE_FOR_EACH_KIND int hash_as(Analysis *self, Reading *reading, size_t most, Made *made, int kind) {
    for (Py_ssize_t at = 0; at < reading->length && made->count < most;) {
        uint8_t is = kind_at(reading, kind, at);
        if (is == OUTSIDE || is == PLAIN_GLUE || is == PAIRED_GLUE) {
            at++;
            continue;
        }
        Py_ssize_t start = at;
        uint32_t seen = 0;
        reading->size = 0;
        do {
            seen |= spell(reading, kind, at, is);
            is = ++at < reading->length ? kind_at(reading, kind, at) : OUTSIDE;
        } while (is != OUTSIDE);
        if (hash_word(self, made, reading, seen, start, at) < 0) return -1;
    }
    if (made->count > most) made->count = most;
    return 0;
}

static int hash_text(Analysis *self, PyObject *text, size_t most, Made *made) {
    Reading reading = begin_reading(self, text);
    switch (PyUnicode_KIND(text)) {
        case PyUnicode_1BYTE_KIND: return hash_as(self, &reading, most, made, PyUnicode_1BYTE_KIND);
        case PyUnicode_2BYTE_KIND: return hash_as(self, &reading, most, made, PyUnicode_2BYTE_KIND);
        default: return hash_as(self, &reading, most, made, PyUnicode_4BYTE_KIND);
    }
}

/* hash_texts(list of texts, most): hashes of the terms of each, at most so many, and how many each has, as bytes. */
static PyObject *analysis_hash_texts(Analysis *self, PyObject *args) {
    PyObject *texts, *lengths, *hashes = NULL;
    Py_ssize_t most, count, i = 0;
    if (!PyArg_ParseTuple(args, "O!n", &PyList_Type, &texts, &most)) return NULL;
    count = PyList_GET_SIZE(texts);
    if (!(lengths = PyBytes_FromStringAndSize(NULL, 4 * count))) return NULL;
    int32_t *length = (int32_t *)PyBytes_AS_STRING(lengths);
    Made made = take_spare(self);
    for (; i < count && i < PyList_GET_SIZE(texts); i++) {
        PyObject *text = PyList_GET_ITEM(texts, i);
        size_t before = made.count;
        if (!PyUnicode_Check(text)) {
            PyErr_SetString(PyExc_TypeError, "a text is a string");
            break;
        }
        if (hash_text(self, text, before + (size_t)most, &made) < 0) break;
        length[i] = (int32_t)(made.count - before);
    }
    if (i == count) hashes = PyBytes_FromStringAndSize((const char *)made.hashes, (Py_ssize_t)(4 * made.count));
    give_spare(self, &made);
    if (!hashes) {
        Py_DECREF(lengths);
        return NULL;
    }
    return Py_BuildValue("NN", hashes, lengths);
}

static void analysis_dealloc(Analysis *self) {
    close_words(&self->words);
    Py_XDECREF(self->locate);
    if (self->kinds.obj) PyBuffer_Release(&self->kinds);
    free_made(&self->spare);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

/* Analysis(stem, make, locate, kinds, scatter, lowers, most, is_stop_word=None): remembers at most so many words. */
static PyObject *analysis_new(PyTypeObject *type, PyObject *args, PyObject *named) {
    Py_ssize_t most;
    Analysis *self = (Analysis *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    Words *words = &self->words;
    words->is_stop_word = Py_None;
    if (!PyArg_ParseTuple(args, "OOOy*y*pn|O", &words->stem, &words->make, &self->locate, &self->kinds, &words->scatter,
                          &words->lowers, &most, &words->is_stop_word)) {
        words->stem = words->make = words->is_stop_word = self->locate = NULL;
        Py_DECREF(self);
        return NULL;
    }
    Py_INCREF(words->stem);
    Py_INCREF(words->make);
    Py_INCREF(words->is_stop_word);
    Py_INCREF(self->locate);
    if (self->kinds.len < 1 || words->scatter.len != 513 * 8 || most < 1 || most > 1 << 24) {
        PyErr_SetString(PyExc_ValueError, "no kinds of characters, no numbers to scatter by, or no room for words");
        Py_DECREF(self);
        return NULL;
    }
    if (open_words(words, (size_t)most) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static PyMethodDef methods_of_analysis[] = {
    {"analyse", (PyCFunction)analysis_analyse, METH_VARARGS, "Return stems, exact forms and table of a text, or None."},
    {"make_snippet", (PyCFunction)analysis_make_snippet, METH_VARARGS, "Return the piece that shows most words, or None."},
    {"hash_texts", (PyCFunction)analysis_hash_texts, METH_VARARGS, "Return the hashes of the terms of texts."},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject AnalysisType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "telusur.language._native.Analysis",
    .tp_doc = "The analysis of one language, with a memory of the words met.",
    .tp_basicsize = sizeof(Analysis),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = analysis_new,
    .tp_dealloc = (destructor)analysis_dealloc,
    .tp_methods = methods_of_analysis,
};

static PyMethodDef methods[] = {
    {"make_snippet", native_make_snippet, METH_VARARGS, "Return the piece of a text that shows most words."},
    {"signature", native_signature, METH_O, "Return what nearly equal texts share."},
    {"sample", native_sample, METH_VARARGS, "Return a sample of the lines of a text."},
    {"visits", native_visits, METH_VARARGS, "Return the features that the language model meets."},
    {"sum_runs", native_sum_runs, METH_VARARGS, "Add up what the terms of each run are worth."},
    {"sum_terms", native_sum_terms, METH_VARARGS, "Add up for each term the values of the runs that have it."},
    HASH_METHODS,
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "telusur.language._native", "The inner loops of analysing a text.", -1, methods,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__native(void) {
    PyObject *module = draw_hash_secrets() < 0 ? NULL : PyModule_Create(&definition);
    if (!module) return NULL;
    if (PyModule_AddIntConstant(module, "VERSION", NATIVE_VERSION) < 0 || PyType_Ready(&AnalysisType) < 0 || PyModule_AddObjectRef(module, "Analysis", (PyObject *)&AnalysisType) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
