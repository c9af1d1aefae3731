/* What the parts of telusur.language._native share. */
#ifndef TELUSUR_LANGUAGE_NATIVE_H
#define TELUSUR_LANGUAGE_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

/* Where a word of the query stands in a text, and its number. */
typedef struct {
    int64_t start, end;
    int32_t word;
} Mark;

typedef struct {
    Mark *items;
    size_t length, room;
} Marks;

typedef struct {
    int64_t first, last;
} Window;

/* The tokens of a text: hashes of 4 bytes each, the lowest first; distances from the token before; lengths. */
typedef struct {
    const uint8_t *hashes, *steps, *lengths;
    Py_ssize_t count;
} Table;

/* Makes room for so many items; -1 when memory is out. */
int grow(void **items, size_t *room, size_t needed, size_t size);

/* Fills in the marks of a text by its table, and the window that shows most; -1 with an error set.
   `runs` are pairs of the number of a word and the hashes of terms that stand side by side. */
int find_window(const Table *table, PyObject *runs, PyObject *weights, Py_ssize_t widest, Py_ssize_t most, Marks *marks,
                Window *window);

/* Returns the piece of a text that shows most of the runs and the ranges of its marks, an empty piece if it has none. */
PyObject *cut_snippet(PyObject *text, const Table *table, PyObject *runs, PyObject *weights, Py_ssize_t widest,
                      Py_ssize_t most);

PyObject *native_make_snippet(PyObject *self, PyObject *args);
PyObject *native_signature(PyObject *self, PyObject *argument);
PyObject *native_sample(PyObject *self, PyObject *args);
PyObject *native_visits(PyObject *self, PyObject *args);
PyObject *native_sum_runs(PyObject *module, PyObject *args);
PyObject *native_sum_terms(PyObject *module, PyObject *args);

#endif
