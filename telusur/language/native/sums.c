/* Sums over the terms of many texts; what they are: telusur/language/term_sums.py, which a test holds against this. */

#include "native.h"

/* What both functions are called with: a table with a row for each term, rows of values for each run, `width` wide. */
typedef struct {
    Py_buffer by_term, by_run, terms, lengths, weights;
    Py_ssize_t width, size; /* rows by term */
} Runs;

static void release(Runs *runs) {
    PyBuffer_Release(&runs->by_term);
    PyBuffer_Release(&runs->by_run);
    PyBuffer_Release(&runs->terms);
    PyBuffer_Release(&runs->lengths);
    if (runs->weights.obj) PyBuffer_Release(&runs->weights);
}

/* Tells whether nothing outside of the buffers would be touched. */
static int is_sound(Runs *runs) {
    Py_ssize_t count = runs->terms.len / 4, total = 0, texts = runs->lengths.len / 4;
    const int32_t *terms = runs->terms.buf, *lengths = runs->lengths.buf;
    if (runs->width < 1 || runs->by_run.len != 8 * runs->width * texts) return 0;
    runs->size = runs->by_term.len / 8 / runs->width;
    for (Py_ssize_t i = 0; i < texts; i++) {
        if (lengths[i] < 0) return 0;
        total += lengths[i];
    }
    if (total != count || (runs->weights.obj && runs->weights.len != 4 * count)) return 0;
    uint32_t highest = 0;
    for (Py_ssize_t i = 0; i < count; i++) highest = (uint32_t)terms[i] > highest ? (uint32_t)terms[i] : highest;
    return !count || (Py_ssize_t)highest < runs->size;
}

/* (first table, width, terms, lengths, weights or None, second table): the second is written to. */
static int read_arguments(Runs *runs, Py_buffer *first, Py_buffer *second, PyObject *args) {
    PyObject *weights;
    *runs = (Runs){.width = 0};
    if (!PyArg_ParseTuple(args, "y*ny*y*Ow*", first, &runs->width, &runs->terms, &runs->lengths, &weights, second)) return -1;
    int is_read = weights == Py_None || !PyObject_GetBuffer(weights, &runs->weights, PyBUF_SIMPLE);
    if (is_read && is_sound(runs)) return 0;
    if (is_read) PyErr_SetString(PyExc_ValueError, "terms, runs and their sums do not fit each other");
    release(runs);
    return -1;
}

/* Adds row of term to sum of run, or the other way round. */
static inline void add_up(const Runs *runs, Py_ssize_t width, int by_run) {
    const int32_t *term = runs->terms.buf, *lengths = runs->lengths.buf;
    const float *weight = runs->weights.buf;
    double *table = runs->by_term.buf, *run = runs->by_run.buf;
    Py_ssize_t texts = runs->lengths.len / 4;
    for (Py_ssize_t i = 0; i < texts; i++, run += width)
        for (int32_t left = lengths[i]; left; left--, term++) {
            double *row = table + width * *term, factor = weight ? (double)*weight++ : 1.0;
            for (Py_ssize_t k = 0; k < width; k++)
                if (by_run)
                    run[k] += row[k] * factor;
                else
                    row[k] += run[k] * factor;
        }
}

/* The compiler knows what to do with a loop of one, two or four. */
static inline PyObject *add_all(Runs *runs, int by_run) {
    if (runs->width == 1)
        add_up(runs, 1, by_run);
    else if (runs->width == 2)
        add_up(runs, 2, by_run);
    else if (runs->width == 4)
        add_up(runs, 4, by_run);
    else
        add_up(runs, runs->width, by_run);
    release(runs);
    Py_RETURN_NONE;
}

/* sum_runs(by_term, width, terms, lengths, weights, by_run) */
PyObject *native_sum_runs(PyObject *module, PyObject *args) {
    Runs runs;
    return read_arguments(&runs, &runs.by_term, &runs.by_run, args) < 0 ? NULL : add_all(&runs, 1);
}

/* sum_terms(by_run, width, terms, lengths, weights, by_term) */
PyObject *native_sum_terms(PyObject *module, PyObject *args) {
    Runs runs;
    return read_arguments(&runs, &runs.by_run, &runs.by_term, args) < 0 ? NULL : add_all(&runs, 0);
}
