#include "circuits.h"

#include <math.h>
#include <string.h>

/* --- what is known --- */

/* Lists that `ecube offsets --circuits --search` found, by the number of processors. */
static const struct {
    guint n;
    const char *offsets;
} found[] = {
#include "circuit_lists.inc"
};

gboolean circuits_are_known(const Group *group)
{
    return !group->binary && offsets_are_known(group);
}

static void circuits_add(GArray *lists, const Group *group, const Offsets *offsets)
{
    g_autofree char *text = offsets_format(offsets);
    CircuitsKnown list = {offsets_n_circuits(offsets), offsets->len, offsets_traffic(offsets, group),
                          g_intern_string(text)};
    g_array_append_val(lists, list);
}

/* Compares lists by number of circuits, then by messages, traffic and text. */
static int compare_lists(gconstpointer a, gconstpointer b)
{
    const CircuitsKnown *x = a, *y = b;
    if (x->n_circuits != y->n_circuits)
        return x->n_circuits < y->n_circuits ? -1 : 1;
    if (x->n_steps != y->n_steps)
        return x->n_steps < y->n_steps ? -1 : 1;
    if (x->traffic != y->traffic)
        return x->traffic < y->traffic ? -1 : 1;
    return strcmp(x->offsets, y->offsets);
}

static gboolean is_dominated(const GArray *kept, const CircuitsKnown *list)
{
    for (guint i = 0; i < kept->len; i++) {
        const CircuitsKnown *other = &g_array_index(kept, CircuitsKnown, i);
        if (other->n_steps <= list->n_steps && other->traffic <= list->traffic)
            return TRUE;
    }
    return FALSE;
}

/* Returns the lists with less traffic than all others with no more circuits and no more messages. Caller unrefs. */
static GArray *keep_best(GArray *lists)
{
    GArray *kept = g_array_new(FALSE, FALSE, sizeof(CircuitsKnown));
    g_array_sort(lists, compare_lists);
    for (guint i = 0; i < lists->len; i++)
        if (!is_dominated(kept, &g_array_index(lists, CircuitsKnown, i)))
            g_array_append_vals(kept, &g_array_index(lists, CircuitsKnown, i), 1);
    return kept;
}

/* Returns the best of all known lists for a group (keep_best()): rings for each list of radices, the lists of
 * circuit_lists.inc, and the best lists that repeat no offset. */
static GArray *circuits_make(const Group *group)
{
    g_autoptr(GArray) lists = g_array_new(FALSE, FALSE, sizeof(CircuitsKnown)), radices = offsets_all_radices(group);
    for (guint i = 0; i < radices->len; i++) {
        g_autoptr(Offsets) rings = offsets_of_rings(&g_array_index(radices, Phases, i), group);
        circuits_add(lists, group, rings);
    }
    for (guint i = 0; i < G_N_ELEMENTS(found); i++) {
        g_autoptr(Offsets) offsets = found[i].n == group->n ? offsets_parse("", found[i].offsets, group, NULL) : NULL;
        if (offsets)
            circuits_add(lists, group, offsets);
    }
    guint n;
    const OffsetsKnown *known = offsets_known(group, &n);
    for (guint i = 0; i < n; i++) {
        g_autoptr(Offsets) offsets = offsets_best(group, known[i].n_steps);
        circuits_add(lists, group, offsets);
    }
    return keep_best(lists);
}

const GArray *circuits_known(const Group *group)
{
    static GArray *known[OFFSETS_MODULO_MAX + 1];
    g_assert(circuits_are_known(group));
    if (!known[group->n])
        known[group->n] = circuits_make(group);
    return known[group->n];
}

const CircuitsKnown *circuits_known_of(const Group *group, guint n_circuits, guint n_steps)
{
    const GArray *known = circuits_known(group);
    for (guint i = 0; i < known->len; i++) {
        const CircuitsKnown *list = &g_array_index(known, CircuitsKnown, i);
        if (list->n_circuits == n_circuits && list->n_steps == n_steps)
            return list;
    }
    return NULL;
}

guint circuits_least_steps(const Group *group, guint n_circuits)
{
    guint k = n_circuits;
    while (offsets_circuits_bound(group->n - 1, n_circuits, k, 1) == G_MAXUINT64)
        k++;
    return k;
}

/* --- search --- */

#define MOVES 20000             /* moves of one annealing */
#define MOVES_PER_LOOK 64       /* moves between looks at the clock */

/* Runs of a list of offsets: run j repeats offset[j] length[j] times. */
typedef struct {
    const Group *group;
    guint n;                    /* number of runs, q */
    guint32 *offset;            /* [n]: offset of each run */
    guint *length;              /* [n]: number of steps of each run, at least 1 */
    GRand *random;
} Runs;

static guint runs_draw(const Runs *runs, guint n)
{
    return (guint)g_rand_int_range(runs->random, 0, (gint32)n);
}

/* Returns the list of offsets that the runs make up. Caller frees. */
static Offsets *runs_list(const Runs *runs)
{
    Offsets *offsets = offsets_new();
    for (guint j = 0; j < runs->n; j++)
        for (guint i = 0; i < runs->length[j]; i++)
            g_array_append_val(offsets, runs->offset[j]);
    return offsets;
}

static guint64 runs_traffic(const Runs *runs)
{
    g_autoptr(Offsets) offsets = runs_list(runs);
    return offsets_traffic(offsets, runs->group);
}

/* Starts with random offsets, but 1 in the first run, and with n_steps steps in runs as equally long as possible. */
static void runs_begin(Runs *runs, guint n_steps)
{
    for (guint j = 0; j < runs->n; j++) {
        runs->offset[j] = j ? 1 + runs_draw(runs, runs->group->n - 1) : 1;
        runs->length[j] = n_steps / runs->n + (j < n_steps % runs->n);
    }
}

/* Changes the offset of a run, or moves one message from a run to another. */
static void runs_change(Runs *runs)
{
    guint j = runs_draw(runs, runs->n), other = runs_draw(runs, runs->n);
    if (runs_draw(runs, 4) == 0 && runs->length[j] > 1) {
        runs->length[j]--;
        runs->length[other]++;
    } else {
        runs->offset[j] = 1 + runs_draw(runs, runs->group->n - 1);
    }
}

/* Anneals `now` for at most MOVES moves. Ends earlier at the time end_us, or when `*least` attains `bound`. Keeps the
 * best runs so far in `best`, and their traffic in `*least`. */
static void runs_anneal(Runs *now, Runs *best, guint64 *least, guint64 bound, gint64 end_us)
{
    gsize offset_bytes = now->n * sizeof *now->offset, length_bytes = now->n * sizeof *now->length;
    g_autofree guint32 *offset = g_memdup2(now->offset, offset_bytes);
    g_autofree guint *length = g_memdup2(now->length, length_bytes);
    double traffic = (double)runs_traffic(now), start = 0.02 * (double)now->group->n;
    for (guint move = 0; move < MOVES && *least > bound; move++) {
        if (move % MOVES_PER_LOOK == 0 && g_get_monotonic_time() > end_us)
            return;
        runs_change(now);
        double next = (double)runs_traffic(now), heat = start * pow(0.01, (double)move / MOVES);
        if (next <= traffic || g_rand_double(now->random) < exp((traffic - next) / heat)) {
            traffic = next;
            memcpy(offset, now->offset, offset_bytes);
            memcpy(length, now->length, length_bytes);
        } else {
            memcpy(now->offset, offset, offset_bytes);
            memcpy(now->length, length, length_bytes);
        }
        if (traffic < (double)*least) {
            *least = (guint64)traffic;
            memcpy(best->offset, offset, offset_bytes);
            memcpy(best->length, length, length_bytes);
        }
    }
}

Offsets *circuits_search(const Group *group, guint n_circuits, guint n_steps, guint64 traffic, double seconds,
                         GRand *random)
{
    gint64 end_us = g_get_monotonic_time() + (gint64)(seconds * G_USEC_PER_SEC);
    Runs now = {group, n_circuits, g_new0(guint32, n_circuits), g_new0(guint, n_circuits), random};
    Runs best = {group, n_circuits, g_new0(guint32, n_circuits), g_new0(guint, n_circuits), random};
    guint64 bound = offsets_circuits_bound(group->n - 1, n_circuits, n_steps, 1), least = traffic;
    do {
        runs_begin(&now, n_steps);
        runs_anneal(&now, &best, &least, bound, end_us);
    } while (least > bound && g_get_monotonic_time() < end_us);
    Offsets *offsets = least < traffic ? runs_list(&best) : NULL;
    g_free(now.offset);
    g_free(now.length);
    g_free(best.offset);
    g_free(best.length);
    return offsets;
}
