/* Words and their numbers: the loops of telusur/extract/content/vocabulary.py and head_overlap.py. */

#include "../../language/native/keyed.h"
#include "native.h"
#include <string.h>

#define LONGEST_TITLE_WORD 640
#define MOST_NUMBERS (1 << 24)

int bags_begin(Bags *bags) {
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

int bags_put(Bags *bags, int64_t number) {
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

PyObject *bags_finish(Bags *bags, int failed) {
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

/* join_bags(at, members, ids, ids_at): for each group of members one bag with the numbers of all of them. */
PyObject *native_join_bags(PyObject *self, PyObject *args) {
    Py_buffer views[4] = {{0}};
    if (!PyArg_ParseTuple(args, "y*y*y*y*", &views[0], &views[1], &views[2], &views[3])) return NULL;
    Py_ssize_t rows = views[0].len / (Py_ssize_t)sizeof(int32_t), total = views[1].len / (Py_ssize_t)sizeof(int32_t);
    Py_ssize_t count = views[2].len / (Py_ssize_t)sizeof(int64_t), parts = views[3].len / (Py_ssize_t)sizeof(int64_t);
    const int32_t *starts = views[0].buf, *members = views[1].buf;
    const int64_t *ids = views[2].buf, *ids_at = views[3].buf;
    Bags bags = {0};
    bags.at = PyMem_Malloc(((size_t)rows + 1) * sizeof *bags.at);
    int failed = bags.at == NULL;
    for (Py_ssize_t row = 0; row < rows && !failed; row++) {
        int32_t end = row + 1 < rows ? starts[row + 1] : (int32_t)total;
        failed = bags_begin(&bags) < 0;
        for (int32_t i = starts[row]; i < end && !failed; i++) {
            int32_t part = i >= 0 && i < total ? members[i] : -1;
            if (part < 0 || part >= parts) {
                too_small();
                failed = 1;
                break;
            }
            int64_t last = part + 1 < parts ? ids_at[part + 1] : count;
            for (int64_t at = ids_at[part] + 1; at < last && !failed; at++) /* behind the zero */
                failed = at < 0 || at >= count || bags_put(&bags, ids[at]) < 0;
        }
    }
    for (int i = 0; i < 4; i++) PyBuffer_Release(&views[i]);
    return bags_finish(&bags, failed);
}

/* A lexicon: words and their numbers. */

static void lexicon_dealloc(Lexicon *self) {
    PyMem_Free(self->words);
    PyMem_Free(self->lengths);
    PyMem_Free(self->slots);
    PyMem_Free(self->numbers);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

/* A bit of the sieve. */
static inline size_t sieve_bit(const char *word, size_t length) {
    unsigned first = length ? (unsigned char)word[0] : 0, last = length ? (unsigned char)word[length - 1] : 0;
    unsigned second = length > 1 ? (unsigned char)word[1] : 0;
    return (first * 331u + second * 7919u + last * 12289u + (unsigned)length * 2741u) & 0xFFFF;
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
        bytes += (size_t)length;
    }
    self->mask = room - 1;
    self->words = PyMem_Malloc(bytes + 1);
    self->slots = PyMem_Calloc(room, sizeof *self->slots);
    self->numbers = PyMem_Calloc(room, sizeof *self->numbers);
    self->lengths = PyMem_Calloc(room, sizeof *self->lengths);
    if (!self->words || !self->slots || !self->numbers || !self->lengths || bytes > UINT32_MAX - 1) {
        PyErr_NoMemory();
        goto failed;
    }
    position = 0;
    bytes = 0;
    while (PyDict_Next(numbers, &position, &key, &value)) {
        const char *word = PyUnicode_AsUTF8AndSize(key, &length);
        long long number = PyLong_AsLongLong(value);
        if (!word || (number == -1 && PyErr_Occurred())) goto failed;
        size_t bit = sieve_bit(word, (size_t)length);
        self->sieve[bit >> 3] |= (uint8_t)(1 << (bit & 7));
        size_t at = hash_bytes(word, (size_t)length) & self->mask;
        for (; self->slots[at]; at = (at + 1) & self->mask) hash_probes++;
        memcpy(self->words + bytes, word, (size_t)length);
        self->slots[at] = (uint32_t)bytes + 1;
        self->lengths[at] = (uint32_t)length;
        self->numbers[at] = number;
        bytes += (size_t)length;
    }
    return (PyObject *)self;
failed:
    Py_DECREF(self);
    return NULL;
}

int64_t lexicon_number(const Lexicon *self, const char *word, size_t length) {
    size_t bit = sieve_bit(word, length);
    if (!(self->sieve[bit >> 3] >> (bit & 7) & 1)) return -1;
    size_t at = hash_bytes(word, length) & self->mask;
    for (; self->slots[at]; at = (at + 1) & self->mask, hash_probes++)
        if (self->lengths[at] == length && !memcmp(self->words + self->slots[at] - 1, word, length))
            return self->numbers[at];
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
            int64_t number = lexicon_number(self, word, bytes);
            if (number >= 0 && bags_put(bags, number) < 0) return -1;
        }
        most--;
    }
    return 0;
}

/* line_bags(texts, longest, most, marks): for each line the numbers of its first words, if it is short,
   and of the names that mark it. */
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
        PyObject *text = PyList_GET_ITEM(texts, row), *mark = PyList_GET_ITEM(marks, row);
        failed = bags_begin(&bags) < 0;
        if (!failed && !(PyUnicode_Check(text) && PyUnicode_Check(mark))) {
            PyErr_SetString(PyExc_TypeError, "texts and marks are strings");
            failed = 1;
        }
        if (!failed && PyUnicode_GET_LENGTH(text) <= longest) {
            text = PyUnicode_IS_ASCII(text) ? Py_NewRef(text) : PyObject_CallMethod(text, "lower", NULL);
            failed = !text || put_words(self, &bags, text, most) < 0;
            Py_XDECREF(text);
        }
        if (!failed) failed = bags_put_names(&bags, self, mark, '~') < 0;
    }
    return bags_finish(&bags, failed);
}

/* name_bags(names): for each tuple of tag, classes, id and role the numbers of their words. */
static PyObject *lexicon_name_bags(Lexicon *self, PyObject *args) {
    PyObject *names;
    if (!PyArg_ParseTuple(args, "O!", &PyList_Type, &names)) return NULL;
    Py_ssize_t rows = PyList_GET_SIZE(names);
    Bags bags = {0};
    bags.at = PyMem_Malloc(((size_t)rows + 1) * sizeof *bags.at);
    int failed = bags.at == NULL;
    for (Py_ssize_t row = 0; row < rows && !failed; row++) {
        PyObject *element = PyList_GET_ITEM(names, row);
        char tag[LONGEST_WORD];
        if (!are_names(element)) {
            failed = 1;
            break;
        }
        size_t length = read_tag_name(element, tag);
        int64_t number = length ? lexicon_number(self, tag, length) : -1;
        failed = bags_begin(&bags) < 0 || (number >= 0 && bags_put(&bags, number) < 0) ||
                 bags_put_names(&bags, self, PyTuple_GET_ITEM(element, 1), '.') < 0 ||
                 bags_put_name(&bags, self, PyTuple_GET_ITEM(element, 2), '.') < 0 ||
                 bags_put_name(&bags, self, PyTuple_GET_ITEM(element, 3), '.') < 0;
    }
    return bags_finish(&bags, failed);
}

int lexicon_share(const Lexicon *self, PyObject *text, float *share) {
    text = PyUnicode_IS_ASCII(text) ? Py_NewRef(text) : PyObject_CallMethod(text, "casefold", NULL);
    if (!text) return -1;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), at = 0, words = 0, known = 0;
    for (;;) {
        char word[LONGEST_TITLE_WORD + 4];
        size_t bytes = 0;
        while (at < length && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, at))) at++;
        if (at >= length) break;
        for (; at < length; at++) {
            Py_UCS4 character = PyUnicode_READ(kind, data, at);
            if (Py_UNICODE_ISSPACE(character)) break;
            if (character >= 'A' && character <= 'Z') character |= 32;
            if (bytes <= LONGEST_TITLE_WORD) bytes += encode(character, word + bytes);
        }
        words++;
        if (bytes <= LONGEST_TITLE_WORD && lexicon_number(self, word, bytes) >= 0) known++;
    }
    Py_DECREF(text);
    *share = words ? (float)((double)known / (double)words) : 0.0f;
    return 0;
}

static PyMethodDef lexicon_methods[] = {
    {"line_bags", (PyCFunction)lexicon_line_bags, METH_VARARGS, "Return the numbers of each line's words and marks."},
    {"name_bags", (PyCFunction)lexicon_name_bags, METH_VARARGS, "Return the numbers of the words of names."},
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
