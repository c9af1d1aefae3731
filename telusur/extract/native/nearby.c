/* The short texts around a headline, of a page as the parser writes a tree down: see scan.c for what that is, and
   telusur/extract/facts/nearby.py for what a piece is, which does the same without this module. */

#include "native.h"
#include <string.h>

enum {
    NODES_AFTER = 300,
    NODES_BEFORE = 60,
    MOST_PIECES = 40,
    LONG_TEXT = 250,
    MOST_LONG_TEXTS = 3,
    LONGEST_PIECE = 300,
    LEVELS = 4,
    HEADING_LEVELS = 3,
    LONGEST_NAMES = 1000,
    LONGEST_BYLINE = 80,
    MOST_SPACES = 9,
    FIELDS = 10
};

typedef enum { ELEMENT, TEXT, REMARK } NodeKind;

/* What tags mean here; an element of any other has none. */
enum { UNSEEN = 1, ENDING = 2, HEADING = 4, MOMENT = 8, ANCHOR = 16, TEMPLATE = 32 };

/* The attributes that are looked at; the first three name an element. */
enum { CLASS, ITEMPROP, REL, HREF, DATETIME, TITLE, ATTRIBUTES };

typedef struct {
    NodeKind kind;
    int32_t parent; /* -1 for none */
    Span span;      /* of a text, or of what stands between the name of a tag and `>` */
    Span tag;
    int is_raw, kinds, role; /* kinds as in native.h */
    int are_read;            /* whether its attributes are */
    Span attributes[ATTRIBUTES];
} Node;

typedef struct {
    int kind;
    const void *data;
    Py_ssize_t length, at;
    Node *nodes;
    size_t count, room;
    int32_t open; /* the innermost open element, -1 for none */
    int has_plaintext; /* raw text and elements beside each other: not to be read here */
    Characters text;
    PyTypeObject *type;
    PyObject *nothing;
} Page;

#define AT(page, i) PyUnicode_READ((page)->kind, (page)->data, i)

static Py_ssize_t find(const Page *page, Py_ssize_t from, Py_UCS4 wanted) {
    if (page->kind == PyUnicode_1BYTE_KIND) {
        const char *start = page->data, *found = memchr(start + from, (int)wanted, (size_t)(page->length - from));
        return found ? found - start : page->length;
    }
    while (from < page->length && AT(page, from) != wanted) from++;
    return from;
}

static int is_text(const Page *page, Span span, const char *text) {
    Py_ssize_t length = (Py_ssize_t)strlen(text);
    if (span.end - span.start != length) return 0;
    for (Py_ssize_t i = 0; i < length; i++)
        if (AT(page, span.start + i) != (Py_UCS4)text[i]) return 0;
    return 1;
}

static int role_of(const char *tag) {
    static const struct {
        const char *tag;
        int role;
    } roles[] = {{"a", ANCHOR},      {"abbr", MOMENT},   {"article", ENDING}, {"body", ENDING},
                 {"button", UNSEEN}, {"h1", HEADING},    {"h2", HEADING},     {"h3", HEADING},
                 {"h4", HEADING},    {"html", ENDING},   {"main", ENDING},    {"noscript", UNSEEN},
                 {"option", UNSEEN}, {"script", UNSEEN}, {"style", UNSEEN},   {"svg", UNSEEN},
                 {"time", MOMENT},   {"title", UNSEEN},  {"time-ago", MOMENT},
                 {"relative-time", MOMENT}, {"template", UNSEEN | TEMPLATE}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (roles[i].tag[0] == tag[0] && !strcmp(roles[i].tag, tag)) return roles[i].role;
    return 0;
}

/* Writes the name of a tag as far as it fits: empty if it does not. */
static size_t read_name(const Page *page, Span tag, char *name) {
    Py_ssize_t length = tag.end - tag.start;
    name[0] = 0;
    if (length > LONGEST_TAG) return 0;
    for (Py_ssize_t i = 0; i < length; i++) {
        Py_UCS4 character = AT(page, tag.start + i);
        name[i] = character < 128 ? (char)character : 1;
    }
    name[length] = 0;
    return (size_t)length;
}

static Node *add_node(Page *page, NodeKind kind, Span span) {
    if (page->count == page->room) {
        size_t room = page->room ? 2 * page->room : 512;
        Node *nodes = room < INT32_MAX ? PyMem_Realloc(page->nodes, room * sizeof *nodes) : NULL;
        if (!nodes) return NULL;
        page->nodes = nodes;
        page->room = room;
    }
    Node *node = &page->nodes[page->count++];
    node->kind = kind;
    node->parent = page->open;
    node->span = span;
    node->is_raw = node->kinds = node->role = node->are_read = 0;
    node->tag = (Span){0, 0};
    return node;
}

/* MathML and SVG have no raw text, but may hold HTML again. */
static int is_foreign(const Page *page, int32_t number) {
    for (; number >= 0; number = page->nodes[number].parent) {
        if (page->nodes[number].kinds & FOREIGN) return 1;
        if (page->nodes[number].kinds & DOMESTIC) return 0;
    }
    return 0;
}

/* Takes the text up to the end tag of an element whose text is raw; `</xmpd` does not end `<xmp>`. */
static int take_raw_text(Page *page, Span tag) {
    Span span = {page->at, page->at};
    Py_ssize_t length = tag.end - tag.start;
    while ((span.end = find(page, span.end, '<')) < page->length) {
        Py_ssize_t i = 0;
        if (span.end + 1 < page->length && AT(page, span.end + 1) == '/' && span.end + 2 + length <= page->length)
            while (i < length && AT(page, span.end + 2 + i) == AT(page, tag.start + i)) i++;
        Py_ssize_t end = span.end + 2 + length;
        if (i == length && (end == page->length || ends_tag_name(AT(page, end)))) break;
        span.end++;
    }
    page->at = span.end;
    if (span.end == span.start) return 0;
    Node *node = add_node(page, TEXT, span);
    if (node) node->is_raw = 1;
    return node ? 0 : -1;
}

/* Reads `<tag attributes>`; page->at stands behind `<`. */
static int open_element(Page *page) {
    Span tag = {page->at, page->at}, inside;
    while (tag.end < page->length && AT(page, tag.end) != ' ' && AT(page, tag.end) != '>') tag.end++;
    inside.start = inside.end = tag.end;
    for (; inside.end < page->length && AT(page, inside.end) != '>'; inside.end++)
        if (AT(page, inside.end) == '=' && inside.end + 1 < page->length && AT(page, inside.end + 1) == '"')
            inside.end = find(page, inside.end + 2, '"');
    if (inside.end > page->length) inside.end = page->length;
    page->at = inside.end < page->length ? inside.end + 1 : inside.end;
    Node *node = add_node(page, ELEMENT, inside);
    if (!node) return -1;
    char name[LONGEST_TAG + 1];
    size_t length = read_name(page, tag, name);
    node->tag = tag;
    node->role = role_of(name);
    if (name[0] == 'p' && !strcmp(name, "plaintext")) page->has_plaintext = 1;
    int kinds = node->kinds = kind_of_tag(name, length);
    if (kinds & VOID) return 0;
    page->open = (int32_t)page->count - 1;
    return kinds & RAW && !is_foreign(page, page->open) ? take_raw_text(page, tag) : 0;
}

static void close_element(Page *page) {
    Span tag = {page->at, find(page, page->at, '>')};
    page->at = tag.end < page->length ? tag.end + 1 : tag.end;
    char name[LONGEST_TAG + 1];
    size_t length = read_name(page, tag, name);
    if (page->open >= 0 && !(kind_of_tag(name, length) & VOID)) page->open = page->nodes[page->open].parent;
}

/* Reads a comment, a doctype or an instruction; page->at stands behind `<`. */
static int take_remark(Page *page) {
    int is_comment = page->at + 2 < page->length && AT(page, page->at + 1) == '-' && AT(page, page->at + 2) == '-';
    Py_ssize_t start = page->at, at = start + (is_comment ? 3 : 0);
    while ((at = find(page, at, '>')) < page->length &&
           is_comment && (at < start + 5 || AT(page, at - 1) != '-' || AT(page, at - 2) != '-'))
        at++;
    page->at = at < page->length ? at + 1 : at;
    return add_node(page, REMARK, (Span){start, at}) ? 0 : -1;
}

/* Reads the next tag or text. */
static int step(Page *page) {
    if (AT(page, page->at) != '<') {
        Span span = {page->at, find(page, page->at, '<')};
        page->at = span.end;
        return add_node(page, TEXT, span) ? 0 : -1;
    }
    page->at++;
    Py_UCS4 first = page->at < page->length ? AT(page, page->at) : 0;
    if (first == '!' || first == '?') return take_remark(page);
    if (first != '/') return open_element(page);
    page->at++;
    close_element(page);
    return 0;
}

/* What stands in a template is a document of its own, with nothing around it. */
static int32_t parent_of(const Page *page, int32_t number) {
    int32_t parent = page->nodes[number].parent;
    return parent >= 0 && page->nodes[parent].role & TEMPLATE ? -1 : parent;
}

/* Attributes */

static void read_attributes(const Page *page, Node *node) {
    static const char *const names[ATTRIBUTES] = {"class", "itemprop", "rel", "href", "datetime", "title"};
    Py_ssize_t at = node->span.start, end = node->span.end;
    memset(node->attributes, 0, sizeof node->attributes);
    node->are_read = 1;
    while (at < end) {
        if (AT(page, at) == ' ') {
            at++;
            continue;
        }
        Span name = {at, at + 1}, value;
        while (name.end < end && AT(page, name.end) != '=' && AT(page, name.end) != ' ') name.end++;
        at = name.end;
        if (at + 1 >= end || AT(page, at) != '=' || AT(page, at + 1) != '"') continue;
        value.start = value.end = at + 2;
        while (value.end < end && AT(page, value.end) != '"') value.end++;
        at = value.end + 1;
        for (int i = 0; i < ATTRIBUTES; i++)
            if (AT(page, name.start) == (Py_UCS4)names[i][0] && is_text(page, name, names[i])) node->attributes[i] = value;
    }
}

static Span attribute(const Page *page, int32_t number, int which) {
    Node *node = &page->nodes[number];
    if (!node->are_read) read_attributes(page, node);
    return node->attributes[which];
}

/* Reads one character at *at, resolving a reference, and moves on. */
static Py_UCS4 next_character(const Page *page, Py_ssize_t *at, Py_ssize_t end) {
    static const struct {
        const char *name;
        Py_UCS4 character;
    } references[] = {{"amp;", '&'}, {"lt;", '<'}, {"gt;", '>'}, {"nbsp;", 0xA0}, {"quot;", '"'}};
    Py_UCS4 character = AT(page, (*at)++);
    if (character != '&') return character;
    for (size_t n = 0; n < sizeof references / sizeof *references; n++) {
        Span span = {*at, *at + (Py_ssize_t)strlen(references[n].name)};
        if (span.end > end || !is_text(page, span, references[n].name)) continue;
        *at = span.end;
        return references[n].character;
    }
    return character;
}

static int add(Characters *to, Py_UCS4 character) {
    if (to->length == to->room && characters_reserve(to, 1) < 0) return -1;
    to->items[to->length++] = character;
    return 0;
}

static int add_value(Page *page, Span span, size_t most) {
    for (Py_ssize_t at = span.start; at < span.end && page->text.length < most;)
        if (add(&page->text, next_character(page, &at, span.end)) < 0) return -1;
    return 0;
}

static PyObject *take_string(Page *page) {
    if (!page->text.length) return Py_NewRef(page->nothing);
    return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, page->text.items, (Py_ssize_t)page->text.length);
}

static PyObject *value_of(Page *page, int32_t number, int which, size_t most) {
    page->text.length = 0;
    if (add_value(page, attribute(page, number, which), most) < 0) return PyErr_NoMemory();
    return take_string(page);
}

/* Pieces */

/* Reads a text without its superfluous white space; returns its length, 0 if it is white space and nothing else. */
static Py_ssize_t read_text(Page *page, const Node *node) {
    Py_ssize_t length = 0;
    int is_blank = 1, is_pending = 0;
    page->text.length = 0;
    for (Py_ssize_t at = node->span.start; at < node->span.end; length++) {
        Py_UCS4 character = node->is_raw ? AT(page, at) : next_character(page, &at, node->span.end);
        at += node->is_raw;
        if (Py_UNICODE_ISSPACE(character)) {
            is_pending = page->text.length > 0;
            continue;
        }
        is_blank = 0;
        if (length >= LONGEST_PIECE) continue;
        if (is_pending && add(&page->text, ' ') < 0) return -1;
        if (add(&page->text, character) < 0) return -1;
        is_pending = 0;
    }
    return is_blank ? 0 : length;
}

static PyObject *names_around(Page *page, int32_t number) {
    page->text.length = 0;
    for (int level = 0; level < LEVELS && number >= 0; level++, number = parent_of(page, number)) {
        if (page->nodes[number].role & ENDING) break;
        for (int i = CLASS; i <= REL; i++) {
            Span value = attribute(page, number, i);
            if (value.end == value.start) continue;
            if (page->text.length && page->text.length < LONGEST_NAMES && add(&page->text, ' ') < 0) return PyErr_NoMemory();
            if (add_value(page, value, LONGEST_NAMES) < 0) return PyErr_NoMemory();
        }
    }
    Py_UCS4 all = 0;
    for (size_t i = 0; i < page->text.length; i++) all |= page->text.items[i];
    if (all < 128) {
        for (size_t i = 0; i < page->text.length; i++)
            if (page->text.items[i] >= 'A' && page->text.items[i] <= 'Z') page->text.items[i] += 'a' - 'A';
        return take_string(page);
    }
    PyObject *names = take_string(page), *lower = names ? PyObject_CallMethod(names, "lower", NULL) : NULL;
    Py_XDECREF(names);
    return lower;
}

static PyObject *link_of(Page *page, int32_t number) {
    if (!(page->nodes[number].role & ANCHOR)) number = parent_of(page, number);
    if (number < 0 || !(page->nodes[number].role & ANCHOR)) return Py_NewRef(page->nothing);
    return value_of(page, number, HREF, LONGEST_PIECE);
}

static PyObject *moment_of(Page *page, int32_t number) {
    if (!(page->nodes[number].role & MOMENT)) return Py_NewRef(page->nothing);
    PyObject *moment = value_of(page, number, DATETIME, PY_SSIZE_T_MAX);
    if (!moment || moment != page->nothing) return moment;
    Py_DECREF(moment);
    return value_of(page, number, TITLE, PY_SSIZE_T_MAX);
}

static long heading_around(const Page *page, int32_t number) {
    for (int level = 0; level < HEADING_LEVELS && number >= 0; level++, number = parent_of(page, number))
        if (page->nodes[number].role & HEADING) return number;
    return -1;
}

static int is_digit_at(const Characters *text, size_t at) {
    if (at >= text->length) return 0;
    Py_UCS4 character = text->items[at];
    return character < 128 ? character >= '0' && character <= '9' : Py_UNICODE_ISDECIMAL(character);
}

static int is_joint_at(const Characters *text, size_t at) {
    return at < text->length && (text->items[at] == '.' || text->items[at] == '/' || text->items[at] == '-');
}

/* (?:19|20)\d\d|\d[./-]\d\d?[./-]\d\d */
static int has_year(const Characters *text) {
    for (size_t at = 0; at + 3 < text->length; at++) {
        Py_UCS4 first = text->items[at], second = text->items[at + 1];
        if (((first == '1' && second == '9') || (first == '2' && second == '0')) && is_digit_at(text, at + 2) &&
            is_digit_at(text, at + 3))
            return 1;
        if (!is_digit_at(text, at) || !is_joint_at(text, at + 1) || !is_digit_at(text, at + 2)) continue;
        for (size_t joint = at + 3; joint <= at + 4; joint++)
            if ((joint == at + 3 || is_digit_at(text, at + 3)) && is_joint_at(text, joint) &&
                is_digit_at(text, joint + 1) && is_digit_at(text, joint + 2))
                return 1;
    }
    return 0;
}

static int may_be_byline(const Characters *text) {
    int spaces = 0;
    if (!text->length || text->length > LONGEST_BYLINE || !Py_UNICODE_ISALPHA(text->items[0])) return 0;
    for (size_t i = 0; i < text->length; i++) spaces += text->items[i] == ' ';
    return spaces <= MOST_SPACES;
}

static PyObject *make_piece(Page *page, int32_t parent, long distance) {
    PyObject *piece = page->type->tp_alloc(page->type, FIELDS);
    if (!piece) return NULL;
    int is_dated = has_year(&page->text), is_short = may_be_byline(&page->text);
    PyObject *fields[FIELDS] = {take_string(page)};
    if (fields[0]) fields[1] = PyLong_FromLong(distance);
    if (fields[1]) fields[2] = PyLong_FromLong(parent);
    if (fields[2]) fields[3] = names_around(page, parent);
    if (fields[3]) fields[4] = value_of(page, parent, CLASS, PY_SSIZE_T_MAX);
    if (fields[4]) fields[5] = link_of(page, parent);
    if (fields[5]) fields[6] = PyLong_FromLong(heading_around(page, parent));
    if (fields[6]) fields[7] = moment_of(page, parent);
    if (fields[7]) fields[8] = PyBool_FromLong(is_dated);
    if (fields[8]) fields[9] = PyBool_FromLong(is_short);
    for (int i = 0; i < FIELDS; i++) PyTuple_SET_ITEM(piece, i, fields[i] ? fields[i] : Py_NewRef(Py_None));
    if (!fields[FIELDS - 1]) Py_CLEAR(piece);
    return piece;
}

/* Adds the piece of a node, if it is one; returns 1 when there are enough. */
static int add_piece(Page *page, PyObject *pieces, size_t number, int way, int *long_texts) {
    const Node *node = &page->nodes[number];
    if (node->kind != TEXT || node->parent < 0 || page->nodes[node->parent].role & UNSEEN) return 0;
    Py_ssize_t length = read_text(page, node);
    if (length <= 0) {
        if (length < 0) PyErr_NoMemory();
        return length < 0 ? -1 : 0;
    }
    if (length > LONG_TEXT && ++*long_texts == MOST_LONG_TEXTS) return 1;
    PyObject *piece = make_piece(page, node->parent, way * (long)(PyList_GET_SIZE(pieces) + 1));
    if (!piece || PyList_Append(pieces, piece) < 0) {
        Py_XDECREF(piece);
        return -1;
    }
    Py_DECREF(piece);
    return PyList_GET_SIZE(pieces) == MOST_PIECES;
}

static int is_around(const Page *page, size_t outer, size_t inner) {
    int32_t number = page->nodes[inner].parent;
    while (number > (int32_t)outer) number = page->nodes[number].parent;
    return number == (int32_t)outer;
}

/* Reads on until the element with this tag and number among those begins; returns its place or -1. */
static Py_ssize_t find_element(Page *page, const char *tag, Py_ssize_t number, int *failed) {
    size_t looked_at = 0;
    while (page->at < page->length) {
        if (step(page) < 0) {
            *failed = 1;
            return -1;
        }
        for (; looked_at < page->count; looked_at++) {
            const Node *node = &page->nodes[looked_at];
            if (node->kind == ELEMENT && is_text(page, node->tag, tag) && number-- == 0) return (Py_ssize_t)looked_at;
        }
    }
    return -1;
}

static int collect_after(Page *page, PyObject *pieces, size_t found, int is_inside) {
    int long_texts = 0, is_enough = 0;
    while (!is_inside && page->open >= (int32_t)found && page->at < page->length)
        if (step(page) < 0) return -1;
    size_t first = is_inside ? found + 1 : page->count;
    for (size_t next = first; !is_enough && next < first + NODES_AFTER; next++) {
        while (next >= page->count && page->at < page->length && (!is_inside || page->open >= (int32_t)found))
            if (step(page) < 0) return -1;
        if (next >= page->count) break;
        is_enough = add_piece(page, pieces, next, 1, &long_texts);
        if (is_enough < 0) return -1;
    }
    return 0;
}

static int collect_before(Page *page, PyObject *pieces, size_t found) {
    int long_texts = 0, is_enough = 0, looked_at = 0;
    for (size_t number = found; number-- > 0 && looked_at < NODES_BEFORE && !is_enough;) {
        if (is_around(page, number, found)) continue;
        looked_at++;
        is_enough = add_piece(page, pieces, number, -1, &long_texts);
        if (is_enough < 0) return -1;
    }
    return 0;
}

/* nearby(page, tag, number, type of pieces, whether within the element): the pieces after the element of that number
   among those with this tag, and those before it; or those within it. None where `<plaintext>` was met. */
PyObject *native_nearby(PyObject *self, PyObject *args) {
    PyObject *text, *type, *after = NULL, *before = NULL, *result = NULL;
    const char *tag;
    Py_ssize_t number;
    int is_inside, failed = 0;
    Page page;
    memset(&page, 0, sizeof page);
    if (!PyArg_ParseTuple(args, "UsnO!p", &text, &tag, &number, &PyType_Type, &type, &is_inside)) return NULL;
    page.type = (PyTypeObject *)type;
    if (!PyType_IsSubtype(page.type, &PyTuple_Type) || page.type->tp_itemsize != sizeof(PyObject *)) {
        PyErr_SetString(PyExc_TypeError, "pieces are tuples");
        return NULL;
    }
    page.kind = PyUnicode_KIND(text), page.data = PyUnicode_DATA(text), page.length = PyUnicode_GET_LENGTH(text);
    page.open = -1;
    page.nothing = PyUnicode_New(0, 0);
    after = PyList_New(0), before = PyList_New(0);
    if (page.nothing && after && before) {
        Py_ssize_t found = find_element(&page, tag, number, &failed);
        if (!failed && (found < 0 || (collect_after(&page, after, (size_t)found, is_inside) == 0 &&
                                      (is_inside || collect_before(&page, before, (size_t)found) == 0))))
            result = page.has_plaintext ? Py_NewRef(Py_None) : PyTuple_Pack(2, after, before);
        else if (!PyErr_Occurred())
            PyErr_NoMemory();
    }
    Py_XDECREF(after);
    Py_XDECREF(before);
    Py_XDECREF(page.nothing);
    PyMem_Free(page.nodes);
    PyMem_Free(page.text.items);
    return result;
}
