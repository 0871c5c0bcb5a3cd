#include "offset_list.h"
#include "cube.h"
#include "sim/text/input.h"

#include <string.h>

Offsets *offsets_new(void)
{
    return g_array_new(FALSE, FALSE, sizeof(guint32));
}

void offsets_free(Offsets *offsets)
{
    if (offsets)
        g_array_unref(offsets);
}

guint offsets_longest_round(const Offsets *offsets)
{
    guint longest = 0;
    for (guint i = 0, next; i < offsets->len; i = next) {
        next = offsets_next_round(offsets, i);
        longest = MAX(longest, next - i);
    }
    return longest;
}

void offsets_join(Offsets *offsets, guint from, guint rails)
{
    for (guint i = from; i < offsets->len; i++)
        if ((i - from) % rails)
            g_array_index(offsets, guint32, i) |= OFFSETS_MARK;
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

gboolean offsets_check(const char *where, const char *text, const Offsets *offsets, const Group *group, GError **error)
{
    if (group->binary && offsets_longest_round(offsets) <= 1)
        return rank(offsets) == group->dimension ||
               input_refuse(error, "%s: '%s' spans %u of %u address bits, so that some blocks never arrive; allowed: "
                            "offsets that span all, as 1, 2, 4, ... and more", where, text, rank(offsets),
                            group->dimension);
    g_autofree guint8 *weight = g_malloc(group->n);
    offsets_weigh(offsets, group, weight);
    guint g = 1;
    while (g < group->n && weight[g] < OFFSETS_UNREACHED)
        g++;
    return g == group->n ||
           input_refuse(error, "%s: '%s' has no sum %u, modulo %s, of at most %u offsets%s, so that some blocks never "
                        "arrive; allowed: offsets with all sums, as 1, 2, 4, ... and more", where, text, g,
                        group->name, OFFSETS_UNREACHED - 1,
                        offsets_longest_round(offsets) > 1 ? ", one of each round" : "");
}

Offsets *offsets_parse(const char *where, const char *text, const Group *group, GError **error)
{
    g_autoptr(Offsets) offsets = offsets_new();
    g_auto(GStrv) words = input_split(text, ", \t");
    for (guint i = 0; words[i]; i++) {
        g_auto(GStrv) round = g_strsplit(words[i], "+", -1);
        for (guint k = 0; round[k]; k++) {
            gint64 number;
            if (!input_parse_count(where, round[k], 1, (gint64)group->n - 1, &number, error))
                return NULL;
            g_array_append_val(offsets, (guint32){(guint32)number | (k ? OFFSETS_MARK : 0)});
        }
    }
    return offsets_check(where, text, offsets, group, error) ? g_steal_pointer(&offsets) : NULL;
}

Offsets *offsets_of_radices(const Partition *partition, const Group *group, guint rails)
{
    Offsets *offsets = offsets_new();
    const Radices radices = radices_of(partition, group);
    for (guint i = 0; i < radices.n; i++) {
        guint from = offsets->len;
        for (guint64 s = radices.stride[i]; s < MIN(group->n, radices.stride[i + 1]); s += radices.stride[i])
            g_array_append_val(offsets, (guint32){(guint32)s});
        offsets_join(offsets, from, rails);
    }
    return offsets;
}

/* They always do where there is one factor. */
static gboolean radices_reach_all(const Partition *radices, const Group *group)
{
    g_autoptr(Offsets) offsets = group->n_factors > 1 ? offsets_of_radices(radices, group, 1) : NULL;
    return !offsets || offsets_check("", "", offsets, group, NULL);
}

GArray *offsets_all_radices(const Group *group)
{
    g_autoptr(GArray) lists = g_array_new(FALSE, FALSE, sizeof(Partition));
    Partition radices = radices_uniform(group->n, 2);
    do
        if (radices_reach_all(&radices, group))
            g_array_append_val(lists, radices);
    while (lists->len <= RADICES_LISTS_MAX && radices_next(&radices, group->n));
    return lists->len <= RADICES_LISTS_MAX ? g_steal_pointer(&lists) : NULL;
}

Offsets *offsets_direct(const Group *group)
{
    Offsets *offsets = offsets_new();
    for (guint32 s = 1; s < group->n; s++)
        g_array_append_val(offsets, s);
    return offsets;
}

char *offsets_format(const Offsets *offsets)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < offsets->len; i++) {
        const char *before = i == 0 ? "" : offsets_is_marked(offsets, i) ? "+" : ",";
        g_string_append_printf(out, "%s%u", before, offsets_nth(offsets, i));
    }
    return g_string_free(out, FALSE);
}

guint64 offsets_hops(const Offsets *offsets, const Group *group)
{
    guint64 hops = 0;
    if (!group->binary)
        return offsets->len;
    for (guint i = 0; i < offsets->len; i++)
        hops += cube_distance(0, offsets_nth(offsets, i));
    return hops;
}

/* --- covers --- */

/* The step by which the cover of g came to have w steps: step[w][g], as it ever did. */
typedef guint *History;

/* Step `i` shortens the covers of g and g xor s that are longer than the other's by two or more. */
static void shorten_in_cube(guint8 *weight, guint32 s, guint n_nodes, guint i, History step)
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

/* Offset `i` shortens the cover of g + s where that of g was shorter by two or more before its round. */
static void shorten(guint8 *weight, const guint8 *before, guint32 s, const Group *group, guint i, History step)
{
    for (guint32 g = 0; g < group->n; g++) {
        guint32 to = group_add(group, g, s);
        if (before[g] + 1 >= weight[to])
            continue;
        weight[to] = before[g] + 1;
        if (step)
            step[(gsize)weight[to] * group->n + to] = i;
    }
}

static void weigh(const Offsets *offsets, const Group *group, guint8 *weight, History step)
{
    g_autofree guint8 *before = g_malloc(group->n);
    memset(weight, OFFSETS_UNREACHED, group->n);
    weight[0] = 0;
    for (guint i = 0, next; i < offsets->len; i = next) {
        next = offsets_next_round(offsets, i);
        if (group->binary && next == i + 1) {
            shorten_in_cube(weight, offsets_nth(offsets, i), group->n, i, step);
            continue;
        }
        memcpy(before, weight, group->n);
        for (guint k = i; k < next; k++)
            shorten(weight, before, offsets_nth(offsets, k), group, k, step);
    }
}

void offsets_weigh(const Offsets *offsets, const Group *group, guint8 *weight)
{
    weigh(offsets, group, weight, NULL);
}

static guint64 sum(const guint8 *weight, guint n_nodes)
{
    guint64 traffic = 0;
    for (guint g = 0; g < n_nodes; g++)
        traffic += weight[g];
    return traffic;
}

guint64 offsets_traffic(const Offsets *offsets, const Group *group)
{
    g_autofree guint8 *weight = g_malloc(group->n);
    offsets_weigh(offsets, group, weight);
    return sum(weight, group->n);
}

/* The last step of the cover that the walk had found for g before step `before`, the first of a round. */
static guint last_step(const guint *step, guint n_nodes, guint g, guint before)
{
    guint w = 1;
    while (step[(gsize)w * n_nodes + g] >= before)
        w++;
    return step[(gsize)w * n_nodes + g];
}

/* Whether every offset is there once, so that each carries its own block. */
static gboolean is_direct(const Offsets *offsets, const Group *group)
{
    g_autofree gboolean *seen = g_new0(gboolean, group->n);
    gboolean direct = offsets->len == group->n - 1;
    for (guint i = 0; direct && i < offsets->len; i++) {
        direct = !seen[offsets_nth(offsets, i)];
        seen[offsets_nth(offsets, i)] = TRUE;
    }
    return direct;
}

static void init_direct(Covers *covers, const Offsets *offsets)
{
    guint k = offsets->len;
    *covers = (Covers){k, g_new(guint, k + 1), g_new(guint, k)};
    for (guint i = 0; i <= k; i++)
        covers->first[i] = i;
    for (guint i = 0; i < k; i++)
        covers->carried[i] = offsets_nth(offsets, i);
}

/* The largest weight that any sum ever has while the list is walked, and one more. */
static guint n_weights(const Offsets *offsets, const Group *group)
{
    gboolean in_cube = group->binary && offsets_longest_round(offsets) <= 1;
    return in_cube ? group->dimension + 1 : MIN(offsets->len, OFFSETS_UNREACHED) + 1;
}

void covers_init(Covers *covers, const Offsets *offsets, const Group *group)
{
    guint n_nodes = group->n, k = offsets->len;
    if (is_direct(offsets, group)) {
        init_direct(covers, offsets);
        return;
    }
    g_autofree guint8 *weight = g_malloc(n_nodes);
    gsize n_history = (gsize)n_weights(offsets, group) * n_nodes;
    g_autofree History step = g_malloc(n_history * sizeof *step);
    memset(step, 0xff, n_history * sizeof *step); /* G_MAXUINT: never */
    weigh(offsets, group, weight, step);
    *covers = (Covers){k, g_new0(guint, k + 2), g_new(guint, sum(weight, n_nodes))};
    /* counted two places on, summed, and then each step's place moves on while it is filled */
    for (guint filling = 0; filling < 2; filling++) {
        for (guint g = 1; g < n_nodes; g++)
            for (guint rest = g, i, before = k; rest; rest = group_subtract(group, rest, offsets_nth(offsets, i))) {
                i = last_step(step, n_nodes, rest, before);
                for (before = i; offsets_is_marked(offsets, before);)
                    before--;
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
