#include "offsets.h"
#include "sim/cube/cube.h"

#include <math.h>
#include <string.h>

/* --- the bound --- */

guint64 offsets_bound(guint dimension, guint64 n_rounds)
{
    guint64 left = ((guint64)1 << dimension) - 1, traffic = 0;
    __int128 reached = 1; /* C(k, w) */
    for (guint w = 1; left > 0; w++) {
        if (w > n_rounds)
            return G_MAXUINT64;
        reached = reached * (n_rounds - w + 1) / w;
        guint64 served = (guint64)MIN(reached, (__int128)left);
        traffic += w * served;
        left -= served;
    }
    return traffic;
}

/* --- lists that were found --- */

/* By dimension and number of messages; `ecube offsets --search` found them, but for Golay's, which is d = 11. */
static const struct {
    guint8 dimension, n_steps;
    const char *offsets;
} found[] = {
#include "offset_lists.inc"
};

/* --- what is known --- */

/* A list is one that was found (part = 0), or that of one message less and an offset (APPENDED), or the direct sum of
 * the best lists of two cubes, the first of `part` dimensions and n_steps messages. */
typedef struct {
    guint part;
    guint n_steps; /* APPENDED: the offset */
    const char *offsets;
} Origin;

#define APPENDED G_MAXUINT
#define UNSUMMED_MAX 10 /* of larger cubes not all numbers of messages are tabled */

static struct {
    guint n; /* 0: not yet made */
    OffsetsKnown *known;
    Origin *origin;
} tables[OFFSETS_KNOWN_MAX + 1];

static void make_table(guint dimension);

static guint n_nonzero(guint dimension)
{
    return cube_n_nodes(dimension) - 1;
}

const OffsetsKnown *offsets_known(guint dimension, guint *n)
{
    if (!tables[dimension].n)
        make_table(dimension);
    *n = tables[dimension].n;
    return tables[dimension].known;
}

/* Rows have all numbers of messages from d on; then comes Direct. */
const OffsetsKnown *offsets_known_of(guint dimension, guint n_steps)
{
    guint n;
    const OffsetsKnown *known = offsets_known(dimension, &n);
    if (n_steps == n_nonzero(dimension))
        return &known[n - 1];
    return n_steps >= dimension && n_steps - dimension < n - 1 ? &known[n_steps - dimension] : NULL;
}

/* Takes what is better: less traffic, or the same and fewer hops. */
static void offer(guint dimension, guint n_steps, guint64 traffic, guint64 hops, Origin origin)
{
    OffsetsKnown *known = &tables[dimension].known[n_steps - dimension];
    if (known->traffic < traffic || (known->traffic == traffic && known->hops <= hops))
        return;
    *known = (OffsetsKnown){n_steps, traffic, hops};
    tables[dimension].origin[n_steps - dimension] = origin;
}

static void offer_found(guint dimension)
{
    for (guint i = 0; i < G_N_ELEMENTS(found); i++) {
        if (found[i].dimension != dimension)
            continue;
        g_autoptr(Offsets) offsets = offsets_parse("", found[i].offsets, group_of_cube(dimension), NULL);
        offer(dimension, offsets->len, offsets_traffic(offsets, group_of_cube(dimension)), offsets_hops(offsets),
              (Origin){0, 0, found[i].offsets});
    }
}

/* Two lists on disjoint bits: every cover is one of each. */
static void offer_sums(guint dimension, guint part, guint most)
{
    guint n_tops, n_rests, rest = dimension - part;
    const OffsetsKnown *tops = offsets_known(part, &n_tops), *rests = offsets_known(rest, &n_rests);
    for (guint i = 0; i < n_tops; i++)
        for (guint j = 0; j < n_rests && tops[i].n_steps + rests[j].n_steps <= most; j++)
            offer(dimension, tops[i].n_steps + rests[j].n_steps, (tops[i].traffic << rest) + (rests[j].traffic << part),
                  tops[i].hops + rests[j].hops, (Origin){part, tops[i].n_steps, NULL});
}

/* What the list saves if it has one offset more, s. */
static guint64 saved_by(const guint8 *weight, guint n_nodes, guint32 s)
{
    guint64 saved = 0;
    for (guint32 g = 0; g < n_nodes; g++)
        saved += weight[g] > weight[g ^ s] + 1 ? weight[g] - weight[g ^ s] - 1u : 0;
    return saved;
}

/* The offset that saves most, and of these the one with fewest bits. Where no cover has more than two steps each saves
 * one block, its own. */
static guint32 next_offset(const guint8 *weight, guint dimension, gboolean one_each, guint64 *saved)
{
    guint32 best = 0;
    *saved = 0;
    for (guint32 s = 1; s < cube_n_nodes(dimension); s++) {
        guint64 saves = weight[s] < 2 ? 0 : one_each ? 1 : saved_by(weight, cube_n_nodes(dimension), s);
        gboolean fewer = best && saves == *saved && cube_distance(0, s) < cube_distance(0, best);
        if (saves <= *saved && !fewer)
            continue;
        best = s;
        *saved = saves;
    }
    return best;
}

/* Lists with one offset more, where no better ones are known. */
static void offer_longer(guint dimension, guint most)
{
    guint64 n = n_nonzero(dimension), saved;
    g_autofree guint8 *weight = g_malloc(n + 1);
    for (guint k = MAX(1, dimension); k < most; k++) {
        const OffsetsKnown *at = &tables[dimension].known[k - dimension];
        gboolean one_each = at->traffic == 2 * n - k;
        if (!one_each && (at[1].traffic < at->traffic || dimension > OFFSETS_SEARCHED_MAX))
            continue;
        if (!one_each || tables[dimension].origin[k - dimension].part != APPENDED) {
            g_autoptr(Offsets) offsets = offsets_best(dimension, k);
            offsets_weigh(offsets, group_of_cube(dimension), weight);
        }
        guint32 s = next_offset(weight, dimension, one_each, &saved);
        offer(dimension, k + 1, at->traffic - saved, at->hops + cube_distance(0, s), (Origin){APPENDED, s, NULL});
        weight[s] = 1;
    }
}

static void make_table(guint dimension)
{
    guint all = n_nonzero(dimension), most = dimension <= UNSUMMED_MAX ? all : OFFSETS_STEPS_MAX;
    guint n = most - dimension + 1 + (most < all);
    tables[dimension].known = g_new0(OffsetsKnown, n);
    tables[dimension].origin = g_new0(Origin, n);
    for (guint i = 0; i < n; i++)
        tables[dimension].known[i] = (OffsetsKnown){dimension + i, G_MAXUINT64, G_MAXUINT64};
    tables[dimension].n = n;
    if (dimension == 0)
        tables[0].known[0] = (OffsetsKnown){0, 0, 0};
    offer_found(dimension);
    for (guint part = 1; part <= dimension / 2; part++)
        offer_sums(dimension, part, most);
    offer_longer(dimension, most);
    if (most < all)
        tables[dimension].known[n - 1] = (OffsetsKnown){all, all, (guint64)dimension << (dimension - 1)};
}

/* Traffic that is saved by a message, from list i to list j. */
static double saving(const OffsetsKnown *known, guint i, guint j)
{
    return ((double)known[i].traffic - (double)known[j].traffic) / (known[j].n_steps - known[i].n_steps);
}

gboolean offsets_is_corner(guint dimension, guint i)
{
    guint n;
    const OffsetsKnown *known = offsets_known(dimension, &n);
    double before = INFINITY, after = 0;
    for (guint j = 0; j < i; j++)
        before = fmin(before, saving(known, j, i));
    for (guint j = i + 1; j < n; j++)
        after = fmax(after, saving(known, i, j));
    return before > after;
}

gboolean offsets_is_member(guint dimension, guint i)
{
    const OffsetsKnown *known = tables[dimension].known;
    const Origin *origin = &tables[dimension].origin[i];
    guint n = tables[dimension].n;
    gboolean appended = origin->part == APPENDED && i + 1 < n && origin[1].part == APPENDED;
    gboolean last = appended && known[i + 1].hops - known[i].hops > known[i].hops - known[i - 1].hops;
    return origin->part == 0 || (origin->part == APPENDED && (last || offsets_is_corner(dimension, i)));
}

void offsets_add(Offsets *offsets, const Offsets *more, guint stop)
{
    for (guint i = 0; i < more->len; i++)
        g_array_append_val(offsets, (guint32){offsets_nth(more, i) << stop});
}

/* Adds the best list of a part of the bits, those from `stop` on. */
static void add_best(Offsets *offsets, guint dimension, guint n_steps, guint stop)
{
    g_autoptr(Offsets) part = offsets_best(dimension, n_steps);
    offsets_add(offsets, part, stop);
}

static Offsets *direct_offsets(guint dimension)
{
    Offsets *offsets = offsets_new();
    for (guint32 s = 1; s < cube_n_nodes(dimension); s++)
        g_array_append_val(offsets, s);
    return offsets;
}

Offsets *offsets_best(guint dimension, guint n_steps)
{
    g_assert(offsets_known_of(dimension, n_steps));
    if (n_steps == n_nonzero(dimension))
        return direct_offsets(dimension);
    const Origin *origin = &tables[dimension].origin[n_steps - dimension];
    guint n_appended = 0;
    for (; origin->part == APPENDED; origin--)
        n_appended++;
    if (!origin->part && !n_appended)
        return offsets_parse("", origin->offsets, group_of_cube(dimension), NULL);
    Offsets *offsets = offsets_new();
    if (n_appended) {
        add_best(offsets, dimension, n_steps - n_appended, 0);
        for (guint i = 1; i <= n_appended; i++)
            g_array_append_val(offsets, (guint32){origin[i].n_steps});
    } else {
        add_best(offsets, dimension - origin->part, n_steps - origin->n_steps, 0);
        add_best(offsets, origin->part, origin->n_steps, dimension - origin->part);
    }
    return offsets;
}

/* Parts of at least `least` dimensions, in any order, whose messages are n_steps. */
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

/* --- search --- */

#define MOVES_PER_OFFSET 30000 /* of an annealing */
#define MOVES_PER_LOOK 64      /* at the clock */
#define BASES_TRIED 300

typedef struct {
    guint dimension, n_units; /* the first offsets are unit vectors and stay */
    Offsets *offsets;
    GRand *random;
    guint64 traffic;
    gint64 end_us; /* when the search is to end */
} Search;

static guint draw(const Search *s, guint n)
{
    return (guint)g_rand_int_range(s->random, 0, (gint32)n);
}

static void draw_offsets(Search *s, guint n_steps)
{
    g_array_set_size(s->offsets, 0);
    for (guint i = 0; i < n_steps; i++)
        g_array_append_val(s->offsets, (guint32){i < s->n_units ? 1u << i : 1 + draw(s, n_nonzero(s->dimension))});
    s->traffic = offsets_traffic(s->offsets, group_of_cube(s->dimension));
}

/* Changes one offset: a bit of it, by another offset, or altogether. Returns what it was; `*i` says which. */
static guint32 change(Search *s, guint *i)
{
    *i = s->n_units + draw(s, s->offsets->len - s->n_units);
    guint32 *offset = &g_array_index(s->offsets, guint32, *i), old = *offset;
    const guint32 by[] = {1u << draw(s, s->dimension), offsets_nth(s->offsets, draw(s, s->offsets->len)),
                          old ^ (1 + draw(s, n_nonzero(s->dimension)))};
    *offset ^= by[draw(s, G_N_ELEMENTS(by))];
    if (!*offset)
        *offset = old;
    return old;
}

static void keep_if_better(const Search *s, Offsets *best, guint64 *least)
{
    if (s->traffic >= *least)
        return;
    *least = s->traffic;
    g_array_set_size(best, 0);
    g_array_append_vals(best, s->offsets->data, s->offsets->len);
}

/* One annealing of the list that has been drawn. Leaves the best list in `best`, if it is better than that. */
static void anneal(Search *s, guint64 bound, Offsets *best, guint64 *least)
{
    guint n_free = s->offsets->len - s->n_units, n_moves = MOVES_PER_OFFSET * n_free;
    double start = 0.004 * (double)s->traffic / sqrt(s->offsets->len), heat = start;
    for (guint move = 0; move < n_moves && *least > bound; move++) {
        guint i;
        guint32 old = change(s, &i);
        guint64 traffic = offsets_traffic(s->offsets, group_of_cube(s->dimension));
        double worse = (double)traffic - (double)s->traffic;
        if (worse <= 0 || g_rand_double(s->random) < exp(-worse / heat))
            s->traffic = traffic;
        else
            g_array_index(s->offsets, guint32, i) = old;
        keep_if_better(s, best, least);
        if (move % MOVES_PER_LOOK == 0 && g_get_monotonic_time() > s->end_us)
            return;
        if (move % MOVES_PER_LOOK == 0)
            heat = start * pow(0.02, (double)move / n_moves);
    }
}

/* Adds bit `from` of all offsets to bit `to`. A change of basis: W stays. */
static void add_bit(Offsets *offsets, guint from, guint to)
{
    for (guint i = 0; i < offsets->len; i++)
        g_array_index(offsets, guint32, i) ^= (offsets_nth(offsets, i) >> from & 1) << to;
}

/* Adds bits to others as long as that makes hops fewer. */
static void descend(Offsets *offsets, guint dimension)
{
    guint64 hops = offsets_hops(offsets);
    gboolean better = TRUE;
    while (better) {
        better = FALSE;
        for (guint i = 0; i < dimension * dimension; i++) {
            guint from = i / dimension, to = i % dimension;
            if (from == to)
                continue;
            add_bit(offsets, from, to);
            guint64 now = offsets_hops(offsets);
            if (now < hops)
                better = TRUE;
            else
                add_bit(offsets, from, to);
            hops = MIN(hops, now);
        }
    }
}

/* Looks for a basis in which the list has few hops. */
static void find_basis(const Search *s, Offsets *best)
{
    g_autoptr(Offsets) offsets = g_array_copy(best);
    for (guint trial = 0; trial < BASES_TRIED && s->dimension > 1; trial++) {
        descend(offsets, s->dimension);
        if (offsets_hops(offsets) < offsets_hops(best)) {
            g_array_set_size(best, 0);
            g_array_append_vals(best, offsets->data, offsets->len);
        }
        for (guint i = 0; i < s->dimension; i++) {
            guint from = draw(s, s->dimension), to = (from + 1 + draw(s, s->dimension - 1)) % s->dimension;
            add_bit(offsets, from, to);
        }
    }
}

Offsets *offsets_search(guint dimension, guint n_steps, const OffsetsKnown *known, double seconds, GRand *random)
{
    Search s = {.dimension = dimension,
                .n_units = dimension,
                .offsets = offsets_new(),
                .random = random,
                .end_us = g_get_monotonic_time() + (gint64)(seconds * G_USEC_PER_SEC)};
    guint64 bound = offsets_bound(dimension, n_steps), least = G_MAXUINT64;
    g_autoptr(Offsets) best = offsets_new();
    do {
        draw_offsets(&s, n_steps);
        keep_if_better(&s, best, &least);
        anneal(&s, bound, best, &least);
    } while (n_steps > dimension && least > bound && g_get_monotonic_time() < s.end_us);
    offsets_free(s.offsets);
    if (least > known->traffic)
        return NULL;
    find_basis(&s, best);
    return least < known->traffic || offsets_hops(best) < known->hops ? g_steal_pointer(&best) : NULL;
}

/* Tries all offsets above `last` for those from `i` on. */
static guint64 try_all(Offsets *offsets, guint dimension, guint i, guint32 last)
{
    if (i == offsets->len)
        return offsets_traffic(offsets, group_of_cube(dimension));
    guint64 least = G_MAXUINT64;
    for (guint32 s = last + 1; s < cube_n_nodes(dimension); s++) {
        if (!(s & (s - 1)))
            continue;
        g_array_index(offsets, guint32, i) = s;
        least = MIN(least, try_all(offsets, dimension, i + 1, s));
    }
    return least;
}

guint64 offsets_least_traffic(guint dimension, guint n_steps)
{
    g_autoptr(Offsets) offsets = offsets_new();
    for (guint i = 0; i < n_steps; i++)
        g_array_append_val(offsets, (guint32){i < dimension ? 1u << i : 0});
    return try_all(offsets, dimension, dimension, 0);
}
