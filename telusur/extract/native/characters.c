/* Characters of texts: the loops of telusur/extract/content/characters.py and page/decode.py. */

#include "native.h"
#include <string.h>

#define PLANE 65536

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

/* has_surrogates(text): whether it has halves of characters, which cannot be stored. */
PyObject *native_has_surrogates(PyObject *self, PyObject *args) {
    PyObject *text;
    if (!PyArg_ParseTuple(args, "U", &text)) return NULL;
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    unsigned found = 0;
    if (PyUnicode_KIND(text) == PyUnicode_2BYTE_KIND) {
        const Py_UCS2 *data = PyUnicode_2BYTE_DATA(text);
        for (Py_ssize_t i = 0; i < length; i++) found |= (data[i] & 0xF800) == 0xD800;
    } else if (PyUnicode_KIND(text) == PyUnicode_4BYTE_KIND) {
        const Py_UCS4 *data = PyUnicode_4BYTE_DATA(text);
        for (Py_ssize_t i = 0; i < length; i++) found |= (data[i] & 0xFFFFF800) == 0xD800;
    }
    return PyBool_FromLong(found != 0);
}
