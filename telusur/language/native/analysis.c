/* telusur.language._native: stems, exact forms and token table of a text in one pass.

   Only what most texts are made of is done here: words that are one term each. Python is asked about a word
   that is more, or of a script that is searched by pairs; a text that is full of them is left to Python (None).
   What a word is and what becomes of it: telusur/language/words.py, analysis.py, exact.py and token_table.py,
   which a test holds against this. */

#include "native.h"
#include <string.h>

enum { OUTSIDE, PLAIN, PAIRED, PLAIN_GLUE, PAIRED_GLUE }; /* kinds of characters */
enum { LONGEST_WORD = 256, LONGEST_TERM = 64, FURTHEST = 127, SEVEN_BITS = 0x7F7F7F7F, MOST_SPARE = 1 << 20 };
enum { FEW_ODD = 400, ODD_SHARE = 8 }; /* characters of odd words that a text may have, and one in so many */

/* A word met before: its characters, and what it became. */
typedef struct {
    uint32_t hash, term_hash;
    uint32_t word, stem, exact; /* where they begin in `characters` and `bytes` */
    uint16_t word_length, stem_length, exact_length;
    uint8_t is_simple; /* one term, so that it can be used here */
    uint8_t is_met_again;
} Entry;

/* What is made of a text. */
typedef struct {
    char *stems, *exact;
    uint32_t *hashes;
    uint8_t *steps, *lengths;
    size_t stems_length, stems_room, exact_length, exact_room, count, room;
} Made;

typedef struct {
    PyObject_HEAD
    PyObject *stem; /* called with an ASCII word in lower case: its stem; None when it is the word itself */
    PyObject *make; /* called with any other word: its stem and its exact form */
    PyObject *locate; /* called with a word of any number of terms: each with its places, and the exact forms */
    Py_buffer kinds, scatter; /* scatter: 256 numbers for bytes, 256 for their places, one for the end */
    int lowers;
    Entry *entries;
    uint32_t *slots; /* number of the entry plus one */
    Py_UCS4 *characters;
    char *bytes;
    size_t count, most, mask, characters_length, characters_room, bytes_length, bytes_room;
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

static void take_slot(Analysis *self, size_t number) {
    size_t at = self->entries[number].hash & self->mask;
    while (self->slots[at]) at = (at + 1) & self->mask;
    self->slots[at] = (uint32_t)number + 1;
}

/* Makes room: words that were met once only go, and all but half of the others. What is kept moves up. */
static void forget(Analysis *self) {
    size_t most = self->most / 2, kept = 0;
    size_t characters = 0, bytes = 0;
    for (size_t i = 0; i < self->count && kept < most; i++) {
        Entry entry = self->entries[i];
        if (!entry.is_met_again) continue;
        size_t size = (size_t)entry.stem_length + entry.exact_length; /* they lie one behind the other */
        memmove(self->characters + characters, self->characters + entry.word, entry.word_length * sizeof *self->characters);
        memmove(self->bytes + bytes, self->bytes + entry.stem, size);
        entry.word = (uint32_t)characters;
        entry.stem = (uint32_t)bytes;
        entry.exact = entry.stem + entry.stem_length;
        entry.is_met_again = 0;
        characters += entry.word_length;
        bytes += size;
        self->entries[kept++] = entry;
    }
    self->count = kept;
    self->characters_length = characters;
    self->bytes_length = bytes;
    memset(self->slots, 0, (self->mask + 1) * sizeof *self->slots);
    for (size_t i = 0; i < kept; i++) take_slot(self, i);
}

static int keep_bytes(Analysis *self, PyObject *text, uint32_t *at, uint16_t *length) {
    Py_ssize_t size;
    const char *utf8 = PyUnicode_AsUTF8AndSize(text, &size);
    if (!utf8) return -1;
    if (size > UINT16_MAX || grow((void **)&self->bytes, &self->bytes_room, self->bytes_length + (size_t)size, 1) < 0) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(self->bytes + self->bytes_length, utf8, (size_t)size);
    *at = (uint32_t)self->bytes_length;
    *length = (uint16_t)size;
    self->bytes_length += (size_t)size;
    return 0;
}

/* The hash of a term, as token_table.hash_terms has it. */
static uint32_t hash_term(const Analysis *self, const char *term, size_t length) {
    const uint64_t *of_byte = self->scatter.buf, *of_place = of_byte + 256;
    uint64_t sum = 0;
    for (size_t i = 0; i < length; i++) sum += of_byte[(uint8_t)term[i]] * of_place[i & 255];
    uint32_t hash = (uint32_t)(sum * of_byte[512] >> 32) & SEVEN_BITS;
    return hash ? hash : 1;
}

/* Returns stem and exact form of a new word, as Python has them, or NULL. */
static PyObject *make_forms(Analysis *self, const Py_UCS4 *word, size_t length) {
    size_t ascii = 0;
    while (self->lowers && ascii < length && word[ascii] < 128) ascii++;
    if (ascii < length) {
        PyObject *text = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, word, (Py_ssize_t)length);
        PyObject *made = text ? PyObject_CallOneArg(self->make, text) : NULL;
        Py_XDECREF(text);
        return made;
    }
    size_t kept = length < LONGEST_TERM ? length : LONGEST_TERM;
    PyObject *text = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, word, (Py_ssize_t)kept);
    PyObject *stem = !text ? NULL : self->stem == Py_None ? Py_NewRef(text) : PyObject_CallOneArg(self->stem, text);
    if (stem && PyUnicode_Check(stem) && !PyUnicode_GET_LENGTH(stem)) Py_SETREF(stem, Py_NewRef(text));
    PyObject *made = stem ? PyTuple_Pack(2, stem, text) : NULL;
    Py_XDECREF(stem);
    Py_XDECREF(text);
    return made;
}

/* Asks Python what becomes of a new word, and remembers it. Returns its number, or -1. */
static Py_ssize_t meet(Analysis *self, const Py_UCS4 *word, size_t length, uint32_t hash) {
    PyObject *made = make_forms(self, word, length), *stem, *exact;
    if (!made) return -1;
    if (!PyTuple_Check(made)) {
        PyErr_SetString(PyExc_TypeError, "what becomes of a word is a pair of strings");
        Py_DECREF(made);
        return -1;
    }
    if (!PyArg_ParseTuple(made, "UU", &stem, &exact)) {
        Py_DECREF(made);
        return -1;
    }
    if (self->count == self->most) forget(self);
    Entry entry = {hash, 0, (uint32_t)self->characters_length, 0, 0, (uint16_t)length, 0, 0, 0, 0};
    entry.is_simple = PyUnicode_GET_LENGTH(stem) && PyUnicode_GET_LENGTH(exact) &&
                      PyUnicode_FindChar(stem, ' ', 0, PyUnicode_GET_LENGTH(stem), 1) == -1 &&
                      PyUnicode_FindChar(exact, ' ', 0, PyUnicode_GET_LENGTH(exact), 1) == -1;
    int failed = keep_bytes(self, stem, &entry.stem, &entry.stem_length) < 0 ||
                 keep_bytes(self, exact, &entry.exact, &entry.exact_length) < 0;
    Py_DECREF(made);
    if (failed) return -1;
    entry.term_hash = hash_term(self, self->bytes + entry.stem, entry.stem_length);
    if (grow((void **)&self->characters, &self->characters_room, self->characters_length + length, sizeof *word) < 0) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(self->characters + self->characters_length, word, length * sizeof *word);
    self->characters_length += length;
    self->entries[self->count] = entry;
    take_slot(self, self->count);
    return (Py_ssize_t)self->count++;
}

static Py_ssize_t number_of(Analysis *self, const Py_UCS4 *word, size_t length) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ word[i]) * 16777619u;
    hash ^= hash >> 15;
    for (size_t at = hash & self->mask; self->slots[at]; at = (at + 1) & self->mask) {
        Entry *entry = &self->entries[self->slots[at] - 1];
        if (entry->hash == hash && entry->word_length == length &&
            !memcmp(self->characters + entry->word, word, length * sizeof *word)) {
            entry->is_met_again = 1;
            return (Py_ssize_t)self->slots[at] - 1;
        }
    }
    return meet(self, word, length, hash);
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

static int add_form(char **form, size_t *length, size_t *room, const char *of, size_t size) {
    if (grow((void **)form, room, *length + size + 1, 1) < 0) return -1;
    if (*length) (*form)[(*length)++] = ' ';
    memcpy(*form + *length, of, size);
    *length += size;
    return 0;
}

/* Adds a token `step` behind the one before; a step too long for a byte is bridged. */
static int add_place(Made *made, uint32_t hash, size_t step, size_t length) {
    for (; step > FURTHEST; step -= FURTHEST)
        if (add_token(made, 0, FURTHEST, 0) < 0) return -1;
    return add_token(made, hash, step, length);
}

static int add_forms(Made *made, const char *stem, size_t stem_length, const char *exact, size_t exact_length) {
    return add_form(&made->stems, &made->stems_length, &made->stems_room, stem, stem_length) < 0 ||
                   add_form(&made->exact, &made->exact_length, &made->exact_room, exact, exact_length) < 0
               ? -1
               : 0;
}

/* Returns 1 when the word was added, 0 when it is no single term, -1 with an error set. */
static int add_word(Analysis *self, Made *made, const Py_UCS4 *word, size_t length, size_t step, size_t written) {
    Py_ssize_t number = number_of(self, word, length);
    if (number < 0) return -1;
    const Entry *entry = &self->entries[number];
    if (!entry->is_simple) return 0;
    const char *bytes = self->bytes;
    if (add_forms(made, bytes + entry->stem, entry->stem_length, bytes + entry->exact, entry->exact_length) < 0 ||
        add_place(made, entry->term_hash, step, written) < 0)
        return PyErr_NoMemory(), -1;
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
    if (add_forms(made, stem, (size_t)stem_length, form, (size_t)exact_length) < 0 ||
        add_place(made, hash_term(self, stem, (size_t)stem_length), (size_t)(start + from - *last), (size_t)(to - from)) < 0)
        return PyErr_NoMemory(), -1;
    *last = start + from;
    return 0;
}

/* Adds a word of any number of terms, as Python cuts it. Returns 1, 0 when that does not come out even, or -1 with
   an error set. */
static int add_odd_word(Analysis *self, Made *made, PyObject *text, Py_ssize_t start, Py_ssize_t end, Py_ssize_t *last) {
    PyObject *word = PyUnicode_Substring(text, start, end), *located, *exact;
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
        while (i < count && !add_located(self, made, PyList_GET_ITEM(located, i), PyList_GET_ITEM(exact, i), start, last)) i++;
        result = i == count ? 1 : -1;
    }
    Py_DECREF(found);
    return result;
}

static int analyse(Analysis *self, PyObject *text, Made *made) {
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    const uint8_t *kinds = self->kinds.buf;
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), last = 0, at = 0, odd = 0;
    Py_UCS4 known = (Py_UCS4)self->kinds.len - 1, word[LONGEST_WORD];
    while (at < length) {
        Py_UCS4 character = PyUnicode_READ(kind, data, at);
        uint8_t is = kinds[character < known ? character : known];
        if (is == OUTSIDE || is == PLAIN_GLUE || is == PAIRED_GLUE) {
            at++;
            continue;
        }
        Py_ssize_t start = at;
        size_t size = 0;
        int added = 1;
        for (; at < length; at++) {
            character = PyUnicode_READ(kind, data, at);
            is = kinds[character < known ? character : known];
            if (is == OUTSIDE) break;
            if ((is != PLAIN && is != PLAIN_GLUE) || size == LONGEST_WORD) {
                added = 0;
                continue;
            }
            word[size++] = self->lowers && character >= 'A' && character <= 'Z' ? character | 32 : character;
        }
        if (added) added = add_word(self, made, word, size, (size_t)(start - last), (size_t)(at - start));
        if (added > 0) {
            last = start;
        } else if (!added) {
            odd += at - start;
            if (odd > FEW_ODD && odd * ODD_SHARE > at) return 0;
            added = add_odd_word(self, made, text, start, at, &last);
        }
        if (added <= 0) return added;
    }
    return 1;
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
    return made;
}

static void give_spare(Analysis *self, Made *made) {
    if (self->spare.stems || made->stems_room > MOST_SPARE)
        free_made(made);
    else
        self->spare = *made;
}

/* analyse(text): joined stems, joined exact forms, packed table; or None. */
static PyObject *analysis_analyse(Analysis *self, PyObject *args) {
    PyObject *text, *result = NULL, *table = NULL;
    if (!PyArg_ParseTuple(args, "U", &text)) return NULL;
    Made made = take_spare(self);
    int done = analyse(self, text, &made);
    if (done == 0) {
        result = Py_NewRef(Py_None);
    } else if (done > 0 && (table = PyUnicode_New((Py_ssize_t)(6 * made.count), 127))) {
        char *to = PyUnicode_DATA(table);
        for (size_t i = 0; i < made.count; i++, to += 4)
            for (int byte = 0; byte < 4; byte++) to[byte] = (char)(made.hashes[i] >> 8 * byte);
        if (made.count) {
            memcpy(to, made.steps, made.count);
            memcpy(to + made.count, made.lengths, made.count);
        }
        PyObject *stems = PyUnicode_DecodeUTF8(made.stems, (Py_ssize_t)made.stems_length, NULL);
        PyObject *exact = stems ? PyUnicode_DecodeUTF8(made.exact, (Py_ssize_t)made.exact_length, NULL) : NULL;
        if (exact) result = Py_BuildValue("OOO", stems, exact, table);
        Py_XDECREF(stems);
        Py_XDECREF(exact);
        Py_DECREF(table);
    }
    give_spare(self, &made);
    return result;
}

static void analysis_dealloc(Analysis *self) {
    Py_XDECREF(self->stem);
    Py_XDECREF(self->make);
    Py_XDECREF(self->locate);
    if (self->kinds.obj) PyBuffer_Release(&self->kinds);
    if (self->scatter.obj) PyBuffer_Release(&self->scatter);
    PyMem_Free(self->entries);
    PyMem_Free(self->slots);
    PyMem_Free(self->characters);
    PyMem_Free(self->bytes);
    free_made(&self->spare);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

/* Analysis(stem, make, locate, kinds, scatter, lowers, most): remembers at most so many words. */
static PyObject *analysis_new(PyTypeObject *type, PyObject *args, PyObject *named) {
    Py_ssize_t most;
    Analysis *self = (Analysis *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    if (!PyArg_ParseTuple(args, "OOOy*y*pn", &self->stem, &self->make, &self->locate, &self->kinds, &self->scatter,
                          &self->lowers, &most)) {
        self->stem = self->make = self->locate = NULL;
        Py_DECREF(self);
        return NULL;
    }
    Py_INCREF(self->stem);
    Py_INCREF(self->make);
    Py_INCREF(self->locate);
    if (self->kinds.len < 1 || self->scatter.len != 513 * 8 || most < 1 || most > 1 << 24) {
        PyErr_SetString(PyExc_ValueError, "no kinds of characters, no numbers to scatter by, or no room for words");
        Py_DECREF(self);
        return NULL;
    }
    size_t room = 64;
    while (room < 2 * (size_t)most) room *= 2;
    self->most = (size_t)most;
    self->mask = room - 1;
    self->entries = PyMem_Calloc((size_t)most, sizeof *self->entries);
    self->slots = PyMem_Calloc(room, sizeof *self->slots);
    if (!self->entries || !self->slots) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static PyMethodDef methods_of_analysis[] = {
    {"analyse", (PyCFunction)analysis_analyse, METH_VARARGS, "Return stems, exact forms and table of a text, or None."},
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
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "telusur.language._native", "The inner loops of analysing a text.", -1, methods,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__native(void) {
    PyObject *module = PyModule_Create(&definition);
    if (!module) return NULL;
    if (PyModule_AddIntConstant(module, "VERSION", 4) < 0 || PyType_Ready(&AnalysisType) < 0 || PyModule_AddObjectRef(module, "Analysis", (PyObject *)&AnalysisType) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
