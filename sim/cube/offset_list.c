#include "offset_list.h"
#include "cube.h"
#include "sim/text/input.h"

#include <string.h>

#define UNREACHED 64 /* more than any weight */

Offsets *offsets_new(void)
{
    return g_array_new(FALSE, FALSE, sizeof(guint32));
}

void offsets_free(Offsets *offsets)
{
    if (offsets)
        g_array_unref(offsets);
}

/* The bits that the numbers span: Gauss's elimination, a row for each leading bit. */
static guint rank(const Offsets *offsets)
{
    guint32 row[32] = {0};
    guint rank = 0;
    for (guint i = 0; i < offsets->len; i++) {
        guint32 rest = offsets_nth(offsets, i);
        while (rest && row[g_bit_storage(rest) - 1])
            rest ^= row[g_bit_storage(rest) - 1];
        if (!rest)
            continue;
        row[g_bit_storage(rest) - 1] = rest;
        rank++;
    }
    return rank;
}

Offsets *offsets_parse(const char *where, const char *text, guint dimension, GError **error)
{
    g_autoptr(Offsets) offsets = offsets_new();
    g_auto(GStrv) words = input_split(text, ", \t");
    for (guint i = 0; words[i]; i++) {
        gint64 number;
        if (!input_parse_count(where, words[i], 1, (gint64)cube_n_nodes(dimension) - 1, &number, error))
            return NULL;
        g_array_append_val(offsets, (guint32){(guint32)number});
    }
    if (rank(offsets) == dimension)
        return g_steal_pointer(&offsets);
    input_refuse(error,
                 "%s: '%s' spans %u of %u address bits, so that some blocks never arrive; allowed: offsets that "
                 "span all, as 1, 2, 4, ... and more",
                 where, text, rank(offsets), dimension);
    return NULL;
}

char *offsets_format(const Offsets *offsets)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < offsets->len; i++)
        g_string_append_printf(out, "%s%u", i ? "," : "", offsets_nth(offsets, i));
    return g_string_free(out, FALSE);
}

guint64 offsets_hops(const Offsets *offsets)
{
    guint64 hops = 0;
    for (guint i = 0; i < offsets->len; i++)
        hops += cube_distance(0, offsets_nth(offsets, i));
    return hops;
}

/* --- covers --- */

/* The step by which the cover of g came to have w steps: step[w][g], as it ever did. */
typedef guint *History;

/* Step `i` shortens the covers of g and g xor s that are longer than the other's by two or more. */
static void shorten(guint8 *weight, guint32 s, guint n_nodes, guint i, History step)
{
    guint32 top = 1u << (g_bit_storage(s) - 1);
    for (guint32 block = 0; block < n_nodes; block += 2 * top)
        for (guint32 g = block; g < block + top; g++) {
            guint8 *a = &weight[g], *b = &weight[g ^ s];
            guint8 to_a = *b + 1, to_b = *a + 1;
            if (to_a >= *a && to_b >= *b)
                continue;
            guint32 shorter = to_a < *a ? g : g ^ s;
            weight[shorter] = to_a < *a ? to_a : to_b;
            if (step)
                step[(gsize)weight[shorter] * n_nodes + shorter] = i;
        }
}

static void weigh(const Offsets *offsets, guint dimension, guint8 *weight, History step)
{
    guint n_nodes = cube_n_nodes(dimension);
    memset(weight, UNREACHED, n_nodes);
    weight[0] = 0;
    for (guint i = 0; i < offsets->len; i++)
        shorten(weight, offsets_nth(offsets, i), n_nodes, i, step);
}

void offsets_weigh(const Offsets *offsets, guint dimension, guint8 *weight)
{
    weigh(offsets, dimension, weight, NULL);
}

static guint64 sum(const guint8 *weight, guint n_nodes)
{
    guint64 traffic = 0;
    for (guint g = 0; g < n_nodes; g++)
        traffic += weight[g];
    return traffic;
}

guint64 offsets_traffic(const Offsets *offsets, guint dimension)
{
    guint n_nodes = cube_n_nodes(dimension);
    g_autofree guint8 *weight = g_malloc(n_nodes);
    offsets_weigh(offsets, dimension, weight);
    return sum(weight, n_nodes);
}

/* The last step of the cover that the walk had found for g before step `before`. */
static guint last_step(const guint *step, guint dimension, guint g, guint before)
{
    guint w = 1;
    while (step[((gsize)w << dimension) + g] >= before)
        w++;
    return step[((gsize)w << dimension) + g];
}

void covers_init(Covers *covers, const Offsets *offsets, guint dimension)
{
    guint n_nodes = cube_n_nodes(dimension), k = offsets->len;
    g_autofree guint8 *weight = g_malloc(n_nodes);
    gsize n_history = (gsize)(dimension + 1) * n_nodes;
    g_autofree History step = g_malloc(n_history * sizeof *step);
    memset(step, 0xff, n_history * sizeof *step); /* G_MAXUINT: never */
    weigh(offsets, dimension, weight, step);
    *covers = (Covers){k, g_new0(guint, k + 2), g_new(guint, sum(weight, n_nodes))};
    /* counted two places on, summed, and then each step's place moves on while it is filled */
    for (guint filling = 0; filling < 2; filling++) {
        for (guint g = 1; g < n_nodes; g++)
            for (guint rest = g, i = k; rest; rest ^= offsets_nth(offsets, i)) {
                i = last_step(step, dimension, rest, i);
                if (filling)
                    covers->carried[covers->first[i + 1]++] = g;
                else
                    covers->first[i + 2]++;
            }
        for (guint i = 1; i < k && !filling; i++)
            covers->first[i + 1] += covers->first[i];
    }
}

void covers_clear(Covers *covers)
{
    g_clear_pointer(&covers->first, g_free);
    g_clear_pointer(&covers->carried, g_free);
}
