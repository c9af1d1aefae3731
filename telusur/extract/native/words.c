/* Characters and words of lines: the loops of telusur/extract/characters.py and model.py. */

#include "native.h"
#include <string.h>

#define PLANE 65536
#define LONGEST_WORD 64 /* bytes; longer ones are in no vocabulary */

/* count_kinds(texts, kinds, how_many, sample): how many characters of each kind each text has, float32,
   by its first `sample` characters; and three flags a text: ends a sentence, ends with a colon, has rows. */
PyObject *native_count_kinds(PyObject *self, PyObject *args) {
    PyObject *texts, *counts = NULL, *flags = NULL;
    Py_buffer kinds;
    Py_ssize_t how_many, sample;
    if (!PyArg_ParseTuple(args, "O!y*nn", &PyList_Type, &texts, &kinds, &how_many, &sample)) return NULL;
    Py_ssize_t rows = PyList_GET_SIZE(texts);
    const unsigned char *table = kinds.buf;
    uint32_t own[256];
    if (kinds.len != PLANE || how_many <= 0 || how_many > 256 || sample <= 0) {
        PyBuffer_Release(&kinds);
        return too_small();
    }
    counts = PyBytes_FromStringAndSize(NULL, rows * how_many * (Py_ssize_t)sizeof(float));
    flags = PyBytes_FromStringAndSize(NULL, rows * 3);
    for (Py_ssize_t row = 0; counts && flags && row < rows; row++) {
        PyObject *text = PyList_GET_ITEM(texts, row);
        if (!PyUnicode_Check(text)) {
            PyErr_SetString(PyExc_TypeError, "texts are strings");
            Py_CLEAR(counts);
            break;
        }
        int kind = PyUnicode_KIND(text);
        const void *data = PyUnicode_DATA(text);
        Py_ssize_t length = PyUnicode_GET_LENGTH(text), seen = length < sample ? length : sample;
        memset(own, 0, sizeof own);
        for (Py_ssize_t i = 0; i < seen; i++) {
            Py_UCS4 character = PyUnicode_READ(kind, data, i);
            own[table[character < PLANE ? character : PLANE - 1]]++;
        }
        float scale = length > sample ? (float)((double)length / (double)sample) : 1.0f;
        float *out = (float *)PyBytes_AS_STRING(counts) + row * how_many;
        for (Py_ssize_t i = 0; i < how_many; i++) out[i] = (float)own[i] * scale;
        Py_UCS4 last = length ? PyUnicode_READ(kind, data, length - 1) : 0;
        char *flag = PyBytes_AS_STRING(flags) + 3 * row;
        flag[0] = last == '.' || last == '!' || last == '?' || last == 0x2026 || last == 0x3002;
        flag[1] = last == ':' || last == 0xFF1A;
        flag[2] = PyUnicode_FindChar(text, '\n', 0, length, 1) >= 0;
    }
    PyBuffer_Release(&kinds);
    if (!counts || !flags) {
        Py_XDECREF(counts);
        Py_XDECREF(flags);
        return NULL;
    }
    return Py_BuildValue("NN", counts, flags);
}

/* Bags of numbers, one after the other; no number twice in a bag. */
typedef struct {
    int64_t *ids, *at;
    size_t length, room, count;
    uint32_t *stamps; /* for each number the last bag it was put into */
    size_t stamps_room;
} Bags;

#define MOST_NUMBERS (1 << 24)

static int begin_bag(Bags *bags) {
    bags->at[bags->count++] = (int64_t)bags->length;
    if (bags->length == bags->room) {
        size_t room = bags->room ? 2 * bags->room : 1024;
        int64_t *ids = PyMem_Realloc(bags->ids, room * sizeof *ids);
        if (!ids) return -1;
        bags->ids = ids;
        bags->room = room;
    }
    bags->ids[bags->length++] = 0;
    return 0;
}

static int put(Bags *bags, int64_t number) {
    if (number < 0 || number >= MOST_NUMBERS) return 0;
    if ((size_t)number >= bags->stamps_room) {
        size_t room = bags->stamps_room ? bags->stamps_room : 4096;
        while (room <= (size_t)number) room *= 2;
        uint32_t *stamps = PyMem_Realloc(bags->stamps, room * sizeof *stamps);
        if (!stamps) return -1;
        memset(stamps + bags->stamps_room, 0, (room - bags->stamps_room) * sizeof *stamps);
        bags->stamps = stamps;
        bags->stamps_room = room;
    }
    if (bags->stamps[number] == (uint32_t)bags->count) return 0;
    bags->stamps[number] = (uint32_t)bags->count;
    if (bags->length == bags->room) {
        int64_t *ids = PyMem_Realloc(bags->ids, 2 * bags->room * sizeof *ids);
        if (!ids) return -1;
        bags->ids = ids;
        bags->room *= 2;
    }
    bags->ids[bags->length++] = number;
    return 0;
}

static int put_all(Bags *bags, PyObject *numbers) {
    if (!PyTuple_Check(numbers)) {
        PyErr_SetString(PyExc_TypeError, "a bag is a tuple of numbers");
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(numbers); i++) {
        long long number = PyLong_AsLongLong(PyTuple_GET_ITEM(numbers, i));
        if (number == -1 && PyErr_Occurred()) return -1;
        if (put(bags, number) < 0) {
            PyErr_NoMemory();
            return -1;
        }
    }
    return 0;
}

static PyObject *finish_bags(Bags *bags, int failed) {
    PyObject *result = NULL;
    if (!failed)
        result = Py_BuildValue("y#y#", (char *)bags->ids, (Py_ssize_t)(bags->length * sizeof *bags->ids),
                               (char *)bags->at, (Py_ssize_t)(bags->count * sizeof *bags->at));
    else if (!PyErr_Occurred())
        PyErr_NoMemory();
    PyMem_Free(bags->ids);
    PyMem_Free(bags->at);
    PyMem_Free(bags->stamps);
    return result;
}

/* join_bags(at, members, bags): for each group of members one bag with the numbers of all of them. */
PyObject *native_join_bags(PyObject *self, PyObject *args) {
    Py_buffer at, members;
    PyObject *of;
    if (!PyArg_ParseTuple(args, "y*y*O!", &at, &members, &PyList_Type, &of)) return NULL;
    Py_ssize_t rows = at.len / (Py_ssize_t)sizeof(int32_t), total = members.len / (Py_ssize_t)sizeof(int32_t);
    const int32_t *starts = at.buf, *names = members.buf;
    Bags bags = {0};
    bags.at = PyMem_Malloc(((size_t)rows + 1) * sizeof *bags.at);
    int failed = bags.at == NULL;
    for (Py_ssize_t row = 0; row < rows && !failed; row++) {
        int32_t end = row + 1 < rows ? starts[row + 1] : (int32_t)total;
        failed = begin_bag(&bags) < 0;
        for (int32_t i = starts[row]; i < end && !failed; i++) {
            if (i < 0 || i >= total || names[i] < 0 || names[i] >= PyList_GET_SIZE(of)) {
                too_small();
                failed = 1;
            } else {
                failed = put_all(&bags, PyList_GET_ITEM(of, names[i])) < 0;
            }
        }
    }
    PyBuffer_Release(&at);
    PyBuffer_Release(&members);
    return finish_bags(&bags, failed);
}

/* A lexicon: words and their numbers. */

typedef struct {
    PyObject_HEAD
    char *words; /* one after the other, each with a zero behind it */
    uint32_t *slots; /* where the word begins, plus one */
    int64_t *numbers;
    size_t mask;
} Lexicon;

static uint32_t hash_of(const char *word, size_t length) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)word[i]) * 16777619u;
    return hash ^ hash >> 15;
}

static void lexicon_dealloc(Lexicon *self) {
    PyMem_Free(self->words);
    PyMem_Free(self->slots);
    PyMem_Free(self->numbers);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *lexicon_new(PyTypeObject *type, PyObject *args, PyObject *named) {
    PyObject *numbers, *key, *value;
    Py_ssize_t position = 0, length;
    if (!PyArg_ParseTuple(args, "O!", &PyDict_Type, &numbers)) return NULL;
    Lexicon *self = (Lexicon *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    size_t room = 64, bytes = 0;
    while (room < 2 * (size_t)PyDict_Size(numbers)) room *= 2;
    while (PyDict_Next(numbers, &position, &key, &value)) {
        if (!PyUnicode_AsUTF8AndSize(key, &length)) goto failed;
        bytes += (size_t)length + 1;
    }
    self->mask = room - 1;
    self->words = PyMem_Malloc(bytes + 1);
    self->slots = PyMem_Calloc(room, sizeof *self->slots);
    self->numbers = PyMem_Calloc(room, sizeof *self->numbers);
    if (!self->words || !self->slots || !self->numbers || bytes > UINT32_MAX - 1) {
        PyErr_NoMemory();
        goto failed;
    }
    position = 0;
    bytes = 0;
    while (PyDict_Next(numbers, &position, &key, &value)) {
        const char *word = PyUnicode_AsUTF8AndSize(key, &length);
        long long number = PyLong_AsLongLong(value);
        if (!word || (number == -1 && PyErr_Occurred())) goto failed;
        size_t at = hash_of(word, (size_t)length) & self->mask;
        while (self->slots[at]) at = (at + 1) & self->mask;
        memcpy(self->words + bytes, word, (size_t)length + 1);
        self->slots[at] = (uint32_t)bytes + 1;
        self->numbers[at] = number;
        bytes += (size_t)length + 1;
    }
    return (PyObject *)self;
failed:
    Py_DECREF(self);
    return NULL;
}

static int64_t number_of(const Lexicon *self, const char *word, size_t length) {
    size_t at = hash_of(word, length) & self->mask;
    for (; self->slots[at]; at = (at + 1) & self->mask) {
        const char *known = self->words + self->slots[at] - 1;
        if (!strncmp(known, word, length) && !known[length]) return self->numbers[at];
    }
    return -1;
}

static size_t encode(Py_UCS4 character, char *to) {
    if (character < 0x80) {
        to[0] = (char)character;
        return 1;
    }
    if (character < 0x800) {
        to[0] = (char)(0xC0 | character >> 6);
        to[1] = (char)(0x80 | (character & 63));
        return 2;
    }
    if (character < 0x10000) {
        to[0] = (char)(0xE0 | character >> 12);
        to[1] = (char)(0x80 | (character >> 6 & 63));
        to[2] = (char)(0x80 | (character & 63));
        return 3;
    }
    to[0] = (char)(0xF0 | character >> 18);
    to[1] = (char)(0x80 | (character >> 12 & 63));
    to[2] = (char)(0x80 | (character >> 6 & 63));
    to[3] = (char)(0x80 | (character & 63));
    return 4;
}

static int is_letter(Py_UCS4 character) {
    if (character < 128) return (character | 32) >= 'a' && (character | 32) <= 'z';
    return Py_UNICODE_ISALNUM(character) && !Py_UNICODE_ISDECIMAL(character);
}

/* Puts the numbers of the first words of a text, which is in lower case unless it is ASCII. */
static int put_words(const Lexicon *self, Bags *bags, PyObject *text, Py_ssize_t most) {
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), at = 0;
    while (most > 0) {
        char word[LONGEST_WORD + 4];
        size_t bytes = 0;
        while (at < length && !is_letter(PyUnicode_READ(kind, data, at))) at++;
        if (at >= length) break;
        for (; at < length; at++) {
            Py_UCS4 character = PyUnicode_READ(kind, data, at);
            if (!is_letter(character)) break;
            if (character < 128) character |= 32;
            if (bytes <= LONGEST_WORD) bytes += encode(character, word + bytes);
        }
        if (bytes <= LONGEST_WORD) {
            int64_t number = number_of(self, word, bytes);
            if (number >= 0 && put(bags, number) < 0) return -1;
        }
        most--;
    }
    return 0;
}

/* line_bags(texts, longest, most, marks): for each line the numbers of its first words, if it is short,
   and those that belong to its marks. */
static PyObject *lexicon_line_bags(Lexicon *self, PyObject *args) {
    PyObject *texts, *marks;
    Py_ssize_t longest, most;
    if (!PyArg_ParseTuple(args, "O!nnO!", &PyList_Type, &texts, &longest, &most, &PyList_Type, &marks)) return NULL;
    Py_ssize_t rows = PyList_GET_SIZE(texts);
    if (PyList_GET_SIZE(marks) != rows) return too_small();
    Bags bags = {0};
    bags.at = PyMem_Malloc(((size_t)rows + 1) * sizeof *bags.at);
    int failed = bags.at == NULL;
    for (Py_ssize_t row = 0; row < rows && !failed; row++) {
        PyObject *text = PyList_GET_ITEM(texts, row);
        failed = begin_bag(&bags) < 0;
        if (!failed && !PyUnicode_Check(text)) {
            PyErr_SetString(PyExc_TypeError, "texts are strings");
            failed = 1;
        }
        if (!failed && PyUnicode_GET_LENGTH(text) <= longest) {
            text = PyUnicode_IS_ASCII(text) ? Py_NewRef(text) : PyObject_CallMethod(text, "lower", NULL);
            failed = !text || put_words(self, &bags, text, most) < 0;
            Py_XDECREF(text);
        }
        if (!failed) failed = put_all(&bags, PyList_GET_ITEM(marks, row)) < 0;
    }
    return finish_bags(&bags, failed);
}

static PyMethodDef lexicon_methods[] = {
    {"line_bags", (PyCFunction)lexicon_line_bags, METH_VARARGS, "Return the numbers of each line's words and marks."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject LexiconType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "telusur.extract._native.Lexicon",
    .tp_doc = "Words and their numbers.",
    .tp_basicsize = sizeof(Lexicon),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = lexicon_new,
    .tp_dealloc = (destructor)lexicon_dealloc,
    .tp_methods = lexicon_methods,
};
