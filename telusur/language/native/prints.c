/* What texts are recognised by: the signature of crawl/rules/near_duplicates.py, the sample of crawl/rules/traps.py, and the
   features that the language model of small_model.py meets. What each of them means is written down there. */

#include "keyed.h"
#include "native.h"
#include <stdlib.h>
#include <string.h>

enum { BINS = 128, RUN_BYTES = 16, LEAST_WORDS = 50, BYTES_OF_UNSPACED_WORD = 6 };

static uint64_t eight_bytes(const unsigned char *at) {
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

/* A run that reaches beyond the end of the text goes on with blanks. */
static uint32_t hash_of_run(const unsigned char *data, Py_ssize_t length, Py_ssize_t start) {
    unsigned char padded[RUN_BYTES];
    const unsigned char *run = data + start;
    if (start + RUN_BYTES > length) {
        memset(padded, ' ', sizeof padded);
        memcpy(padded, data + start, (size_t)(length - start));
        run = padded;
    }
    uint64_t mixed = eight_bytes(run) * 0x9E3779B97F4A7C15u + eight_bytes(run + 8) * 0xC2B2AE3D27D4EB4Fu;
    mixed ^= mixed >> 32;
    mixed *= 0xD6E8FEB86659FD93u;
    return (uint32_t)(mixed >> 32) | 1;
}

/* signature(data): 128 bytes, or none for a text that is too short. */
PyObject *native_signature(PyObject *self, PyObject *argument) {
    char *bytes;
    Py_ssize_t length, blanks = 0;
    uint32_t smallest[BINS];
    unsigned char result[BINS];
    if (PyBytes_AsStringAndSize(argument, &bytes, &length) < 0) return NULL;
    const unsigned char *data = (const unsigned char *)bytes;
    for (Py_ssize_t i = 0; i < length; i++) blanks += data[i] <= ' ';
    int is_spaced = (double)blanks >= 0.05 * (double)length;
    if (is_spaced ? blanks < LEAST_WORDS : length < LEAST_WORDS * BYTES_OF_UNSPACED_WORD)
        return PyBytes_FromStringAndSize(NULL, 0);
    for (int i = 0; i < BINS; i++) smallest[i] = 0xFFFFFF00u;
    for (Py_ssize_t i = 0; i < length; i++) {
        if (is_spaced ? data[i] > ' ' : (data[i] & 0xC0) == 0x80) continue;
        uint32_t hash = hash_of_run(data, length, i + is_spaced), bin = hash >> 25;
        if (hash < smallest[bin]) smallest[bin] = hash;
    }
    for (int i = 0; i < BINS; i++) result[i] = (unsigned char)smallest[i];
    return PyBytes_FromStringAndSize((char *)result, BINS);
}

/* CRC-32 as zlib has it, eight bytes at a time. */
static uint32_t crc_table[8][256];

static void make_crc_table(void) {
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t crc = n;
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xEDB88320u ^ crc >> 1 : crc >> 1;
        crc_table[0][n] = crc;
    }
    for (uint32_t n = 0; n < 256; n++)
        for (int k = 1; k < 8; k++)
            crc_table[k][n] = crc_table[k - 1][n] >> 8 ^ crc_table[0][crc_table[k - 1][n] & 0xFF];
}

static uint32_t crc_of(const unsigned char *data, size_t length) {
    uint32_t crc = 0xFFFFFFFFu;
    for (; length >= 8; data += 8, length -= 8) {
        crc ^= (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
        crc = crc_table[7][crc & 0xFF] ^ crc_table[6][crc >> 8 & 0xFF] ^ crc_table[5][crc >> 16 & 0xFF] ^
              crc_table[4][crc >> 24] ^ crc_table[3][data[4]] ^ crc_table[2][data[5]] ^ crc_table[1][data[6]] ^
              crc_table[0][data[7]];
    }
    while (length--) crc = crc >> 8 ^ crc_table[0][(crc ^ *data++) & 0xFF];
    return ~crc;
}

enum { MOST_LINES = 1000, MOST_CHARACTERS = 1000 };

typedef struct {
    uint32_t hash;
    int32_t length;
} Row;

static int compare_rows(const void *one, const void *other) {
    const Row *a = one, *b = other;
    if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
    return (a->length > b->length) - (a->length < b->length);
}

static int is_decimal(Py_UCS4 character) {
    return character < 128 ? character >= '0' && character <= '9' : Py_UNICODE_ISDECIMAL(character);
}

static int is_of_word(Py_UCS4 character) {
    if (character < 128)
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') || character == '_' ||
               is_decimal(character);
    return Py_UNICODE_ISALNUM(character);
}

/* Writes a character in UTF-8, half a one as a question mark; returns how many bytes that took. */
static size_t write_utf8(unsigned char *to, Py_UCS4 character) {
    if (character < 0x80 || (character >= 0xD800 && character < 0xE000)) {
        *to = character < 0x80 ? (unsigned char)character : '?';
        return 1;
    }
    size_t size = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i; i--, character >>= 6) to[i] = (unsigned char)(0x80 | (character & 0x3F));
    to[0] = (unsigned char)((size == 2 ? 0xC0 : size == 3 ? 0xE0 : 0xF0) | character);
    return size;
}

/* The hash of a line in which each number, a word of its own, is one sign; and its length then. */
static Row row_of(int kind, const void *data, Py_ssize_t start, Py_ssize_t end) {
    unsigned char text[4 * MOST_CHARACTERS];
    size_t size = 0;
    Row row = {0, 0};
    int is_in_word = 0;
    while (start < end) {
        Py_UCS4 character = PyUnicode_READ(kind, data, start);
        if (!is_in_word && is_decimal(character)) {
            Py_ssize_t after = start + 1;
            while (after < end && is_decimal(PyUnicode_READ(kind, data, after))) after++;
            if (after == end || !is_of_word(PyUnicode_READ(kind, data, after))) {
                text[size++] = '#';
                row.length++;
                start = after;
                continue;
            }
        }
        is_in_word = is_of_word(character);
        if (character < 128) text[size++] = (unsigned char)character;
        else size += write_utf8(text + size, character);
        row.length++;
        start++;
    }
    row.hash = crc_of(text, size);
    return row;
}

static PyObject *as_sample(Row *rows, Py_ssize_t count, Py_ssize_t most) {
    PyObject *sample = PyDict_New();
    qsort(rows, (size_t)count, sizeof *rows, compare_rows);
    for (Py_ssize_t i = 0; sample && i < count && PyDict_GET_SIZE(sample) < most; i++) {
        if (i && rows[i].hash == rows[i - 1].hash) continue;
        PyObject *key = PyLong_FromUnsignedLong(rows[i].hash), *value = PyLong_FromLong(rows[i].length);
        if (!key || !value || PyDict_SetItem(sample, key, value) < 0) Py_CLEAR(sample);
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    return sample;
}

/* sample(text, most lines, most characters of a line, most hashes): lengths of lines by their hashes. */
PyObject *native_sample(PyObject *self, PyObject *args) {
    PyObject *text;
    Py_ssize_t most_lines, most_characters, most, count = 0, start = 0;
    Row rows[MOST_LINES];
    if (!PyArg_ParseTuple(args, "Unnn", &text, &most_lines, &most_characters, &most)) return NULL;
    if (most_lines < 1 || most_lines > MOST_LINES || most_characters < 0 || most_characters > MOST_CHARACTERS) {
        PyErr_SetString(PyExc_ValueError, "no lines, or more than there is room for");
        return NULL;
    }
    if (!crc_table[0][1]) make_crc_table();
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    while (count < most_lines && start <= length) {
        Py_ssize_t end = PyUnicode_FindChar(text, '\n', start, length, 1);
        if (end == -2) return NULL;
        if (end < 0) end = length;
        rows[count++] = row_of(kind, data, start, end - start > most_characters ? start + most_characters : end);
        start = end + 1;
    }
    return as_sample(rows, count, most);
}

/* The features that a text has, in the order in which they are met: a small table leads from each to its place. */
typedef struct {
    int32_t *features, *slots; /* slots: its place plus one */
    float *counts;
    Py_ssize_t met;
    uint32_t mask;
} Visits;

static void visit(Visits *visits, int32_t feature) {
    uint32_t at = hash_number((uint32_t)feature) & visits->mask;
    for (; visits->slots[at] && visits->features[visits->slots[at] - 1] != feature; at = (at + 1) & visits->mask) hash_probes++;
    if (!visits->slots[at]) {
        visits->features[visits->met] = feature;
        visits->counts[visits->met] = 0;
        visits->slots[at] = (int32_t)++visits->met;
    }
    visits->counts[visits->slots[at] - 1]++;
}

static const uint32_t *as_numbers(const Py_buffer *view, Py_ssize_t *count) {
    *count = view->len / (Py_ssize_t)sizeof(uint32_t);
    return view->buf;
}

/* Walks the automaton; -1 if it leads out of itself, or to a feature that the table has no row for. */
static int walk(const Py_buffer *views, Py_ssize_t rows, Visits *visits) {
    Py_ssize_t n_moves, n_pieces, n_states, n_outputs, n_bytes = views[4].len;
    const uint32_t *moves = as_numbers(&views[0], &n_moves), *piece_of = as_numbers(&views[1], &n_pieces);
    const uint32_t *row_of_state = as_numbers(&views[2], &n_states);
    const int32_t *outputs = (const int32_t *)as_numbers(&views[3], &n_outputs);
    const unsigned char *text = views[4].buf;
    uint32_t state = 0;
    for (Py_ssize_t i = 0; i < n_bytes; i++) {
        if (state >= n_states) return -1;
        uint64_t piece = (uint64_t)row_of_state[state] + (text[i] >> 4);
        if (piece >= (uint64_t)n_pieces) return -1;
        uint64_t move = (uint64_t)piece_of[piece] + (text[i] & 15);
        if (move >= (uint64_t)n_moves) return -1;
        state = moves[move];
        if (state >= n_outputs || outputs[state] >= rows) return -1;
        if (outputs[state] >= 0) visit(visits, outputs[state]);
    }
    return 0;
}

static PyObject *rows_of(const Visits *visits, const uint8_t *table, Py_ssize_t width) {
    PyObject *rows = PyBytes_FromStringAndSize(NULL, visits->met * width * (Py_ssize_t)sizeof(float));
    if (!rows) return NULL;
    float *to = (float *)PyBytes_AS_STRING(rows);
    for (Py_ssize_t i = 0; i < visits->met; i++) {
        const uint8_t *row = table + visits->features[i] * width;
        for (Py_ssize_t k = 0; k < width; k++) *to++ = row[k];
    }
    return rows;
}

/* visits(moves, pieces, rows, outputs, text, table, width): how often each feature is met, in the order in which they
   are, and its row of the table, which is of bytes; both as float32. */
PyObject *native_visits(PyObject *self, PyObject *args) {
    Py_buffer views[6];
    Py_ssize_t width;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*n", &views[0], &views[1], &views[2], &views[3], &views[4], &views[5], &width))
        return NULL;
    size_t most = (size_t)views[4].len + 1, slots = 64;
    while (slots < 2 * most && slots < 1u << 30) slots *= 2;
    Visits visits = {PyMem_Malloc(most * sizeof(int32_t)), PyMem_Calloc(slots, sizeof(int32_t)),
                     PyMem_Malloc(most * sizeof(float)), 0, (uint32_t)slots - 1};
    PyObject *result = NULL, *rows = NULL;
    if (!visits.features || !visits.slots || !visits.counts || most > 1u << 28) PyErr_NoMemory();
    else if (width < 1 || walk(views, views[5].len / width, &visits) < 0)
        PyErr_SetString(PyExc_ValueError, "the automaton leads out of itself");
    else if ((rows = rows_of(&visits, views[5].buf, width)))
        result = Py_BuildValue("y#N", visits.counts, visits.met * (Py_ssize_t)sizeof(float), rows);
    PyMem_Free(visits.features);
    PyMem_Free(visits.slots);
    PyMem_Free(visits.counts);
    for (int i = 0; i < 6; i++) PyBuffer_Release(&views[i]);
    return result;
}
