/* A page in numbers, and what the network makes of them: telusur/extract/content/features.py and network.py in
   one go. Those say what each column and each layer is; a test holds the two against each other. */

#include "../../language/native/keyed.h"
#include "native.h"
#include <math.h>
#include <string.h>

#if defined(__GNUC__)
#define WITHIN_IT __attribute__((always_inline)) inline
#else
#define WITHIN_IT inline
#endif

enum { OTHER, LOWER, UPPER, DIGIT, SPACE, END, COMMA, MARK, BAR, MONEY, IDEOGRAPH, SIGN, KINDS };
enum { LOOKS = 24, PLACES = 12, FACTS = 11, SENSES = 31, SUMS = 13, TWINS = 3, SHIFTS = 4, PARTS = 5, SHARED = 4 };
enum { CONTAINER_COLUMNS = SUMS + LOOKS + SENSES + TWINS };
#define LONG_LINE 15.0f
#define WIDEST 64
enum { MOST_INPUTS = 5 * WIDEST + CONTAINER_COLUMNS };

typedef struct {
    const float *data;
    Py_ssize_t count;
} Floats;

typedef struct {
    Elements elements;
    Groups groups;
    Py_ssize_t lines, rows, names;
    const float *kinds, *facts, *levels, *signs;
    const int32_t *linked, *verbatim;
    const unsigned char *flags, *cells;
    const int64_t *senses, *name_ids, *name_at, *line_ids, *line_at;
    Py_ssize_t n_signs, n_name_ids, n_line_ids;
    /* The network. */
    const float *names_table, *words_table;
    Floats in_w, in_b, up_w[2], up_b[2], mix_w[2], shared_w[2], mix_b[2], out_w, out_b, type_w, type_b;
    Py_ssize_t width, word_width, vocabulary;
    Floats by_type; /* what the first layer adds on pages of each type */
    float voice;
    int round;
    /* What is worked out. */
    float *words, *looks, *line_table, *container_table, *names_sums, *state, *said, *spread, *shared;
    float *seen; /* what each line sees, before it is cut off below zero */
    float *own[2]; /* in each round, what each container knows of itself */
    float *below; /* what all containers in a container hear from it and from those around it */
    float *to_self, *to_below; /* the weights of what a container says, to its own lines and to those further inside */
    int32_t *inner, *inner_at; /* the containers with others inside; where each of them is there */
    Py_ssize_t n_inner;
    double *sums; /* running sums of the states */
    Py_ssize_t columns; /* of line_table */
} Page;

static float log1(float value) { return log1pf(value); }

/* Memory that is given back all at once. */
typedef struct {
    void *items[32];
    int count;
} Room;

static void *room_for(Room *room, Py_ssize_t count, size_t size) {
    void *made = room->count < 32 ? PyMem_Calloc((size_t)(count > 0 ? count : 1), size) : NULL;
    if (made) room->items[room->count++] = made;
    return made;
}

static void measure_looks(Page *page) {
    double all = 0;
    for (Py_ssize_t i = 0; i < page->lines; i++) {
        const float *kinds = page->kinds + i * KINDS;
        page->words[i] = kinds[SPACE] + 1 + kinds[IDEOGRAPH] / 2;
        all += page->words[i];
    }
    float mean = (float)(all / (double)page->lines);
    if (mean < 1) mean = 1;
    for (Py_ssize_t i = 0; i < page->lines; i++) {
        const float *kinds = page->kinds + i * KINDS;
        float words = page->words[i], length = 0, *look = page->looks + i * LOOKS;
        for (int k = 0; k < KINDS; k++) length += kinds[k];
        if (length < 1) length = 1;
        float letters = kinds[LOWER] + kinds[UPPER] + kinds[IDEOGRAPH];
        if (letters < 1) letters = 1;
        float density = (float)page->linked[i] / length;
        if (density > 1) density = 1;
        float unlinked = words * (1 - density) - 1;
        look[0] = log1(words) / 3;
        look[1] = log1(length) / 4;
        look[2] = log1(unlinked > 0 ? unlinked : 0) / 3;
        look[3] = density;
        look[4] = density > 0.9f;
        look[5] = letters / words / 8;
        look[6] = kinds[UPPER] / letters;
        look[7] = kinds[DIGIT] / length;
        look[8] = log1(kinds[END]) / 2;
        look[9] = log1(kinds[COMMA]) / 2;
        look[10] = (kinds[END] + kinds[COMMA]) / words;
        look[11] = kinds[MARK] / length;
        look[12] = fminf(kinds[BAR], 5) / 5;
        look[13] = fminf(kinds[MONEY], 3) / 3;
        look[14] = fminf(kinds[SIGN], 2) / 2;
        look[15] = kinds[IDEOGRAPH] / length;
        look[16] = words < 3;
        look[17] = words > LONG_LINE;
        look[18] = words / mean / 4;
        look[19] = (float)page->verbatim[i];
        look[20] = page->cells[page->elements.names_of[page->elements.containers[i]]];
        for (int k = 0; k < 3; k++) look[21 + k] = page->flags[3 * i + k];
    }
}

static float heading_of(const Page *page, Py_ssize_t line) {
    int32_t row = page->groups.holders.items[line];
    int32_t end = row + 1 < page->rows ? page->groups.at.items[row + 1] : (int32_t)page->groups.members.length;
    return page->levels[page->groups.members.items[end - 1]];
}

static void measure_places(Page *page, Py_ssize_t columns) {
    double total = 0, all_prose = 0, before = 0, prose_before = 0;
    Py_ssize_t first_top = -1, last_heading = -1;
    for (Py_ssize_t i = 0; i < page->lines; i++) {
        total += page->words[i];
        if (page->words[i] > LONG_LINE) all_prose += page->words[i];
        if (first_top < 0 && heading_of(page, i) >= 1) first_top = i;
    }
    if (total < 1) total = 1;
    if (all_prose < 1) all_prose = 1;
    for (Py_ssize_t i = 0; i < page->lines; i++) {
        float heading = heading_of(page, i), *place = page->line_table + i * columns + LOOKS;
        if (heading > 0) last_heading = i;
        float from_top = ((float)i - (float)first_top) / 20;
        place[0] = (float)((double)i / (double)page->lines);
        place[1] = (float)(before / total);
        place[2] = (float)(prose_before / all_prose);
        place[3] = log1((float)before) / 8;
        place[4] = log1((float)(total - before)) / 8;
        place[5] = log1((float)(i - last_heading)) / 4;
        place[6] = last_heading >= 0;
        place[7] = first_top < 0 ? 0 : fmaxf(-1, fminf(1, from_top));
        place[8] = first_top >= 0;
        place[9] = log1((float)page->lines) / 6;
        place[10] = log1((float)total) / 8;
        place[11] = (float)(all_prose / total);
        place[PLACES + FACTS + 2] = heading;
        before += page->words[i];
        if (page->words[i] > LONG_LINE) prose_before += page->words[i];
    }
}

/* How much of the running text stands in elements named as a line's is, and as its parent is. */
static int measure_kin(Page *page, Py_ssize_t columns, Room *room) {
    double *mass = room_for(room, 2 * (page->names + 1), sizeof *mass), total = 0;
    if (!mass) return -1;
    const Elements *of = &page->elements;
    for (int pass = 0; pass < 2; pass++)
        for (Py_ssize_t i = 0; i < page->lines; i++) {
            int32_t parent = of->parents[of->containers[i]];
            Py_ssize_t own = of->names_of[of->containers[i]];
            Py_ssize_t above = page->names + 1 + (parent >= 0 ? of->names_of[parent] : page->names);
            if (pass == 0) {
                float prose = page->words[i] > LONG_LINE ? page->words[i] : 0;
                mass[own] += prose;
                mass[above] += prose;
                total += prose;
            } else {
                float *kin = page->line_table + i * columns + LOOKS + PLACES + FACTS;
                double share = total < 1 ? 1 : total;
                kin[0] = (float)(mass[own] / share);
                kin[1] = (float)(mass[above] / share);
            }
        }
    return 0;
}

static int measure_senses(Page *page, Py_ssize_t columns, Room *room) {
    float *around = room_for(room, page->rows * SENSES, sizeof *around);
    if (!around) return -1;
    for (Py_ssize_t row = 0; row < page->rows; row++) {
        int32_t at = page->groups.at.items[row], parent = page->groups.rows.items[4 * row + 3];
        int32_t end = row + 1 < page->rows ? page->groups.at.items[row + 1] : (int32_t)page->groups.members.length;
        int64_t bits = 0;
        for (; at < end; at++) bits |= page->senses[page->groups.members.items[at]];
        float *own = page->container_table + row * CONTAINER_COLUMNS + SUMS + LOOKS;
        for (int k = 0; k < SENSES; k++) {
            own[k] = (float)(bits >> k & 1);
            around[row * SENSES + k] = own[k] + (row ? around[parent * SENSES + k] : 0);
        }
    }
    for (Py_ssize_t i = 0; i < page->lines; i++) {
        const float *of = around + page->groups.holders.items[i] * SENSES;
        float *within = page->line_table + i * columns + LOOKS + PLACES + FACTS + 3;
        for (int k = 0; k < SENSES; k++) within[k] = fminf(of[k], 2);
        memcpy(within + SENSES, page->signs, (size_t)page->n_signs * sizeof(float));
    }
    return 0;
}

/* Size, place and mean look of each container. */
static int sum_up(Page *page, Room *room) {
    enum { EXTRA = 4, COLUMNS = EXTRA + LOOKS };
    double *sums = room_for(room, (page->lines + 1) * COLUMNS, sizeof *sums);
    if (!sums) return -1;
    for (Py_ssize_t i = 0; i < page->lines; i++) {
        double *sum = sums + i * COLUMNS, *next = sum + COLUMNS;
        const float *look = page->looks + i * LOOKS;
        float words = page->words[i];
        next[0] = sum[0] + words;
        next[1] = sum[1] + words * look[3];
        next[2] = sum[2] + (words > LONG_LINE);
        next[3] = sum[3] + (heading_of(page, i) > 0);
        for (int k = 0; k < LOOKS; k++) next[EXTRA + k] = sum[EXTRA + k] + look[k];
    }
    const double *last = sums + page->lines * COLUMNS;
    double lines = (double)page->lines, total = last[0] < 1 ? 1 : last[0], all_prose = last[2] < 1 ? 1 : last[2];
    for (Py_ssize_t row = 0; row < page->rows; row++) {
        const int32_t *of = page->groups.rows.items + 4 * row;
        const double *start = sums + of[0] * COLUMNS, *end = sums + of[1] * COLUMNS;
        float *out = page->container_table + row * CONTAINER_COLUMNS;
        double count = of[1] - of[0], words = end[0] - start[0], prose = end[2] - start[2];
        if (words < 1) words = 1;
        out[0] = log1((float)count) / 5;
        out[1] = log1((float)words) / 7;
        out[2] = (float)(count / lines);
        out[3] = (float)(words / total);
        out[4] = (float)((end[1] - start[1]) / words);
        out[5] = log1((float)prose) / 3;
        out[6] = (float)(prose / all_prose);
        out[7] = log1((float)(end[3] - start[3])) / 3;
        out[8] = log1((float)(words / count)) / 4;
        out[9] = (float)(of[0] / lines);
        out[10] = (float)(of[1] / lines);
        out[11] = (float)(start[0] / total);
        out[12] = log1((float)of[2]) / 3;
        for (int k = 0; k < LOOKS; k++) out[SUMS + k] = (float)((end[EXTRA + k] - start[EXTRA + k]) / count);
    }
    return 0;
}

/* How many containers of the same parent and of the page bear the same names, and how many elements one is. */
static int count_twins(Page *page, Room *room) {
    size_t mask = 64;
    while (mask < 2 * (size_t)page->rows) mask *= 2;
    int64_t *keys = room_for(room, (Py_ssize_t)mask, sizeof *keys); /* a key is never zero */
    int32_t *counts = room_for(room, (Py_ssize_t)mask, sizeof *counts);
    int32_t *slots = room_for(room, page->rows, sizeof *slots), *all_over = room_for(room, page->names, sizeof *all_over);
    if (!keys || !counts || !slots || !all_over) return -1;
    mask--;
    for (int pass = 0; pass < 2; pass++)
        for (Py_ssize_t row = 0; row < page->rows; row++) {
            int32_t at = page->groups.at.items[row], parent = page->groups.rows.items[4 * row + 3];
            int32_t end = row + 1 < page->rows ? page->groups.at.items[row + 1] : (int32_t)page->groups.members.length;
            int32_t name = page->groups.members.items[end - 1];
            if (pass == 0) {
                int64_t key = ((int64_t)parent << 32 | name) + 1;
                size_t slot = hash_number((uint64_t)key) & mask;
                for (; keys[slot] && keys[slot] != key; slot = (slot + 1) & mask) hash_probes++;
                keys[slot] = key;
                counts[slot]++;
                all_over[name]++;
                slots[row] = (int32_t)slot;
            } else {
                float *twins = page->container_table + row * CONTAINER_COLUMNS + SUMS + LOOKS + SENSES;
                twins[0] = logf((float)counts[slots[row]]) / 3;
                twins[1] = logf((float)all_over[name]) / 3;
                twins[2] = logf((float)(end - at)) / 3;
            }
        }
    return 0;
}

static int measure(Page *page, Py_ssize_t columns, Room *room) {
    measure_looks(page);
    for (Py_ssize_t i = 0; i < page->lines; i++) {
        float *line = page->line_table + i * columns;
        memcpy(line, page->looks + i * LOOKS, LOOKS * sizeof *line);
        memcpy(line + LOOKS + PLACES, page->facts + i * FACTS, FACTS * sizeof *line);
    }
    measure_places(page, columns);
    return measure_kin(page, columns, room) < 0 || measure_senses(page, columns, room) < 0 || sum_up(page, room) < 0 ||
                   count_twins(page, room) < 0 ? -1 : 0;
}

/* The network */

/* sums += values times weights, for several rows at once: so each weight is loaded less often. However many they are,
   each sum is made in the same order. */
enum { AT_ONCE = 4 };

typedef struct {
    const float *values[AT_ONCE];
    float *sums[AT_ONCE];
} Rows;

static WITHIN_IT void multiply(const Rows *of, Py_ssize_t count, const float *weights, Py_ssize_t width) {
    for (int row = 0; row < AT_ONCE; row++)
        for (Py_ssize_t k = 0; k < count; k++)
            for (Py_ssize_t j = 0; j < width; j++) of->sums[row][j] += of->values[row][k] * weights[k * width + j];
}

#if defined(__GNUC__)
/* The width of the model that comes with Telusur: all sums stay in registers. */
enum { USUAL = 64 };
typedef float Eight __attribute__((vector_size(32), aligned(4), may_alias));

/* Two rows, half of the columns. */
static WITHIN_IT void multiply_half(const Rows *of, int first, int half, Py_ssize_t count, const float *weights) {
    Eight *one = (Eight *)of->sums[first] + 4 * half, *two = (Eight *)of->sums[first + 1] + 4 * half;
    Eight a = one[0], b = one[1], c = one[2], d = one[3], e = two[0], f = two[1], g = two[2], h = two[3];
    for (Py_ssize_t k = 0; k < count; k++) {
        float x = of->values[first][k], y = of->values[first + 1][k];
        const Eight *w = (const Eight *)(weights + k * USUAL) + 4 * half;
        a += x * w[0], b += x * w[1], c += x * w[2], d += x * w[3];
        e += y * w[0], f += y * w[1], g += y * w[2], h += y * w[3];
    }
    one[0] = a, one[1] = b, one[2] = c, one[3] = d;
    two[0] = e, two[1] = f, two[2] = g, two[3] = h;
}

static WITHIN_IT void multiply_usual(const Rows *of, Py_ssize_t count, const float *weights) {
    for (int row = 0; row < AT_ONCE; row += 2)
        for (int half = 0; half < 2; half++) multiply_half(of, row, half, count, weights);
}
#else
enum { USUAL = 0 };
#define multiply_usual(of, count, weights) multiply(of, count, weights, USUAL)
#endif

static void add_products_anywhere(const Rows *of, Py_ssize_t count, const float *weights, Py_ssize_t width) {
    if (width == USUAL) multiply_usual(of, count, weights);
    else multiply(of, count, weights, width);
}

typedef void (*AddProducts)(const Rows *, Py_ssize_t, const float *, Py_ssize_t);

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2,fma")))
static void add_products_newer(const Rows *of, Py_ssize_t count, const float *weights, Py_ssize_t width) {
    if (width == USUAL) multiply_usual(of, count, weights);
    else multiply(of, count, weights, width);
}

typedef float Sixteen __attribute__((vector_size(64), aligned(4), may_alias));
enum { SIXTEENS = USUAL / 16 };

__attribute__((target("avx512f,avx2,fma")))
static void add_products_newest(const Rows *of, Py_ssize_t count, const float *weights, Py_ssize_t width) {
    Sixteen sums[AT_ONCE][SIXTEENS];
    if (width != USUAL) {
        multiply(of, count, weights, width);
        return;
    }
    for (int row = 0; row < AT_ONCE; row++) memcpy(sums[row], of->sums[row], sizeof sums[row]);
    for (Py_ssize_t k = 0; k < count; k++, weights += USUAL) {
        const Sixteen *w = (const Sixteen *)weights;
        for (int row = 0; row < AT_ONCE; row++) {
            float x = of->values[row][k];
            for (int j = 0; j < SIXTEENS; j++) sums[row][j] += x * w[j];
        }
    }
    for (int row = 0; row < AT_ONCE; row++) memcpy(of->sums[row], sums[row], sizeof sums[row]);
}

static AddProducts choose_products(void) {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return add_products_anywhere;
    return __builtin_cpu_supports("avx512f") ? add_products_newest : add_products_newer;
}
#else
static AddProducts choose_products(void) { return add_products_anywhere; }
#endif

/* A dense layer: fills `out` with the sums that a row begins with plus its inputs times the weights, asking for some
   rows at a time. */
typedef struct {
    const float *first, *inputs;
} Given;

typedef Given (*Gather)(const void *from, Py_ssize_t row, float *room);

typedef struct {
    Gather gather; /* gives the first sums and the inputs of a row; there is room for these */
    const float *weights;
    Py_ssize_t count, width;
    int is_cut; /* whether negative sums become zero */
} Layer;

static void dense(const void *from, const Layer *layer, Py_ssize_t rows, float *out) {
    float inputs[AT_ONCE][MOST_INPUTS], sums[AT_ONCE][WIDEST];
    Py_ssize_t width = layer->width;
    AddProducts add_products = choose_products();
    for (Py_ssize_t row = 0; row < rows; row += AT_ONCE) {
        Py_ssize_t some = rows - row < AT_ONCE ? rows - row : AT_ONCE;
        Rows now;
        for (int i = 0; i < AT_ONCE; i++) {
            now.sums[i] = sums[i];
            now.values[i] = now.values[0];
            if (i >= some) continue;
            Given given = layer->gather(from, row + i, inputs[i]);
            memcpy(sums[i], given.first, (size_t)width * sizeof(float));
            now.values[i] = given.inputs;
        }
        add_products(&now, layer->count, layer->weights, width);
        for (Py_ssize_t i = 0; i < some; i++)
            for (Py_ssize_t j = 0; j < width; j++)
                out[(row + i) * width + j] = layer->is_cut && sums[i][j] < 0 ? 0 : sums[i][j];
    }
}

/* A layer of one row that is not cut off below zero. */
static void add_row(const float *values, Py_ssize_t count, const float *weights, Py_ssize_t width, float *sums) {
    for (Py_ssize_t k = 0; k < count; k++)
        for (Py_ssize_t j = 0; j < width; j++) sums[j] += values[k] * weights[k * width + j];
}

static float *put(float *to, const float *from, Py_ssize_t count) {
    memcpy(to, from, (size_t)count * sizeof *to);
    return to + count;
}

static void add_bag(const float *table, Py_ssize_t width, const int64_t *ids, int64_t at, int64_t end, float *sums) {
    for (; at < end; at++)
        for (Py_ssize_t j = 0; j < width; j++) sums[j] += table[ids[at] * width + j];
}

/* The names of a container are those of all elements it stands for, each word once. */
static int sum_names(Page *page, Room *room) {
    uint32_t *stamps = room_for(room, page->vocabulary, sizeof *stamps);
    if (!stamps) return -1;
    for (Py_ssize_t row = 0; row < page->rows; row++) {
        int32_t at = page->groups.at.items[row];
        int32_t end = row + 1 < page->rows ? page->groups.at.items[row + 1] : (int32_t)page->groups.members.length;
        float *sums = page->names_sums + row * page->word_width;
        memcpy(sums, page->names_table, (size_t)page->word_width * sizeof *sums);
        for (; at < end; at++) {
            int32_t name = page->groups.members.items[at];
            int64_t last = name + 1 < page->names ? page->name_at[name + 1] : page->n_name_ids;
            for (int64_t i = page->name_at[name] + 1; i < last; i++) {
                int64_t word = page->name_ids[i];
                if (stamps[word] == (uint32_t)row + 1) continue;
                stamps[word] = (uint32_t)row + 1;
                add_bag(page->names_table, page->word_width, &word, 0, 1, sums);
            }
        }
    }
    return 0;
}

/* What a line sees: its own numbers, the names of the elements around it, its words. */
static Given see(const void *from, Py_ssize_t line, float *room) {
    const Page *page = from;
    Py_ssize_t words = page->word_width;
    int32_t own = page->groups.holders.items[line], around = page->groups.rows.items[4 * own + 3];
    int64_t end = line + 1 < page->lines ? page->line_at[line + 1] : page->n_line_ids;
    float *to = put(room, page->line_table + line * page->columns, page->columns);
    to = put(to, page->names_sums + own * words, words);
    to = put(to, page->names_sums + around * words, words);
    memset(to, 0, (size_t)words * sizeof *to);
    add_bag(page->words_table, words, page->line_ids, page->line_at[line], end, to);
    return (Given){page->in_b.data, room};
}

/* What a container knows of itself: its own numbers, its names. */
static Given know_self(const void *from, Py_ssize_t row, float *room) {
    const Page *page = from;
    float *to = put(room, page->container_table + row * CONTAINER_COLUMNS, CONTAINER_COLUMNS);
    put(to, page->names_sums + row * page->word_width, page->word_width);
    return (Given){page->up_b[page->round].data, room};
}

/* What a container sums up: what it knows of itself, and the mean of its lines. */
static Given sum_lines(const void *from, Py_ssize_t row, float *room) {
    const Page *page = from;
    const int32_t *of = page->groups.rows.items + 4 * row;
    const double *start = page->sums + of[0] * page->width, *end = page->sums + of[1] * page->width;
    double share = 1.0 / (of[1] - of[0]);
    for (Py_ssize_t j = 0; j < page->width; j++) room[j] = (float)((end[j] - start[j]) * share);
    return (Given){page->own[page->round] + row * page->width, room};
}

/* What all containers in a container hear from it, and from those around it. */
static Given say_below(const void *from, Py_ssize_t number, float *room) {
    static const float nothing[WIDEST];
    const Page *page = from;
    Py_ssize_t width = page->width, row = page->inner[number];
    put(put(room, page->spread + row * width, width), page->said + row * width, width);
    return (Given){nothing, room};
}

/* What all lines of a container hear: the first sums have what is said around it. */
static Given say_within(const void *from, Py_ssize_t row, float *room) {
    const Page *page = from;
    return (Given){page->shared + row * page->width, page->said + row * page->width};
}

/* What a line hears besides: from itself and its neighbours. */
static Given hear(const void *from, Py_ssize_t line, float *room) {
    static const int steps[SHIFTS] = {1, -1, 2, -2};
    const Page *page = from;
    Py_ssize_t width = page->width;
    float *to = put(room, page->state + line * width, width);
    for (int k = 0; k < SHIFTS; k++) {
        Py_ssize_t near = line - steps[k];
        if (near >= 0 && near < page->lines) put(to, page->state + near * width, width);
        else memset(to, 0, (size_t)width * sizeof *to);
        to += width;
    }
    return (Given){page->shared + page->groups.holders.items[line] * width, room};
}

static void sum_states(Page *page) {
    Py_ssize_t width = page->width;
    for (Py_ssize_t i = 0; i < page->lines * width; i++) page->sums[width + i] = page->sums[i] + page->state[i];
}

/* Every container passes on what was said above it. */
static void spread_word(Page *page) {
    Py_ssize_t width = page->width;
    for (Py_ssize_t row = 0; row < page->rows; row++) {
        int32_t parent = page->groups.rows.items[4 * row + 3];
        for (Py_ssize_t j = 0; j < width; j++)
            page->spread[row * width + j] =
                page->voice * page->said[row * width + j] + (row ? page->spread[parent * width + j] : 0);
    }
}

/* Fills what all lines of each container hear: from it, from the containers around it and from the whole page. The
   weights are those of what is passed on, of what is said by the container, by the one around it, and of the page. Most
   containers have no others inside, so what they would tell these is not worked out. */
static void share(Page *page) {
    Py_ssize_t width = page->width, square = width * width;
    const float *weights = page->shared_w[page->round].data;
    float whole[WIDEST], mean[WIDEST];
    memcpy(whole, page->mix_b[page->round].data, (size_t)width * sizeof *whole);
    for (Py_ssize_t j = 0; j < width; j++) mean[j] = (float)(page->sums[page->lines * width + j] / (double)page->lines);
    add_row(mean, width, weights + 3 * square, width, whole);
    for (Py_ssize_t i = 0; i < square; i++) {
        page->to_self[i] = page->voice * weights[i] + weights[square + i];
        page->to_below[i] = weights[i];
        page->to_below[square + i] = weights[2 * square + i];
    }
    dense(page, &(Layer){say_below, page->to_below, 2 * width, width, 0}, page->n_inner, page->below);
    for (Py_ssize_t row = 0; row < page->rows; row++) {
        float *shared = put(page->shared + row * width, whole, width) - width;
        if (!row) {
            add_row(page->said, width, weights + 2 * square, width, shared); /* nothing is around the page */
            continue;
        }
        const float *above = page->below + page->inner_at[page->groups.rows.items[4 * row + 3]] * width;
        for (Py_ssize_t j = 0; j < width; j++) shared[j] += above[j];
    }
    dense(page, &(Layer){say_within, page->to_self, width, width, 0}, page->rows, page->shared);
}

/* Fills the states of all lines; `more` is what the first layer adds on pages of this type. A second reading begins
   with what the first has found out about lines and containers by themselves. */
static void think(Page *page, float *turn, const float *more) {
    Py_ssize_t width = page->width, of_self = CONTAINER_COLUMNS + page->word_width;
    if (!more) dense(page, &(Layer){see, page->in_w.data, page->in_w.count / width, width, 0}, page->lines, page->seen);
    for (Py_ssize_t i = 0; i < page->lines; i++)
        for (Py_ssize_t j = 0; j < width; j++) {
            float seen = page->seen[i * width + j] + (more ? more[j] : 0);
            page->state[i * width + j] = seen < 0 ? 0 : seen;
        }
    for (int round = 0; round < 2; round++) {
        const float *up = page->up_w[round].data;
        page->round = round;
        sum_states(page);
        if (!more) dense(page, &(Layer){know_self, up, of_self, width, 0}, page->rows, page->own[round]);
        dense(page, &(Layer){sum_lines, up + of_self * width, width, width, 1}, page->rows, page->said);
        spread_word(page);
        share(page);
        dense(page, &(Layer){hear, page->mix_w[round].data, PARTS * width, width, 1}, page->lines, turn);
        for (Py_ssize_t i = 0; i < page->lines * width; i++) page->state[i] += turn[i];
    }
}

/* Lists the containers that have others inside. */
static void find_inner(Page *page) {
    for (Py_ssize_t row = 1; row < page->rows; row++) page->inner_at[page->groups.rows.items[4 * row + 3]] = 1;
    for (Py_ssize_t row = 0; row < page->rows; row++)
        if (page->inner_at[row]) {
            page->inner_at[row] = (int32_t)page->n_inner;
            page->inner[page->n_inner++] = (int32_t)row;
        }
}

/* Fills the scores of the page types; returns the best one. */
static Py_ssize_t judge_page(const Page *page, float *types) {
    Py_ssize_t width = page->width, n_types = page->type_b.count, best = 0;
    double loudness = 0, mean[WIDEST] = {0};
    for (Py_ssize_t i = 0; i < page->lines; i++) loudness += sqrtf(page->words[i]);
    for (Py_ssize_t i = 0; i < page->lines; i++) {
        double share = sqrtf(page->words[i]) / loudness;
        for (Py_ssize_t j = 0; j < width; j++) mean[j] += share * page->state[i * width + j];
    }
    float whole[WIDEST];
    for (Py_ssize_t j = 0; j < width; j++) whole[j] = (float)mean[j];
    memcpy(types, page->type_b.data, (size_t)n_types * sizeof *types);
    add_row(whole, width, page->type_w.data, n_types, types);
    for (Py_ssize_t k = 1; k < n_types; k++)
        if (types[k] > types[best]) best = k;
    return best;
}

/* What the first layer adds on pages of a type; NULL if that is nothing. */
static const float *adapt(const Page *page, Py_ssize_t type) {
    const float *more = page->by_type.data + type * page->width;
    for (Py_ssize_t j = 0; j < page->width; j++)
        if (more[j] != 0) return more;
    return NULL;
}

/* Makes room for what the network works out; -1 when there is none. */
static int make_room(Page *page, Room *room) {
    Py_ssize_t width = page->width, of_lines = page->lines * width, of_rows = page->rows * width;
    float **of_floats[] = {&page->said, &page->spread, &page->shared, &page->own[0], &page->own[1], &page->below};
    for (size_t i = 0; i < sizeof of_floats / sizeof *of_floats; i++)
        if (!(*of_floats[i] = room_for(room, of_rows, sizeof(float)))) return -1;
    page->sums = room_for(room, (page->lines + 1) * width, sizeof *page->sums);
    page->state = room_for(room, of_lines, sizeof *page->state);
    page->seen = room_for(room, of_lines, sizeof *page->seen);
    page->names_sums = room_for(room, page->rows * page->word_width, sizeof *page->names_sums);
    page->to_self = room_for(room, 3 * width * width, sizeof *page->to_self);
    page->to_below = page->to_self ? page->to_self + width * width : NULL;
    page->inner = room_for(room, page->rows, sizeof *page->inner);
    page->inner_at = room_for(room, page->rows, sizeof *page->inner_at);
    return page->sums && page->state && page->seen && page->names_sums && page->to_self && page->inner &&
                   page->inner_at ? 0 : -1;
}

/* Reads the page once to tell its type, and once more if pages of that type are read otherwise. */
static int judge(Page *page, float *scores, float *types, Room *room) {
    Py_ssize_t width = page->width, n_labels = page->out_b.count;
    float *turn = room_for(room, page->lines * width, sizeof *turn);
    if (!turn || make_room(page, room) < 0 || sum_names(page, room) < 0) return -1;
    find_inner(page);
    think(page, turn, NULL);
    const float *more = adapt(page, judge_page(page, types));
    if (more) think(page, turn, more);
    for (Py_ssize_t i = 0; i < page->lines; i++) {
        memcpy(scores + i * n_labels, page->out_b.data, (size_t)n_labels * sizeof *scores);
        add_row(page->state + i * width, width, page->out_w.data, n_labels, scores + i * n_labels);
    }
    return 0;
}

/* Reading arguments */

static int are_bags(const int64_t *ids, Py_ssize_t count, const int64_t *at, Py_ssize_t bags, Py_ssize_t words) {
    for (Py_ssize_t i = 0; i < count; i++)
        if (ids[i] < 0 || ids[i] >= words) return 0;
    for (Py_ssize_t i = 0; i < bags; i++)
        if (at[i] < 0 || at[i] > count || (i && at[i] < at[i - 1])) return 0;
    return 1;
}

static Floats floats_of(const Py_buffer *view) {
    Floats floats = {view->buf, view->len / (Py_ssize_t)sizeof(float)};
    return floats;
}

/* Whether everything is as large as the rest says. */
static int fits(const Page *page, const Py_buffer *views, Py_ssize_t columns) {
    Py_ssize_t width = page->width, words = page->word_width, lines = page->lines, number = sizeof(int32_t);
    Py_ssize_t inside = CONTAINER_COLUMNS + words + width;
    if (columns > LOOKS + PLACES + FACTS + 3 + SENSES + WIDEST) return 0;
    if (lines < 1 || width < 1 || width > WIDEST || words < 1 || words > WIDEST) return 0;
    if (columns != LOOKS + PLACES + FACTS + 3 + SENSES + page->n_signs || page->names < 1) return 0;
    if (views[1].len != views[0].len || views[3].len != views[0].len) return 0;
    if (views[4].len != lines * number || views[5].len != lines * number) return 0;
    if (views[6].len != lines * KINDS * number || views[7].len != 3 * lines || views[8].len != lines * FACTS * number) return 0;
    if (views[10].len != page->names * number || views[11].len != page->names) return 0;
    if (views[14].len != page->names * 8 || views[16].len != lines * 8) return 0;
    if (views[17].len != views[18].len || page->vocabulary < 1) return 0;
    for (int i = 0; i < 2; i++)
        if (page->up_w[i].count != inside * width || page->up_b[i].count != width ||
            page->mix_w[i].count != PARTS * width * width || page->shared_w[i].count != SHARED * width * width ||
            page->mix_b[i].count != width)
            return 0;
    for (Py_ssize_t i = 0; i < page->elements.count; i++)
        if (page->elements.names_of[i] < 0 || page->elements.names_of[i] >= page->names) return 0;
    return page->in_w.count == (columns + 3 * words) * width && page->out_w.count == width * page->out_b.count &&
           page->type_w.count == width * page->type_b.count && page->by_type.count == page->type_w.count &&
           are_bags(page->name_ids, page->n_name_ids, page->name_at, page->names, page->vocabulary) &&
           are_bags(page->line_ids, page->n_line_ids, page->line_at, lines, page->vocabulary);
}

static PyObject *read_page(Page *page, const Py_buffer *views) {
    Py_ssize_t columns = LOOKS + PLACES + FACTS + 3 + SENSES + page->n_signs;
    page->columns = columns;
    Room room = {{0}, 0};
    PyObject *result = NULL, *scores = NULL, *types = NULL, *words = NULL;
    if (!fits(page, views, columns)) return too_small();
    if (groups_make(&page->groups, &page->elements) < 0) return NULL;
    page->rows = (Py_ssize_t)(page->groups.rows.length / 4);
    page->words = room_for(&room, page->lines, sizeof(float));
    page->looks = room_for(&room, page->lines * LOOKS, sizeof(float));
    page->line_table = room_for(&room, page->lines * columns, sizeof(float));
    page->container_table = room_for(&room, page->rows * CONTAINER_COLUMNS, sizeof(float));
    scores = PyBytes_FromStringAndSize(NULL, page->lines * page->out_b.count * (Py_ssize_t)sizeof(float));
    types = PyBytes_FromStringAndSize(NULL, page->type_b.count * (Py_ssize_t)sizeof(float));
    if (page->words && page->looks && page->line_table && page->container_table && scores && types &&
        measure(page, columns, &room) == 0 &&
        judge(page, (float *)PyBytes_AS_STRING(scores), (float *)PyBytes_AS_STRING(types), &room) == 0 &&
        (words = PyBytes_FromStringAndSize((char *)page->words, page->lines * (Py_ssize_t)sizeof(float))))
        result = Py_BuildValue("OOO", scores, types, words);
    if (!result && !PyErr_Occurred()) PyErr_NoMemory();
    Py_XDECREF(scores);
    Py_XDECREF(types);
    Py_XDECREF(words);
    for (int i = 0; i < room.count; i++) PyMem_Free(room.items[i]);
    groups_free(&page->groups);
    return result;
}

/* read((starts, parents, containers, names_of, linked, verbatim, kinds, flags, facts, senses, levels, cells,
   signs, name_ids, name_at, line_ids, line_at), (names, words, in.w, in.b, up0.w, up0.b, mix0.w of
   states, mix0.w of the rest, mix0.b, the same of round 1, out.w, out.b, type.w, type.b, in.by_type), voice): scores, types and numbers of words as float32. */
PyObject *native_read(PyObject *self, PyObject *args) {
    enum { INPUTS = 17, WEIGHTS = 19, ALL = INPUTS + WEIGHTS };
    Py_buffer views[ALL] = {{0}};
    PyObject *inputs, *weights, *result = NULL;
    Page page;
    memset(&page, 0, sizeof page);
    if (!PyArg_ParseTuple(args, "O!O!f", &PyTuple_Type, &inputs, &PyTuple_Type, &weights, &page.voice)) return NULL;
    if (PyTuple_GET_SIZE(inputs) != INPUTS || PyTuple_GET_SIZE(weights) != WEIGHTS) return too_small();
    for (int i = 0; i < ALL; i++) {
        PyObject *array = i < INPUTS ? PyTuple_GET_ITEM(inputs, i) : PyTuple_GET_ITEM(weights, i - INPUTS);
        if (PyObject_GetBuffer(array, &views[i], PyBUF_SIMPLE) < 0) {
            release(views, ALL);
            return NULL;
        }
    }
    Py_ssize_t number = sizeof(int32_t);
    page.elements = (Elements){views[0].buf, views[1].buf, views[2].buf, views[3].buf, views[0].len / number,
                               views[2].len / number};
    page.lines = page.elements.lines;
    page.linked = views[4].buf, page.verbatim = views[5].buf, page.kinds = views[6].buf, page.flags = views[7].buf;
    page.facts = views[8].buf, page.senses = views[9].buf, page.levels = views[10].buf, page.cells = views[11].buf;
    page.names = views[9].len / 8;
    page.signs = views[12].buf, page.n_signs = views[12].len / number;
    page.name_ids = views[13].buf, page.n_name_ids = views[13].len / 8, page.name_at = views[14].buf;
    page.line_ids = views[15].buf, page.n_line_ids = views[15].len / 8, page.line_at = views[16].buf;
    page.names_table = views[17].buf, page.words_table = views[18].buf;
    page.in_w = floats_of(&views[19]), page.in_b = floats_of(&views[20]);
    for (int i = 0; i < 2; i++) {
        const Py_buffer *of = views + 21 + 5 * i;
        page.up_w[i] = floats_of(of), page.up_b[i] = floats_of(of + 1), page.mix_w[i] = floats_of(of + 2);
        page.shared_w[i] = floats_of(of + 3), page.mix_b[i] = floats_of(of + 4);
    }
    page.out_w = floats_of(&views[31]), page.out_b = floats_of(&views[32]);
    page.type_w = floats_of(&views[33]), page.type_b = floats_of(&views[34]), page.by_type = floats_of(&views[35]);
    page.width = page.in_b.count;
    Py_ssize_t columns = LOOKS + PLACES + FACTS + 3 + SENSES + page.n_signs;
    if (page.width > 0) page.word_width = (page.in_w.count / page.width - columns) / 3;
    if (page.word_width > 0) page.vocabulary = views[17].len / number / page.word_width;
    result = read_page(&page, views);
    release(views, ALL);
    return result;
}
