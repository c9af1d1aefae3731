/* What the parts of telusur.language._native share. */
#ifndef TELUSUR_LANGUAGE_NATIVE_H
#define TELUSUR_LANGUAGE_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

/* Makes room for so many items; -1 when memory is out. */
int grow(void **items, size_t *room, size_t needed, size_t size);

PyObject *native_find_window(PyObject *self, PyObject *args);

#endif
