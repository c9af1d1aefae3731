/* Hashes for tables that hold words, names and tags of strangers: nobody outside of this process can foresee them.

   With a hash that is the same everywhere, a page of made-up words that fall into one slot makes each lookup walk over
   all of them. Here a 64-bit product of the input and of secret numbers is folded into itself, as the wyhash family
   does; the secrets are drawn when the module is loaded. Nothing that is stored or compared between processes may
   depend on these hashes: see hash_term in words.h for one that may be. */
#ifndef TELUSUR_KEYED_H
#define TELUSUR_KEYED_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#define OF_THIS_MODULE __attribute__((visibility("hidden")))

extern OF_THIS_MODULE uint64_t hash_secrets[3];
extern OF_THIS_MODULE uint64_t hash_probes; /* steps over slots that others had taken, for tests */

static inline uint64_t fold_product(uint64_t one, uint64_t other) {
#ifdef __SIZEOF_INT128__
    unsigned __int128 product = (unsigned __int128)one * other;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    uint64_t low = (one & 0xFFFFFFFF) * (other & 0xFFFFFFFF), high = (one >> 32) * (other >> 32);
    uint64_t cross = (one >> 32) * (other & 0xFFFFFFFF), across = (one & 0xFFFFFFFF) * (other >> 32);
    uint64_t middle = (low >> 32) + (cross & 0xFFFFFFFF) + (across & 0xFFFFFFFF);
    return (low & 0xFFFFFFFF) ^ middle << 32 ^ (high + (cross >> 32) + (across >> 32) + (middle >> 32));
#endif
}

static inline uint64_t hash_start(size_t length) { return hash_secrets[2] ^ (uint64_t)length; }

static inline uint64_t hash_more(uint64_t hash, uint64_t eight) {
    return fold_product(eight ^ hash_secrets[0], hash ^ hash_secrets[1]);
}

static inline uint32_t hash_end(uint64_t hash) { return (uint32_t)fold_product(hash ^ hash_secrets[1], hash_secrets[2] | 1); }

static inline uint32_t hash_number(uint64_t number) { return hash_end(hash_more(hash_start(8), number)); }

static inline uint32_t hash_bytes(const void *bytes, size_t length) {
    const char *at = bytes;
    uint64_t hash = hash_start(length), eight = 0;
    for (; length >= 8; at += 8, length -= 8) {
        memcpy(&eight, at, 8);
        hash = hash_more(hash, eight);
    }
    eight = 0;
    memcpy(&eight, at, length);
    return hash_end(hash_more(hash, eight));
}

/* Draws the secrets; -1 with an error set. */
static inline int draw_hash_secrets(void) {
    PyObject *os = PyImport_ImportModule("os");
    PyObject *drawn = os ? PyObject_CallMethod(os, "urandom", "n", (Py_ssize_t)sizeof hash_secrets) : NULL;
    int failed = !drawn || !PyBytes_Check(drawn) || PyBytes_GET_SIZE(drawn) != sizeof hash_secrets;
    if (!failed) memcpy(hash_secrets, PyBytes_AS_STRING(drawn), sizeof hash_secrets);
    else if (!PyErr_Occurred()) PyErr_SetString(PyExc_OSError, "no random numbers");
    Py_XDECREF(os);
    Py_XDECREF(drawn);
    return failed ? -1 : 0;
}

/* keyed_hash(bytes): what the tables of this process go by. */
static inline PyObject *keyed_hash(PyObject *self, PyObject *args) {
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "y*", &view)) return NULL;
    uint32_t hash = hash_bytes(view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    return PyLong_FromUnsignedLong(hash);
}

/* probes(): how many steps lookups have taken over slots of others so far. */
static inline PyObject *count_probes(PyObject *self, PyObject *args) { return PyLong_FromUnsignedLongLong(hash_probes); }

#define HASH_METHODS                                                                           \
    {"keyed_hash", keyed_hash, METH_VARARGS, "Return what tables of this process go by."},     \
    {"probes", count_probes, METH_NOARGS, "Return how many taken slots lookups met so far."}

#endif
