/* Growing arrays, and sums over ranges of rows: the loops of telusur/extract/content/ranges.py and network.py. */

#include "native.h"
#include <string.h>

int characters_reserve(Characters *to, size_t more) {
    if (to->length + more <= to->room) return 0;
    size_t room = to->room ? to->room + to->room / (to->room > 500000 ? 4 : 1) : 256;
    if (room < to->length + more) room = to->length + more;
    Py_UCS4 *items = PyMem_Realloc(to->items, room * sizeof *items);
    if (!items) return -1;
    to->items = items;
    to->room = room;
    return 0;
}

int numbers_add(Numbers *to, int32_t item) {
    if (to->length == to->room) {
        size_t room = to->room ? 2 * to->room : 256;
        int32_t *items = PyMem_Realloc(to->items, room * sizeof *items);
        if (!items) return -1;
        to->items = items;
        to->room = room;
    }
    to->items[to->length++] = item;
    return 0;
}

PyObject *numbers_as_bytes(const Numbers *of) {
    return PyBytes_FromStringAndSize((const char *)of->items, (Py_ssize_t)(of->length * sizeof *of->items));
}

PyObject *too_small(void) {
    PyErr_SetString(PyExc_ValueError, "the arrays do not fit each other");
    return NULL;
}

/* Releases views that were filled; others are zeroed. */
void release(Py_buffer *views, int count) {
    for (int i = 0; i < count; i++)
        if (views[i].obj) PyBuffer_Release(&views[i]);
}

static int are_within(const int64_t *numbers, Py_ssize_t count, int64_t end) {
    for (Py_ssize_t i = 0; i < count; i++)
        if (numbers[i] < 0 || numbers[i] >= end) return 0;
    return 1;
}

/* Fills sums with the sums of the first 0, 1, 2 ... rows, in the order given, if one is. */
static void run_sums(const float *values, const int64_t *order, Py_ssize_t rows, Py_ssize_t columns, double *sums) {
    memset(sums, 0, (size_t)columns * sizeof *sums);
    for (Py_ssize_t row = 0; row < rows; row++, sums += columns) {
        const float *value = values + (order ? order[row] : row) * columns;
        for (Py_ssize_t i = 0; i < columns; i++) sums[columns + i] = sums[i] + (double)value[i];
    }
}

/* sum_within(values, columns, starts, ends, out): out[n] = the sum of rows starts[n] to ends[n]. */
PyObject *native_sum_within(PyObject *self, PyObject *args) {
    Py_buffer views[4] = {{0}};
    Py_ssize_t columns;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "y*ny*y*w*", &views[0], &columns, &views[1], &views[2], &views[3])) return NULL;
    Py_ssize_t size = columns > 0 ? columns * (Py_ssize_t)sizeof(float) : 1;
    Py_ssize_t rows = views[0].len / size, ranges = views[1].len / (Py_ssize_t)sizeof(int64_t);
    const int64_t *starts = views[1].buf, *ends = views[2].buf;
    double *sums = NULL;
    if (columns <= 0 || views[2].len != views[1].len || views[3].len != ranges * size ||
        !are_within(starts, ranges, rows + 1) || !are_within(ends, ranges, rows + 1)) {
        too_small();
    } else if (!(sums = PyMem_Malloc((size_t)(rows + 1) * (size_t)columns * sizeof *sums))) {
        PyErr_NoMemory();
    } else {
        float *out = views[3].buf;
        run_sums(views[0].buf, NULL, rows, columns, sums);
        for (Py_ssize_t n = 0; n < ranges; n++, out += columns) {
            const double *end = sums + ends[n] * columns, *start = sums + starts[n] * columns;
            for (Py_ssize_t i = 0; i < columns; i++) out[i] = (float)(end[i] - start[i]);
        }
        result = Py_NewRef(Py_None);
    }
    PyMem_Free(sums);
    release(views, 4);
    return result;
}

/* sum_around(values, columns, by_end, opened, closed, out): out[row] = the sum of the first opened[row]
   values minus that of the first closed[row] values in the order by_end. */
PyObject *native_sum_around(PyObject *self, PyObject *args) {
    Py_buffer views[5] = {{0}};
    Py_ssize_t columns;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "y*ny*y*y*w*", &views[0], &columns, &views[1], &views[2], &views[3], &views[4]))
        return NULL;
    Py_ssize_t size = columns > 0 ? columns * (Py_ssize_t)sizeof(float) : 1;
    Py_ssize_t ranges = views[0].len / size, rows = views[2].len / (Py_ssize_t)sizeof(int64_t);
    const int64_t *opened = views[2].buf, *closed = views[3].buf;
    double *sums = NULL;
    if (columns <= 0 || views[1].len != ranges * (Py_ssize_t)sizeof(int64_t) || views[3].len != views[2].len ||
        views[4].len != rows * size || !are_within(views[1].buf, ranges, ranges) ||
        !are_within(opened, rows, ranges + 1) || !are_within(closed, rows, ranges + 1)) {
        too_small();
    } else if (!(sums = PyMem_Malloc((size_t)(ranges + 1) * (size_t)columns * 2 * sizeof *sums))) {
        PyErr_NoMemory();
    } else {
        double *ended = sums + (ranges + 1) * columns;
        float *out = views[4].buf;
        run_sums(views[0].buf, NULL, ranges, columns, sums);
        run_sums(views[0].buf, views[1].buf, ranges, columns, ended);
        for (Py_ssize_t row = 0; row < rows; row++, out += columns) {
            const double *more = sums + opened[row] * columns, *less = ended + closed[row] * columns;
            for (Py_ssize_t i = 0; i < columns; i++) out[i] = (float)(more[i] - less[i]);
        }
        result = Py_NewRef(Py_None);
    }
    PyMem_Free(sums);
    release(views, 5);
    return result;
}

/* sum_bags(table, columns, ids, at, out): out[n] = the sum of the rows of the table that bag n names. */
PyObject *native_sum_bags(PyObject *self, PyObject *args) {
    Py_buffer views[4] = {{0}};
    Py_ssize_t columns;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "y*ny*y*w*", &views[0], &columns, &views[1], &views[2], &views[3])) return NULL;
    Py_ssize_t size = columns > 0 ? columns * (Py_ssize_t)sizeof(float) : 1;
    Py_ssize_t words = views[0].len / size, count = views[1].len / (Py_ssize_t)sizeof(int64_t);
    Py_ssize_t bags = views[2].len / (Py_ssize_t)sizeof(int64_t);
    const float *table = views[0].buf;
    const int64_t *ids = views[1].buf, *at = views[2].buf;
    if (columns <= 0 || views[3].len != bags * size || !are_within(ids, count, words) ||
        !are_within(at, bags, count + 1)) {
        too_small();
    } else {
        float *out = views[3].buf;
        memset(out, 0, (size_t)views[3].len);
        for (Py_ssize_t n = 0; n < bags; n++, out += columns) {
            int64_t end = n + 1 < bags ? at[n + 1] : count;
            for (int64_t j = at[n]; j < end; j++) {
                const float *row = table + ids[j] * columns;
                for (Py_ssize_t i = 0; i < columns; i++) out[i] += row[i];
            }
        }
        result = Py_NewRef(Py_None);
    }
    release(views, 4);
    return result;
}

/* Grouping: elements that hold exactly the same lines become one row. */

void groups_free(Groups *groups) {
    PyMem_Free(groups->rows.items);
    PyMem_Free(groups->holders.items);
    PyMem_Free(groups->at.items);
    PyMem_Free(groups->members.items);
}

static int group_into(Groups *to, const Elements *from, int32_t *ends, int32_t *row_of, int32_t *next) {
    for (Py_ssize_t i = 0; i < from->lines; i++) ends[from->containers[i]] = (int32_t)i + 1;
    for (Py_ssize_t i = from->count - 1; i > 0; i--)
        if (from->parents[i] >= 0 && ends[from->parents[i]] < ends[i]) ends[from->parents[i]] = ends[i];
    for (Py_ssize_t i = 0; i < from->count; i++) {
        row_of[i] = -1;
        if (ends[i] <= from->starts[i]) continue;
        int32_t above = from->parents[i] >= 0 ? row_of[from->parents[i]] : 0, total = (int32_t)(to->rows.length / 4);
        if (above < 0) above = 0;
        const int32_t *row = to->rows.items + 4 * (size_t)above;
        if (total && row[0] == from->starts[i] && row[1] == ends[i]) {
            row_of[i] = above;
        } else {
            int32_t depth = total ? row[2] + 1 : 0;
            row_of[i] = total;
            if (numbers_add(&to->rows, from->starts[i]) < 0 || numbers_add(&to->rows, ends[i]) < 0 ||
                numbers_add(&to->rows, depth) < 0 || numbers_add(&to->rows, above) < 0)
                return -1;
        }
        next[row_of[i]]++;
    }
    int32_t total = 0;
    for (size_t row = 0; row < to->rows.length / 4; row++) {
        if (numbers_add(&to->at, total) < 0) return -1;
        int32_t own = next[row];
        next[row] = total; /* from now on: where its next name goes */
        total += own;
    }
    for (int32_t i = 0; i < total; i++)
        if (numbers_add(&to->members, 0) < 0) return -1;
    for (Py_ssize_t i = 0; i < from->count; i++)
        if (row_of[i] >= 0) to->members.items[next[row_of[i]]++] = from->names_of[i];
    for (Py_ssize_t i = 0; i < from->lines; i++)
        if (numbers_add(&to->holders, row_of[from->containers[i]]) < 0) return -1;
    return 0;
}

int groups_make(Groups *to, const Elements *from) {
    for (Py_ssize_t i = 0; i < from->lines; i++)
        if (from->containers[i] < 0 || from->containers[i] >= from->count) return too_small(), -1;
    for (Py_ssize_t i = 0; i < from->count; i++)
        if (from->parents[i] >= i || from->starts[i] < 0) return too_small(), -1;
    memset(to, 0, sizeof *to);
    int32_t *room = PyMem_Calloc((size_t)from->count + 1, 3 * sizeof *room);
    if (!room || group_into(to, from, room, room + from->count, room + 2 * from->count) < 0) {
        groups_free(to);
        PyMem_Free(room);
        PyErr_NoMemory();
        return -1;
    }
    PyMem_Free(room);
    for (size_t i = 0; i < to->holders.length; i++)
        if (to->holders.items[i] < 0) { /* the arrays contradict each other */
            groups_free(to);
            return too_small(), -1;
        }
    return 0;
}

/* group(starts, parents, containers, names_of): rows of (start, end, depth, parent), the row that holds
   each line, and for each row where the names of its elements begin in the last array. All int32. */
PyObject *native_group(PyObject *self, PyObject *args) {
    Py_buffer views[4] = {{0}};
    Groups groups;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "y*y*y*y*", &views[0], &views[1], &views[2], &views[3])) return NULL;
    Elements elements = {views[0].buf, views[1].buf, views[2].buf, views[3].buf,
                         views[0].len / (Py_ssize_t)sizeof(int32_t), views[2].len / (Py_ssize_t)sizeof(int32_t)};
    if (views[1].len != views[0].len || views[3].len != views[0].len) {
        too_small();
    } else if (groups_make(&groups, &elements) == 0) {
        result = Py_BuildValue("NNNN", numbers_as_bytes(&groups.rows), numbers_as_bytes(&groups.holders),
                               numbers_as_bytes(&groups.at), numbers_as_bytes(&groups.members));
        groups_free(&groups);
    }
    release(views, 4);
    return result;
}
