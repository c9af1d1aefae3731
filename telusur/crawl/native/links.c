/* What links add to the sums of their targets; what it is: telusur/crawl/strategies/focused/values.py, which a test holds against this. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>

#include "../../language/native/version.h"

enum { ROWS = 15, OF_ANCHOR = 5, OF_AROUND = 3, REACH = 4, NEAR = 3 };

/* The arguments, in their order. */
enum { SIZES, TARGETS, ANCHORS, ANCHOR_LENGTHS, AROUNDS, AROUND_LENGTHS, LIST_SHARES, GUESSES, PAGE_OUTCOMES, OUTCOMES, ANCHOR_TABLE,
       AROUND_TABLE, SUMS, BUFFERS };

typedef struct {
    Py_buffer at[BUFFERS];
    Py_ssize_t pages, links, urls, room; /* room: so many URLs has a row of sums */
    Py_ssize_t most; /* links of a page */
} Web;

#define INTS(web, name) ((const int32_t *)(web)->at[name].buf)
#define DOUBLES(web, name) ((const double *)(web)->at[name].buf)

/* Tells whether runs of so many terms lie within a table of so many rows. */
static int are_runs(const Web *web, int lengths_at, int terms_at, int table_at, int width) {
    const int32_t *lengths = INTS(web, lengths_at), *terms = INTS(web, terms_at);
    Py_ssize_t count = web->at[terms_at].len / 4, total = 0, size = web->at[table_at].len / 8 / width;
    if (web->at[lengths_at].len != 4 * web->links) return 0;
    for (Py_ssize_t i = 0; i < web->links; i++) {
        if (lengths[i] < 0) return 0;
        total += lengths[i];
    }
    if (total != count) return 0;
    for (Py_ssize_t i = 0; i < count; i++)
        if (terms[i] < 0 || terms[i] >= size) return 0;
    return 1;
}

/* Tells whether nothing outside of the buffers would be touched. */
static int is_sound(Web *web) {
    const int32_t *sizes = INTS(web, SIZES), *targets = INTS(web, TARGETS);
    web->pages = web->at[SIZES].len / 4;
    web->links = web->at[TARGETS].len / 4;
    web->urls = web->at[OUTCOMES].len / 8;
    web->room = web->at[SUMS].len / 8 / ROWS;
    if (web->room < web->urls || web->at[LIST_SHARES].len != 8 * web->links) return 0;
    if (web->at[GUESSES].len != 8 * web->pages || web->at[PAGE_OUTCOMES].len != 8 * web->pages) return 0;
    Py_ssize_t total = 0;
    web->most = 0;
    for (Py_ssize_t i = 0; i < web->pages; i++) {
        if (sizes[i] < 0) return 0;
        total += sizes[i];
        web->most = sizes[i] > web->most ? sizes[i] : web->most;
    }
    if (total != web->links) return 0;
    for (Py_ssize_t i = 0; i < web->links; i++)
        if (targets[i] < 0 || targets[i] >= web->urls) return 0;
    return are_runs(web, ANCHOR_LENGTHS, ANCHORS, ANCHOR_TABLE, OF_ANCHOR) &&
           are_runs(web, AROUND_LENGTHS, AROUNDS, AROUND_TABLE, OF_AROUND);
}

/* Adds up the rows of so many terms; returns the term behind them. */
static inline const int32_t *sum_up(const int32_t *term, int32_t count, const double *table, int width, double *sums) {
    for (int k = 0; k < width; k++) sums[k] = 0.0;
    for (; count; count--, term++)
        for (int k = 0; k < width; k++) sums[k] += table[width * (Py_ssize_t)*term + k];
    return term;
}

/* The sum over the values beside one of `count`, the nearest counting most. */
static inline double beside(const double *values, Py_ssize_t at, Py_ssize_t count, int reach) {
    double sum = 0.0;
    for (int step = 1; step <= reach; step++) {
        if (at >= step) sum += values[at - step] / step;
        if (at + step < count) sum += values[at + step] / step;
    }
    return sum;
}

static void add_all(const Web *web, double *results, double *is_known, double *anchors) {
    const int32_t *target = INTS(web, TARGETS), *sizes = INTS(web, SIZES), *anchor = INTS(web, ANCHORS), *around = INTS(web, AROUNDS);
    const int32_t *anchor_length = INTS(web, ANCHOR_LENGTHS), *around_length = INTS(web, AROUND_LENGTHS);
    const double *list_share = DOUBLES(web, LIST_SHARES), *outcomes = DOUBLES(web, OUTCOMES);
    double *sums = web->at[SUMS].buf, by_anchor[OF_ANCHOR], by_around[OF_AROUND], values[ROWS];
    for (Py_ssize_t page = 0; page < web->pages; page++) {
        Py_ssize_t size = sizes[page];
        double good = 0.0, fetched = 0.0, guess = DOUBLES(web, GUESSES)[page], weight = 1.0 / sqrt(size + 5.0);
        for (Py_ssize_t i = 0; i < size; i++) {
            double outcome = outcomes[target[i]];
            is_known[i] = !isnan(outcome);
            results[i] = is_known[i] ? outcome : 0.0;
            good += results[i];
            fetched += is_known[i];
        }
        double hub = (good + guess) / (fetched + 2.0);
        const int32_t *first = anchor;
        for (Py_ssize_t i = 0; i < size; i++) {
            int32_t length = anchor_length[i];
            double sum = 0.0;
            for (int32_t left = length; left; left--, first++) sum += DOUBLES(web, ANCHOR_TABLE)[OF_ANCHOR * (Py_ssize_t)*first];
            anchors[i] = sum / sqrt(length > 1 ? length : 1);
        }
        for (Py_ssize_t i = 0; i < size; i++, target++, list_share++) {
            anchor = sum_up(anchor, anchor_length[i], DOUBLES(web, ANCHOR_TABLE), OF_ANCHOR, by_anchor);
            around = sum_up(around, around_length[i], DOUBLES(web, AROUND_TABLE), OF_AROUND, by_around);
            double share = 1.0 / (anchor_length[i] > 1 ? anchor_length[i] : 1), wide = 1.0 / (around_length[i] > 1 ? around_length[i] : 1);
            double near = (beside(results, i, size, NEAR) + 0.5 * hub) / (beside(is_known, i, size, NEAR) + 0.5);
            values[0] = weight * guess;
            values[1] = weight * near;
            values[2] = weight * hub;
            values[3] = anchors[i];
            values[4] = by_around[0] * sqrt(wide);
            values[5] = beside(anchors, i, size, REACH) * *list_share;
            values[6] = by_anchor[2] * share;
            values[7] = by_anchor[3] * share;
            values[8] = by_anchor[1] * sqrt(share);
            values[9] = by_around[1] * sqrt(wide);
            values[10] = by_anchor[4] * share;
            values[11] = by_around[2] * wide;
            values[12] = weight * good;
            values[13] = weight * fetched;
            values[14] = DOUBLES(web, PAGE_OUTCOMES)[page];
            for (int row = 0; row < ROWS; row++) sums[row * web->room + *target] += values[row];
        }
        anchor_length += size;
        around_length += size;
    }
}

static void release(Web *web) {
    for (int i = 0; i < BUFFERS; i++) PyBuffer_Release(&web->at[i]);
}

/* add_links(sizes, targets, ..., sums): as many rows of sums as links add to, changed in place */
static PyObject *native_add_links(PyObject *module, PyObject *args) {
    Web web = {.pages = 0};
    Py_buffer *at = web.at;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*y*y*y*y*y*y*w*", at, at + 1, at + 2, at + 3, at + 4, at + 5, at + 6, at + 7, at + 8, at + 9,
                          at + 10, at + 11, at + 12))
        return NULL;
    double *room = NULL;
    if (!is_sound(&web))
        PyErr_SetString(PyExc_ValueError, "links, pages, terms and sums do not fit each other");
    else if (!(room = PyMem_New(double, 3 * web.most + 1)))
        PyErr_NoMemory();
    else
        add_all(&web, room, room + web.most, room + 2 * web.most);
    PyMem_Free(room);
    release(&web);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"add_links", native_add_links, METH_VARARGS, "Add to the sums of URLs what links to them say."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "telusur.crawl._native", "The inner loops of learning from links.", -1, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__native(void) {
    PyObject *module = PyModule_Create(&definition);
    if (module && PyModule_AddIntConstant(module, "VERSION", NATIVE_VERSION) < 0) Py_CLEAR(module);
    return module;
}
