/* The names of the elements of a page, and the rules of a style sheet: see telusur/extract/style/rules.py, which says the
   same in Python. */

#include "native.h"
#include <string.h>

typedef struct {
    Py_UCS4 *data;
    Py_ssize_t length;
} Text;

static PyObject *string_of(const Py_UCS4 *data, Py_ssize_t length) {
    return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, data, length);
}

/* Puts a string, which may have failed, into a set; -1 with an error set. */
static int put(PyObject *set, PyObject *text) {
    int failed = !text || PySet_Add(set, text) < 0;
    Py_XDECREF(text);
    return failed ? -1 : 0;
}

static int begins_with(const Text *text, Py_ssize_t at, const char *word) {
    for (; *word; word++, at++)
        if (at >= text->length || text->data[at] != (Py_UCS4)*word) return 0;
    return 1;
}

static Py_UCS4 lower(Py_UCS4 c) { return c >= 'A' && c <= 'Z' ? c | 32 : c; }

static int is_letter(Py_UCS4 c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

/* What `[\w-]` finds in ASCII. */
static int is_in_name(Py_UCS4 c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; }

/* The names of elements. */

enum { MOST_MET = 512 };

static int separates(Py_UCS4 c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }

/* Adds the name that stands in a page, whose writer makes entities of five characters. */
static int put_name(PyObject *set, Characters *room, Py_UCS4 sign, int kind, const void *data, Span span) {
    static const struct {
        const char *written;
        Py_UCS4 character;
    } entities[] = {{"&amp;", '&'}, {"&quot;", '"'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&nbsp;", 0xa0}};
    room->length = 0;
    if (characters_reserve(room, (size_t)(span.end - span.start) + 1) < 0) {
        PyErr_NoMemory();
        return -1;
    }
    Py_UCS4 *items = room->items;
    items[room->length++] = sign;
    for (Py_ssize_t at = span.start; at < span.end;) {
        Py_UCS4 c = PyUnicode_READ(kind, data, at);
        Py_ssize_t length = 1;
        for (int i = 0; c == '&' && i < 5; i++) {
            const char *written = entities[i].written;
            Py_ssize_t j = 0;
            while (written[j] && at + j < span.end && PyUnicode_READ(kind, data, at + j) == (Py_UCS4)written[j]) j++;
            if (!written[j]) c = entities[i].character, length = j;
            if (length > 1) break;
        }
        items[room->length++] = c;
        at += length;
    }
    return put(set, string_of(items, (Py_ssize_t)room->length));
}

static int put_names(PyObject *set, Characters *room, int is_id, int kind, const void *data, Span span) {
    if (is_id) return put_name(set, room, '#', kind, data, span);
    for (Py_ssize_t at = span.start; at < span.end;) {
        Span name = {at, at};
        while (name.end < span.end && !separates(PyUnicode_READ(kind, data, name.end))) name.end++;
        if (name.end > name.start && put_name(set, room, '.', kind, data, name) < 0) return -1;
        at = name.end + 1;
    }
    return 0;
}

/* Whether the same classes, or the same id, were met a moment ago: elements repeat them. */
static int was_met(Span *met, int kind, const void *data, Span span) {
    Py_ssize_t length = span.end - span.start;
    uint32_t hash = (uint32_t)length;
    for (Py_ssize_t i = 0; i < 5 && length; i++) hash = hash * 31 + PyUnicode_READ(kind, data, span.start + (length - 1) * i / 4);
    Span *other = &met[(hash ^ hash >> 15) % MOST_MET];
    int is_same = other->end - other->start == length;
    /* With the same character before, both are classes or both ids. */
    if (is_same) is_same = !memcmp((const char *)data + (other->start - 3) * kind, (const char *)data + (span.start - 3) * kind, (size_t)((length + 3) * kind));
    *other = span;
    return is_same;
}

static int ends_with(int kind, const void *data, Py_ssize_t end, const char *word) {
    Py_ssize_t length = (Py_ssize_t)strlen(word);
    if (end < length) return 0;
    for (Py_ssize_t i = 0; i < length; i++)
        if (PyUnicode_READ(kind, data, end - length + i) != (Py_UCS4)word[i]) return 0;
    return 1;
}

/* Returns where the next value of what may be a class or id begins; -1 for none. A block without values is passed
   over at once. */
#define FIND_VALUE(Character)                                                                                            \
    do {                                                                                                                 \
        const Character *letters = data;                                                                                 \
        for (; at + 32 < length; at += 32) {                                                                             \
            Character any = 0;                                                                                           \
            for (int i = 0; i < 32; i++)                                                                                 \
                any |= (Character)((letters[at + i] == '=') & (letters[at + i + 1] == '"'));                             \
            if (any) break;                                                                                              \
        }                                                                                                                \
        for (; at + 1 < length; at++)                                                                                    \
            if (letters[at] == '=' && letters[at + 1] == '"' && (letters[at - 1] == 's' || letters[at - 1] == 'd')) return at + 2; \
    } while (0)

static Py_ssize_t next_value(int kind, const void *data, Py_ssize_t at, Py_ssize_t length) {
    if (at < 1) at = 1;
    if (kind == PyUnicode_1BYTE_KIND) FIND_VALUE(Py_UCS1);
    else if (kind == PyUnicode_2BYTE_KIND) FIND_VALUE(Py_UCS2);
    else FIND_VALUE(Py_UCS4);
    return -1;
}

/* element_names(page): the classes and ids of its elements, as selectors. */
PyObject *native_element_names(PyObject *self, PyObject *page) {
    if (!PyUnicode_Check(page)) {
        PyErr_SetString(PyExc_TypeError, "a page is a text");
        return NULL;
    }
    PyObject *set = PySet_New(NULL);
    Characters room = {0};
    Span met[MOST_MET];
    for (int i = 0; i < MOST_MET; i++) met[i].start = 0, met[i].end = -1; /* no text is that short */
    int kind = PyUnicode_KIND(page), failed = !set;
    const void *data = PyUnicode_DATA(page);
    Py_ssize_t length = PyUnicode_GET_LENGTH(page), at = 0;
    while (!failed && (at = next_value(kind, data, at, length)) >= 0) {
        Py_ssize_t equals = at - 2;
        int is_id = ends_with(kind, data, equals, " id");
        if (!is_id && !ends_with(kind, data, equals, " class")) continue;
        Span span = {at, PyUnicode_FindChar(page, '"', at, length, 1)};
        if (span.end < 0) break;
        if (was_met(met, kind, data, span)) continue;
        failed = put_names(set, &room, is_id, kind, data, span) < 0; /* what follows may be one, too: this may be text */
    }
    PyMem_Free(room.items);
    if (failed) Py_CLEAR(set);
    return set;
}

/* A sheet without comments, and without what would confuse its reader. */

static void drop_comments(Text *text) {
    Py_ssize_t to = 0;
    for (Py_ssize_t at = 0; at < text->length;) {
        if (text->data[at] != '/' || !begins_with(text, at, "/*")) {
            text->data[to++] = text->data[at++];
            continue;
        }
        for (at += 2; at < text->length && !begins_with(text, at, "*/"); at++) {}
        at += 2;
    }
    text->length = to;
}

/* Returns where a quoted text or an address ends that begins here; `at` if none does. */
static Py_ssize_t end_of_quoted(const Text *text, Py_ssize_t at) {
    Py_UCS4 first = text->data[at];
    if (first == '"' || first == '\'') {
        for (Py_ssize_t end = at + 1; end < text->length && text->data[end] != '\n'; end++)
            if (text->data[end] == first) return end + 1;
    } else if (first == 'u' && begins_with(text, at, "url(")) {
        for (Py_ssize_t end = at + 4; end < text->length; end++) {
            Py_UCS4 c = text->data[end];
            if (c == ')') return end + 1;
            if (c == '(' || c == '"' || c == '\'') break;
        }
    }
    return at;
}

static void drop_quoted(Text *text) {
    Py_ssize_t to = 0;
    for (Py_ssize_t at = 0; at < text->length;) {
        Py_UCS4 c = text->data[at];
        Py_ssize_t end = c == '"' || c == '\'' || c == 'u' ? end_of_quoted(text, at) : at;
        if (end == at) {
            text->data[to++] = text->data[at++];
            continue;
        }
        int has_grammar = 0;
        for (Py_ssize_t i = at; i < end && !has_grammar; i++) {
            Py_UCS4 inner = text->data[i];
            has_grammar = inner == '{' || inner == '}' || inner == ';';
        }
        if (has_grammar) {
            text->data[to++] = '"';
            text->data[to++] = '"';
            at = end;
        }
        while (at < end) text->data[to++] = text->data[at++];
    }
    text->length = to;
}

/* The rules. */

enum { MOST_WORDS = 40, LONGEST_TELLING = 15 };

typedef struct {
    char text[LONGEST_TELLING + 1];
    unsigned long bits;
    int next; /* with the same first letter; -1 for none */
} Word;

typedef struct {
    Text text;
    PyObject *present, *parts;
    Word words[MOST_WORDS];
    int first[128];
} Reading;

static int add_part(Reading *reading, Span before, Span body, const char *brace, unsigned long says, PyObject *pairs) {
    const Py_UCS4 *data = reading->text.data;
    PyObject *part = Py_BuildValue("(NNskO)", string_of(data + before.start, before.end - before.start),
                                   string_of(data + body.start, body.end - body.start), brace, says, pairs);
    int failed = !part || PyList_Append(reading->parts, part) < 0;
    Py_XDECREF(part);
    return failed ? -1 : 0;
}

static Span stripped(const Text *text, Span span) {
    while (span.start < span.end && Py_UNICODE_ISSPACE(text->data[span.start])) span.start++;
    while (span.end > span.start && Py_UNICODE_ISSPACE(text->data[span.end - 1])) span.end--;
    return span;
}

/* Moves on over a quoted text, or over brackets and what is in them; 0 if none begin here. */
static int skip_inside(const Text *text, Py_ssize_t *at, Py_ssize_t end) {
    Py_UCS4 first = text->data[*at];
    if (first != '(' && first != '[' && first != '"' && first != '\'') return 0;
    int depth = 0;
    for (; *at < end; ++*at) {
        Py_UCS4 c = text->data[*at];
        if (c == '"' || c == '\'') {
            Py_ssize_t close = *at + 1;
            while (close < end && text->data[close] != c) close++;
            *at = close < end ? close : end - 1;
        }
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (depth <= 0) break;
    }
    if (*at < end) ++*at;
    return 1;
}

/* Finds a name that is in no brackets. */
static Span next_name(const Text *text, Py_ssize_t at, Py_ssize_t end) {
    Span name = {end, end};
    for (; at + 1 < end; at++) {
        if (skip_inside(text, &at, end)) {
            at--;
            continue;
        }
        if ((text->data[at] != '.' && text->data[at] != '#') || !is_in_name(text->data[at + 1])) continue;
        name.start = at++;
        while (at < end && is_in_name(text->data[at])) at++;
        name.end = at;
        break;
    }
    return name;
}

/* How many of the names in a stretch the page has, and how many there are; -1 with an error set. */
static int count_names(const Reading *reading, Span span, int *count) {
    int found = 0;
    *count = 0;
    for (Py_ssize_t at = span.start; at < span.end;) {
        Span name = next_name(&reading->text, at, span.end);
        at = name.end;
        if (name.start == name.end) break;
        PyObject *text = string_of(reading->text.data + name.start, name.end - name.start);
        int has = text ? PySet_Contains(reading->present, text) : -1;
        Py_XDECREF(text);
        if (has < 0) return -1;
        found += has;
        ++*count;
    }
    return found;
}

static int may_match(const Reading *reading, Span selector) {
    int count, found = reading->present == Py_None ? 0 : count_names(reading, selector, &count);
    return reading->present == Py_None || found < 0 ? found < 0 ? -1 : 1 : found == count;
}

/* Returns the name by which the elements of a selector are found, "" if it is not that plain. */
static PyObject *key_of(const Text *text, Span selector) {
    const Py_UCS4 *data = text->data;
    Py_ssize_t start = selector.end, at;
    while (start > selector.start && !Py_UNICODE_ISSPACE(data[start - 1]) && data[start - 1] != '>') start--;
    at = start;
    if (at < selector.end && data[at] == '*') at++;
    else if (at < selector.end && is_letter(data[at]))
        while (at < selector.end && is_in_name(data[at])) at++;
    Span tag = {start, at}, first = {0, 0};
    while (at < selector.end) {
        Span name = next_name(text, at, selector.end);
        if (name.start != at || name.start == name.end) return string_of(data, 0);
        if (first.end == 0 || (data[first.start] == '.' && data[at] == '#')) first = name;
        at = name.end;
    }
    if (first.end) return string_of(data + first.start, first.end - first.start);
    PyObject *name = string_of(data + tag.start, tag.end - tag.start);
    PyObject *low = name ? PyObject_CallMethod(name, "lower", NULL) : NULL;
    Py_XDECREF(name);
    return low;
}

/* Returns the selectors that may match, each behind its key. */
static PyObject *pairs_of(const Reading *reading, Span list) {
    PyObject *pairs = PyList_New(0);
    for (Py_ssize_t at = list.start; pairs && at <= list.end;) {
        Span part = {at, at};
        while (part.end < list.end && reading->text.data[part.end] != ',')
            if (!skip_inside(&reading->text, &part.end, list.end)) part.end++;
        at = part.end + 1;
        part = stripped(&reading->text, part);
        int may = part.start == part.end ? 0 : may_match(reading, part);
        if (!may) continue;
        PyObject *pair = may < 0 ? NULL
                                 : Py_BuildValue("(NN)", key_of(&reading->text, part),
                                                 string_of(reading->text.data + part.start, part.end - part.start));
        if (!pair || PyList_Append(pairs, pair) < 0) Py_CLEAR(pairs);
        Py_XDECREF(pair);
    }
    return pairs;
}

/* Reads tuples of a word and its bits; -1 with an error set. */
static int read_words(Reading *reading, PyObject *words) {
    for (int i = 0; i < 128; i++) reading->first[i] = -1;
    Py_ssize_t count = PyTuple_GET_SIZE(words);
    if (count > MOST_WORDS) count = MOST_WORDS;
    for (int i = 0; i < count; i++) {
        Word *word = &reading->words[i];
        const char *text;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(words, i), "sk", &text, &word->bits)) return -1;
        size_t length = strlen(text);
        if (length < 2 || length > LONGEST_TELLING || (unsigned char)text[0] > 127) {
            PyErr_SetString(PyExc_ValueError, "such a word is not looked for");
            return -1;
        }
        memcpy(word->text, text, length + 1);
        word->next = reading->first[(int)text[0]];
        reading->first[(int)text[0]] = i;
    }
    return 0;
}

/* What the words in a body, in lower case, say together. */
static unsigned long says_of(const Reading *reading, Span body) {
    unsigned long says = 0;
    Text text = {reading->text.data, body.end};
    for (Py_ssize_t at = body.start; at < body.end; at++)
        for (int i = reading->first[text.data[at]]; i >= 0; i = reading->words[i].next)
            if (at + 1 < body.end && text.data[at + 1] == (Py_UCS4)reading->words[i].text[1] && begins_with(&text, at, reading->words[i].text))
                says |= reading->words[i].bits;
    return says;
}

/* Whether Python need not look at a rule closely; makes its body lower case then. */
static int is_plain(const Reading *reading, Span before, Span body) {
    Py_UCS4 *data = reading->text.data;
    for (Py_ssize_t i = before.start; i < before.end; i++)
        if (data[i] > 127 || data[i] == ';' || data[i] == '@' || data[i] == '&' || data[i] == '\\') return 0;
    for (Py_ssize_t i = body.start; i < body.end; i++)
        if (data[i] > 127 || data[i] == '@') return 0;
    for (Py_ssize_t i = body.start; i < body.end; i++) data[i] = lower(data[i]);
    return 1;
}

static int add_plain(Reading *reading, Span before, Span body) {
    unsigned long says = says_of(reading, body);
    if (!says) return 0;
    PyObject *pairs = pairs_of(reading, before);
    int failed = !pairs || (PyList_GET_SIZE(pairs) && add_part(reading, before, body, "", says, pairs) < 0);
    Py_XDECREF(pairs);
    return failed ? -1 : 0;
}

static int add_other(Reading *reading, Span before, Span body) {
    int has_statements = 0, is_tricky = reading->present == Py_None, count = 0, found = 0;
    for (Py_ssize_t i = before.start; i < before.end; i++) {
        Py_UCS4 c = reading->text.data[i];
        has_statements |= c == ';';
        is_tricky |= c == '(' || c == '[' || c == '\\' || c > 127;
    }
    if (!has_statements && body.start == body.end) return 0;
    if (!has_statements && !is_tricky && (found = count_names(reading, before, &count)) < 0) return -1;
    if (!has_statements && !is_tricky && count && !found) return 0;
    return add_part(reading, before, body, "", 0, Py_None);
}

static Py_ssize_t next_brace(const Text *text, Py_ssize_t at) {
    while (at < text->length && text->data[at] != '{' && text->data[at] != '}') at++;
    return at;
}

/* Reads up to the last closing brace and returns where that is; -1 with an error set. */
static Py_ssize_t read_parts(Reading *reading) {
    const Text *text = &reading->text;
    Py_ssize_t at = 0, last = text->length;
    while (last > 0 && text->data[last - 1] != '}') last--;
    while (at < last) {
        Span before = {at, next_brace(text, at)}, body = {before.end, before.end};
        int is_open = text->data[before.end] == '{', failed;
        at = before.end + 1;
        Py_ssize_t end = is_open ? next_brace(text, at) : 0;
        if (is_open && text->data[end] == '}') {
            body.start = at, body.end = end, at = end + 1;
            int plain = body.end > body.start && is_plain(reading, before, body);
            failed = plain ? add_plain(reading, before, body) : add_other(reading, before, body);
        } else failed = add_part(reading, before, body, is_open ? "{" : "}", 0, Py_None);
        if (failed < 0) return -1;
    }
    return last;
}

/* sheet_parts(sheet, present, words): its rules and braces, and what follows the last one. With `present`, a set of
   names, only rules that these may match. */
PyObject *native_sheet_parts(PyObject *self, PyObject *args) {
    PyObject *sheet, *words, *result = NULL;
    Reading reading;
    if (!PyArg_ParseTuple(args, "UOO!", &sheet, &reading.present, &PyTuple_Type, &words)) return NULL;
    if (reading.present != Py_None && !PyAnySet_Check(reading.present)) {
        PyErr_SetString(PyExc_TypeError, "names are a set");
        return NULL;
    }
    if (read_words(&reading, words) < 0) return NULL;
    reading.text.length = PyUnicode_GET_LENGTH(sheet);
    if (!(reading.text.data = PyUnicode_AsUCS4Copy(sheet))) return NULL;
    drop_comments(&reading.text);
    drop_quoted(&reading.text);
    if ((reading.parts = PyList_New(0))) {
        Py_ssize_t end = read_parts(&reading);
        if (end >= 0) result = Py_BuildValue("(ON)", reading.parts, string_of(reading.text.data + end, reading.text.length - end));
        Py_DECREF(reading.parts);
    }
    PyMem_Free(reading.text.data);
    return result;
}
