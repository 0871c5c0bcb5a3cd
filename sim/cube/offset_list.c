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

/* Returns the number of address bits that the offsets span, by Gauss's elimination with a row for each leading bit. */
static guint offsets_rank(const Offsets *offsets)
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

/* Returns the smallest processor that is no sum of fewer than OFFSETS_UNREACHED offsets; N if there is none. */
static guint first_unreached(const Offsets *offsets, const Group *group)
{
    guint g = 0;
    g_autofree guint8 *weight = g_malloc(group->n);
    offsets_weigh(offsets, group, weight);
    while (g < group->n && weight[g] < OFFSETS_UNREACHED)
        g++;
    return g;
}

gboolean offsets_check(const char *where, const char *text, const Offsets *offsets, const Group *group, GError **error)
{
    gboolean in_rounds = offsets_longest_round(offsets) > 1;
    if (group->binary && !in_rounds)
        return offsets_rank(offsets) == group->dimension ||
               input_refuse(error, "%s: '%s' spans %u of %u address bits, so that some blocks never arrive; allowed: "
                            "offsets that span all, as 1, 2, 4, ... and more", where, text, offsets_rank(offsets),
                            group->dimension);
    guint g = first_unreached(offsets, group);
    return g == group->n ||
           input_refuse(error, "%s: '%s' has no sum %u, modulo %s, of at most %u offsets%s, so that some blocks never "
                        "arrive; allowed: offsets with all sums, as 1, 2, 4, ... and more", where, text, g,
                        group->name, OFFSETS_UNREACHED - 1,
                        in_rounds ? ", one of each round" : "");
}

/* Removes "xN" from the end of `round`, then parentheses around the rest. Sets *times to N, or to 1 without "xN". */
static gboolean parse_times(const char *where, char *round, gint64 *times, GError **error)
{
    char *x = strchr(round, 'x');
    *times = 1;
    if (x && !input_parse_count(where, x + 1, 1, GROUP_SIZE_MAX, times, error))
        return FALSE;
    if (x)
        *x = '\0';
    gsize length = strlen(round);
    if (length > 1 && round[0] == '(' && round[length - 1] == ')') {
        memmove(round, round + 1, length - 2);
        round[length - 2] = '\0';
    }
    return TRUE;
}

/* Appends the round `word`, such as "1+2"; appends it three times for "(1+2)x3". */
static gboolean parse_round(const char *where, char *word, const Group *group, Offsets *offsets, GError **error)
{
    gint64 times;
    if (!parse_times(where, word, &times, error))
        return FALSE;
    guint first = offsets->len;
    g_auto(GStrv) round = g_strsplit(word, "+", -1);
    for (guint k = 0; round[k]; k++) {
        gint64 number;
        if (!input_parse_count(where, round[k], 1, (gint64)group->n - 1, &number, error))
            return FALSE;
        g_array_append_val(offsets, (guint32){(guint32)number | (k ? OFFSETS_MARK : 0)});
    }
    guint length = offsets->len - first;
    for (gint64 i = 1; i < times; i++)
        for (guint k = 0; k < length; k++)
            g_array_append_val(offsets, (guint32){g_array_index(offsets, guint32, first + k)});
    return TRUE;
}

Offsets *offsets_parse(const char *where, const char *text, const Group *group, GError **error)
{
    g_autoptr(Offsets) offsets = offsets_new();
    g_auto(GStrv) words = input_split(text, ", \t");
    for (guint i = 0; words[i]; i++)
        if (!parse_round(where, words[i], group, offsets, error))
            return NULL;
    return offsets_check(where, text, offsets, group, error) ? g_steal_pointer(&offsets) : NULL;
}

Offsets *offsets_of_radices(const Phases *partition, const Group *group, guint rails)
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

Offsets *offsets_of_rings(const Phases *radices, const Group *group)
{
    Offsets *offsets = offsets_new();
    const Radices rings = radices_of(radices, group);
    for (guint i = 0; i < rings.n; i++)
        for (guint64 s = rings.stride[i]; s < MIN(group->n, rings.stride[i + 1]); s += rings.stride[i])
            g_array_append_val(offsets, (guint32){(guint32)rings.stride[i]});
    return offsets;
}

/* Whether the offsets of the radices reach all processors of the group. They always do in a group with one factor. */
static gboolean radices_reach_all(const Phases *radices, const Group *group)
{
    g_autoptr(Offsets) offsets = group->n_factors > 1 ? offsets_of_radices(radices, group, 1) : NULL;
    return !offsets || offsets_check("", "", offsets, group, NULL);
}

GArray *offsets_all_radices(const Group *group)
{
    g_autoptr(GArray) lists = g_array_new(FALSE, FALSE, sizeof(Phases));
    Phases radices = radices_uniform(group->n, 2);
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

/* Whether an equal round follows the round of offsets i to j - 1. */
static gboolean same_round(const Offsets *offsets, guint i, guint j)
{
    guint length = j - i;
    return j < offsets->len && offsets_next_round(offsets, j) == j + length &&
           memcmp(&g_array_index(offsets, guint32, i), &g_array_index(offsets, guint32, j),
                  length * sizeof(guint32)) == 0;
}

/* Returns the index of the first offset behind the run of equal rounds that begins at offset i. */
static guint next_run(const Offsets *offsets, guint i)
{
    guint next = offsets_next_round(offsets, i);
    for (guint length = next - i; same_round(offsets, next - length, next);)
        next += length;
    return next;
}

char *offsets_format(const Offsets *offsets)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0, next; i < offsets->len; i = next) {
        guint length = offsets_next_round(offsets, i) - i, times = ((next = next_run(offsets, i)) - i) / length;
        gboolean enclosed = times > 1 && length > 1;
        g_string_append(out, i == 0 ? "" : ",");
        g_string_append(out, enclosed ? "(" : "");
        for (guint k = i; k < i + length; k++)
            g_string_append_printf(out, "%s%u", k > i ? "+" : "", offsets_nth(offsets, k));
        g_string_append(out, enclosed ? ")" : "");
        if (times > 1)
            g_string_append_printf(out, "x%u", times);
    }
    return g_string_free(out, FALSE);
}

guint offsets_n_circuits(const Offsets *offsets)
{
    guint n = 0;
    for (guint i = 0; i < offsets->len; i = next_run(offsets, i))
        n++;
    return n;
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

/* Array [w][g]: the step that gave distance g a cover of w steps; G_MAXUINT: none did. NULL: nothing is recorded. */
typedef guint *History;

/* Shortens covers by step `i`, whose offset is s. For each pair g and g xor s the longer cover becomes the shorter
 * one with step `i` added, unless that is no shorter. */
static void shorten_in_cube(guint8 *weight, guint32 s, guint n_nodes, guint i, History step)
{
    guint32 top = 1u << (g_bit_storage(s) - 1);
    for (guint32 block = 0; block < n_nodes; block += 2 * top)
        for (guint32 g = block; g < block + top; g++) {
            guint8 *a = &weight[g], *b = &weight[g ^ s];
            guint8 to_a = (guint8)(*b + 1), to_b = (guint8)(*a + 1);
            if (to_a >= *a && to_b >= *b)
                continue;
            guint32 shorter = to_a < *a ? g : g ^ s;
            weight[shorter] = to_a < *a ? to_a : to_b;
            if (step)
                step[(gsize)weight[shorter] * n_nodes + shorter] = i;
        }
}

/* Shortens covers by offset `i`, whose value is s. The cover of g + s becomes the cover of g and offset `i`, for each g
 * for which that is shorter. before[g] is the weight of g before the round: a block goes along with one message of a
 * round at most. */
static void shorten(guint8 *weight, const guint8 *before, guint32 s, const Group *group, guint i, History step)
{
    for (guint32 g = 0; g < group->n; g++) {
        guint32 to = group_add(group, g, s);
        if (before[g] + 1 >= weight[to])
            continue;
        weight[to] = (guint8)(before[g] + 1);
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
        for (guint j = i; j < next; j++)
            shorten(weight, before, offsets_nth(offsets, j), group, j, step);
    }
}

void offsets_weigh(const Offsets *offsets, const Group *group, guint8 *weight)
{
    weigh(offsets, group, weight, NULL);
}

static guint64 offsets_sum_weights(const guint8 *weight, const Group *group)
{
    guint64 sum = 0;
    for (guint g = 0; g < group->n; g++)
        sum += weight[g];
    return sum;
}

guint64 offsets_traffic(const Offsets *offsets, const Group *group)
{
    g_autofree guint8 *weight = g_malloc(group->n);
    weigh(offsets, group, weight, NULL);
    return offsets_sum_weights(weight, group);
}

/* Returns the last step of the cover that distance g has after the steps 0 ... before - 1. */
static guint last_step(const guint *step, guint n_nodes, guint g, guint before)
{
    guint w = 1;
    while (step[(gsize)w * n_nodes + g] >= before)
        w++;
    return step[(gsize)w * n_nodes + g];
}

/* Whether the list has every offset once, so that each step carries its own block. `seen` is scratch memory
 * [n_nodes]. */
static gboolean is_direct(const Offsets *offsets, guint n_nodes, guint8 *seen)
{
    memset(seen, 0, n_nodes);
    gboolean direct = offsets->len == n_nodes - 1;
    for (guint i = 0; direct && i < offsets->len; i++) {
        direct = !seen[offsets_nth(offsets, i)];
        seen[offsets_nth(offsets, i)] = TRUE;
    }
    return direct;
}

static void fill_direct(Covers *covers, const Offsets *offsets)
{
    for (guint i = 0; i <= offsets->len; i++)
        covers->first[i] = i;
    for (guint i = 0; i < offsets->len; i++)
        covers->carried[i] = offsets_nth(offsets, i);
}

/* Fills in the blocks of each step. The first pass counts the blocks of step i in first[i + 2]. In the second pass
 * first[i + 1] is the place of the next block of step i. */
static void covers_fill(Covers *covers, const Offsets *offsets, const Group *group, const guint *step)
{
    for (guint filling = 0; filling < 2; filling++) {
        for (guint g = 1; g < group->n; g++)
            for (guint rest = g, i, before = covers->n_steps; rest;
                 rest = group_subtract(group, rest, offsets_nth(offsets, i))) {
                i = last_step(step, group->n, rest, before);
                for (before = i; offsets_is_marked(offsets, before);)
                    before--;
                if (filling)
                    covers->carried[covers->first[i + 1]++] = g;
                else
                    covers->first[i + 2]++;
            }
        for (guint i = 1; i < covers->n_steps && !filling; i++)
            covers->first[i + 1] += covers->first[i];
    }
}

/* Allocates covers for `n_steps` steps and `traffic` carried blocks. */
static Covers covers_of(guint n_steps, guint64 traffic)
{
    return (Covers){n_steps, g_new0(guint, n_steps + 2), g_new(guint, traffic + 1)};
}

void covers_init(Covers *covers, const Offsets *offsets, const Group *group)
{
    guint k = offsets->len;
    g_autofree guint8 *weight = g_malloc(group->n);
    if (is_direct(offsets, group->n, weight)) {
        *covers = covers_of(k, k);
        fill_direct(covers, offsets);
        return;
    }
    gboolean in_rounds = offsets_longest_round(offsets) > 1;
    /* number of different weights that a distance can have at any step, 0 included */
    gsize n_weights = (group->binary && !in_rounds ? group->dimension : MIN(k, OFFSETS_UNREACHED)) + 1u;
    g_autofree guint *step = g_new(guint, n_weights * group->n);
    memset(step, 0xff, n_weights * group->n * sizeof *step);    /* the largest number means never */
    weigh(offsets, group, weight, step);
    *covers = covers_of(k, offsets_sum_weights(weight, group));
    covers_fill(covers, offsets, group, step);
}

void covers_clear(Covers *covers)
{
    g_clear_pointer(&covers->first, g_free);
    g_clear_pointer(&covers->carried, g_free);
}

/* --- the bound --- */

guint64 offsets_bound(guint64 others, guint64 n_rounds, guint rails)
{
    guint64 traffic = 0;
    __int128 reached = 1;   /* C(k, w) rails^w: the most blocks that can be sent w times */
    for (guint w = 1; others > 0; w++) {
        if (w > n_rounds)
            return G_MAXUINT64;
        reached = reached * rails * (n_rounds - w + 1) / w;
        guint64 served = reached < (__int128)others ? (guint64)reached : others;
        traffic += w * served;
        others -= served;
    }
    return traffic;
}

/* Multiplies the polynomial c[0 ... degree] by 1 + y + ... + y^l, y = rails x. Its coefficients saturate at `most`. */
static void multiply_run(guint64 *c, guint64 degree, guint64 l, guint rails, guint64 most)
{
    for (guint64 w = degree; w > 0; w--) {
        unsigned __int128 power = 1, sum = c[w];
        for (guint64 a = 1; a <= MIN(l, w) && sum < most; a++) {
            power = MIN(power * rails, (unsigned __int128)most);
            sum += power * c[w - a];
        }
        c[w] = (guint64)MIN(sum, (unsigned __int128)most);
    }
}

guint64 offsets_circuits_bound(guint64 others, guint n_circuits, guint64 n_rounds, guint rails)
{
    guint64 pairs = n_circuits * (guint64)(n_circuits - 1) / 2 * rails * rails + n_circuits * (guint64)rails;
    /* runs change nothing if all blocks are sent at most twice, or if each run is one round */
    if (others <= pairs || n_rounds == n_circuits)
        return offsets_bound(others, n_circuits, rails);
    guint64 degree = MIN(n_rounds, others), traffic = 0;
    g_autofree guint64 *c = g_new0(guint64, degree + 1);
    c[0] = 1;
    for (guint i = 0; i < n_circuits; i++)
        multiply_run(c, degree, n_rounds / n_circuits + (i < n_rounds % n_circuits), rails, others);
    for (guint64 w = 1; others > 0; w++) {
        if (w > degree)
            return G_MAXUINT64;
        guint64 served = MIN(c[w], others);
        traffic += w * served;
        others -= served;
    }
    return traffic;
}
