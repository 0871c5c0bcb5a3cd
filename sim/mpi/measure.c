#include "measure.h"
#include "baseline.h"
#include "contender.h"
#include "sim/text/input.h"
#include "sim/replay/price.h"
#include "sim/run/keys.h"
#include "sim/patterns/make.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* The contenders of one size. */
typedef struct {
    const Order *order;
    const World *world;
    GPtrArray *contenders;
    double *seconds;        /* [n contenders][repetitions]: of this rank, then at the first rank of the last one */
    char **faults;          /* [n contenders], of this rank */
    char *memory;
} Round;

/* --- progress --- */

#define LINE_EVERY_US (10 * G_USEC_PER_SEC)

/* Those who start ranks take what they say through a pipe: then it is a line now and then. */
static void show_line(const char *what, guint at, guint n)
{
    static gint64 last_us;
    gint64 now_us = g_get_monotonic_time();
    if (last_us == 0)
        last_us = now_us;
    if (!what || now_us - last_us < LINE_EVERY_US)
        return;
    last_us = now_us;
    fprintf(stderr, "%s: %u of %u\n", what, at, n);
}

/* NULL: it is over. */
static void show_progress(const World *world, const char *what, guint at, guint n)
{
    if (world->rank > 0)
        return;
    if (!isatty(STDERR_FILENO)) {
        show_line(what, at, n);
        return;
    }
    fprintf(stderr, "\r\033[K%s", what ? what : "");
    if (what)
        fprintf(stderr, ": %u of %u", at, n);
    fflush(stderr);
}

/* --- one size --- */

static Contender *nth(const Round *round, guint i)
{
    return g_ptr_array_index(round->contenders, i);
}

/* Keeps what is wrong, if it is the first thing. */
static void keep_fault(Round *round, guint i, char *fault)
{
    if (round->faults[i])
        g_free(fault);
    else
        round->faults[i] = fault;
}

/* Every message and every slot. */
static void prove(Round *round, guint i)
{
    Contender *contender = nth(round, i);
    contender->class->fill(contender);
    if (!round->world->bare)
        MPI_Barrier(round->world->comm);
    contender->class->run(contender, &round->faults[i]);
    keep_fault(round, i, contender->class->check(contender));
}

static void time_once(Round *round, guint i, guint repetition)
{
    Contender *contender = nth(round, i);
    gboolean proven = repetition + 1 == round->order->repetitions;
    if (proven || contender->consumes)
        contender->class->fill(contender);
    if (!round->world->bare)
        MPI_Barrier(round->world->comm);
    double start = MPI_Wtime();
    contender->class->run(contender, NULL);
    round->seconds[i * round->order->repetitions + repetition] = MPI_Wtime() - start;
    if (proven)
        keep_fault(round, i, contender->class->check(contender));
}

static void time_all(Round *round)
{
    guint n = (guint)round->order->repetitions;
    for (guint repetition = 0; repetition < n; repetition++) {
        g_autofree char *what = run_describe(&nth(round, 0)->run);
        show_progress(round->world, what, repetition + 1, n);
        for (guint i = 0; i < round->contenders->len; i++)
            time_once(round, i, repetition);
    }
}

/* The last rank's times, at the first rank. */
static void collect_times(Round *round)
{
    int n = (int)(round->contenders->len * round->order->repetitions);
    const void *mine = round->world->rank == 0 ? MPI_IN_PLACE : round->seconds;
    MPI_Reduce(mine, round->seconds, n, MPI_DOUBLE, MPI_MAX, 0, round->world->comm);
}

static void run_round(Round *round)
{
    guint n = round->contenders->len;
    if (!round->world->bare)
        for (guint i = 0; i < n; i++) {
            show_progress(round->world, "checking", i + 1, n);
            prove(round, i);
        }
    time_all(round);
    if (round->world->bare)
        prove(round, 0);
    show_progress(round->world, NULL, 0, 0);
}

/* --- making contenders --- */

static gboolean add_baselines(Round *round, const Run *run, GError **error)
{
    const Order *order = round->order;
    static const Baseline all[] = {BASELINE_LIBRARY, BASELINE_LOOP};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        if (!(all[i] == BASELINE_LIBRARY ? order->library : order->loop))
            continue;
        Contender *contender = baseline_new(all[i], run, error);
        if (!contender)
            return FALSE;
        g_ptr_array_add(round->contenders, contender);
    }
    return TRUE;
}

static gboolean add_contender(Round *round, const Run *run, GError **error)
{
    g_autofree char *what = run_describe(run);
    if (!world_check_memory(round->world, contender_making(run), what, error))
        return FALSE;
    Contender *contender = contender_new(run, round->world, round->order->early, error);
    if (!world_agree(round->world, contender != NULL, error))
        return FALSE;
    g_ptr_array_add(round->contenders, contender);
    return TRUE;
}

/* They share a memory, which is as large as the largest needs. */
static gboolean place_all(Round *round, GError **error)
{
    guint largest = 0;
    for (guint i = 0; i < round->contenders->len; i++)
        if (nth(round, i)->bytes > nth(round, largest)->bytes)
            largest = i;
    gsize bytes = nth(round, largest)->bytes;
    g_autofree char *what = run_describe(&nth(round, largest)->run);
    if (!world_check_memory(round->world, bytes, what, error))
        return FALSE;
    round->memory = g_malloc0(MAX(1, bytes));
    for (guint i = 0; i < round->contenders->len; i++)
        nth(round, i)->class->place(nth(round, i), round->world, round->memory);
    return TRUE;
}

static void round_clear(Round *round)
{
    for (guint i = 0; i < round->contenders->len; i++)
        contender_free(nth(round, i));
    g_ptr_array_unref(round->contenders);
    g_free(round->seconds);
    g_free(round->faults);
    g_free(round->memory);
}

/* --- results --- */

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Between the two values where the quantile lies (Hyndman & Fan 1996, definition 7). */
static double quantile(const double *sorted, guint n, double q)
{
    double at = (n - 1) * q;
    guint low = (guint)at, high = MIN(low + 1, n - 1);
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

static gint64 in_ps(double seconds)
{
    return llround(seconds * 1e12);
}

/* A machine whose constants are not known says 0 of both. */
static gboolean is_known(const Machine *machine)
{
    return machine->terms.lambda_ps > 0 || machine->terms.tau_ps_per_byte > 0;
}

static gint64 contention_free_ps(const Run *run)
{
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    Price paid = price(schedule, run->machine, REPLAY_SIZES);
    gint64 time_ps = paid.time_ps;
    price_clear(&paid);
    return time_ps;
}

static void add_result(Results *results, const Round *round, guint i)
{
    const Contender *contender = nth(round, i);
    guint n = (guint)round->order->repetitions, at = results->n++;
    double *seconds = round->seconds + i * n, all = 0;
    for (guint repetition = 0; repetition < n; repetition++)
        all += seconds[repetition];
    qsort(seconds, n, sizeof *seconds, compare_seconds);
    gboolean priced = round->world->rank == 0 && contender->scheduled && is_known(contender->run.machine);
    Record *record = &results->records[at];
    *record = (Record){.run = contender->run, .measured = &results->measured[at]};
    record->result.network.messages = contender->messages;
    record->result.operations = contender->operations;
    record->result.peak_bytes = contender->peak_bytes;
    record->result.wall_s = all;
    record->result.contention_free_ps = priced ? contention_free_ps(&contender->run) : 0;
    results->faults[at] = world_first_text(round->world, g_steal_pointer(&round->faults[i]));
    record->result.data_ok = results->faults[at] == NULL;
    results->measured[at] = (Timing){n, in_ps(seconds[0]), in_ps(quantile(seconds, n, 0.5)),
                                     in_ps(quantile(seconds, n, 0.75) - quantile(seconds, n, 0.25)), priced,
                                     results->library, results->hosts};
}

/* The runs from `first` on that have its size. */
static guint n_of_size(const GArray *runs, guint first)
{
    guint n = 0;
    while (first + n < runs->len && g_array_index(runs, Run, first + n).problem.data.bytes ==
                                        g_array_index(runs, Run, first).problem.data.bytes)
        n++;
    return n;
}

static gboolean measure_size(Results *results, Round *round, guint first, guint n, GError **error)
{
    const GArray *runs = round->order->runs;
    for (guint i = 0; i < n; i++)
        if (!add_contender(round, &g_array_index(runs, Run, first + i), error))
            return FALSE;
    if (!add_baselines(round, &g_array_index(runs, Run, first), error) || !place_all(round, error))
        return FALSE;
    guint n_contenders = round->contenders->len;
    round->seconds = g_new0(double, n_contenders * round->order->repetitions);
    round->faults = g_new0(char *, n_contenders);
    run_round(round);
    World talking = *round->world;
    talking.bare = FALSE;
    round->world = &talking;
    collect_times(round);
    if (!results->library) {
        results->library = world_library();
        results->hosts = world_hosts(&talking);
    }
    for (guint i = 0; i < n_contenders; i++)
        add_result(results, round, i);
    return TRUE;
}

Results *measure(const Order *order, const World *world, GError **error)
{
    g_autoptr(Results) results = g_new0(Results, 1);
    guint n_runs = order->runs->len, n, most = 3 * n_runs;      /* each size has two baselines at most */
    results->records = g_new0(Record, most);
    results->measured = g_new0(Timing, most);
    results->faults = g_new0(char *, most);
    for (guint i = 0; i < n_runs; i += n) {
        Round round = {.order = order, .world = world, .contenders = g_ptr_array_new()};
        n = n_of_size(order->runs, i);
        gboolean ok = measure_size(results, &round, i, n, error);
        round_clear(&round);
        if (!ok)
            return NULL;
    }
    return g_steal_pointer(&results);
}

void results_free(Results *results)
{
    for (guint i = 0; i < results->n; i++)
        g_free(results->faults[i]);
    g_free(results->faults);
    g_free(results->records);
    g_free(results->measured);
    g_free(results->library);
    g_free(results->hosts);
    g_free(results);
}
