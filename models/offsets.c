#include "offsets.h"
#include "sim/cube/cube.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

/* --- what is known --- */

/* List that `ecube offsets --search` found; only Golay's, of 11 dimensions, is from elsewhere. */
typedef struct {
    guint8 size;            /* dimension of a cube, else the number of processors, modulo which offsets are added */
    guint8 n_steps;
    const char *offsets;    /* list, as "1,2,4,8,15" */
} Found;

/* The known lists of cubes, sorted by dimension and number of offsets. */
static const Found found_of_cubes[] = {
#include "offset_lists.inc"
};
static const Found found_modulo[] = {       /* beyond the longest list of a size, each further offset saves one
                                             * block */
#include "modular_lists.inc"
};

/* How a list was made. part = 0: it was found. part = APPENDED: an offset was added to a list of one message less.
 * Other: it joins the best lists of two cubes (direct sum), the first of which has `part` dimensions. */
typedef struct {
    guint part;
    guint n_steps; /* messages of the first cube's list; with APPENDED the added offset */
    const char *offsets;
} Origin;

#define APPENDED G_MAXUINT
#define UNSUMMED_MAX 10 /* largest dimension with a table entry for each number of messages up to N - 1 */

/* Lists of one group by number of messages, from the least number on, which is group->dimension. */
typedef struct {
    guint n; /* number of lists; 0: not made yet */
    OffsetsKnown *known;
    Origin *origin;
} OffsetsTable;

static OffsetsTable of_cubes[OFFSETS_KNOWN_MAX + 1], modulo[OFFSETS_MODULO_MAX + 1];

static void make_table(const Group *group, OffsetsTable *table);

static OffsetsTable *offsets_table(const Group *group)
{
    g_assert(offsets_are_known(group));
    OffsetsTable *table = group->binary ? &of_cubes[group->dimension] : &modulo[group->n];
    if (!table->n)
        make_table(group, table);
    return table;
}

gboolean offsets_are_known(const Group *group)
{
    return group->binary ? group->dimension <= OFFSETS_KNOWN_MAX
                         : group->n_factors == 1 && group->n <= OFFSETS_MODULO_MAX;
}

gboolean offsets_check_known(const char *where, const Group *group, GError **error)
{
    return offsets_are_known(group) ||
           input_refuse(error, "%s: '%s' is not allowed: no lists of offsets are known; allowed: 1 to %d", where,
                        group->name, OFFSETS_MODULO_MAX);
}

static guint n_nonzero(guint dimension)
{
    return cube_n_nodes(dimension) - 1;
}

const OffsetsKnown *offsets_known(const Group *group, guint *n)
{
    *n = offsets_table(group)->n;
    return offsets_table(group)->known;
}

const OffsetsKnown *offsets_known_of(const Group *group, guint n_steps)
{
    const OffsetsTable *table = offsets_table(group);
    if (n_steps == group->n - 1)
        return &table->known[table->n - 1];
    return n_steps >= group->dimension && n_steps - group->dimension < table->n - 1
               ? &table->known[n_steps - group->dimension] : NULL;
}

/* Enters a list in the table if it is better than the list of n_steps messages there: less traffic, or equal traffic
 * and fewer hops. */
static void offer(const Group *group, OffsetsTable *table, guint n_steps, guint64 traffic, guint64 hops, Origin origin)
{
    OffsetsKnown *known = &table->known[n_steps - group->dimension];
    if (known->traffic < traffic || (known->traffic == traffic && known->hops <= hops))
        return;
    *known = (OffsetsKnown){n_steps, traffic, hops};
    table->origin[n_steps - group->dimension] = origin;
}

static void offer_list(const Group *group, OffsetsTable *table, const char *text)
{
    g_autoptr(Offsets) offsets = offsets_parse("", text, group, NULL);
    guint64 traffic = offsets_traffic(offsets, group), hops = offsets_hops(offsets, group);
    offer(group, table, offsets->len, traffic, hops, (Origin){0, 0, text});
}

static void offer_found(const Group *group, OffsetsTable *table)
{
    const Found *found = group->binary ? found_of_cubes : found_modulo;
    guint n = group->binary ? G_N_ELEMENTS(found_of_cubes) : G_N_ELEMENTS(found_modulo);
    guint size = group->binary ? group->dimension : group->n;
    for (guint i = 0; i < n; i++)
        if (found[i].size == size)
            offer_list(group, table, found[i].offsets);
}

/* Offers the direct sums, with at most `most` messages, of the best lists of two cubes. The first cube has `part`
 * dimensions, the second `rest`. A sum has W = W1 2^rest + W2 2^part, as each cover joins covers of both lists. */
static void offer_sums(const Group *group, OffsetsTable *table, guint part, guint most)
{
    guint n_tops, n_rests, rest = group->dimension - part;
    const OffsetsKnown *tops = offsets_known(group_of_cube(part), &n_tops);
    const OffsetsKnown *rests = offsets_known(group_of_cube(rest), &n_rests);
    for (guint i = 0; i < n_tops; i++)
        for (guint j = 0; j < n_rests && tops[i].n_steps + rests[j].n_steps <= most; j++)
            offer(group, table, tops[i].n_steps + rests[j].n_steps,
                  (tops[i].traffic << rest) + (rests[j].traffic << part), tops[i].hops + rests[j].hops,
                  (Origin){part, tops[i].n_steps, NULL});
}

/* Returns by how much the traffic of the list with these weights falls if the offset s is added. */
static guint64 saved_by(const guint8 *weight, const Group *group, guint32 s)
{
    guint64 saved = 0;
    for (guint32 g = 0; g < group->n; g++) {
        guint32 from = group_subtract(group, g, s);
        saved += weight[g] > weight[from] + 1 ? weight[g] - weight[from] - 1u : 0;
    }
    return saved;
}

/* Returns the offset whose addition saves most traffic; of equal ones that with the fewest one bits. Sets `*saved` to
 * the blocks saved. `one_each`: each distance is a sum of at most two offsets already. Then an offset saves only the
 * block at its own distance. */
static guint32 next_offset(const guint8 *weight, const Group *group, gboolean one_each, guint64 *saved)
{
    guint32 best = 0;
    *saved = 0;
    for (guint32 s = 1; s < group->n; s++) {
        guint64 saves = weight[s] < 2 ? 0 : one_each ? 1 : saved_by(weight, group, s);
        gboolean fewer = best && saves == *saved && cube_distance(0, s) < cube_distance(0, best);
        if (saves <= *saved && !fewer)
            continue;
        best = s;
        *saved = saves;
    }
    return best;
}

/* Offers for each number of messages up to `most` the best list of one message less, with an offset appended. While an
 * offset may save several blocks, skips cubes above OFFSETS_SEARCHED_MAX, and numbers whose known list has less traffic
 * than the list to append to. */
static void offer_longer(const Group *group, OffsetsTable *table, guint most)
{
    guint64 n = group->n - 1, saved;
    guint first = group->dimension;
    g_autofree guint8 *weight = g_malloc(n + 1);
    for (guint k = MAX(1, first); k < most; k++) {
        const OffsetsKnown *at = &table->known[k - first];
        gboolean one_each = at->traffic == 2 * n - k;
        if (!one_each && (at[1].traffic < at->traffic || first > OFFSETS_SEARCHED_MAX))
            continue;
        if (!one_each || table->origin[k - first].part != APPENDED) {
            g_autoptr(Offsets) offsets = offsets_best(group, k);
            offsets_weigh(offsets, group, weight);
        }
        guint32 s = next_offset(weight, group, one_each, &saved);
        guint hops = group->binary ? cube_distance(0, s) : 1;
        offer(group, table, k + 1, at->traffic - saved, at->hops + hops, (Origin){APPENDED, s, NULL});
        weight[s] = 1;
    }
}

static void make_table(const Group *group, OffsetsTable *table)
{
    guint first = group->dimension, all = group->n - 1;
    guint most = first <= UNSUMMED_MAX ? all : OFFSETS_STEPS_MAX, n = most - first + 1 + (most < all);
    table->known = g_new0(OffsetsKnown, n);
    table->origin = g_new0(Origin, n);
    for (guint i = 0; i < n; i++)
        table->known[i] = (OffsetsKnown){first + i, G_MAXUINT64, G_MAXUINT64};
    table->n = n;
    if (all == 0)
        table->known[0] = (OffsetsKnown){0, 0, 0};
    offer_found(group, table);
    for (guint part = 1; group->binary && part <= first / 2; part++)
        offer_sums(group, table, part, most);
    offer_longer(group, table, most);
    if (most < all)
        table->known[n - 1] = (OffsetsKnown){all, all, (guint64)first << (first - 1)};
}

/* Returns the traffic that list j saves against list i, divided by the number of messages that it has more. */
static double saving(const OffsetsKnown *known, guint i, guint j)
{
    return ((double)known[i].traffic - (double)known[j].traffic) / (known[j].n_steps - known[i].n_steps);
}

gboolean offsets_is_corner(const Group *group, guint i)
{
    guint n;
    const OffsetsKnown *known = offsets_known(group, &n);
    double before = INFINITY, after = 0;
    for (guint j = 0; j < i; j++)
        before = fmin(before, saving(known, j, i));
    for (guint j = i + 1; j < n; j++)
        after = fmax(after, saving(known, i, j));
    return before > after;
}

gboolean offsets_is_member(guint dimension, guint i)
{
    const Group *group = group_of_cube(dimension);
    const OffsetsKnown *known = offsets_table(group)->known;
    const Origin *origin = &offsets_table(group)->origin[i];
    guint n = offsets_table(group)->n;
    gboolean appended = origin->part == APPENDED && i + 1 < n && origin[1].part == APPENDED;
    gboolean last = appended && known[i + 1].hops - known[i].hops > known[i].hops - known[i - 1].hops;
    return origin->part == 0 || (origin->part == APPENDED && (last || offsets_is_corner(group, i)));
}

void offsets_add(Offsets *offsets, const Offsets *more, guint stop)
{
    for (guint i = 0; i < more->len; i++)
        g_array_append_val(offsets, (guint32){offsets_nth(more, i) << stop});
}

/* Appends the best list of `group` with n_steps messages, shifted to the bits from `stop` on. */
static void offsets_add_best(Offsets *offsets, const Group *group, guint n_steps, guint stop)
{
    g_autoptr(Offsets) part = offsets_best(group, n_steps);
    offsets_add(offsets, part, stop);
}

Offsets *offsets_best(const Group *group, guint n_steps)
{
    g_assert(offsets_known_of(group, n_steps));
    if (n_steps == group->n - 1)
        return offsets_direct(group);
    guint dimension = group->dimension, n_appended = 0;
    const Origin *origin = &offsets_table(group)->origin[n_steps - dimension];
    for (; origin->part == APPENDED; origin--)
        n_appended++;
    if (!origin->part && !n_appended)
        return offsets_parse("", origin->offsets, group, NULL);
    Offsets *offsets = offsets_new();
    if (n_appended) {
        offsets_add_best(offsets, group, n_steps - n_appended, 0);
        for (guint i = 1; i <= n_appended; i++)
            g_array_append_val(offsets, (guint32){origin[i].n_steps});
    } else {
        offsets_add_best(offsets, group_of_cube(dimension - origin->part), n_steps - origin->n_steps, 0);
        offsets_add_best(offsets, group_of_cube(origin->part), origin->n_steps, dimension - origin->part);
    }
    return offsets;
}

/* Returns the least traffic of any partition of `rest` dimensions that has n_steps messages and parts of at least
 * `least` dimensions; G_MAXUINT64 if there is none. */
static guint64 least_of_parts(guint dimension, guint rest, guint n_steps, guint least)
{
    guint64 best = rest == 0 && n_steps == 0 ? 0 : G_MAXUINT64;
    for (guint a = least; a <= rest && n_nonzero(a) <= n_steps; a++) {
        guint64 others = least_of_parts(dimension, rest - a, n_steps - n_nonzero(a), a);
        if (others != G_MAXUINT64)
            best = MIN(best, others + ((guint64)n_nonzero(a) << (dimension - a)));
    }
    return best;
}

guint64 offsets_partition_traffic(guint dimension, guint n_steps)
{
    guint64 traffic = least_of_parts(dimension, dimension, n_steps, 1);
    return traffic == G_MAXUINT64 ? 0 : traffic;
}

guint64 offsets_radices_traffic(const Group *group, guint n_steps)
{
    guint64 least = G_MAXUINT64;
    Phases radices = radices_uniform(group->n, 2);
    do {
        g_autoptr(Offsets) offsets = offsets_of_radices(&radices, group, 1);
        if (offsets->len == n_steps)
            least = MIN(least, offsets_traffic(offsets, group));
    } while (radices_next(&radices, group->n));
    return least == G_MAXUINT64 ? 0 : least;
}

/* --- search --- */

#define MOVES_PER_OFFSET 30000 /* moves of an annealing for each offset that may change */
#define MOVES_PER_LOOK 64      /* moves between looks at the clock */
#define BASES_TRIED 300

typedef struct {
    const Group *group;
    guint n_units; /* number of offsets at the beginning that stay: a cube's unit vectors; 0 in other groups */
    Offsets *offsets;
    GRand *random;
    guint64 traffic;
    gint64 end_us; /* monotonic time at which the search must end, in µs */
} OffsetsSearch;

static guint offsets_draw(const OffsetsSearch *s, guint n)
{
    return (guint)g_rand_int_range(s->random, 0, (gint32)n);
}

static void draw_offsets(OffsetsSearch *s, guint n_steps)
{
    g_array_set_size(s->offsets, 0);
    for (guint i = 0; i < n_steps; i++)
        g_array_append_val(s->offsets, (guint32){i < s->n_units ? 1u << i : 1 + offsets_draw(s, s->group->n - 1)});
    s->traffic = offsets_traffic(s->offsets, s->group);
}

/* Changes a random offset, and sets `*i` to its index. On a cube flips a bit, adds another offset, or draws a new
 * offset; in other groups draws a new one. Returns the old value. */
static guint32 change(OffsetsSearch *s, guint *i)
{
    *i = s->n_units + offsets_draw(s, s->offsets->len - s->n_units);
    guint32 *offset = &g_array_index(s->offsets, guint32, *i), old = *offset;
    if (!s->group->binary) {
        *offset = 1 + offsets_draw(s, s->group->n - 1);
        return old;
    }
    const guint32 by[] = {1u << offsets_draw(s, s->group->dimension),
                          offsets_nth(s->offsets, offsets_draw(s, s->offsets->len)),
                          old ^ (1 + offsets_draw(s, s->group->n - 1))};
    *offset ^= by[offsets_draw(s, G_N_ELEMENTS(by))];
    if (!*offset)
        *offset = old;
    return old;
}

static void offsets_keep_if_better(const OffsetsSearch *s, Offsets *best, guint64 *least)
{
    if (s->traffic >= *least)
        return;
    *least = s->traffic;
    g_array_set_size(best, 0);
    g_array_append_vals(best, s->offsets->data, s->offsets->len);
}

/* Anneals s->offsets. Keeps the best list so far in `best`, and its traffic in `*least`. Ends after MOVES_PER_OFFSET
 * moves for each free offset, when `*least` attains `bound`, or at s->end_us. */
static void anneal(OffsetsSearch *s, guint64 bound, Offsets *best, guint64 *least)
{
    guint n_free = s->offsets->len - s->n_units, n_moves = MOVES_PER_OFFSET * n_free;
    double start = 0.004 * (double)s->traffic / sqrt(s->offsets->len), heat = start;
    for (guint move = 0; move < n_moves && *least > bound; move++) {
        guint i;
        guint32 old = change(s, &i);
        guint64 traffic = offsets_traffic(s->offsets, s->group);
        double worse = (double)traffic - (double)s->traffic;
        if (worse <= 0 || g_rand_double(s->random) < exp(-worse / heat))
            s->traffic = traffic;
        else
            g_array_index(s->offsets, guint32, i) = old;
        offsets_keep_if_better(s, best, least);
        if (move % MOVES_PER_LOOK == 0 && g_get_monotonic_time() > s->end_us)
            return;
        if (move % MOVES_PER_LOOK == 0)
            heat = start * pow(0.02, (double)move / n_moves);
    }
}

/* Adds bit `from` to bit `to` in all offsets: a change of basis, which keeps the traffic W. */
static void add_bit(Offsets *offsets, guint from, guint to)
{
    for (guint i = 0; i < offsets->len; i++)
        g_array_index(offsets, guint32, i) ^= (offsets_nth(offsets, i) >> from & 1) << to;
}

/* Changes the basis of the offsets by adding bits to other bits, as long as that lowers the number of hops. */
static void descend(Offsets *offsets, const Group *cube)
{
    guint dimension = cube->dimension;
    guint64 hops = offsets_hops(offsets, cube);
    gboolean better = TRUE;
    while (better) {
        better = FALSE;
        for (guint i = 0; i < dimension * dimension; i++) {
            guint from = i / dimension, to = i % dimension;
            if (from == to)
                continue;
            add_bit(offsets, from, to);
            guint64 now = offsets_hops(offsets, cube);
            if (now < hops)
                better = TRUE;
            else
                add_bit(offsets, from, to);
            hops = MIN(hops, now);
        }
    }
}

/* Changes `best` to the basis with the fewest hops among those that it tries. */
static void find_basis(const OffsetsSearch *s, Offsets *best)
{
    g_autoptr(Offsets) offsets = g_array_copy(best);
    guint dimension = s->group->dimension;
    for (guint trial = 0; trial < BASES_TRIED && dimension > 1; trial++) {
        descend(offsets, s->group);
        if (offsets_hops(offsets, s->group) < offsets_hops(best, s->group)) {
            g_array_set_size(best, 0);
            g_array_append_vals(best, offsets->data, offsets->len);
        }
        for (guint i = 0; i < dimension; i++) {
            guint from = offsets_draw(s, dimension), to = (from + 1 + offsets_draw(s, dimension - 1)) % dimension;
            add_bit(offsets, from, to);
        }
    }
}

Offsets *offsets_search(const Group *group, guint n_steps, const OffsetsKnown *known, double seconds, GRand *random)
{
    OffsetsSearch s = {.group = group,
                       .n_units = group->binary ? group->dimension : 0,
                       .offsets = offsets_new(),
                       .random = random,
                       .end_us = g_get_monotonic_time() + (gint64)(seconds * G_USEC_PER_SEC)};
    guint64 bound = offsets_bound(group->n - 1, n_steps, 1), least = G_MAXUINT64;
    g_autoptr(Offsets) best = offsets_new();
    do {
        draw_offsets(&s, n_steps);
        offsets_keep_if_better(&s, best, &least);
        anneal(&s, bound, best, &least);
    } while (n_steps > s.n_units && least > bound && g_get_monotonic_time() < s.end_us);
    offsets_free(s.offsets);
    if (least > known->traffic)
        return NULL;
    if (group->binary)
        find_basis(&s, best);
    return least < known->traffic || offsets_hops(best, group) < known->hops ? g_steal_pointer(&best) : NULL;
}
