#include "tune.h"
#include "contender.h"
#include "sim/lib/ecube.h"
#include "sim/run/data.h"
#include "sim/run/scenario.h"
#include "sim/run/tuned.h"
#include "sim/text/input.h"
#include "sim/text/message.h"
#include "sim/text/version.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define CANDIDATES_MAX 5
#define SHIFT 64                /* bytes: buffers of a round are shifted by SHIFT times a random number below SHIFTS */
#define SHIFTS 64

/* A block size with its contenders: the MPI library, and lists of offsets or radices that may be faster. */
typedef struct {
    guint number;           /* number of the size in Tuned.sizes */
    gint64 bytes;
    GPtrArray *lists;       /* char *: the candidates, as rules name them */
    GPtrArray *scenarios;   /* Scenario *: owners of the contenders' machines */
    GPtrArray *contenders;  /* Contender *: the library, then the candidates */
    gsize memory;           /* bytes of memory that the largest contender takes */
} TuneSize;

typedef struct {
    const World *world;
    Tuned *tuned;           /* the file of rules */
    gboolean is_again;      /* whether an earlier launch has written `tuned` */
    GArray *sizes;          /* TuneSize: sizes that this launch measures, in the order of Tuned.sizes */
    double begun;           /* MPI_Wtime() at the beginning */
    GRand *shifts;
    TuneProgress show;
} Tuner;

/* --- candidates --- */

/* Adds the best list for blocks of `bytes` on a machine with these `constants`, unless `lists` is full or has it. */
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

/* Returns the lists that are the best on some machine, the likely machines first. Start-ups take as long as 100 to
 * 400,000 bytes; copying a byte costs nothing, or as much as sending it. Caller frees. */
static GPtrArray *candidates(guint n_ranks, gint64 bytes)
{
    static const char *const machines[] = {
        "lambda = 4096\ntau = 1", "lambda = 512\ntau = 1", "lambda = 32768\ntau = 1", "lambda = 4096\ntau = 1\nrho = 1",
        "lambda = 100\ntau = 1", "lambda = 400000\ntau = 1", "lambda = 32768\ntau = 1\nrho = 1"};
    GPtrArray *lists = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < G_N_ELEMENTS(machines); i++)
        add_list(lists, n_ranks, bytes, machines[i]);
    if (lists->len == 0)
        g_ptr_array_add(lists, g_strdup("direct"));
    return lists;
}

/* Returns the offsets of a list as `--offsets` has them: the ranks to which rank 0 sends. Caller frees. */
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

/* Whether the offsets of a list are added by xor, as on a cube. */
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

/* Returns the run of list `name` in a GArray of one, which the caller frees before `scenario`. NULL with an error. */
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

/* Makes the contenders of a size. Refuses those for which there is no memory. */
static gboolean size_make(TuneSize *size, const World *world, GError **error)
{
    for (guint i = 0; i < size->lists->len; i++) {
        Scenario *scenario = scenario_new();
        g_ptr_array_add(size->scenarios, scenario);
        g_autoptr(GArray) runs = run_of_list(scenario, size->lists->pdata[i], world->n_ranks, size->bytes, error);
        if (!runs)
            return FALSE;
        const Run *own = &g_array_index(runs, Run, 0);
        if (i == 0 && !add_contender(size, baseline_new(BASELINE_BELOW, own, error), world, error))
            return FALSE;
        if (!world_check_memory(world, contender_making(own), size->lists->pdata[i], error) ||
            !add_contender(size, contender_new(own, world, FALSE, error), world, error))
            return FALSE;
    }
    return world_check_memory(world, size->memory + SHIFT * SHIFTS, "--tuning", error);
}

/* Runs every contender once. Refuses wrong data. */
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

/* --- functions that the procedure calls --- */

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

/* Returns where and when this launch is, in one line. Caller frees. */
static char *about_launch(const World *world, double seconds)
{
    g_autofree char *library = world_library(), *hosts = world_hosts(world), *shared = world_shared_cores(world);
    char date[16];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    return g_strdup_printf("ecube-mpi %s on %s, %u ranks on %s, %s, %.0f s%s%s", ECUBE_ABOUT, date, world->n_ranks,
                           hosts, library, seconds, shared ? "; " : "", shared ? shared : "");
}

static void add_findings(const Tuner *tuner, const TuningChoice *choices)
{
    g_autofree char *about = about_launch(tuner->world, tune_clock((void *)tuner));
    tuned_add_launch(tuner->tuned, about);
    for (guint i = 0; i < tuner->sizes->len; i++) {
        const TuneSize *size = &g_array_index(tuner->sizes, TuneSize, i);
        tuned_add_choice(tuner->tuned, size->number, &choices[i], (const char *const *)size->lists->pdata);
    }
}

/* --- all of it --- */

/* Adds size `number` of the file with the candidates `lists` (owned), and proves them. */
static gboolean tuner_add(Tuner *tuner, guint number, GPtrArray *lists, GError **error)
{
    TuneSize size = {number, g_array_index(tuner->tuned->sizes, TunedSize, number).bytes, lists,
                     g_ptr_array_new_with_free_func((GDestroyNotify)scenario_free), g_ptr_array_new(), 0};
    gboolean ok = size_make(&size, tuner->world, error) && size_prove(&size, tuner->world, error);
    g_array_append_val(tuner->sizes, size);
    return ok;
}

static void tuner_run(const Tuner *tuner, double budget_s)
{
    guint n = tuner->sizes->len;
    g_autofree guint *n_candidates = g_new(guint, n);
    g_autofree TuningChoice *choices = g_new0(TuningChoice, n);
    for (guint i = 0; i < n; i++)
        n_candidates[i] = g_array_index(tuner->sizes, TuneSize, i).lists->len;
    Tuning tuning = {n, n_candidates, budget_s, tuner->tuned->n_launches + 1, tuner->is_again, tune_measure, tune_clock,
                     tune_progress, (void *)tuner};
    double estimate = tuning_estimate(&tuning, choices);
    if (tuner->world->rank == 0)
        message_print("tuning takes about %.0f s, and at most %.0f s", ceil(estimate), budget_s);
    tuning_run(&tuning, choices);
    tuner->show(tuner->world, NULL, 0, 0);
    add_findings(tuner, choices);
}

/* Returns a tuner of the file of rules `tuned`, which tuner_end() frees. */
static Tuner tuner_begin(const World *world, Tuned *tuned, gboolean is_again, TuneProgress progress)
{
    return (Tuner){world, tuned, is_again, g_array_new(FALSE, FALSE, sizeof(TuneSize)), MPI_Wtime(),
                   g_rand_new_with_seed(world->rank + 1 + tuned->n_launches * GROUP_SIZE_MAX), progress};
}

/* Measures the sizes if `ok` at all ranks, and prints the advice on rank 0. Returns the file of rules; NULL with an
 * error. Clears the tuner. */
static char *tuner_end(Tuner *tuner, gboolean ok, double seconds, GError **error)
{
    ok = world_agree(tuner->world, ok, error);
    if (ok && tuner->sizes->len > 0)
        tuner_run(tuner, seconds);
    g_autofree char *advice = tuned_advice(tuner->tuned);
    if (ok && tuner->world->rank == 0)
        message_print("%s", advice);
    char *text = ok ? tuned_text(tuner->tuned) : NULL;
    for (guint i = 0; i < tuner->sizes->len; i++)
        tune_size_clear(&g_array_index(tuner->sizes, TuneSize, i));
    g_array_unref(tuner->sizes);
    g_rand_free(tuner->shifts);
    tuned_free(tuner->tuned);
    return text;
}

char *tune_rules(const GArray *runs, const World *world, double seconds, TuneProgress progress, GError **error)
{
    Tuner tuner = tuner_begin(world, tuned_new(world->n_ranks), FALSE, progress);
    gboolean ok = TRUE;
    for (guint i = 0; i < runs->len; i++)
        tuned_add_size(tuner.tuned, g_array_index(runs, Run, i).problem.data.bytes);
    for (guint i = 0; i < tuner.tuned->sizes->len && ok; i++) {
        gint64 bytes = g_array_index(tuner.tuned->sizes, TunedSize, i).bytes;
        ok = tuner_add(&tuner, i, candidates(world->n_ranks, bytes), error);
    }
    return tuner_end(&tuner, ok, seconds, error);
}

/* Reads the file of earlier launches at rank 0, for all. Refuses a file of another number of ranks or another MPI. */
static Tuned *read_launches(const char *path, const World *world, GError **error)
{
    char *own = world->rank == 0 ? input_load_text(path, INPUT_FILE_MAX, TRUE, error) : NULL;
    if (!world_agree(world, world->rank > 0 || own, error))
        return NULL;
    g_autofree char *text = world_first_text(world, own), *library = world_library();
    g_autofree char *measured = g_strdup_printf(", %s, ", library);
    g_autoptr(Tuned) tuned = tuned_parse(path, text, error);
    if (!tuned)
        return NULL;
    if (tuned->n_ranks != world->n_ranks)
        return input_refuse(error, "%s: %u ranks were measured, and these are %u", path, tuned->n_ranks,
                            world->n_ranks), NULL;
    if (!strstr(tuned->launches->str, measured))
        return input_refuse(error, "%s: another MPI was measured than %s", path, library), NULL;
    return g_steal_pointer(&tuned);
}

char *tune_again(const char *path, const World *world, double seconds, TuneProgress progress, GError **error)
{
    Tuned *tuned = read_launches(path, world, error);
    if (!world_agree(world, tuned != NULL, error))
        return NULL;
    Tuner tuner = tuner_begin(world, tuned, TRUE, progress);
    gboolean ok = TRUE;
    for (guint i = 0; i < tuned->sizes->len && ok; i++) {
        const TunedSize *size = &g_array_index(tuned->sizes, TunedSize, i);
        if (!tuned_is_rule(size))
            continue;
        GPtrArray *lists = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_add(lists, g_strdup(size->list));
        ok = tuner_add(&tuner, i, lists, error);
    }
    return tuner_end(&tuner, ok, seconds, error);
}
