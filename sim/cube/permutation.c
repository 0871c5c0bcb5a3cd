#include "permutation.h"
#include "sim/text/input.h"

#include <string.h>

static void cycle_begin(Permutation *p)
{
    p->cycle_start[p->n_cycles + 1] = p->cycle_start[p->n_cycles];
}

static void cycle_add(Permutation *p, guint bit)
{
    p->cycle_bits[p->cycle_start[p->n_cycles + 1]++] = (guint8)bit;
}

/* A mapping with its cycles, which it does not have yet. */
static Permutation with_cycles(Permutation p)
{
    guint32 seen = 0;
    for (guint i = 0; i < p.n_bits; i++) {
        if (p.to[i] == i || (seen >> i & 1))
            continue;
        cycle_begin(&p);
        for (guint bit = i; !(seen >> bit & 1); bit = p.to[bit]) {
            seen |= 1u << bit;
            cycle_add(&p, bit);
        }
        p.n_cycles++;
    }
    return p;
}

Permutation permutation_identity(guint dimension)
{
    Permutation p = {.dimension = dimension, .n_bits = dimension};
    for (guint i = 0; i < PERMUTATION_BITS_MAX; i++)
        p.to[i] = (guint8)i;
    return p;
}

Permutation permutation_from_mapping(guint dimension, guint n_bits, const guint8 *to)
{
    Permutation p = permutation_identity(dimension);
    p.n_bits = MAX(dimension, n_bits);
    for (guint i = 0; i < n_bits; i++)
        p.to[i] = to[i];
    return with_cycles(p);
}

Permutation permutation_shuffle(guint dimension, gint k)
{
    Permutation p = permutation_identity(dimension);
    for (gint i = 0, n = (gint)dimension; i < n; i++)
        p.to[i] = (guint8)(((i + k) % n + n) % n);
    return with_cycles(p);
}

Permutation permutation_bit_reversal(guint dimension)
{
    Permutation p = permutation_identity(dimension);
    for (guint i = 0; i < dimension; i++)
        p.to[i] = (guint8)(dimension - 1 - i);
    return with_cycles(p);
}

Permutation permutation_transpose(guint dimension)
{
    Permutation p = permutation_identity(dimension);
    guint half = dimension / 2;
    for (guint i = 0; i < half; i++) {
        p.to[i] = (guint8)(i + half);
        p.to[i + half] = (guint8)i;
    }
    return with_cycles(p);
}

/* --- reading --- */

const char *const permutation_names[] = {"identity", "bit-reversal", "transpose", "shuffle", "unshuffle",
                                    "exchange", "cycles",       "mapping",   NULL};
enum { IDENTITY, BIT_REVERSAL, TRANSPOSE, SHUFFLE, UNSHUFFLE, EXCHANGE, CYCLES, MAPPING };

static gboolean refuse(const char *where, const char *text, const char *why, const char *allowed, GError **error)
{
    return input_refuse(error, "%s: '%s' %s; allowed: %s", where, text, why, allowed);
}

static gboolean parse_bit(const char *where, char *word, guint32 *seen, guint *bit, GError **error)
{
    gint64 value;
    if (!input_parse_count(where, g_strstrip(word), 0, PERMUTATION_BITS_MAX - 1, &value, error))
        return FALSE;
    *bit = (guint)value;
    if (*seen >> *bit & 1)
        return refuse(where, word, "is named twice", "every dimension at most once", error);
    *seen |= 1u << *bit;
    return TRUE;
}

/* Ends the cycle that was begun: its mapping. A dimension alone is no cycle. */
static void cycle_end(Permutation *p)
{
    guint start = p->cycle_start[p->n_cycles], end = p->cycle_start[p->n_cycles + 1];
    for (guint i = start; i < end; i++)
        p->to[p->cycle_bits[i]] = p->cycle_bits[i + 1 < end ? i + 1 : start];
    p->n_cycles += end - start > 1;
}

static gboolean parse_cycle(const char *where, const char *text, guint32 *seen, Permutation *p, GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    if (!words[0])
        return refuse(where, text, "is an empty cycle", "dimensions separated by commas", error);
    cycle_begin(p);
    for (guint i = 0, bit; words[i]; i++) {
        if (!parse_bit(where, words[i], seen, &bit, error))
            return FALSE;
        p->n_bits = MAX(p->n_bits, bit + 1);
        cycle_add(p, bit);
    }
    cycle_end(p);
    return TRUE;
}

gboolean permutation_parse_cycles(const char *where, const char *text, guint dimension, Permutation *p, GError **error)
{
    *p = permutation_identity(dimension);
    if (strspn(text, " ") == strlen(text))
        return TRUE;
    g_auto(GStrv) cycles = g_strsplit(text, "/", -1);
    guint32 seen = 0;
    for (guint i = 0; cycles[i]; i++)
        if (!parse_cycle(where, cycles[i], &seen, p, error))
            return FALSE;
    return TRUE;
}

static gboolean parse_mapping(const char *where, const char *text, guint dimension, Permutation *p, GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    guint8 to[PERMUTATION_BITS_MAX];
    guint32 seen = 0;
    guint n = g_strv_length(words);
    for (guint i = 0, bit; i < MIN(n, PERMUTATION_BITS_MAX); i++) {
        if (!parse_bit(where, words[i], &seen, &bit, error))
            return FALSE;
        to[i] = (guint8)bit;
    }
    if (n > PERMUTATION_BITS_MAX || seen != (guint32)((1ULL << n) - 1))
        return refuse(where, text, "is no permutation", "a list with each of 0, 1, ..., one less than its length, once",
                      error);
    *p = permutation_from_mapping(dimension, n, to);
    return TRUE;
}

static gboolean parse_exchange(const char *where, const char *text, guint dimension, Permutation *p, GError **error)
{
    if (!strchr(text, ',') || strchr(text, ',') != strrchr(text, ',') || strchr(text, '/'))
        return refuse(where, text, "is not two dimensions", "exchange:I,J", error);
    return permutation_parse_cycles(where, text, dimension, p, error);
}

static gboolean parse_named(const char *where, guint name, const char *argument, guint dimension, Permutation *p,
                            GError **error)
{
    gint64 k;
    switch (name) {
    case IDENTITY: *p = permutation_identity(dimension); return TRUE;
    case BIT_REVERSAL: *p = permutation_bit_reversal(dimension); return TRUE;
    case TRANSPOSE: *p = permutation_transpose(dimension); return TRUE;
    case EXCHANGE: return parse_exchange(where, argument, dimension, p, error);
    case CYCLES: return permutation_parse_cycles(where, argument, dimension, p, error);
    case MAPPING: return parse_mapping(where, argument, dimension, p, error);
    default:
        if (!input_parse_count(where, argument, 0, PERMUTATION_BITS_MAX, &k, error))
            return FALSE;
        *p = permutation_shuffle(dimension, name == SHUFFLE ? (gint)k : -(gint)k);
        return TRUE;
    }
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
    if (!argument && name >= EXCHANGE)
        return refuse(where, text, "lacks its dimensions", "exchange:I,J, cycles:0,1/2,3, mapping:1,0,2", error);
    g_autofree char *longer = g_strdup_printf("%s: %s", where, permutation_names[name]);
    if (argument && name <= TRANSPOSE)
        return refuse(longer, argument, "is too much", "nothing behind this permutation's name", error);
    return parse_named(longer, name, argument ? argument : "1", dimension, p, error);    /* shuffle is shuffle:1 */
}

/* --- parts --- */

Permutation permutation_keep(const Permutation *p, guint32 cycles)
{
    Permutation kept = permutation_identity(p->dimension);
    for (guint i = 0; i < p->n_cycles; i++) {
        if (!(cycles >> i & 1))
            continue;
        cycle_begin(&kept);
        for (guint j = p->cycle_start[i]; j < p->cycle_start[i + 1]; j++) {
            cycle_add(&kept, p->cycle_bits[j]);
            kept.n_bits = MAX(kept.n_bits, p->cycle_bits[j] + 1u);
        }
        cycle_end(&kept);
    }
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
    gboolean separable = TRUE;
    for (guint i = 0; i < p->n_cycles; i++)
        separable &= permutation_cycle_kind(p, i) != CYCLE_MIXED;
    return separable;
}

guint permutation_odd_cycles(const Permutation *p)
{
    guint n = 0;
    for (guint i = 0; i < p->n_cycles; i++)
        n += permutation_cycle_kind(p, i) == CYCLE_REAL && permutation_cycle_length(p, i) % 2 == 1;
    return n;
}

guint permutation_distance_max(const Permutation *p)
{
    return permutation_real_order(p) - permutation_odd_cycles(p);
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
