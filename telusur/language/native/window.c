/* Where a query's words stand in a text by its packed table, and the stretch of it that shows most of them:
   what telusur/search/show/marks.py and snippet.py do for words that need no second look. */

#include "native.h"
#include <math.h>
#include <string.h>

enum { BLOCK = 32, MOST_RUNS = 256, MOST_WORDS = 64, LONGEST_RUN = 64 };

typedef struct {
    int32_t word;
    Py_ssize_t length, found;
    uint32_t hashes[LONGEST_RUN];
} Run;

static int is_before(const Mark *one, const Mark *other) {
    if (one->start != other->start) return one->start < other->start;
    if (one->end != other->end) return one->end < other->end;
    return one->word < other->word;
}

static int add_mark(Marks *to, Mark mark) {
    if (grow((void **)&to->items, &to->room, to->length + 1, sizeof mark) < 0) return -1;
    size_t at = to->length++;
    for (; at && is_before(&mark, &to->items[at - 1]); at--) to->items[at] = to->items[at - 1];
    to->items[at] = mark;
    return 0;
}

static uint32_t hash_at(const uint8_t *table, Py_ssize_t token) {
    const uint8_t *of = table + 4 * token;
    return (uint32_t)of[0] | (uint32_t)of[1] << 8 | (uint32_t)of[2] << 16 | (uint32_t)of[3] << 24;
}

/* Tells whether a run may begin in the next tokens; most have none, and a compiler does all of them at once. */
static uint32_t may_begin(const uint8_t *table, Py_ssize_t token, const Run *runs, Py_ssize_t n_runs) {
    uint32_t found = 0;
    for (Py_ssize_t n = 0; n < n_runs; n++) {
        uint32_t wanted = runs[n].hashes[0];
        for (Py_ssize_t i = 0; i < BLOCK; i++) found |= hash_at(table, token + i) == wanted;
    }
    return found;
}

/* Finds every place of every run, at most `most` of each. */
static int find_marks(const Table *of, Run *runs, Py_ssize_t n_runs, Py_ssize_t most, Marks *marks) {
    const uint8_t *table = of->hashes, *steps = of->steps, *lengths = of->lengths;
    Py_ssize_t count = of->count;
    int64_t start = 0;
    for (Py_ssize_t token = 0; token < count; token++) {
        if (token % BLOCK == 0 && token + BLOCK <= count && !may_begin(table, token, runs, n_runs)) {
            for (Py_ssize_t i = 0; i < BLOCK; i++) start += steps[token + i];
            token += BLOCK - 1;
            continue;
        }
        uint32_t hash = hash_at(table, token);
        start += steps[token];
        for (Py_ssize_t n = 0; n < n_runs; n++) {
            Run *run = &runs[n];
            if (run->hashes[0] != hash || run->found >= most || token + run->length > count) continue;
            int64_t last = start;
            Py_ssize_t i = 1;
            for (; i < run->length && hash_at(table, token + i) == run->hashes[i]; i++) last += steps[token + i];
            if (i < run->length) continue;
            Mark mark = {start, last + lengths[token + i - 1], run->word};
            run->found++;
            if (add_mark(marks, mark) < 0) return -1;
        }
    }
    return 0;
}

/* The shortest stretch, at most so wide, with the most of the words: two hands move over the marks. */
static void best_window(const Marks *marks, const double *weights, int64_t widest, Window *best) {
    int32_t held[MOST_WORDS] = {0};
    double worth = 0;
    size_t left = 0;
    long long best_worth = 0;
    int64_t best_size = 0;
    best->first = marks->items[0].start, best->last = marks->items[0].end;
    for (size_t right = 0; right < marks->length; right++) {
        const Mark *mark = &marks->items[right];
        if (++held[mark->word] == 1) worth += weights[mark->word];
        for (; left < right; left++) {
            const Mark *behind = &marks->items[left];
            if (held[behind->word] == 1 && mark->end - behind->start <= widest) break;
            if (--held[behind->word] == 0) worth -= weights[behind->word];
        }
        int64_t start = marks->items[left].start, size = mark->end - start;
        long long rounded = llround(worth * 1e6);
        if (rounded > best_worth || (rounded == best_worth && -size > best_size)) {
            best_worth = rounded, best_size = -size;
            best->first = start, best->last = mark->end;
        }
    }
}

static int read_runs(PyObject *list, Run *runs, Py_ssize_t n_words) {
    for (Py_ssize_t n = 0; n < PyList_GET_SIZE(list); n++) {
        PyObject *hashes;
        if (!PyTuple_Check(PyList_GET_ITEM(list, n))) {
            PyErr_SetString(PyExc_TypeError, "a run is a pair");
            return -1;
        }
        if (!PyArg_ParseTuple(PyList_GET_ITEM(list, n), "iO!", &runs[n].word, &PyTuple_Type, &hashes)) return -1;
        runs[n].length = PyTuple_GET_SIZE(hashes);
        runs[n].found = 0;
        if (runs[n].word < 0 || runs[n].word >= n_words || runs[n].length < 1 || runs[n].length > LONGEST_RUN) {
            PyErr_SetString(PyExc_ValueError, "a run has a word and 1 to 64 hashes");
            return -1;
        }
        for (Py_ssize_t i = 0; i < runs[n].length; i++) {
            unsigned long hash = PyLong_AsUnsignedLong(PyTuple_GET_ITEM(hashes, i));
            if (hash == (unsigned long)-1 && PyErr_Occurred()) return -1;
            runs[n].hashes[i] = (uint32_t)hash;
        }
    }
    return 0;
}

int find_window(const Table *table, PyObject *list, PyObject *weight_list, Py_ssize_t widest, Py_ssize_t most, Marks *marks,
                Window *window) {
    Py_ssize_t n_runs = PyList_GET_SIZE(list), n_words = PyList_GET_SIZE(weight_list);
    double weights[MOST_WORDS];
    Run *runs = n_runs <= MOST_RUNS ? PyMem_Calloc((size_t)n_runs + 1, sizeof *runs) : NULL;
    int done = -1;
    if (!runs || n_words > MOST_WORDS) {
        PyErr_SetString(PyExc_ValueError, "too many words");
        goto done;
    }
    for (Py_ssize_t n = 0; n < n_words; n++) {
        weights[n] = PyFloat_AsDouble(PyList_GET_ITEM(weight_list, n));
        if (weights[n] == -1 && PyErr_Occurred()) goto done;
    }
    if (read_runs(list, runs, n_words) < 0) goto done;
    if (find_marks(table, runs, n_runs, most, marks) < 0) {
        PyErr_NoMemory();
        goto done;
    }
    if (marks->length) best_window(marks, weights, widest, window);
    done = 0;
done:
    PyMem_Free(runs);
    return done;
}
