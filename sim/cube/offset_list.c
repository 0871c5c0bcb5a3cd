#include "offset_list.h"
#include "cube.h"
#include "sim/text/input.h"

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
    gboolean in_rounds = offsets_longest_round(offsets) > 1;
    if (group->binary && !in_rounds)
        return rank(offsets) == group->dimension ||
               input_refuse(error, "%s: '%s' spans %u of %u address bits, so that some blocks never arrive; allowed: "
                            "offsets that span all, as 1, 2, 4, ... and more", where, text, rank(offsets),
                            group->dimension);
    g_autofree guint8 *weight = g_malloc(2 * (gsize)group->n);
    guint g = cover_unreached(offsets_data(offsets), offsets->len, group, weight);
    return g == group->n ||
           input_refuse(error, "%s: '%s' has no sum %u, modulo %s, of at most %u offsets%s, so that some blocks never "
                        "arrive; allowed: offsets with all sums, as 1, 2, 4, ... and more", where, text, g,
                        group->name, OFFSETS_UNREACHED - 1,
                        in_rounds ? ", one of each round" : "");
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

void offsets_weigh(const Offsets *offsets, const Group *group, guint8 *weight)
{
    g_autofree guint8 *before = g_malloc(group->n);
    cover_weigh(offsets_data(offsets), offsets->len, group, weight, before);
}

guint64 offsets_traffic(const Offsets *offsets, const Group *group)
{
    g_autofree guint8 *weight = g_malloc(group->n);
    offsets_weigh(offsets, group, weight);
    guint64 traffic = 0;
    for (guint g = 0; g < group->n; g++)
        traffic += weight[g];
    return traffic;
}

void covers_init(Covers *covers, const Offsets *offsets, const Group *group)
{
    if (!covers_make(covers, offsets_data(offsets), offsets->len, group))
        g_error("covers: out of memory");
}
