/* telusur.extract._native: the inner loops of reading a page, compiled. Everything in here exists in
   Python too, in telusur.extract, and tests hold the two against each other. */

#include "../../language/native/keyed.h"
#include "../../language/native/version.h"
#include "native.h"

uint64_t hash_secrets[3], hash_probes;

static PyMethodDef methods[] = {
    {"set_tags", native_set_tags, METH_VARARGS, "Say of which kinds tags are."},
    {"scan", native_scan, METH_VARARGS, "Return the lines of a page and the elements around them."},
    {"around", native_around, METH_VARARGS, "Return the words around a link in a text."},
    {"signs", native_signs, METH_O, "Return what is written somewhere on a page."},
    {"element_names", native_element_names, METH_O, "Return the classes and ids of a page."},
    {"sheet_parts", native_sheet_parts, METH_VARARGS, "Return the rules of a style sheet."},
    {"nearby", native_nearby, METH_VARARGS, "Return the short texts around a headline."},
    {"count_kinds", native_count_kinds, METH_VARARGS, "Count the kinds of characters of texts."},
    {"group", native_group, METH_VARARGS, "Make one of elements that hold the same lines."},
    {"has_surrogates", native_has_surrogates, METH_VARARGS, "Tell whether a text has halves of characters."},
    {"hold", native_hold, METH_VARARGS, "Hold lines against what the page says about itself."},
    {"read", native_read, METH_VARARGS, "Return what the network makes of a page."},
    {"name_senses", native_name_senses, METH_VARARGS, "Return the senses of names."},
    {"join_bags", native_join_bags, METH_VARARGS, "Join the bags of each group."},
    {"sum_bags", native_sum_bags, METH_VARARGS, "Sum up rows of a table."},
    {"sum_within", native_sum_within, METH_VARARGS, "Sum up the rows of ranges."},
    {"sum_around", native_sum_around, METH_VARARGS, "Sum up the ranges around rows."},
    HASH_METHODS,
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "telusur.extract._native", "The inner loops of reading a page.", -1, methods,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__native(void) {
    PyObject *module = draw_hash_secrets() < 0 ? NULL : PyModule_Create(&definition);
    if (!module) return NULL;
    if (PyModule_AddIntConstant(module, "VERSION", NATIVE_VERSION) < 0 || PyType_Ready(&LexiconType) < 0 || PyModule_AddObjectRef(module, "Lexicon", (PyObject *)&LexiconType) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
