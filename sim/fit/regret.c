#include "regret.h"
#include "models/hull.h"
#include "sim/patterns/registry.h"
#include "sim/run/keys.h"
#include "sim/text/message.h"

#include <math.h>
#include <string.h>

gboolean regret_counts(const Observation *observation)
{
    return problem_has_hull(&observation->run.problem);
}

static gboolean regret_is_cube(const Run *run)
{
    return problem_group(&run->problem)->binary;
}

const Algorithm *regret_algorithm(const Run *run)
{
    const Pattern *pattern = run->problem.pattern;
    return algorithm_find("", pattern, run->machine->ports == PORTS_ALL,
                          pattern->hull[run->machine->overlaps && regret_is_cube(run)], NULL);
}

gboolean regret_is_choice(const Run *run, const Phases *choice)
{
    const Problem *problem = &run->problem;
    gboolean is_phased = problem->algorithm->phases != NULL;    /* whether the algorithm is Standard or Direct: they
                                                                 * have a fixed partition, and wait for messages as
                                                                 * multiphase does */
    if (problem->algorithm != regret_algorithm(run) && !(is_phased && !(run->machine->overlaps && regret_is_cube(run))))
        return FALSE;
    if (regret_is_cube(run))
        return partition_equal(&problem->partition, choice) ||
               (!machine_shares_channels(run->machine) && partition_has_parts(&problem->partition, choice));
    return is_phased ? choice->part[0] == problem_n_nodes(problem) : partition_equal(&problem->partition, choice);
}

RegretChoice regret_choice(const Machine *machine, const Run *run)
{
    double bytes = (double)run->problem.data.bytes;
    if (!regret_is_cube(run)) {
        g_autoptr(Hull) hull = hull_at(machine, problem_group(&run->problem), HULL_MIXED, bytes);
        const HullFace *face = hull_lookup(hull, bytes);
        return (RegretChoice){face->partition, exchange_line_at(face->line, bytes)};
    }
    HullCosts costs = hull_costs(machine, run->problem.dimension, EXCHANGE_TRUE_DISTANCE, FALSE, bytes);
    RegretChoice choice = {.partition = hull_best_at(&costs, bytes)};
    choice.promise_ps = exchange_line_at(hull_partition_line(&costs, &choice.partition), bytes);
    return choice;
}

static gboolean has_schedule(const Observation *observation)
{
    return observation->run.problem.algorithm->make != NULL;
}

static gint64 regret_bytes(const Observation *o)
{
    return o->run.problem.data.bytes;
}

/* Whether two observations belong to the same Regret: same processors, size and options of the machine. */
static gboolean is_like(gconstpointer first, gconstpointer second)
{
    const Observation *a = first, *b = second;
    const Machine *m = &a->machine, *n = &b->machine;
    return problem_group(&a->run.problem) == problem_group(&b->run.problem) && regret_bytes(a) == regret_bytes(b) &&
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

/* Returns a new Regret for the processors, size and options of `o`, with the hull's choice by the constants of
 * `machine`. It has no observations yet: regret_add() adds them. */
static Regret regret_begin(const Observation *o, const Machine *machine)
{
    Machine both = o->machine;
    for (guint i = 0; i < constants_count(); i++)
        constant_set(&both, i, constant_get(machine, i));
    both.short_limit = machine->short_limit;
    both.long_limit = machine->long_limit;
    RegretChoice choice = regret_choice(&both, &o->run);
    return (Regret){.first = o, .hull = choice.partition, .promise_ps = choice.promise_ps, .regret = NAN};
}

static void regret_add(Regret *regret, const Observation *o)
{
    if (!regret->best || o->time_ps < regret->best->time_ps)
        regret->best = o;
    if (observation_is_library(o) && (!regret->library || o->time_ps < regret->library->time_ps))
        regret->library = o;
    gboolean is_choice = has_schedule(o) && regret_is_choice(&o->run, &regret->hull);
    regret->n_alike += is_choice;
    if (is_choice && (!regret->chosen || o->time_ps < regret->chosen->time_ps))
        regret->chosen = o;
    if (regret->chosen)
        regret->regret = regret->chosen->time_ps / regret->best->time_ps - 1;
}

/* --- runs that were measured several times --- */

/* Returns a text that is equal for observations of one run. Caller frees. */
static char *regret_identity(const Observation *o)
{
    g_autofree char *machine = machine_canonical(&o->machine);
    GString *text = g_string_new(machine);
    const Group *group = problem_group(&o->run.problem);
    g_string_append_printf(text, "%s %d ", group->name, group->binary);
    if (has_schedule(o))
        run_put_identity(&o->run, text);
    else
        g_string_append_printf(text, "%s %" G_GINT64_FORMAT, o->run.problem.algorithm->name, regret_bytes(o));
    return g_string_free(text, FALSE);
}

/* Joins `times` [n >= 1], observations of one run, into one copy with the geometric mean of their times. Caller frees
 * with g_free(). */
static Observation *regret_join(const GPtrArray *times)
{
    Observation *joined = g_memdup2(times->pdata[0], sizeof *joined);
    g_autofree double *logs = g_new(double, times->len);
    double squares = 0;
    joined->run.machine = &joined->machine;
    if (times->len == 1)
        return joined;
    for (guint i = 0; i < times->len; i++) {
        StatisticsEstimate own = ((const Observation *)times->pdata[i])->log_time;
        logs[i] = own.centre;
        squares += own.error * own.error;
    }
    joined->log_time = statistics_mean(logs, times->len);
    joined->log_time.error = fmax(joined->log_time.error, sqrt(squares) / times->len);  /* fmax() ignores a NAN */
    joined->time_ps = exp(joined->log_time.centre);
    return joined;
}

GPtrArray *regret_pool(const GPtrArray *observations)
{
    g_autoptr(GHashTable) runs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                                                       (GDestroyNotify)g_ptr_array_unref);
    g_autoptr(GPtrArray) in_order = g_ptr_array_new();
    for (guint i = 0; i < observations->len; i++) {
        const Observation *o = g_ptr_array_index(observations, i);
        g_autofree char *identity = regret_counts(o) ? regret_identity(o) : NULL;
        GPtrArray *times = identity ? g_hash_table_lookup(runs, identity) : NULL;
        if (identity && !times) {
            times = g_ptr_array_new();
            g_ptr_array_add(in_order, times);
            g_hash_table_insert(runs, g_steal_pointer(&identity), times);
        }
        if (times)
            g_ptr_array_add(times, (gpointer)o);
    }
    GPtrArray *pool = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < in_order->len; i++)
        g_ptr_array_add(pool, regret_join(in_order->pdata[i]));
    return pool;
}

/* --- regrets of alike observations --- */

static guint circumstances_hash(gconstpointer observation)
{
    const Observation *o = observation;
    gint64 bytes = regret_bytes(o);
    return g_int64_hash(&bytes) * 31 + o->run.problem.dimension;
}

/* Groups of sizes for cross-validation: each group in turn is left out of the fit. */
typedef struct {
    GHashTable *group_of;   /* maps a size, gint64 bytes, to the index of its group */
    guint group;            /* index of the group that is left out now */
} Groups;

/* Whether `o` counts. It must be a complete exchange and, unless `baselines` is set, have a schedule. Its size must be
 * in the group that is left out now; `groups` NULL: any size will do. */
static gboolean regret_is_asked(const Observation *o, gboolean baselines, const Groups *groups)
{
    gint64 bytes = regret_bytes(o);
    return regret_counts(o) && (baselines || has_schedule(o)) &&
           (!groups || GPOINTER_TO_UINT(g_hash_table_lookup(groups->group_of, &bytes)) == groups->group);
}

/* Appends one Regret to `list` (GArray of Regret) for every place, which is a set of alike observations (is_like()).
 * Only observations with regret_is_asked() count. Hulls have the constants of `machine`. */
static void add_asked(GArray *list, const GPtrArray *observations, const Machine *machine,
                      gboolean baselines, const Groups *groups)
{
    g_autoptr(GHashTable) places = g_hash_table_new(circumstances_hash, is_like);
    for (guint i = 0; i < observations->len; i++) {
        Observation *o = g_ptr_array_index(observations, i);
        if (!regret_is_asked(o, baselines, groups))
            continue;
        guint nth = GPOINTER_TO_UINT(g_hash_table_lookup(places, o));   /* 1 + index of the Regret in `list`; 0: none
                                                                         * yet */
        if (nth == 0) {
            Regret first = regret_begin(o, machine);
            g_array_append_val(list, first);
            nth = list->len;
            g_hash_table_insert(places, o, GUINT_TO_POINTER(nth));
        }
        regret_add(&g_array_index(list, Regret, nth - 1), o);
    }
}

GArray *regret_list(const GPtrArray *observations, const Machine *machine, gboolean baselines)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(Regret));
    add_asked(list, observations, machine, baselines, NULL);
    return list;
}

RegretSum regret_sum_of(const GArray *regrets, const Group *group)
{
    RegretSum sum = {0};
    for (guint i = 0; i < regrets->len; i++) {
        const Regret *regret = &g_array_index(regrets, Regret, i);
        if (group && regret_group(regret) != group)
            continue;
        gboolean is_known = !isnan(regret->regret);
        sum.n += is_known;
        sum.n_unknown += !is_known;
        sum.worst = fmax(sum.worst, regret->regret);    /* fmax() ignores a NAN */
        sum.mean += is_known ? regret->regret : 0;
    }
    sum.mean /= MAX(1, sum.n);
    return sum;
}

/* --- fits without some of the sizes --- */

static gboolean has_size(const Sample *sample, gconstpointer groups)
{
    return regret_is_asked(sample->observation, FALSE, groups);
}

/* Returns the machine fitted without the sizes of groups->group. Constants on which none of the other times depends are
 * `machine`'s. */
static Machine machine_without(const Fit *fit, const Machine *machine, const Groups *groups)
{
    g_autoptr(Fit) other = fit_without(fit, has_size, groups);
    Machine result = *machine;
    for (guint i = 0; other && i < constants_count(); i++)
        if (other->fate[i] != FIT_UNSEEN)
            constant_set(&result, i, constant_get(&other->estimate, i));
    return result;
}

/* Returns a map of sizes (gint64 bytes) to indexes of groups. Sizes go to the groups in turn, as they first come.
 * Caller unrefs. */
static GHashTable *group_sizes(const GPtrArray *observations)
{
    GHashTable *group_of = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint i = 0; i < observations->len; i++) {
        const Observation *o = g_ptr_array_index(observations, i);
        gint64 bytes = regret_bytes(o);
        guint group = g_hash_table_size(group_of) % REGRET_GROUPS_MAX;
        if (regret_is_asked(o, FALSE, NULL) && !g_hash_table_contains(group_of, &bytes))
            g_hash_table_insert(group_of, g_memdup2(&bytes, sizeof bytes), GUINT_TO_POINTER(group));
    }
    return group_of;
}

GArray *regret_list_left_out(const Fit *fit, const GPtrArray *observations, const Machine *machine)
{
    GArray *list = g_array_new(FALSE, FALSE, sizeof(Regret));
    g_autoptr(GHashTable) group_of = group_sizes(observations);
    guint n = MIN(g_hash_table_size(group_of), REGRET_GROUPS_MAX);
    for (Groups g = {group_of, 0}; g.group < n; g.group++) {
        message_progress("sizes left out: %u of %u", g.group, n);
        Machine other = machine_without(fit, machine, &g);
        add_asked(list, observations, &other, FALSE, &g);
    }
    return list;
}
