#include "regret.h"
#include "models/hull.h"

#include <math.h>
#include <string.h>

gboolean regret_counts(const Observation *observation)
{
    return observation->run.problem.pattern == pattern_default();
}

static gint64 bytes_of(const Observation *o)
{
    return o->run.problem.data.bytes;
}

/* Measured under the same circumstances. */
static gboolean is_like(const Observation *a, const Observation *b)
{
    const Machine *m = &a->machine, *n = &b->machine;
    return a->run.problem.dimension == b->run.problem.dimension && bytes_of(a) == bytes_of(b) &&
           m->ports == n->ports && m->duplex == n->duplex && m->switching == n->switching &&
           m->packet == n->packet && m->pairwise_sync == n->pairwise_sync && m->phase_barrier == n->phase_barrier;
}

char *regret_name(const Observation *observation)
{
    const Problem *problem = &observation->run.problem;
    g_autofree char *parts = partition_format(&problem->partition);
    return problem->algorithm->takes & TAKES_PARTITION ? g_strdup_printf("%s %s", problem->algorithm->name, parts)
                                                       : g_strdup(problem->algorithm->name);
}

/* The observation's options with the machine's constants. */
static Machine machine_as(const Observation *o, const Machine *machine)
{
    Machine both = o->machine;
    for (guint i = 0; i < constants_count(); i++)
        constant_set(&both, i, constant_get(machine, i));
    both.short_limit = machine->short_limit;
    return both;
}

static Regret begin(const Observation *o, const Machine *machine)
{
    Machine both = machine_as(o, machine);
    double bytes = (double)bytes_of(o);
    HullCosts costs = hull_costs(&both, o->run.problem.dimension, EXCHANGE_TRUE_DISTANCE, FALSE, bytes);
    Regret regret = {.first = o, .hull = hull_best_at(&costs, bytes), .regret = NAN};
    regret.promise_ps = exchange_line_at(hull_partition_line(&costs, &regret.hull), bytes);
    return regret;
}

static void add(Regret *regret, const Observation *o)
{
    if (!regret->best || o->time_ps < regret->best->time_ps)
        regret->best = o;
    gboolean is_choice = partition_has_parts(&o->run.problem.partition, &regret->hull);
    if (is_choice && (!regret->chosen || o->time_ps < regret->chosen->time_ps))
        regret->chosen = o;
    if (regret->chosen)
        regret->regret = regret->chosen->time_ps / regret->best->time_ps - 1;
}

static Regret *find_like(GArray *list, const Observation *o)
{
    for (guint i = list->len; i-- > 0;)
        if (is_like(g_array_index(list, Regret, i).first, o))
            return &g_array_index(list, Regret, i);
    return NULL;
}

/* Complete exchanges of one size, or of all (-1). */
static void add_all(GArray *list, const GPtrArray *observations, const Machine *machine, gint64 bytes)
{
    for (guint i = 0; i < observations->len; i++) {
        const Observation *o = g_ptr_array_index(observations, i);
        if (!regret_counts(o) || (bytes >= 0 && bytes_of(o) != bytes))
            continue;
        Regret *known = find_like(list, o);
        if (!known) {
            Regret first = begin(o, machine);
            g_array_append_val(list, first);
            known = &g_array_index(list, Regret, list->len - 1);
        }
        add(known, o);
    }
}

GArray *regret_list(const GPtrArray *observations, const Machine *machine)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(Regret));
    add_all(list, observations, machine, -1);
    return list;
}

RegretSum regret_sum(const GArray *regrets)
{
    RegretSum sum = {0};
    for (guint i = 0; i < regrets->len; i++) {
        double regret = g_array_index(regrets, Regret, i).regret;
        if (isnan(regret)) {
            sum.n_unknown++;
            continue;
        }
        sum.n++;
        sum.worst = fmax(sum.worst, regret);
        sum.mean += regret;
    }
    sum.mean /= MAX(1, sum.n);
    return sum;
}

/* --- without a size --- */

static gboolean has_size(const Sample *sample, gconstpointer bytes)
{
    return regret_counts(sample->observation) && bytes_of(sample->observation) == *(const gint64 *)bytes;
}

/* What is not found without the size is the machine's. */
static Machine machine_without(const Fit *fit, const Machine *machine, gint64 bytes)
{
    g_autoptr(Fit) other = fit_without(fit, has_size, &bytes);
    Machine result = *machine;
    for (guint i = 0; other && i < constants_count(); i++)
        if (fit->fate[i] != FIT_UNSEEN)
            constant_set(&result, i, constant_get(&other->estimate, i));
    return result;
}

GArray *regret_list_left_out(const Fit *fit, const GPtrArray *observations, const Machine *machine)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(Regret));
    g_autoptr(GHashTable) sizes = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint i = 0; i < observations->len; i++) {
        const Observation *o = g_ptr_array_index(observations, i);
        gint64 bytes = bytes_of(o);
        if (!regret_counts(o) || !g_hash_table_add(sizes, g_memdup2(&bytes, sizeof bytes)))
            continue;
        Machine other = machine_without(fit, machine, bytes);
        add_all(list, observations, &other, bytes);
    }
    return list;
}
