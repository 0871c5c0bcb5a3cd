#include "sweep.h"
#include "sim/run/available.h"
#include "sim/run/estimate.h"
#include "sim/run/range.h"
#include "sim/text/input.h"
#include "sim/run/record.h"
#include "sim/run/resolve.h"
#include "sim/patterns/problem.h"
#include "sim/text/version.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* --- scenarios --- */

/* A key that varies, and its values. */
typedef struct {
    const char *key;
    GPtrArray *values;      /* char *: texts of the values */
    guint at;               /* index in `values` of the present scenario's value */
} SweepAxis;

struct Axes {
    Scenario *scenario;
    GArray *axes;           /* SweepAxis, the slowest first */
    guint n;
};

static void axis_clear(gpointer data)
{
    g_ptr_array_unref(((SweepAxis *)data)->values);
}

void axes_free(Axes *axes)
{
    scenario_free(axes->scenario);
    g_array_unref(axes->axes);
    g_free(axes);
}

/* Adds the axis of `key` if the scenario gives the key a value. */
static gboolean add_axis(Axes *axes, const char *key, const char *separators, RangeKind kind, GError **error)
{
    const Value *value = scenario_value(axes->scenario, key);
    if (!value || *value->text == '\0')     /* the resolver will say what is missing */
        return TRUE;
    SweepAxis axis = {key, values_parse(value->origin, value->text, separators, kind, error), 0};
    if (!axis.values)
        return FALSE;
    g_array_append_val(axes->axes, axis);
    guint64 n = (guint64)axes->n * axis.values->len;
    if (n > SCENARIO_RUNS_MAX)
        return input_refuse(error, "%s: its values make %" G_GUINT64_FORMAT " or more runs; allowed: at most %d",
                            value->origin, n, SCENARIO_RUNS_MAX);
    axes->n = (guint)n;
    scenario_replace(axes->scenario, key, axis.values->pdata[0]);
    return TRUE;
}

static gboolean add_axes_of_machine(Axes *axes, GError **error)
{
    for (const MachineKey *key = machine_keys; key->name; key++) {
        RangeKind kind = key->kind == MACHINE_RATE    ? RANGE_RATE
                         : machine_key_is_decimal(key) ? RANGE_DECIMAL
                         : key->kind == MACHINE_BYTES  ? RANGE_WHOLE
                                                       : RANGE_NONE;
        if (!add_axis(axes, key->name, ",; \t", kind, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean add_axes(Axes *axes, GError **error)
{
    for (guint i = 0; i < keys_count(); i++) {
        const Key *key = keys_nth(i);
        RangeKind kind = key->decimal ? RANGE_DECIMAL : key->kind == KEY_NUMBER ? RANGE_WHOLE : RANGE_NONE;
        gboolean is_axis = !key->option.is_list && !key_is_of_machine(key);
        if (is_axis && !add_axis(axes, key->name, key_separators(key), kind, error))
            return FALSE;
        if (key->kind == KEY_MACHINE && !add_axes_of_machine(axes, error))
            return FALSE;
    }
    return TRUE;
}

Axes *axes_new(const Scenario *scenario, GError **error)
{
    g_autoptr(Axes) axes = g_new0(Axes, 1);
    axes->scenario = scenario_copy(scenario);
    axes->axes = g_array_new(FALSE, FALSE, sizeof(SweepAxis));
    g_array_set_clear_func(axes->axes, axis_clear);
    axes->n = 1;
    return add_axes(axes, error) ? g_steal_pointer(&axes) : NULL;
}

guint axes_count(const Axes *axes)
{
    return axes->n;
}

const Scenario *axes_scenario(Axes *axes, guint i)
{
    for (guint a = axes->axes->len; a > 0; a--) {
        SweepAxis *axis = &g_array_index(axes->axes, SweepAxis, a - 1);
        guint n = axis->values->len, at = i % n;
        i /= n;
        if (at == axis->at)
            continue;
        scenario_replace(axes->scenario, axis->key, axis->values->pdata[at]);
        axis->at = at;
    }
    return axes->scenario;
}

/* --- dealing out --- */

typedef struct {
    guint64 weight;
    guint number;
} Item;

static int lightest_first(gconstpointer one, gconstpointer other, gpointer user)
{
    const Item *a = one, *b = other;
    int order = (a->weight > b->weight) - (a->weight < b->weight);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

static int heaviest_first(const void *one, const void *other)
{
    const Item *a = one, *b = other;
    return a->weight != b->weight ? lightest_first(b, a, NULL) : lightest_first(a, b, NULL);
}

guint *sweep_order(const guint64 *weights, guint n)
{
    g_autofree Item *items = g_new(Item, MAX(1, n));
    guint *order = g_new(guint, MAX(1, n));
    for (guint i = 0; i < n; i++)
        items[i] = (Item){weights[i], i};
    qsort(items, n, sizeof *items, heaviest_first);
    for (guint i = 0; i < n; i++)
        order[i] = items[i].number;
    return order;
}

guint *sweep_deal(const guint64 *weights, guint n, guint n_heaps)
{
    g_autofree guint *order = sweep_order(weights, n);
    g_autofree Item *heaps = g_new0(Item, n_heaps);
    g_autoptr(GSequence) lightest = g_sequence_new(NULL);
    guint *heap_of = g_new(guint, MAX(1, n));
    for (guint i = 0; i < n_heaps; i++) {
        heaps[i].number = i;
        g_sequence_append(lightest, &heaps[i]);
    }
    for (guint i = 0; i < n; i++) {
        GSequenceIter *first = g_sequence_get_begin_iter(lightest);
        Item *heap = g_sequence_get(first);
        heap_of[order[i]] = heap->number;
        heap->weight += weights[order[i]];
        g_sequence_sort_changed(first, lightest_first, NULL);
    }
    return heap_of;
}

/* --- planning --- */

typedef struct {
    guint scenario, run;    /* index of the scenario, and of the run in it */
} Point;

struct Sweep {
    Axes *axes;
    Resolver *resolver;
    GArray *points;         /* Point */
    GArray *efforts;        /* guint64, one for every point */
    char *fingerprint;
    /* present scenario (G_MAXUINT: none), its request and overrides; run and machine of the present point */
    guint scenario;
    const Request *request;
    char *overrides;
    Run run;
    Machine machine;
};

/* State while all points are made once: to count them, and for the fingerprint and the efforts. */
typedef struct {
    Sweep *sweep;
    EstimateMemo memo;
    GChecksum *checksum;
    GString *text;          /* identity of the present run */
    guint n_refused;
    const char *refused;    /* reason of the first refusal */
} Planner;

static void hash_text(GChecksum *checksum, const char *text)
{
    /* with the 0 at its end, which separates texts */
    g_checksum_update(checksum, (const guchar *)text, (gssize)strlen(text) + 1);
}

static gboolean turn_to(Sweep *sweep, guint number, GError **error)
{
    const Scenario *scenario = axes_scenario(sweep->axes, number);
    sweep->request = resolver_scenario(sweep->resolver, scenario, error);
    sweep->scenario = sweep->request ? number : G_MAXUINT;
    g_free(sweep->overrides);
    sweep->overrides = scenario_overrides(scenario);
    return sweep->request != NULL;
}

/* Hashes the present scenario's machine, as its first run has it. */
static void hash_machine(Planner *planner)
{
    const Sweep *sweep = planner->sweep;
    g_autofree char *constants = machine_canonical(&sweep->machine);
    g_autofree char *flop = g_strdup_printf("flop=%" G_GINT64_FORMAT, sweep->machine.flop_ps);
    hash_text(planner->checksum, sweep->machine.spec);
    hash_text(planner->checksum, constants);
    hash_text(planner->checksum, sweep->overrides);
    if (sweep->run.problem.pattern->computes)
        hash_text(planner->checksum, flop);
}

static void add_point(Planner *planner)
{
    Sweep *sweep = planner->sweep;
    const char *refused = sweep->run.refused;
    guint64 effort = refused ? 1 : estimate_effort(&sweep->run, &planner->memo);
    planner->refused = planner->n_refused ? planner->refused : refused;
    planner->n_refused += refused != NULL;
    g_array_append_val(sweep->efforts, effort);
    g_string_truncate(planner->text, 0);
    run_put_identity(&sweep->run, planner->text);
    hash_text(planner->checksum, planner->text->str);
}

static gboolean add_scenario(Planner *planner, guint number, GError **error)
{
    Sweep *sweep = planner->sweep;
    guint start = sweep->efforts->len;
    if (!turn_to(sweep, number, error))
        return FALSE;
    guint n = request_n_runs(sweep->request);
    if (n > SCENARIO_RUNS_MAX - start)
        return input_refuse(error, "the sweep has more than %d points; allowed: at most %d", SCENARIO_RUNS_MAX,
                            SCENARIO_RUNS_MAX);
    for (guint i = 0; i < n; i++) {
        Point point = {number, i};
        g_array_append_val(sweep->points, point);
        if (!request_run(sweep->request, i, &sweep->run, &sweep->machine, error))
            return FALSE;
        if (i == 0)
            hash_machine(planner);
        add_point(planner);
    }
    return TRUE;
}

static gboolean sweep_plan(Sweep *sweep, GError **error)
{
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autoptr(GString) text = g_string_new(NULL);
    Planner planner = {.sweep = sweep, .checksum = checksum, .text = text};
    hash_text(checksum, ECUBE_VERSION);
    for (guint i = 0; i < axes_count(sweep->axes); i++)
        if (!add_scenario(&planner, i, error))
            return FALSE;
    if (planner.n_refused == sweep->efforts->len)
        return input_refuse(error, "%s", planner.refused);
    sweep->fingerprint = g_strdup(g_checksum_get_string(checksum));
    return TRUE;
}

Sweep *sweep_new(const Scenario *scenario, const char *platforms, GError **error)
{
    g_autoptr(Axes) axes = axes_new(scenario, error);
    if (!axes)
        return NULL;
    g_autoptr(Sweep) sweep = g_new(Sweep, 1);
    *sweep = (Sweep){.axes = g_steal_pointer(&axes), .resolver = resolver_new(platforms, SCENARIO_TIMED),
                     .points = g_array_new(FALSE, FALSE, sizeof(Point)),
                     .efforts = g_array_new(FALSE, FALSE, sizeof(guint64)), .scenario = G_MAXUINT};
    return sweep_plan(sweep, error) ? g_steal_pointer(&sweep) : NULL;
}

void sweep_free(Sweep *sweep)
{
    axes_free(sweep->axes);
    resolver_free(sweep->resolver);
    g_array_unref(sweep->points);
    g_array_unref(sweep->efforts);
    g_free(sweep->fingerprint);
    g_free(sweep->overrides);
    g_free(sweep);
}

/* --- asking --- */

guint sweep_n_points(const Sweep *sweep)
{
    return sweep->efforts->len;
}

const Run *sweep_run(Sweep *sweep, guint point)
{
    Point at = g_array_index(sweep->points, Point, point);
    gboolean ok = (at.scenario == sweep->scenario || turn_to(sweep, at.scenario, NULL)) &&
                  request_run(sweep->request, at.run, &sweep->run, &sweep->machine, NULL);
    g_assert(ok);       /* sweep_plan() has made this run before, without an error */
    return &sweep->run;
}

const char *sweep_overrides(Sweep *sweep, guint point)
{
    sweep_run(sweep, point);
    return sweep->overrides;
}

GPtrArray *sweep_machine_files(const Sweep *sweep)
{
    return resolver_files(sweep->resolver);
}

const guint64 *sweep_efforts(const Sweep *sweep)
{
    return (const guint64 *)(gpointer)sweep->efforts->data;
}

const char *sweep_fingerprint(const Sweep *sweep)
{
    return sweep->fingerprint;
}

/* --- running --- */

#define PROGRESS_EVERY_MS 200

/* A running point. `run`, `machine` and `overrides` are copies: the next sweep_run() overwrites the originals. */
typedef struct {
    RunProcess *process;    /* process of the run; NULL: this Job runs no point now */
    guint point;
    gsize promised;         /* bytes of memory reserved for the run */
    Run run;
    Machine machine;        /* copy of the run's machine; run.machine points to it */
    char *overrides;        /* overrides of the run's machine (sweep_overrides()) */
} Job;

typedef struct {
    Sweep *sweep;
    const SweepPlan *plan;
    Journal *journal;
    JournalEntry *entries;
    Job *jobs;              /* [n_jobs]: places for points that are being run */
    guint n_jobs;           /* largest number of runs at a time; at most the number of points */
    guint n_running;
    gsize promised;
    guint *order;           /* numbers of the shard's points, the longest run first */
    guint next;             /* index in `order` of the first point not started yet */
    SweepProgress progress;
    gint64 start_us;
} Pool;

static char *record_row(const Record *record, const char *overrides)
{
    g_autofree char *text = record_text(FORMAT_CSV, record, 1, overrides);
    g_autofree char *columns = record_text(FORMAT_CSV, NULL, 0, "");
    return g_strndup(text + strlen(columns), strlen(text) - strlen(columns) - 1);
}

static gboolean finish_point(Pool *pool, Job *job, const RunResult *result, GError *failure, GError **error)
{
    Record record = {.run = job->run, .result = *result, .failed = failure != NULL};
    guint point = job->point;
    JournalEntry *entry = &pool->entries[point];
    entry->failed = record.failed;
    entry->refused = g_error_matches(failure, ECUBE_ERROR, ECUBE_ERROR_INPUT);
    entry->row = record_row(&record, job->overrides);
    entry->fault = g_strdup(failure ? failure->message : result->fault);
    g_clear_pointer(&job->overrides, g_free);
    pool->progress.n_over++;
    pool->progress.effort_over += sweep_efforts(pool->sweep)[point];
    pool->progress.n_failed += entry->failed;
    return entry->failed || !pool->journal || journal_add(pool->journal, point, entry, error);
}

/* Whether the failure ends the sweep, as only an ECUBE_ERROR_SYSTEM does; if so, moves it to `error`. */
static gboolean ends_sweep(GError **failure, GError **error)
{
    if (!g_error_matches(*failure, ECUBE_ERROR, ECUBE_ERROR_SYSTEM))
        return FALSE;
    g_propagate_error(error, g_steal_pointer(failure));
    return TRUE;
}

/* Starts the run of a job in the available memory less `promised`, the bytes promised to running runs. Those of them
 * that the runs have taken already are no longer available, and so count twice: this is on the safe side. */
static RunProcess *job_start(Job *job, gsize promised, GError **error)
{
    if (!run_check_clock(&job->run, error))
        return NULL;
    g_autoptr(Schedule) schedule = schedule_make(&job->run.problem);
    gsize available = available_bytes(), room = available - MIN(available, promised);
    return run_check_room(&job->run, schedule, room, &job->promised, error)
               ? run_start(&job->run, schedule, room, RUN_NO_TRACE, error)
               : NULL;
}

/* Starts a point, or records its failure. Sets `*wait` instead if running points must first free memory, processes or
 * files for it. Returns FALSE with an error that ends the sweep. */
static gboolean start_point(Pool *pool, guint point, gboolean *wait, GError **error)
{
    Job *job = pool->jobs;
    while (job->process)
        job++;
    job->run = *sweep_run(pool->sweep, point);
    job->machine = *job->run.machine;
    job->run.machine = &job->machine;
    job->point = point;
    g_free(job->overrides);
    job->overrides = g_strdup(pool->sweep->overrides);
    g_autoptr(GError) failure = NULL;
    job->process = job_start(job, pool->promised, &failure);
    *wait = !job->process && pool->n_running > 0 && !g_error_matches(failure, ECUBE_ERROR, ECUBE_ERROR_INPUT);
    if (!job->process)
        return *wait || (!ends_sweep(&failure, error) && finish_point(pool, job, &(RunResult){0}, failure, error));
    pool->promised += job->promised;
    pool->n_running++;
    return TRUE;
}

static gboolean start_points(Pool *pool, GError **error)
{
    gboolean wait = FALSE;
    while (pool->next < pool->progress.n_points && pool->n_running < pool->n_jobs && !wait) {
        guint point = pool->order[pool->next];
        if (!pool->entries[point].row && !start_point(pool, point, &wait, error))
            return FALSE;
        pool->next += !wait;
    }
    return TRUE;
}

static gboolean pool_collect(Pool *pool, Job *job, GError **error)
{
    g_autoptr(GError) failure = NULL;
    RunResult result;
    run_finish(g_steal_pointer(&job->process), &result, &failure);
    pool->promised -= job->promised;
    pool->n_running--;
    return !ends_sweep(&failure, error) && finish_point(pool, job, &result, failure, error);
}

static void pool_show_progress(Pool *pool)
{
    pool->progress.elapsed_s = (double)(g_get_monotonic_time() - pool->start_us) / 1e6;
    if (pool->plan->progress)
        pool->plan->progress(&pool->progress);
}

/* Waits until a point is over, but with progress at most PROGRESS_EVERY_MS. Collects all points that are over. */
static gboolean collect_points(Pool *pool, GError **error)
{
    g_autofree struct pollfd *ends = g_new0(struct pollfd, pool->n_running);
    g_autofree Job **running = g_new0(Job *, pool->n_running);
    guint n = 0;
    for (guint s = 0; s < pool->n_jobs; s++)
        if (pool->jobs[s].process) {
            running[n] = &pool->jobs[s];
            ends[n++] = (struct pollfd){.fd = run_pipe(pool->jobs[s].process), .events = POLLIN};
        }
    if (poll(ends, n, pool->plan->progress ? PROGRESS_EVERY_MS : -1) < 0)
        return errno == EINTR || input_call_failed("poll", error);
    for (guint i = 0; i < n; i++)
        if (ends[i].revents && !pool_collect(pool, running[i], error))
            return FALSE;
    return TRUE;
}

/* Sorts the points, the longest first, and counts the points that the journal has already. */
static void prepare(Pool *pool)
{
    SweepProgress *progress = &pool->progress;
    const guint *points = (const guint *)(gpointer)pool->plan->points->data;
    progress->n_points = pool->plan->points->len;
    g_autofree guint64 *efforts = g_new(guint64, MAX(1, progress->n_points));
    for (guint i = 0; i < progress->n_points; i++)
        efforts[i] = sweep_efforts(pool->sweep)[points[i]];
    pool->order = sweep_order(efforts, progress->n_points);
    for (guint i = 0; i < progress->n_points; i++) {
        guint64 effort = efforts[pool->order[i]];
        pool->order[i] = points[pool->order[i]];
        gboolean over = pool->entries[pool->order[i]].row != NULL;
        progress->effort += effort;
        progress->n_before += over;
        progress->effort_before += over ? effort : 0;
    }
    progress->n_over = progress->n_before;
    progress->effort_over = progress->effort_before;
}

gboolean sweep_execute(Sweep *sweep, const SweepPlan *plan, Journal *journal, JournalEntry *entries, GError **error)
{
    Pool pool = {.sweep = sweep, .plan = plan, .journal = journal, .entries = entries};
    pool.start_us = g_get_monotonic_time();
    prepare(&pool);
    pool.n_jobs = MIN(plan->jobs, pool.progress.n_points);
    pool.jobs = g_new0(Job, pool.n_jobs);
    gboolean ok = TRUE;
    while (ok && pool.progress.n_over < pool.progress.n_points) {
        ok = start_points(&pool, error) && (pool.n_running == 0 || collect_points(&pool, error));
        pool_show_progress(&pool);
    }
    for (guint s = 0; s < pool.n_jobs; s++)
        if (pool.jobs[s].process)
            run_abandon(pool.jobs[s].process);
    for (guint s = 0; s < pool.n_jobs; s++)
        g_free(pool.jobs[s].overrides);
    g_free(pool.jobs);
    g_free(pool.order);
    return ok;
}
