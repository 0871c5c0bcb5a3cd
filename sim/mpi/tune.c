#include "tune.h"
#include "contender.h"
#include "sim/lib/ecube.h"
#include "sim/run/data.h"
#include "sim/run/scenario.h"
#include "sim/run/tuning.h"
#include "sim/text/input.h"
#include "sim/text/message.h"
#include "sim/text/version.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define CANDIDATES_MAX 5
#define SHIFT 64                /* bytes: buffers of a round begin at a random multiple of this in a page */
#define SHIFTS 64

/* A block size: the library and the lists that may be faster. */
typedef struct {
    gint64 bytes;
    GPtrArray *lists;       /* char *: the candidates, as rules name them */
    GPtrArray *scenarios;   /* Scenario *: what the contenders' runs belong to */
    GPtrArray *contenders;  /* Contender *: the library, then the candidates */
    gsize memory;           /* bytes of memory that the largest contender takes */
} TuneSize;

typedef struct {
    const World *world;
    GArray *sizes;          /* TuneSize, in ascending order */
    double begun;           /* MPI_Wtime() */
    GRand *shifts;
    TuneProgress show;
} Tuner;

/* --- candidates --- */

/* Adds the best list for blocks of `bytes` on a machine whose start-up takes as long as `ratio` bytes, unless it is
 * there. */
static void add_list(GPtrArray *lists, guint n_ranks, gint64 bytes, const char *constants)
{
    g_autofree char *text = g_strdup_printf("[machine]\n%s\ntopology = crossbar\n", constants);
    ecube *machine;
    ecube_list *list;
    if (ecube_read("tune", text, &machine) != ECUBE_OK)
        return;
    if (ecube_best(machine, n_ranks, (gsize)bytes, &list) == ECUBE_OK) {
        const char *name = ecube_list_text(list);
        if (lists->len < CANDIDATES_MAX && !g_ptr_array_find_with_equal_func(lists, name, g_str_equal, NULL))
            g_ptr_array_add(lists, g_strdup(name));
        ecube_list_free(list);
    }
    ecube_free(machine);
}

/* Returns the lists that are the best on some machine: start-ups from 100 to 400,000 bytes' time, the likely ones
 * first, with copies that cost nothing or as much as sending. */
static GPtrArray *candidates(guint n_ranks, gint64 bytes)
{
    static const char *const machines[] = {
        "lambda = 4096\ntau = 1", "lambda = 512\ntau = 1", "lambda = 32768\ntau = 1", "lambda = 4096\ntau = 1\nrho = 1",
        "lambda = 100\ntau = 1", "lambda = 400000\ntau = 1", "lambda = 32768\ntau = 1\nrho = 1"};
    GPtrArray *lists = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < G_N_ELEMENTS(machines); i++)
        add_list(lists, n_ranks, bytes, machines[i]);
    return lists;
}

/* Returns the offsets of a list as `--offsets` has them: those are where rank 0 sends. Caller frees. */
static char *offsets_text(const ecube_list *list)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < ecube_list_steps(list); i++) {
        ecube_step step;
        ecube_list_step(list, 0, i, &step);
        g_string_append_printf(text, "%s%u", i ? "," : "", step.to);
    }
    return g_string_free(text, FALSE);
}

/* Whether the offsets of a list are added bit by bit. */
static gboolean is_binary(const char *list, guint n_ranks)
{
    return g_str_has_prefix(list, "xor ") || g_str_has_prefix(list, "partition ") ||
           (strcmp(list, "direct") == 0 && (n_ranks & (n_ranks - 1)) == 0);
}

/* Sets the keys of a scenario, KEY VALUE ... NULL. */
static gboolean tune_set_keys(Scenario *scenario, const char *const *pairs, GError **error)
{
    for (; *pairs; pairs += 2)
        if (!scenario_set(scenario, pairs[0], pairs[1], "--tuning", error))
            return FALSE;
    return TRUE;
}

/* Returns the run of a list (in a GArray of one), which `scenario` owns. NULL with an error. */
static GArray *run_of_list(Scenario *scenario, const char *name, guint n_ranks, gint64 bytes, GError **error)
{
    ecube_list *list;
    if (ecube_list_parse(n_ranks, name, &list) != ECUBE_OK)
        return input_refuse(error, "--tuning: %s", ecube_error()), NULL;
    gboolean binary = is_binary(name, n_ranks);
    g_autofree char *offsets = offsets_text(list), *size = g_strdup_printf("%" G_GINT64_FORMAT, bytes);
    g_autofree char *n = g_strdup_printf("%u", binary ? g_bit_storage(n_ranks) - 1 : n_ranks);
    ecube_list_free(list);
    const char *const pairs[] = {"machine", "mpi", "algorithm", "offsets", "offsets", offsets, "bytes", size,
                                 binary ? "dimension" : "processors", n, binary ? NULL : "group", "addition",
                                 "topology", "crossbar", NULL};
    return !tune_set_keys(scenario, pairs, error)
               ? NULL : scenario_resolve(scenario, data_platforms(), SCENARIO_TIMED, error);
}

/* --- a size --- */

static void tune_size_clear(TuneSize *size)
{
    for (guint i = 0; i < size->contenders->len; i++) {
        Contender *contender = size->contenders->pdata[i];
        g_free(contender->fault);
        contender->class->destroy(contender);
    }
    g_ptr_array_unref(size->contenders);
    g_ptr_array_unref(size->scenarios);
    g_ptr_array_unref(size->lists);
}

static gboolean add_contender(TuneSize *size, Contender *contender, const World *world, GError **error)
{
    if (!world_agree(world, contender != NULL, error))
        return FALSE;
    g_ptr_array_add(size->contenders, contender);
    size->memory = MAX(size->memory, contender->bytes);
    return TRUE;
}

/* Makes the contenders of a size: the library, and all candidates. */
static gboolean size_make(TuneSize *size, const Run *run, const World *world, GError **error)
{
    if (!add_contender(size, baseline_new(BASELINE_BELOW, run, error), world, error))
        return FALSE;
    for (guint i = 0; i < size->lists->len; i++) {
        Scenario *scenario = scenario_new();
        g_ptr_array_add(size->scenarios, scenario);
        g_autoptr(GArray) runs = run_of_list(scenario, size->lists->pdata[i], world->n_ranks, size->bytes, error);
        if (!runs)
            return FALSE;
        const Run *own = &g_array_index(runs, Run, 0);
        if (!world_check_memory(world, contender_making(own), size->lists->pdata[i], error) ||
            !add_contender(size, contender_new(own, world, FALSE, error), world, error))
            return FALSE;
    }
    return world_check_memory(world, size->memory + SHIFT * SHIFTS, "--tuning", error);
}

/* Runs every contender once and checks every message and every slot. */
static gboolean size_prove(const TuneSize *size, const World *world, GError **error)
{
    g_autofree char *memory = g_malloc0(size->memory + 1);
    for (guint i = 0; i < size->contenders->len; i++) {
        Contender *contender = size->contenders->pdata[i];
        contender->class->place(contender, world, memory);
        contender->class->fill(contender);
        MPI_Barrier(world->comm);
        contender->class->run(contender, &contender->fault);
        contender->fault = contender->fault ? contender->fault : contender->class->check(contender);
        contender->fault = world_first_text(world, contender->fault);
        if (contender->fault) {
            g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "%s, %" G_GINT64_FORMAT " bytes: the data is wrong: %s",
                        i ? (char *)size->lists->pdata[i - 1] : "library", size->bytes, contender->fault);
            return FALSE;
        }
    }
    return TRUE;
}

/* --- what the procedure calls --- */

static void tune_measure(void *data, guint number, const guint *order, guint n, double *seconds)
{
    const Tuner *tuner = data;
    const World *world = tuner->world;
    const TuneSize *size = &g_array_index(tuner->sizes, TuneSize, number);
    g_autofree char *memory = g_malloc(size->memory + SHIFT * SHIFTS);
    char *begin = memory + SHIFT * (gsize)g_rand_int_range(tuner->shifts, 0, SHIFTS);
    guint64 warm = 0;       /* contenders that have run, a bit each */
    for (guint i = 0; i < n; i++) {
        Contender *contender = size->contenders->pdata[order[i]];
        gboolean is_cold = !(warm >> order[i] & 1);
        if (is_cold)
            contender->class->place(contender, world, begin);
        if (is_cold || contender->consumes)
            contender->class->fill(contender);
        if (is_cold)
            contender->class->run(contender, NULL);
        if (is_cold && contender->consumes)
            contender->class->fill(contender);
        warm |= G_GUINT64_CONSTANT(1) << order[i];
        MPI_Barrier(world->comm);
        double start = MPI_Wtime();
        contender->class->run(contender, NULL);
        seconds[i] = MPI_Wtime() - start;
    }
    MPI_Allreduce(MPI_IN_PLACE, seconds, (int)n, MPI_DOUBLE, MPI_MAX, world->comm);
}

static double tune_clock(void *data)
{
    const Tuner *tuner = data;
    double seconds = MPI_Wtime() - tuner->begun;
    MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, tuner->world->comm);
    return seconds;
}

static void tune_progress(void *data, const char *stage, guint at, guint n)
{
    const Tuner *tuner = data;
    tuner->show(tuner->world, stage, at, n);
}

/* --- rules --- */

static double per_cent(double gain)
{
    return 100 * -expm1(-gain);
}

/* Appends what was found for a size, as a comment. */
static void put_finding(GString *out, const TuneSize *size, const TuningChoice *choice)
{
    g_string_append_printf(out, "# %" G_GINT64_FORMAT " bytes, MPI_Alltoall %.1f µs: ", size->bytes,
                           1e6 * choice->seconds);
    if (choice->verdict == TUNING_LEFT_OUT)
        g_string_append(out, "left out, the time does not suffice\n");
    else if (choice->winner == 0)
        g_string_append_printf(out, "no list gains more than %.0f %%\n", per_cent(TUNING_MARGIN));
    else if (choice->rounds == 0)
        g_string_append(out, "the time was over before a verdict\n");
    else
        g_string_append_printf(out, "%s saves %.1f %% (%.1f to %.1f), %u rounds%s\n",
                               (char *)size->lists->pdata[choice->winner - 1], per_cent(choice->gain),
                               per_cent(choice->low), per_cent(choice->high), choice->rounds,
                               choice->verdict == TUNING_UNDECIDED ? "; that decides nothing" : "");
}

/* Returns the list that a size's rule names. */
static const char *list_of(const TuneSize *size, const TuningChoice *choice)
{
    return choice->verdict == TUNING_RULE ? size->lists->pdata[choice->winner - 1] : "library";
}

/* Appends the rules: a list from a size on that was measured, up to the next one if that has the same list. */
static void put_tuned(GString *out, const GArray *sizes, const TuningChoice *choices)
{
    const char *last = "library";
    for (guint i = 0; i < sizes->len; i++) {
        const TuneSize *size = &g_array_index(sizes, TuneSize, i), *next = size + 1;
        const char *list = list_of(size, &choices[i]);
        gboolean goes_on = i + 1 < sizes->len && strcmp(list_of(next, &choices[i + 1]), list) == 0;
        put_finding(out, size, &choices[i]);
        if (strcmp(list, last) != 0 || i == 0)
            g_string_append_printf(out, "%" G_GINT64_FORMAT " = %s\n", size->bytes, list);
        last = list;
        if (!goes_on && strcmp(list, "library") != 0 && (i + 1 == sizes->len || next->bytes > size->bytes + 1)) {
            g_string_append_printf(out, "%" G_GINT64_FORMAT " = library\n", size->bytes + 1);
            last = "library";
        }
    }
}

static char *tune_text(const Tuner *tuner, const TuningChoice *choices, double seconds)
{
    const World *world = tuner->world;
    g_autofree char *library = world_library(), *hosts = world_hosts(world), *shared = world_shared_cores(world);
    char date[16];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "# Tuned by ecube-mpi %s on %s: %u ranks on %s, %s; %.0f s.\n", ECUBE_ABOUT, date,
                           world->n_ranks, hosts, library, seconds);
    if (shared)
        g_string_append_printf(out, "# %s: these are times of the cores, not of a network.\n", shared);
    g_string_append_printf(out, "# What a list saves of the time of MPI_Alltoall, and its interval: all lower "
                           "ends hold with %.0f %%.\n", 100 * (1 - TUNING_ERROR));
    g_string_append_printf(out, "# One launch: where processes lie on the machine may be different in the next. "
                           "ECUBE_AB=1 shows it.\n\n[alltoall %u]\n", world->n_ranks);
    put_tuned(out, tuner->sizes, choices);
    return g_string_free(out, FALSE);
}

/* --- all of it --- */

static gboolean tuner_make(Tuner *tuner, const GArray *runs, GError **error)
{
    for (guint i = 0; i < runs->len; i++) {
        const Run *run = &g_array_index(runs, Run, i);
        TuneSize size = {.bytes = run->problem.data.bytes, .contenders = g_ptr_array_new(),
                         .lists = candidates(tuner->world->n_ranks, run->problem.data.bytes),
                         .scenarios = g_ptr_array_new_with_free_func((GDestroyNotify)scenario_free)};
        gboolean ok = size_make(&size, run, tuner->world, error) && size_prove(&size, tuner->world, error);
        g_array_append_val(tuner->sizes, size);
        if (!ok)
            return FALSE;
    }
    return TRUE;
}

static char *tuner_run(Tuner *tuner, double budget_s)
{
    guint n = tuner->sizes->len;
    g_autofree guint *n_candidates = g_new(guint, n);
    g_autofree TuningChoice *choices = g_new0(TuningChoice, n);
    for (guint i = 0; i < n; i++)
        n_candidates[i] = g_array_index(tuner->sizes, TuneSize, i).lists->len;
    Tuning tuning = {n, n_candidates, budget_s, 1, tune_measure, tune_clock, tune_progress, tuner};
    double estimate = tuning_estimate(&tuning, choices);
    if (tuner->world->rank == 0)
        message_print("tuning takes about %.0f s, and at most %.0f s", ceil(estimate), budget_s);
    tuning_run(&tuning, choices);
    tuner->show(tuner->world, NULL, 0, 0);
    return tune_text(tuner, choices, tune_clock(tuner));
}

char *tune_rules(const GArray *runs, const World *world, double seconds, TuneProgress progress, GError **error)
{
    Tuner tuner = {world, g_array_new(FALSE, FALSE, sizeof(TuneSize)), MPI_Wtime(),
                   g_rand_new_with_seed(world->rank + 1), progress};
    char *text = world_agree(world, tuner_make(&tuner, runs, error), error) ? tuner_run(&tuner, seconds) : NULL;
    for (guint i = 0; i < tuner.sizes->len; i++)
        tune_size_clear(&g_array_index(tuner.sizes, TuneSize, i));
    g_array_unref(tuner.sizes);
    g_rand_free(tuner.shifts);
    return text;
}
