#include "sweep.h"
#include "balance.h"
#include "estimate.h"
#include "limits.h"
#include "models/input.h"
#include "report.h"
#include "sim/text/version.h"
#include "workload.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

typedef struct {
    Run run;
    const char *overrides;
    guint64 effort;
} Point;

struct Sweep {
    GPtrArray *scenarios;   /* Scenario *: they own the machines */
    GPtrArray *overrides;   /* char *, one per scenario */
    GArray *points;         /* Point */
    Workloads *workloads;
    char *fingerprint;
};

static void hash_text(GChecksum *checksum, const char *text)
{
    g_checksum_update(checksum, (const guchar *)text, (gssize)strlen(text) + 1);    /* its end too */
}

static void add_point(Sweep *sweep, const Run *run, const char *overrides, GChecksum *checksum)
{
    Point point = {*run, overrides, workloads_effort(sweep->workloads, run)};
    g_autofree char *what = run_identity(run);
    hash_text(checksum, what);
    g_array_append_val(sweep->points, point);
}

static gboolean add_scenario(Sweep *sweep, Scenario *scenario, const char *platforms, GChecksum *checksum,
                             GError **error)
{
    g_autoptr(GArray) runs = scenario_resolve(scenario, platforms, SCENARIO_SWEEP, error);
    if (!runs)
        return FALSE;
    if (sweep->points->len + runs->len > SCENARIO_RUNS_MAX) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "the sweep has more than %d points; allowed: at most %d",
                    SCENARIO_RUNS_MAX, SCENARIO_RUNS_MAX);
        return FALSE;
    }
    char *overrides = scenario_overrides(scenario);
    g_ptr_array_add(sweep->overrides, overrides);
    const Machine *machine = g_array_index(runs, Run, 0).machine;
    g_autofree char *constants = machine_canonical(machine);
    hash_text(checksum, machine->spec);
    hash_text(checksum, constants);
    hash_text(checksum, overrides);
    for (guint i = 0; i < runs->len; i++)
        add_point(sweep, &g_array_index(runs, Run, i), overrides, checksum);
    return TRUE;
}

Sweep *sweep_new(const Scenario *scenario, const char *platforms, GError **error)
{
    GPtrArray *scenarios = scenario_expand(scenario, error);
    if (!scenarios)
        return NULL;
    g_autoptr(Sweep) sweep = g_new0(Sweep, 1);
    sweep->scenarios = scenarios;
    sweep->overrides = g_ptr_array_new_with_free_func(g_free);
    sweep->points = g_array_new(FALSE, FALSE, sizeof(Point));
    sweep->workloads = workloads_new();
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    hash_text(checksum, ECUBE_VERSION);
    for (guint i = 0; i < scenarios->len; i++)
        if (!add_scenario(sweep, g_ptr_array_index(scenarios, i), platforms, checksum, error))
            return NULL;
    sweep->fingerprint = g_strdup(g_checksum_get_string(checksum));
    return g_steal_pointer(&sweep);
}

void sweep_free(Sweep *sweep)
{
    if (!sweep)
        return;
    g_array_unref(sweep->points);
    workloads_free(sweep->workloads);
    g_ptr_array_unref(sweep->overrides);
    g_ptr_array_unref(sweep->scenarios);
    g_free(sweep->fingerprint);
    g_free(sweep);
}

guint sweep_n_points(const Sweep *sweep)
{
    return sweep->points->len;
}

static const Point *point_at(const Sweep *sweep, guint point)
{
    return &g_array_index(sweep->points, Point, point);
}

const Run *sweep_run(const Sweep *sweep, guint point)
{
    return &point_at(sweep, point)->run;
}

const char *sweep_overrides(const Sweep *sweep, guint point)
{
    return point_at(sweep, point)->overrides;
}

guint64 sweep_effort(const Sweep *sweep, guint point)
{
    return point_at(sweep, point)->effort;
}

const char *sweep_fingerprint(const Sweep *sweep)
{
    return sweep->fingerprint;
}

/* --- shards --- */

gboolean shard_parse(const char *where, const char *text, Shard *shard, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "/", -1);
    gint64 number, of;
    if (g_strv_length(parts) == 2 && input_parse_count(where, parts[1], 1, SHARD_MAX, &of, NULL) &&
        input_parse_count(where, parts[0], 1, of, &number, NULL)) {
        *shard = (Shard){(guint)number, (guint)of};
        return TRUE;
    }
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                "%s: '%.60s' is not allowed; allowed: i/n, n being the number of shards, at most %d, and i from 1 to n",
                where, text, SHARD_MAX);
    return FALSE;
}

static guint64 *efforts(const Sweep *sweep, const GArray *points)
{
    guint n = points ? points->len : sweep_n_points(sweep);
    guint64 *all = g_new(guint64, MAX(1, n));
    for (guint i = 0; i < n; i++)
        all[i] = sweep_effort(sweep, points ? g_array_index(points, guint, i) : i);
    return all;
}

GArray *shard_points(Shard shard, const Sweep *sweep)
{
    guint n = sweep_n_points(sweep);
    g_autofree guint64 *weights = efforts(sweep, NULL);
    g_autofree guint *heaps = balance(weights, n, shard.of);
    GArray *points = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint point = 0; point < n; point++)
        if (heaps[point] == shard.number - 1)
            g_array_append_val(points, point);
    return points;
}

/* --- running --- */

#define PROGRESS_EVERY_MS 200

/* A point that is being run. */
typedef struct {
    RunProcess *process;    /* NULL: nothing is */
    guint i;                /* among the points of the shard */
    gsize promised;         /* bytes of memory */
} Slot;

typedef struct {
    const Sweep *sweep;
    const SweepPlan *plan;
    Journal *journal;
    Outcome *outcomes;
    Slot *slots;            /* [jobs] */
    guint jobs;             /* runs at one time: no more than there are points */
    guint n_running;
    gsize promised;
    guint *order;           /* the points of the shard, those that take longest first */
    guint next;             /* the first in this order that may have to be started */
    SweepProgress progress;
    gint64 start_us;
} Pool;

static guint pool_number(const Pool *pool, guint i)
{
    return g_array_index(pool->plan->points, guint, i);
}

static const Point *pool_point(const Pool *pool, guint i)
{
    return point_at(pool->sweep, pool_number(pool, i));
}

/* The line of the output for one record. */
static char *record_row(const Record *record, const char *overrides)
{
    g_autofree char *text = report_text(FORMAT_CSV, record, 1, overrides);
    g_autofree char *columns = report_text(FORMAT_CSV, NULL, 0, "");
    return g_strndup(text + strlen(columns), strlen(text) - strlen(columns) - 1);
}

static gboolean finish_point(Pool *pool, guint i, const RunResult *result, GError *failure, GError **error)
{
    const Point *point = pool_point(pool, i);
    Record record = {.run = point->run, .result = *result, .failed = failure != NULL};
    Outcome *outcome = &pool->outcomes[i];
    outcome->failed = record.failed;
    outcome->entry.row = record_row(&record, point->overrides);
    outcome->entry.fault = g_strdup(failure ? failure->message : result->fault);
    pool->progress.n_over++;
    pool->progress.effort_over += point->effort;
    pool->progress.n_failed += outcome->failed;
    return outcome->failed || !pool->journal ||
           journal_add(pool->journal, pool_number(pool, i), &outcome->entry, error);
}

static Slot *free_slot(Pool *pool)
{
    Slot *slot = pool->slots;
    while (slot->process)
        slot++;
    return slot;
}

/* What the system refuses to one point, while no other has it, it refuses to all. */
static gboolean ends_sweep(GError **failure, GError **error)
{
    if (!g_error_matches(*failure, ECUBE_ERROR, ECUBE_ERROR_SYSTEM))
        return FALSE;
    g_propagate_error(error, g_steal_pointer(failure));
    return TRUE;
}

/* Starts point `i`, or finds that it cannot be run. Sets `wait` if it must wait until others have freed what it lacks:
 * memory, processes or files. */
static gboolean start_point(Pool *pool, guint i, gboolean *wait, GError **error)
{
    const Run *run = &pool_point(pool, i)->run;
    g_autoptr(GError) failure = NULL;
    *wait = FALSE;
    RunProcess *process = NULL;
    if (run_check_clock(run, &failure)) {
        process = run_check_memory(run, pool->promised, &failure) ? run_start(run, &failure) : NULL;
        *wait = !process && pool->n_running > 0;
        if (*wait)
            return TRUE;
    }
    if (!process)
        return !ends_sweep(&failure, error) && finish_point(pool, i, &(RunResult){0}, failure, error);
    Slot *slot = free_slot(pool);
    *slot = (Slot){process, i, estimate_run(run)};
    pool->promised += slot->promised;
    pool->n_running++;
    return TRUE;
}

static gboolean start_points(Pool *pool, GError **error)
{
    gboolean wait = FALSE;
    while (pool->next < pool->progress.n_points && pool->n_running < pool->jobs && !wait) {
        guint i = pool->order[pool->next];
        if (!pool->outcomes[i].entry.row && !start_point(pool, i, &wait, error))
            return FALSE;
        pool->next += !wait;
    }
    return TRUE;
}

static gboolean collect(Pool *pool, Slot *slot, GError **error)
{
    g_autoptr(GError) failure = NULL;
    RunResult result;
    run_finish(g_steal_pointer(&slot->process), &result, &failure);
    pool->promised -= slot->promised;
    pool->n_running--;
    return !ends_sweep(&failure, error) && finish_point(pool, slot->i, &result, failure, error);
}

static void show_progress(Pool *pool)
{
    pool->progress.elapsed_s = (double)(g_get_monotonic_time() - pool->start_us) / 1e6;
    if (pool->plan->progress)
        pool->plan->progress(&pool->progress);
}

/* Waits until a point is over, and collects all that are. */
static gboolean collect_points(Pool *pool, GError **error)
{
    g_autofree struct pollfd *ends = g_new0(struct pollfd, pool->n_running);
    g_autofree Slot **slots = g_new0(Slot *, pool->n_running);
    guint n = 0;
    for (guint s = 0; s < pool->jobs; s++)
        if (pool->slots[s].process) {
            slots[n] = &pool->slots[s];
            ends[n++] = (struct pollfd){.fd = run_pipe(pool->slots[s].process), .events = POLLIN};
        }
    if (poll(ends, n, pool->plan->progress ? PROGRESS_EVERY_MS : -1) < 0)
        return errno == EINTR || input_call_failed("poll", error);
    for (guint i = 0; i < n; i++)
        if (ends[i].revents && !collect(pool, slots[i], error))
            return FALSE;
    return TRUE;
}

/* Puts the points into order and takes stock of what is over already. */
static void prepare(Pool *pool)
{
    SweepProgress *progress = &pool->progress;
    progress->n_points = pool->plan->points->len;
    g_autofree guint64 *weights = efforts(pool->sweep, pool->plan->points);
    pool->order = balance_order(weights, progress->n_points);
    for (guint i = 0; i < progress->n_points; i++) {
        gboolean over = pool->outcomes[i].entry.row != NULL;
        progress->effort += weights[i];
        progress->n_before += over;
        progress->effort_before += over ? weights[i] : 0;
    }
    progress->n_over = progress->n_before;
    progress->effort_over = progress->effort_before;
}

gboolean sweep_execute(const Sweep *sweep, const SweepPlan *plan, Journal *journal, Outcome *outcomes, GError **error)
{
    Pool pool = {.sweep = sweep, .plan = plan, .journal = journal, .outcomes = outcomes};
    pool.start_us = g_get_monotonic_time();
    prepare(&pool);
    pool.jobs = MIN(plan->jobs, pool.progress.n_points);
    pool.slots = g_new0(Slot, pool.jobs);
    gboolean ok = TRUE;
    while (ok && pool.progress.n_over < pool.progress.n_points) {
        ok = start_points(&pool, error) && (pool.n_running == 0 || collect_points(&pool, error));
        show_progress(&pool);
    }
    for (guint s = 0; s < pool.jobs; s++)
        if (pool.slots[s].process)
            run_abandon(pool.slots[s].process);
    g_free(pool.slots);
    g_free(pool.order);
    return ok;
}
