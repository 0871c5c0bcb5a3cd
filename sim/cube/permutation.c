#include "permutation.h"
#include "sim/text/input.h"

#include <errno.h>
#include <string.h>

Permutation permutation_identity(guint dimension)
{
    Permutation p = {.dimension = dimension, .n_bits = dimension};
    for (guint i = 0; i < PERMUTATION_BITS_MAX; i++)
        p.to[i] = (guint8)i;
    return p;
}

/* Adds a cycle of `length` bits, which no other cycle moves. A single bit makes no cycle, but counts in n_bits. */
static void add_cycle(Permutation *p, const guint8 *bits, guint length)
{
    guint start = p->cycle_start[p->n_cycles];
    for (guint i = 0; i < length; i++) {
        p->n_bits = MAX(p->n_bits, bits[i] + 1u);
        p->to[bits[i]] = bits[(i + 1) % length];
        p->cycle_bits[start + i] = bits[i];
    }
    if (length > 1)
        p->cycle_start[++p->n_cycles] = (guint8)(start + length);
}

Permutation permutation_from_mapping(guint dimension, guint n_bits, const guint8 *to)
{
    Permutation p = permutation_identity(dimension);
    guint32 seen = 0;
    p.n_bits = MAX(dimension, n_bits);
    for (guint i = 0; i < n_bits; i++) {
        guint8 cycle[PERMUTATION_BITS_MAX] = {0};
        guint length = 0;
        for (guint bit = i; !(seen >> bit & 1); bit = to[bit]) {
            seen |= 1u << bit;
            cycle[length++] = (guint8)bit;
        }
        add_cycle(&p, cycle, length);
    }
    return p;
}

/* --- reading --- */

const char *const permutation_names[] = {"identity", "bit-reversal", "transpose", "shuffle", "unshuffle",
                                         "exchange", "cycles",       "mapping",   "file",    NULL};
enum { IDENTITY, BIT_REVERSAL, TRANSPOSE, SHUFFLE, UNSHUFFLE, EXCHANGE, CYCLES, MAPPING, FROM_FILE };

static gboolean permutation_refuse(const char *where, const char *text, const char *why, const char *allowed,
                                   GError **error)
{
    return input_refuse(error, "%s: '%s' %s; allowed: %s", where, text, why, allowed);
}

/* Parses up to `most` dimensions, refusing those in `seen`, and adds them to `seen`. Sets *n to their number. */
static gboolean parse_bits(const char *where, char **words, guint most, guint32 *seen, guint8 *bits, guint *n,
                           GError **error)
{
    for (*n = 0; *n < most && words[*n]; ++*n) {
        gint64 bit;
        char *word = g_strstrip(words[*n]);
        if (!input_parse_count(where, word, 0, PERMUTATION_BITS_MAX - 1, &bit, error))
            return FALSE;
        if (*seen >> bit & 1)
            return permutation_refuse(where, word, "is named twice", "every dimension at most once", error);
        *seen |= 1u << bit;
        bits[*n] = (guint8)bit;
    }
    return TRUE;
}

gboolean permutation_parse_cycles(const char *where, const char *text, guint dimension, Permutation *p, GError **error)
{
    *p = permutation_identity(dimension);
    g_auto(GStrv) cycles = g_strsplit(*text ? text : "/", "/", -1);      /* so that "" is refused as an empty cycle */
    guint32 seen = 0;
    for (guint i = 0; cycles[i]; i++) {
        g_auto(GStrv) words = g_strsplit(cycles[i], ",", -1);
        guint8 bits[PERMUTATION_BITS_MAX];
        guint length;
        if (!words[0])
            return permutation_refuse(where, cycles[i], "is an empty cycle", "dimensions separated by commas", error);
        if (!parse_bits(where, words, G_MAXUINT, &seen, bits, &length, error))
            return FALSE;
        add_cycle(p, bits, length);
    }
    return TRUE;
}

static gboolean parse_mapping(const char *where, const char *text, guint dimension, Permutation *p, GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    guint8 to[PERMUTATION_BITS_MAX];
    guint32 seen = 0;
    guint n;
    if (!parse_bits(where, words, PERMUTATION_BITS_MAX, &seen, to, &n, error))
        return FALSE;
    if (n == 0 || words[n] || seen != (guint32)((1ULL << n) - 1))
        return permutation_refuse(where, text, "is no permutation",
                                  "a list with each of 0, 1, ..., one less than its length, once", error);
    *p = permutation_from_mapping(dimension, n, to);
    return TRUE;
}

static gboolean parse_exchange(const char *where, const char *text, guint dimension, Permutation *p, GError **error)
{
    if (!strchr(text, ',') || strchr(text, ',') != strrchr(text, ',') || strchr(text, '/'))
        return permutation_refuse(where, text, "is not two dimensions", "exchange:I,J", error);
    return permutation_parse_cycles(where, text, dimension, p, error);
}

/* Returns the dimension to which the permutation `name` moves dimension i of n; `name` is less than EXCHANGE.
 * Shuffles and unshuffles move each dimension by k <= n places. */
static guint image(guint name, guint n, guint i, guint k)
{
    guint half = n / 2;
    switch (name) {
    case BIT_REVERSAL: return n - 1 - i;
    case TRANSPOSE: return i < half ? i + half : i < 2 * half ? i - half : i;
    case SHUFFLE: return (i + k) % n;
    case UNSHUFFLE: return (i + n - k) % n;
    default: return i;
    }
}

static gboolean parse_named(const char *where, guint name, const char *argument, guint dimension, Permutation *p,
                            GError **error)
{
    gint64 k = 0;
    guint8 to[PERMUTATION_BITS_MAX] = {0};
    if (name == EXCHANGE)
        return parse_exchange(where, argument, dimension, p, error);
    if (name == CYCLES)
        return permutation_parse_cycles(where, argument, dimension, p, error);
    if (name == MAPPING)
        return parse_mapping(where, argument, dimension, p, error);
    if (name == FROM_FILE)
        return permutation_refuse(where, argument, "need not permute address bits", "a permutation of address bits",
                                  error);
    if (name > TRANSPOSE && !input_parse_count(where, argument, 0, PERMUTATION_BITS_MAX, &k, error))
        return FALSE;
    for (guint i = 0; i < dimension; i++)
        to[i] = (guint8)image(name, dimension, i, (guint)k % dimension);
    *p = permutation_from_mapping(dimension, dimension, to);
    return TRUE;
}

gboolean permutation_parse(const char *where, const char *text, guint dimension, Permutation *p, GError **error)
{
    if (g_ascii_isdigit(*text) && text[strspn(text, "0123456789,/ ")] == '\0')
        return permutation_parse_cycles(where, text, dimension, p, error);
    g_auto(GStrv) halves = g_strsplit(text, ":", 2);
    guint name;
    if (!input_parse_choice(where, halves[0] ? g_strstrip(halves[0]) : "", permutation_names, &name, error))
        return FALSE;
    const char *argument = halves[1] ? g_strstrip(halves[1]) : NULL;
    if (name >= EXCHANGE && (!argument || (name == FROM_FILE && !*argument)))
        return permutation_refuse(where, text, name == FROM_FILE ? "lacks its path" : "lacks its dimensions",
                                  "exchange:I,J, cycles:0,1/2,3, mapping:1,0,2, file:PATH", error);
    g_autofree char *longer = g_strdup_printf("%s: %s", where, permutation_names[name]);
    if (argument && name <= TRANSPOSE)
        return permutation_refuse(longer, argument, "is too much", "nothing behind this permutation's name", error);
    return parse_named(longer, name, argument ? argument : "1", dimension, p, error);    /* shuffle is shuffle:1 */
}

/* --- permutations of processors --- */

#define MAP_FILE_MAX (16u << 20)     /* largest file in bytes; the largest cube needs 2 MB */

static gboolean map_refuse_line(const char *where, const char *value, guint line, const char *text, const char *why,
                                guint n, GError **error)
{
    return input_refuse(error, "%s: '%s', line %u: '%s' %s; allowed: each of 0 to %u on one line", where, value,
                        line + 1, text, why, n - 1);
}

/* Parses the n lines into map->to and map->from. All entries of map->from must be G_MAXUINT32 before: no number was
 * there yet. */
static gboolean map_parse(const char *where, const char *value, char **lines, PermutationMap *map, GError **error)
{
    guint n_lines = g_strv_length(lines);
    while (n_lines > 0 && *g_strstrip(lines[n_lines - 1]) == '\0')
        n_lines--;
    for (guint x = 0; x < MIN(n_lines, map->n); x++) {
        gint64 to;
        if (!input_parse_count("", g_strstrip(lines[x]), 0, map->n - 1, &to, NULL))
            return map_refuse_line(where, value, x, lines[x], "is not allowed", map->n, error);
        if (map->from[to] != G_MAXUINT32)
            return map_refuse_line(where, value, x, lines[x], "is there twice", map->n, error);
        map->to[x] = (guint32)to;
        map->from[to] = x;
        map->moves |= to != x;
    }
    return n_lines == map->n ||
           input_refuse(error, "%s: '%s' has %u lines; allowed: %u, one for each processor", where, value, n_lines,
                        map->n);
}

static void map_free(PermutationMap *map)
{
    g_free(map->to);
    g_free(map->from);
    g_free(map);
}

/* Returns the first map read that is equal to `map`. If there is one, frees `map`; else keeps and returns `map`. */
static const PermutationMap *map_intern(PermutationMap *map)
{
    static GPtrArray *kept;
    if (!kept)
        kept = g_ptr_array_new();
    for (guint i = 0; i < kept->len; i++) {
        PermutationMap *other = g_ptr_array_index(kept, i);
        if (other->n == map->n && memcmp(other->to, map->to, map->n * sizeof *map->to) == 0) {
            map_free(map);
            return other;
        }
    }
    g_ptr_array_add(kept, map);
    return map;
}

const PermutationMap *permutation_map_read(const char *where, const char *value, const char *path, guint n,
                                           GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    if (!input_read_bounded(path, MAP_FILE_MAX, text)) {
        input_refuse(error, "%s: '%s' cannot be read: %s", where, value, g_strerror(errno));
        return NULL;
    }
    if (text->len > MAP_FILE_MAX) {
        input_refuse(error, "%s: '%s' is too large: at most %u MiB is allowed", where, value, MAP_FILE_MAX >> 20);
        return NULL;
    }
    g_auto(GStrv) lines = g_strsplit(text->str, "\n", -1);
    PermutationMap *map = g_new(PermutationMap, 1);
    *map = (PermutationMap){.n = n, .to = g_new(guint32, n), .from = g_new(guint32, n)};
    memset(map->from, 0xff, n * sizeof *map->from);
    if (map_parse(where, value, lines, map, error))
        return map_intern(map);
    map_free(map);
    return NULL;
}

/* --- parts --- */

Permutation permutation_keep(const Permutation *p, guint32 cycles)
{
    Permutation kept = permutation_identity(p->dimension);
    for (guint i = 0; i < p->n_cycles; i++)
        if (cycles >> i & 1)
            add_cycle(&kept, p->cycle_bits + p->cycle_start[i], permutation_cycle_length(p, i));
    return kept;
}

Permutation permutation_real_part(const Permutation *p)
{
    guint32 real = 0;
    for (guint i = 0; i < p->n_cycles; i++)
        real |= (permutation_cycle_kind(p, i) == CYCLE_REAL ? 1u : 0) << i;
    return permutation_keep(p, real);
}

/* --- using --- */

guint permutation_apply(const Permutation *p, guint address)
{
    guint result = p->n_bits < PERMUTATION_BITS_MAX ? address >> p->n_bits << p->n_bits : 0;
    for (guint i = 0; i < p->n_bits; i++)
        result |= (address >> i & 1) << p->to[i];
    return result;
}

guint permutation_origin(const Permutation *p, guint address)
{
    guint origin = p->n_bits < PERMUTATION_BITS_MAX ? address >> p->n_bits << p->n_bits : 0;
    for (guint i = 0; i < p->n_bits; i++)
        origin |= (address >> p->to[i] & 1) << i;
    return origin;
}

gboolean permutation_equal(const Permutation *a, const Permutation *b)
{
    return memcmp(a->to, b->to, sizeof a->to) == 0;
}

/* --- looking --- */

guint permutation_cycle_length(const Permutation *p, guint i)
{
    return (guint)(p->cycle_start[i + 1] - p->cycle_start[i]);
}

const guint8 *permutation_cycle(const Permutation *p, guint i, guint *length)
{
    *length = permutation_cycle_length(p, i);
    return p->cycle_bits + p->cycle_start[i];
}

CycleKind permutation_cycle_kind(const Permutation *p, guint i)
{
    guint length, n_local = 0;
    const guint8 *bits = permutation_cycle(p, i, &length);
    for (guint j = 0; j < length; j++)
        n_local += bits[j] >= p->dimension;
    return n_local == 0 ? CYCLE_REAL : n_local == length ? CYCLE_VIRTUAL : CYCLE_MIXED;
}

guint permutation_order(const Permutation *p)
{
    return p->cycle_start[p->n_cycles];
}

guint permutation_virtual_order(const Permutation *p)
{
    guint order = 0;
    for (guint i = p->dimension; i < p->n_bits; i++)
        order += p->to[i] != i;
    return order;
}

guint permutation_real_order(const Permutation *p)
{
    return permutation_order(p) - permutation_virtual_order(p);
}

guint permutation_local_dimensions(const Permutation *p)
{
    guint end = p->n_bits;
    while (end > p->dimension && p->to[end - 1] == end - 1)
        end--;
    return end > p->dimension ? end - p->dimension : 0;
}

gboolean permutation_is_separable(const Permutation *p)
{
    for (guint i = 0; i < p->n_cycles; i++)
        if (permutation_cycle_kind(p, i) == CYCLE_MIXED)
            return FALSE;
    return TRUE;
}

guint permutation_distance_max(const Permutation *p)
{
    guint distance = permutation_real_order(p);
    for (guint i = 0; i < p->n_cycles; i++)
        distance -= permutation_cycle_kind(p, i) == CYCLE_REAL && permutation_cycle_length(p, i) % 2 == 1;
    return distance;
}

char *permutation_format(const Permutation *p)
{
    GString *text = g_string_new(p->n_cycles ? "" : "identity");
    for (guint i = 0; i < p->n_cycles; i++) {
        guint length;
        const guint8 *bits = permutation_cycle(p, i, &length);
        for (guint j = 0; j < length; j++)
            g_string_append_printf(text, "%s%u", j ? "," : i ? "/" : "", bits[j]);
    }
    return g_string_free(text, FALSE);
}
