/* One pass over a page as text: its lines, and the block elements around them.

   The page comes as the parser writes a tree down, so it is well-formed: every element that is not
   void has an end tag, values of attributes stand in double quotes, and `&amp; &lt; &gt; &quot;
   &nbsp;` are the only references. Whatever it holds, nothing is read beyond its end.
   What a line is: telusur/extract/page/layout.py, which does the same without this module. */

#include "../../language/native/keyed.h"
#include "native.h"
#include <string.h>

#define MOST_MARKS 100
#define TAG_SLOTS 512
#define MOST_OPEN_HEADINGS 8
#define HUGE_LINE 500000 /* characters */
#define MOST_WORDS_OF_LINK 600 /* characters; links.py cuts longer ones */

typedef struct {
    char name[LONGEST_TAG + 1];
    int kind;
} TagKind;

static TagKind tag_kinds[TAG_SLOTS];

/* The table is ours and never grows, so its hash needs no secret. */
static unsigned tag_hash(const char *name, size_t length) {
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash % TAG_SLOTS;
}

PyObject *native_set_tags(PyObject *self, PyObject *args) {
    PyObject *kinds, *key, *value;
    Py_ssize_t position = 0, length;
    if (!PyArg_ParseTuple(args, "O!", &PyDict_Type, &kinds)) return NULL;
    if (PyDict_Size(kinds) > TAG_SLOTS / 2) {
        PyErr_SetString(PyExc_ValueError, "too many tags");
        return NULL;
    }
    memset(tag_kinds, 0, sizeof tag_kinds);
    while (PyDict_Next(kinds, &position, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, &length);
        long kind = PyLong_AsLong(value);
        if (!name || (kind == -1 && PyErr_Occurred())) return NULL;
        if (length > LONGEST_TAG) {
            PyErr_SetString(PyExc_ValueError, "the name of a tag is too long");
            return NULL;
        }
        unsigned at = tag_hash(name, (size_t)length);
        while (tag_kinds[at].name[0]) at = (at + 1) % TAG_SLOTS;
        memcpy(tag_kinds[at].name, name, (size_t)length + 1);
        tag_kinds[at].kind = (int)kind;
    }
    Py_RETURN_NONE;
}

int kind_of_tag(const char *name, size_t length) {
    if (length == 0 || length > LONGEST_TAG) return 0;
    unsigned at = tag_hash(name, length);
    for (; tag_kinds[at].name[0]; at = (at + 1) % TAG_SLOTS)
        if (!strncmp(tag_kinds[at].name, name, length) && !tag_kinds[at].name[length])
            return tag_kinds[at].kind;
    return 0;
}

/* Where a text stands: what a child inherits. */
typedef struct {
    int32_t container;
    int is_linked, is_verbatim, is_foreign; /* foreign: in MathML or SVG, where no text is raw */
    size_t marks, marks_length; /* in Scan.marks, which grows and shrinks with the stack */
} Place;

typedef struct {
    Py_UCS4 *data;
    Py_ssize_t length, at;
    Py_ssize_t nodes, most_nodes;
    Place *stack;
    size_t depth, stack_room;
    Characters marks, line, line_marks, key;
    int line_container, line_is_verbatim; /* container -1: no line is open */
    Py_UCS4 pending;
    int32_t linked;
    PyObject *texts, *mark_list, *mark_memory, *styles, *names;
    Numbers containers, links, verbatim, parents, starts, names_of;
    /* The different names of the page: a table of their hashes, and their characters. */
    Numbers slots, name_ends;
    uint32_t *name_hashes;
    size_t names_room;
    Characters name_keys;
    /* The links with an address; of the one that is open the depth of the stack within it, 0 for none. */
    PyObject *anchors;
    size_t anchor_depth;
    int anchor_is_plain;
    Characters anchor;
    /* Levels and texts of headings; the texts of those that are open, and where each begins and how deep it is. */
    PyObject *headings;
    Characters heading_text;
    struct {
        size_t start, depth;
        Py_ssize_t number;
    } open_headings[MOST_OPEN_HEADINGS];
    int n_open_headings, has_lost_headings;
    int has_plaintext; /* raw text and elements beside each other: not to be read here */
} Scan;

#define AT(scan, i) ((scan)->data[i])

static int add_character(Characters *to, Py_UCS4 character) {
    if (to->length == to->room && characters_reserve(to, 1) < 0) return -1;
    to->items[to->length++] = character;
    return 0;
}

/* Reads one character of text at *at, resolving a reference, and moves on. */
static Py_UCS4 next_character(const Scan *scan, Py_ssize_t *at, Py_ssize_t end) {
    static const struct {
        const char *name;
        int length;
        Py_UCS4 character;
    } references[] = {{"amp;", 4, '&'}, {"lt;", 3, '<'}, {"gt;", 3, '>'}, {"nbsp;", 5, 0xA0}, {"quot;", 5, '"'}};
    Py_UCS4 character = AT(scan, *at);
    (*at)++;
    if (character != '&') return character;
    for (size_t n = 0; n < sizeof references / sizeof *references; n++) {
        int i = 0;
        while (i < references[n].length && *at + i < end &&
               AT(scan, *at + i) == (Py_UCS4)references[n].name[i])
            i++;
        if (i == references[n].length) {
            *at += i;
            return references[n].character;
        }
    }
    return character;
}

static int add_span(const Scan *scan, Characters *to, Span span, Py_ssize_t most) {
    for (Py_ssize_t at = span.start; at < span.end && most > 0; most--)
        if (add_character(to, next_character(scan, &at, span.end)) < 0) return -1;
    return 0;
}

static int add_raw_span(const Scan *scan, Characters *to, Span span) {
    size_t length = (size_t)(span.end - span.start);
    if (characters_reserve(to, length) < 0) return -1;
    memcpy(to->items + to->length, scan->data + span.start, length * sizeof *to->items);
    to->length += length;
    return 0;
}

static PyObject *as_string(const Py_UCS4 *items, size_t length) {
    return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, items, (Py_ssize_t)length);
}

static int append_new(PyObject *list, PyObject *item) {
    if (!item) return -1;
    int failed = PyList_Append(list, item);
    Py_DECREF(item);
    return failed;
}

/* Lines */

static int end_line(Scan *scan) {
    if (scan->line_container < 0) return 0;
    Py_UCS4 *items = scan->line.items;
    size_t start = 0, end = scan->line.length;
    if (scan->line_is_verbatim) {
        while (start < end && items[start] == '\n') start++;
        while (end > start && Py_UNICODE_ISSPACE(items[end - 1])) end--;
    }
    PyObject *marks = as_string(scan->line_marks.items, scan->line_marks.length);
    if (!marks) return -1;
    PyObject *known = PyDict_SetDefault(scan->mark_memory, marks, marks);
    int failed = !known || PyList_Append(scan->mark_list, known) < 0;
    Py_DECREF(marks);
    if (failed || append_new(scan->texts, as_string(items + start, end - start)) < 0) return -1;
    if (numbers_add(&scan->containers, scan->line_container) < 0 ||
        numbers_add(&scan->links, scan->linked) < 0 ||
        numbers_add(&scan->verbatim, scan->line_is_verbatim) < 0)
        return -1;
    scan->line_container = -1;
    if (scan->line.room > HUGE_LINE) { /* one huge text must not take its room to the end of the page */
        PyMem_Free(scan->line.items);
        memset(&scan->line, 0, sizeof scan->line);
    }
    return 0;
}

static void begin_line(Scan *scan, const Place *place) {
    scan->line_container = place->container;
    scan->line_is_verbatim = place->is_verbatim;
    scan->line.length = scan->line_marks.length = 0;
    scan->linked = 0;
    scan->pending = 0;
}

/* Shows a stretch of text; returns how many characters it has, -1 when memory is out. White space of a line that is
   not verbatim is kept back until something follows it. */
static int32_t show(Scan *scan, Span span, int has_references) {
    Characters *line = &scan->line;
    int32_t length = 0;
    if (characters_reserve(line, (size_t)(span.end - span.start) + 1) < 0) return -1;
    Py_UCS4 *items = line->items, pending = scan->pending;
    size_t count = line->length;
    for (Py_ssize_t at = span.start; at < span.end; length++) {
        Py_UCS4 character = has_references ? next_character(scan, &at, span.end) : AT(scan, at++);
        if (character == 0xAD) continue;
        if (!scan->line_is_verbatim) {
            if (Py_UNICODE_ISSPACE(character)) {
                if (!pending && count) pending = ' ';
                continue;
            }
            if (pending) items[count++] = pending;
            pending = 0;
        }
        items[count++] = character;
    }
    scan->pending = pending;
    line->length = count;
    return length;
}

static int is_blank(const Scan *scan, Span span, int has_references) {
    for (Py_ssize_t at = span.start; at < span.end;) {
        Py_UCS4 character = has_references ? next_character(scan, &at, span.end) : AT(scan, at++);
        if (character != 0xAD && !Py_UNICODE_ISSPACE(character)) return 0;
    }
    return 1;
}

static int take_text(Scan *scan, Span span, int has_references) {
    const Place *place = &scan->stack[scan->depth - 1];
    scan->nodes++;
    if (scan->n_open_headings) {
        if (has_references ? add_span(scan, &scan->heading_text, span, PY_SSIZE_T_MAX) < 0
                           : add_raw_span(scan, &scan->heading_text, span) < 0)
            return -1;
    }
    if (!is_blank(scan, span, has_references)) {
        if (scan->line_container != place->container) {
            if (end_line(scan) < 0) return -1;
            begin_line(scan, place);
        }
        if (place->marks_length && scan->line_marks.length < MOST_MARKS) {
            if (characters_reserve(&scan->line_marks, place->marks_length) < 0) return -1;
            memcpy(scan->line_marks.items + scan->line_marks.length, scan->marks.items + place->marks,
                   place->marks_length * sizeof(Py_UCS4));
            scan->line_marks.length += place->marks_length;
        }
        if (!place->is_linked) place = NULL;
    } else {
        if (scan->line_container < 0) return 0;
        place = NULL;
    }
    int32_t length = show(scan, span, has_references);
    if (length >= 0 && place) scan->linked += length;
    return length < 0 ? -1 : 0;
}

/* Links */

/* Makes one blank of each stretch of white space, and none of those at both ends; returns the new length. */
static size_t squeeze(Py_UCS4 *items, size_t count) {
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        if (!Py_UNICODE_ISSPACE(items[i])) items[length++] = items[i];
        else if (length && items[length - 1] != ' ') items[length++] = ' ';
    }
    return length && items[length - 1] == ' ' ? length - 1 : length;
}

/* Sets the words of the link that is open, or None where they are not just its texts one after the other. */
static int end_anchor(Scan *scan) {
    if (!scan->anchor_depth) return 0;
    scan->anchor_depth = 0;
    PyObject *words = Py_NewRef(Py_None);
    if (scan->anchor_is_plain) {
        size_t length = squeeze(scan->anchor.items, scan->anchor.length);
        Py_SETREF(words, as_string(scan->anchor.items, length));
        if (!words) return -1;
    }
    PyObject *last = PyList_GET_ITEM(scan->anchors, PyList_GET_SIZE(scan->anchors) - 1);
    Py_DECREF(PyTuple_GET_ITEM(last, 2));
    PyTuple_SET_ITEM(last, 2, words);
    return 0;
}

static PyObject *span_as_string(Scan *scan, Span span) {
    scan->key.length = 0;
    return add_span(scan, &scan->key, span, PY_SSIZE_T_MAX) < 0 ? NULL : as_string(scan->key.items, scan->key.length);
}

/* Begins a link; one within another is possible, and takes the words of the outer one. */
static int begin_anchor(Scan *scan, Span href, Span rel) {
    if (end_anchor(scan) < 0) return -1;
    PyObject *address = span_as_string(scan, href), *relation = address ? span_as_string(scan, rel) : NULL;
    PyObject *anchor = relation ? PyTuple_Pack(3, address, relation, Py_None) : NULL;
    Py_XDECREF(address);
    Py_XDECREF(relation);
    if (append_new(scan->anchors, anchor) < 0) return -1;
    scan->anchor_depth = scan->depth + 1;
    scan->anchor_is_plain = 1;
    scan->anchor.length = 0;
    return 0;
}

static int take_words(Scan *scan, Span span) {
    if (span.end - span.start > MOST_WORDS_OF_LINK || scan->anchor.length > MOST_WORDS_OF_LINK) scan->anchor_is_plain = 0;
    return scan->anchor_is_plain ? add_span(scan, &scan->anchor, span, PY_SSIZE_T_MAX) : 0;
}

/* Headings */

/* Returns the level of a heading, 0 for any other tag. */
static int level_of(const char *name) {
    return name[0] == 'h' && name[1] >= '1' && name[1] <= '6' && !name[2] ? name[1] - '0' : 0;
}

static int begin_heading(Scan *scan, int level) {
    if (scan->n_open_headings == MOST_OPEN_HEADINGS) {
        scan->has_lost_headings = 1;
        return 0;
    }
    int number = scan->n_open_headings++;
    if (!number) scan->heading_text.length = 0;
    scan->open_headings[number].start = scan->heading_text.length;
    scan->open_headings[number].depth = scan->depth + 1;
    scan->open_headings[number].number = PyList_GET_SIZE(scan->headings);
    return append_new(scan->headings, Py_BuildValue("is", level, ""));
}

/* Ends the innermost heading; an outer one has its text too, and so keeps it as it is. */
static int end_heading(Scan *scan) {
    int number = --scan->n_open_headings;
    size_t start = scan->open_headings[number].start, length = scan->heading_text.length - start;
    Py_UCS4 *copy = PyMem_Malloc((length + 1) * sizeof *copy);
    if (!copy) return -1;
    if (length) memcpy(copy, scan->heading_text.items + start, length * sizeof *copy);
    PyObject *text = as_string(copy, squeeze(copy, length));
    PyMem_Free(copy);
    if (!text) return -1;
    PyObject *heading = PyList_GET_ITEM(scan->headings, scan->open_headings[number].number);
    Py_DECREF(PyTuple_GET_ITEM(heading, 1));
    PyTuple_SET_ITEM(heading, 1, text);
    return 0;
}

/* Elements */

typedef struct {
    char name[LONGEST_TAG + 1]; /* as far as it fits, else empty */
    Span tag, class_, id, role, itemprop, rel, style, href;
    int kind, has_href;
} Tag;

static int is_name(const Scan *scan, Span span, const char *name) {
    Py_ssize_t length = (Py_ssize_t)strlen(name);
    if (span.end - span.start != length) return 0;
    for (Py_ssize_t i = 0; i < length; i++)
        if (AT(scan, span.start + i) != (Py_UCS4)name[i]) return 0;
    return 1;
}

static void read_attribute(Scan *scan, Tag *tag) {
    Span name = {scan->at, scan->at + 1}, value;
    while (name.end < scan->length && AT(scan, name.end) != '=' && AT(scan, name.end) != '>' &&
           AT(scan, name.end) != ' ')
        name.end++;
    scan->at = name.end;
    if (scan->at + 1 >= scan->length || AT(scan, scan->at) != '=' || AT(scan, scan->at + 1) != '"') return;
    value.start = value.end = scan->at + 2;
    while (value.end < scan->length && AT(scan, value.end) != '"') value.end++;
    scan->at = value.end < scan->length ? value.end + 1 : value.end;
    switch (name.end - name.start) {
    case 2: if (is_name(scan, name, "id")) tag->id = value; break;
    case 3: if (is_name(scan, name, "rel")) tag->rel = value; break;
    case 4:
        if (is_name(scan, name, "role")) tag->role = value;
        else if (is_name(scan, name, "href")) tag->href = value, tag->has_href = 1;
        break;
    case 5:
        if (is_name(scan, name, "class")) tag->class_ = value;
        else if (is_name(scan, name, "style")) tag->style = value;
        break;
    case 8: if (is_name(scan, name, "itemprop")) tag->itemprop = value; break;
    }
}

/* Reads `<tag attributes>`; scan->at stands behind `<`. */
static void read_tag(Scan *scan, Tag *tag) {
    memset(tag, 0, sizeof *tag);
    tag->tag.start = scan->at;
    while (scan->at < scan->length) {
        Py_UCS4 character = AT(scan, scan->at);
        if (character == ' ' || character == '>') break;
        size_t i = (size_t)(scan->at - tag->tag.start);
        if (i < LONGEST_TAG && character < 128) tag->name[i] = (char)character;
        scan->at++;
    }
    tag->tag.end = scan->at;
    Py_ssize_t length = tag->tag.end - tag->tag.start;
    if (length > LONGEST_TAG) tag->name[0] = 0;
    tag->kind = kind_of_tag(tag->name, (size_t)length);
    while (scan->at < scan->length && AT(scan, scan->at) != '>') {
        if (AT(scan, scan->at) == ' ') scan->at++;
        else read_attribute(scan, tag);
    }
    if (scan->at < scan->length) scan->at++;
}

/* Returns the number of an element's names among those of the page, or -1 when memory is out. */
static int32_t number_names(Scan *scan, const Tag *tag) {
    Characters *key = &scan->key;
    Span role = tag->role.end > tag->role.start ? tag->role : tag->itemprop;
    Span parts[] = {tag->tag, tag->class_, tag->id, role};
    key->length = 0;
    for (int i = 0; i < 4; i++) {
        if (add_span(scan, key, parts[i], PY_SSIZE_T_MAX) < 0) return -1;
        if (add_character(key, 0x110000) < 0) return -1; /* no character: the border between two */
    }
    uint32_t hash = hash_bytes(key->items, key->length * sizeof *key->items);
    size_t count = scan->name_ends.length;
    if (2 * count >= scan->names_room) { /* make the table larger and fill it anew */
        size_t room = scan->names_room ? 2 * scan->names_room : 256;
        uint32_t *hashes = PyMem_Realloc(scan->name_hashes, room * sizeof *hashes);
        if (!hashes) return -1;
        scan->name_hashes = hashes;
        scan->names_room = room;
        scan->slots.length = 0;
        for (size_t i = 0; i < room; i++)
            if (numbers_add(&scan->slots, -1) < 0) return -1;
        for (size_t n = 0; n < count; n++) {
            size_t at = hashes[n] & (room - 1);
            while (scan->slots.items[at] >= 0) at = (at + 1) & (room - 1);
            scan->slots.items[at] = (int32_t)n;
        }
    }
    size_t mask = scan->names_room - 1, at = hash & mask;
    for (; scan->slots.items[at] >= 0; at = (at + 1) & mask) {
        int32_t known = scan->slots.items[at];
        size_t start = known ? (size_t)scan->name_ends.items[known - 1] : 0;
        size_t length = (size_t)scan->name_ends.items[known] - start;
        if (scan->name_hashes[known] == hash && length == key->length &&
            !memcmp(scan->name_keys.items + start, key->items, length * sizeof(Py_UCS4)))
            return known;
        hash_probes++;
    }
    if (scan->name_keys.length + key->length > INT32_MAX || characters_reserve(&scan->name_keys, key->length) < 0)
        return -1;
    memcpy(scan->name_keys.items + scan->name_keys.length, key->items, key->length * sizeof(Py_UCS4));
    scan->name_keys.length += key->length;
    if (numbers_add(&scan->name_ends, (int32_t)scan->name_keys.length) < 0) return -1;
    scan->name_hashes[count] = hash;
    scan->slots.items[at] = (int32_t)count;
    return (int32_t)count;
}

static int add_container(Scan *scan, int32_t parent, const Tag *tag) {
    int32_t number = number_names(scan, tag);
    if (number < 0) return -1;
    if (tag->style.end > tag->style.start) {
        scan->key.length = 0;
        if (add_span(scan, &scan->key, tag->style, PY_SSIZE_T_MAX) < 0) return -1;
        PyObject *at = PyLong_FromSize_t(scan->parents.length);
        PyObject *style = as_string(scan->key.items, scan->key.length);
        int failed = !at || !style || PyDict_SetItem(scan->styles, at, style) < 0;
        Py_XDECREF(at);
        Py_XDECREF(style);
        if (failed) return -1;
    }
    return numbers_add(&scan->parents, parent) < 0 || numbers_add(&scan->names_of, number) < 0 ||
                   numbers_add(&scan->starts, (int32_t)PyList_GET_SIZE(scan->texts)) < 0
               ? -1 : 0;
}

static int push(Scan *scan, Place place) {
    if (scan->depth == scan->stack_room) {
        size_t room = scan->stack_room ? 2 * scan->stack_room : 64;
        Place *stack = PyMem_Realloc(scan->stack, room * sizeof *stack);
        if (!stack) return -1;
        scan->stack = stack;
        scan->stack_room = room;
    }
    scan->stack[scan->depth++] = place;
    return 0;
}

/* Returns the place within an inline element: in a link or not, with its names as marks. */
static int enter_inline(Scan *scan, const Tag *tag, Place *place) {
    int was_linked = place->is_linked;
    if (tag->kind & LINK) place->is_linked = 1;
    if (place->marks_length >= MOST_MARKS) return 0;
    Span names = tag->class_;
    if (names.start == names.end && tag->kind & STATING)
        names = tag->itemprop.end > tag->itemprop.start ? tag->itemprop : tag->rel;
    int has_names = names.end > names.start;
    if (!has_names && place->is_linked == was_linked && !(tag->kind & TELLING)) return 0;
    size_t start = scan->marks.length;
    if (characters_reserve(&scan->marks, place->marks_length) < 0) return -1;
    if (place->marks_length)
        memcpy(scan->marks.items + start, scan->marks.items + place->marks, place->marks_length * sizeof(Py_UCS4));
    scan->marks.length += place->marks_length;
    if (add_character(&scan->marks, ' ') < 0 || add_span(scan, &scan->marks, tag->tag, PY_SSIZE_T_MAX) < 0) return -1;
    if (has_names &&
        (add_character(&scan->marks, ' ') < 0 || add_span(scan, &scan->marks, names, MOST_MARKS) < 0))
        return -1;
    place->marks = start;
    place->marks_length = scan->marks.length - start;
    return 0;
}

/* Moves to the end tag of an element whose text is raw, and takes that text; `</xmpd` does not end `<xmp>`. */
static int take_raw_text(Scan *scan, const Tag *tag) {
    size_t length = strlen(tag->name);
    Span span = {scan->at, scan->at};
    for (; span.end < scan->length; span.end++) {
        if (AT(scan, span.end) != '<' || span.end + 1 >= scan->length || AT(scan, span.end + 1) != '/') continue;
        Span name = {span.end + 2, span.end + 2 + (Py_ssize_t)length};
        if (name.end <= scan->length && is_name(scan, name, tag->name) &&
            (name.end == scan->length || ends_tag_name(AT(scan, name.end))))
            break;
    }
    scan->at = span.end;
    return span.end > span.start ? take_text(scan, span, 0) : 0;
}

static int open_element(Scan *scan) {
    Tag tag;
    Place place = scan->stack[scan->depth - 1];
    size_t marks_before = scan->marks.length;
    read_tag(scan, &tag);
    scan->nodes++;
    if (tag.kind & LINK) {
        if (scan->anchor_depth) scan->anchor_is_plain = 0;
        if (tag.has_href && begin_anchor(scan, tag.href, tag.rel) < 0) return -1;
    } else if (!(tag.kind & PLAIN)) {
        scan->anchor_is_plain = 0;
    }
    if (tag.name[0] == 'p' && !strcmp(tag.name, "plaintext")) scan->has_plaintext = 1;
    int level = level_of(tag.name);
    if (level && begin_heading(scan, level) < 0) return -1;
    if (tag.kind & FOREIGN) place.is_foreign = 1;
    else if (tag.kind & DOMESTIC) place.is_foreign = 0;
    if (tag.kind & BLOCK) {
        if (end_line(scan) < 0 || add_container(scan, place.container, &tag) < 0) return -1;
        place.container = (int32_t)scan->parents.length - 1;
        place.is_verbatim |= (tag.kind & VERBATIM) != 0;
        place.marks = scan->marks.length;
        place.marks_length = 0;
    } else if (tag.kind & BREAK) {
        if (scan->line_container >= 0) {
            if (scan->line_is_verbatim) return add_character(&scan->line, '\n');
            if (scan->line.length) scan->pending = '\n';
        }
    } else if (enter_inline(scan, &tag, &place) < 0) {
        return -1;
    }
    if (tag.kind & VOID) {
        scan->marks.length = marks_before;
        return 0;
    }
    if (push(scan, place) < 0) return -1;
    return tag.kind & RAW && !place.is_foreign ? take_raw_text(scan, &tag) : 0;
}

static int close_element(Scan *scan) {
    Py_ssize_t start = scan->at;
    char name[LONGEST_TAG + 1] = {0};
    for (; scan->at < scan->length && AT(scan, scan->at) != '>'; scan->at++) {
        Py_UCS4 character = AT(scan, scan->at);
        if (scan->at - start < LONGEST_TAG && character < 128) name[scan->at - start] = (char)character;
    }
    int is_void = kind_of_tag(name, (size_t)(scan->at - start)) & VOID;
    if (scan->at < scan->length) scan->at++;
    if (is_void || scan->depth <= 1) return 0;
    if (scan->anchor_depth == scan->depth && end_anchor(scan) < 0) return -1;
    if (scan->n_open_headings && scan->open_headings[scan->n_open_headings - 1].depth == scan->depth &&
        end_heading(scan) < 0)
        return -1;
    scan->depth--;
    const Place *place = &scan->stack[scan->depth - 1]; /* marks made within are over */
    size_t needed = place->marks + place->marks_length;
    if (needed < scan->marks.length) scan->marks.length = needed;
    return 0;
}

/* Moves behind a comment, a doctype or an instruction; scan->at stands behind `<`. */
static void skip_remark(Scan *scan) {
    int is_comment = scan->at + 2 < scan->length && AT(scan, scan->at + 1) == '-' && AT(scan, scan->at + 2) == '-';
    Py_ssize_t at = scan->at + (is_comment ? 3 : 0);
    for (; at < scan->length; at++)
        if (AT(scan, at) == '>' &&
            (!is_comment || (at >= scan->at + 5 && AT(scan, at - 1) == '-' && AT(scan, at - 2) == '-')))
            break;
    scan->at = at < scan->length ? at + 1 : at;
    scan->nodes++;
}

static int scan_all(Scan *scan) {
    while (scan->at < scan->length && scan->nodes < scan->most_nodes) {
        if (AT(scan, scan->at) != '<') {
            Span span = {scan->at, scan->at};
            int has_references = 0;
            for (; span.end < scan->length; span.end++) {
                Py_UCS4 character = AT(scan, span.end);
                if (character == '<') break;
                if (character == '&') has_references = 1;
            }
            scan->at = span.end;
            if (scan->anchor_depth && take_words(scan, span) < 0) return -1;
            if (take_text(scan, span, has_references) < 0) return -1;
            continue;
        }
        scan->at++;
        Py_UCS4 first = scan->at < scan->length ? AT(scan, scan->at) : 0;
        if (first == '!' || first == '?') {
            skip_remark(scan);
        } else if (first == '/') {
            scan->at++;
            if (close_element(scan) < 0) return -1;
        } else if (open_element(scan) < 0) {
            return -1;
        }
    }
    scan->anchor_is_plain = 0; /* if one is still open */
    return end_line(scan) < 0 || end_anchor(scan) < 0 ? -1 : 0;
}

static int make_names(Scan *scan) {
    size_t at = 0;
    for (size_t n = 0; n < scan->name_ends.length; n++) {
        PyObject *names = PyTuple_New(4);
        if (!names) return -1;
        for (int i = 0; i < 4; i++) {
            size_t end = at;
            while (scan->name_keys.items[end] != 0x110000) end++;
            PyObject *part = as_string(scan->name_keys.items + at, end - at);
            if (!part) {
                Py_DECREF(names);
                return -1;
            }
            PyTuple_SET_ITEM(names, i, part);
            at = end + 1;
        }
        if (append_new(scan->names, names) < 0) return -1;
    }
    return 0;
}

static PyObject *finish(Scan *scan) {
    PyObject *arrays[] = {
        numbers_as_bytes(&scan->containers), numbers_as_bytes(&scan->links), numbers_as_bytes(&scan->verbatim),
        numbers_as_bytes(&scan->parents),    numbers_as_bytes(&scan->starts), numbers_as_bytes(&scan->names_of),
    };
    for (int i = 0; i < 6; i++)
        if (!arrays[i]) {
            for (int j = 0; j < 6; j++) Py_XDECREF(arrays[j]);
            return NULL;
        }
    int is_cut = scan->at < scan->length; /* of a page without end they are not all */
    PyObject *anchors = is_cut ? Py_None : scan->anchors;
    PyObject *headings = is_cut || scan->has_lost_headings ? Py_None : scan->headings;
    return Py_BuildValue("OONNNNNNOOOO", scan->texts, scan->mark_list, arrays[0], arrays[1], arrays[2], arrays[3],
                         arrays[4], arrays[5], scan->names, scan->styles, anchors, headings);
}

/* scan(page, most nodes): the parts of a Layout; None for a page with `<plaintext>`. */
PyObject *native_scan(PyObject *self, PyObject *args) {
    PyObject *page, *result = NULL;
    Scan scan;
    memset(&scan, 0, sizeof scan);
    if (!PyArg_ParseTuple(args, "Un", &page, &scan.most_nodes)) return NULL;
    scan.data = PyUnicode_AsUCS4Copy(page);
    scan.length = PyUnicode_GET_LENGTH(page);
    scan.line_container = -1;
    scan.texts = PyList_New(0);
    scan.mark_list = PyList_New(0);
    scan.names = PyList_New(0);
    scan.mark_memory = PyDict_New();
    scan.styles = PyDict_New();
    scan.anchors = PyList_New(0);
    scan.headings = PyList_New(0);
    Tag nothing;
    memset(&nothing, 0, sizeof nothing);
    Place whole = {0, 0, 0, 0, 0, 0};
    if (scan.data && scan.texts && scan.mark_list && scan.names && scan.mark_memory && scan.styles && scan.anchors && scan.headings &&
        add_container(&scan, -1, &nothing) == 0 && push(&scan, whole) == 0 && scan_all(&scan) == 0 &&
        make_names(&scan) == 0)
        result = scan.has_plaintext ? Py_NewRef(Py_None) : finish(&scan);
    if (!result && !PyErr_Occurred()) PyErr_NoMemory();
    Py_XDECREF(scan.texts);
    Py_XDECREF(scan.mark_list);
    Py_XDECREF(scan.names);
    Py_XDECREF(scan.mark_memory);
    Py_XDECREF(scan.styles);
    Py_XDECREF(scan.anchors);
    Py_XDECREF(scan.headings);
    Characters *texts[] = {&scan.marks, &scan.line, &scan.line_marks, &scan.key, &scan.name_keys, &scan.anchor, &scan.heading_text};
    for (int i = 0; i < 7; i++) PyMem_Free(texts[i]->items);
    Numbers *numbers[] = {&scan.containers, &scan.links, &scan.verbatim, &scan.parents,
                          &scan.starts,     &scan.names_of, &scan.slots, &scan.name_ends};
    for (int i = 0; i < 8; i++) PyMem_Free(numbers[i]->items);
    PyMem_Free(scan.name_hashes);
    PyMem_Free(scan.stack);
    PyMem_Free(scan.data);
    return result;
}
