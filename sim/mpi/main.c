/* ecube-mpi: schedules on the ranks of an MPI. Only this file prints errors, at rank 0, and chooses exit codes: 0 fine,
 * 1 a check failed or the system refused, 2 bad usage or input.
 *
 * All contenders of one size are proven first: every message of a schedule is checked on its arrival, all data at the
 * end. Then their timed repetitions take turns, so that a disturbance of the machine meets all of them alike. A
 * repetition begins at a barrier; its time is the longest of all ranks. After the last repetition of each contender its
 * data is checked again, outside the clock. In a bare world there is one contender; its only repetition precedes its
 * proof. */
#include "contender.h"
#include "tune.h"
#include "sim/patterns/problem.h"
#include "sim/replay/price.h"
#include "sim/run/estimate.h"
#include "sim/run/data.h"
#include "sim/sweep/journal.h"
#include "sim/run/keys.h"
#include "sim/run/options.h"
#include "sim/run/record.h"
#include "sim/run/resolve.h"
#include "sim/run/scenario.h"
#include "sim/text/file.h"
#include "sim/text/input.h"
#include "sim/text/message.h"
#include "sim/text/table.h"
#include "sim/text/version.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define REPETITIONS "20"
#define REPETITIONS_MAX 1000000
#define TUNE_BYTES "8:65536:x2"
#define TUNE_SECONDS "120"
#define MACHINE "mpi"           /* machine without --machine */

static struct {
    char *times, *repeat, *format, *output, *baseline, *seconds;
    gboolean tune, again, bare, early, help, version;
} given;

static const GOptionEntry own[] = {
    {"times", 0, 0, G_OPTION_ARG_STRING, &given.times,
     "Measure every run N times; default: " REPETITIONS, "N"},
    {"repeat", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &given.repeat, "The old name of --times", "N"},
    {"baseline", 0, 0, G_OPTION_ARG_STRING, &given.baseline,
     "Measure as well the MPI library's own function for the pattern, or a plain loop of messages, or both",
     "library|loop,..."},
    {"tune", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &given.tune,
     "--tuning, by a name that Open MPI's mpirun takes for one of its own options", NULL},
    {"tuning", 0, 0, G_OPTION_ARG_NONE, &given.tune,
     "Find out for which of --bytes, default " TUNE_BYTES ", a list is faster than MPI_Alltoall; writes rules", NULL},
    {"again", 0, 0, G_OPTION_ARG_NONE, &given.again,
     "With --tuning: confirm the rules of --output in this launch, too; those that it does not confirm end", NULL},
    {"seconds", 0, 0, G_OPTION_ARG_STRING, &given.seconds, "How long --tuning may take; default: " TUNE_SECONDS, "S"},
    {"bare", 0, 0, G_OPTION_ARG_NONE, &given.bare,
     "Measure a single run once, from time 0 on, without a barrier; under SMPI, without any message before it", NULL},
    {"early", 0, 0, G_OPTION_ARG_NONE, &given.early,
     "Post all receives of a run before its first step, each into memory of its own; else those of a step when it "
     "begins, but where messages are sent in earlier steps", NULL},
    {"format", 'f', 0, G_OPTION_ARG_STRING, &given.format,
     "What the result is written as; default: csv with --output, or json by its name, else table", "table|csv|json"},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &given.output, "Write to FILE, whole or not at all", "FILE"},
    {"help", 'h', 0, G_OPTION_ARG_NONE, &given.help, "Print this text", NULL},
    {"version", 0, 0, G_OPTION_ARG_NONE, &given.version, "Print the version, and that of the MPI library", NULL},
    {0},
};

static const char description[] =
    "Runs every combination of the scenario's sizes, algorithms and partitions on the ranks, which are the\n"
    "processors. Each is checked, every byte of it, and timed N times; the repetitions of all runs of one size take\n"
    "turns. The result has the columns of `ecube run` and what was measured. Exit code: 0 all data in\n"
    "place, 1 a run failed, 2 bad input.\n\n"
    "Example: mpirun -np 64 ecube-mpi -a standard,multiphase,direct -p all -b 8:65536:x2 --times 100 -o measured.csv";

/* The request of the command line and the scenario, parsed from `given`. */
typedef struct {
    Scenario *scenario;
    GArray *runs;           /* Run; runs of one block size are adjacent */
    gint64 repetitions, seconds;
    gboolean compared[N_BASELINES];
    guint format;           /* output format: a Format */
    char *overrides;
} Order;

/* --- the line --- */

static char *version_text(void)
{
    g_autofree char *library = world_library();
    return g_strdup_printf("ecube-mpi %s (%s)\n", ECUBE_ABOUT, library);
}

static gboolean parse_line(Order *order, int *argc, char ***argv, char **text, GError **error)
{
    g_autoptr(GOptionContext) context = g_option_context_new("[SCENARIO]");
    g_option_context_set_description(context, description);
    g_option_context_set_help_enabled(context, FALSE);
    g_autofree GOptionEntry *options = options_new(TRUE, NULL, own);
    if (!options_parse(context, options, order->scenario, argc, argv, error))
        return FALSE;
    if (given.help)
        *text = g_option_context_get_help(context, TRUE, NULL);
    else if (given.version)
        *text = version_text();
    return TRUE;
}

static gboolean parse_baselines(Order *order, GError **error)
{
    static const char *const names[] = {[BASELINE_LIBRARY] = "library", [BASELINE_LOOP] = "loop", NULL};
    g_auto(GStrv) words = input_split(given.baseline ? given.baseline : "", ",");
    for (guint i = 0; words[i]; i++) {
        guint which;
        if (!input_parse_choice("--baseline", words[i], names, &which, error))
            return FALSE;
        order->compared[which] = TRUE;
    }
    return TRUE;
}

static gboolean parse_own(Order *order, GError **error)
{
    order->format = given.output ? FORMAT_CSV : FORMAT_TABLE;
    if (given.repeat && given.times)
        return input_refuse(error, "--repeat: '%s' is given, and so is --times, its new name", given.repeat);
    const char *tuned = given.tune ? NULL : given.seconds;
    if (tuned)
        return input_refuse(error, "--seconds: '%s' is given, and --tuning is not", tuned);
    if (given.again && (!given.tune || output_is_stdout(given.output)))
        return input_refuse(error, "--again: %s is not given", given.tune ? "--output FILE" : "--tuning");
    if (given.tune && (given.times || given.repeat || given.baseline || given.bare || given.early || given.format))
        return input_refuse(error, "--tuning: --times, --baseline, --bare, --early and --format are not allowed "
                            "with it");
    if (!input_parse_count("--seconds", given.seconds ? given.seconds : TUNE_SECONDS, 1, 1000000, &order->seconds,
                           error))
        return FALSE;
    const char *where = given.repeat ? "--repeat" : "--times", *times = given.repeat ? given.repeat : given.times;
    if (given.bare && times && strcmp(times, "1") != 0)
        return input_refuse(error, "%s: '%s' is not allowed; allowed: 1, as --bare is given", where, times);
    if (given.bare && given.baseline)
        return input_refuse(error, "--baseline: '%s' is given, and --bare takes a single run", given.baseline);
    if (!times)
        times = given.bare ? "1" : REPETITIONS;
    return input_parse_count(where, times, 1, REPETITIONS_MAX, &order->repetitions, error) &&
           output_parse_format(table_format_names, given.format, given.output, "", &order->format, error) &&
           parse_baselines(order, error);
}

/* --- the scenario --- */

static gboolean order_load_scenario(const Order *order, int argc, char **argv, GError **error)
{
    if (argc > 2)
        return input_refuse(error, "'%s': one scenario at most", argv[2]);
    if (argc < 2)
        return TRUE;
    g_autofree char *path = data_find_scenario(argv[1], error);
    return path && scenario_load(order->scenario, path, error);
}

/* Whether `processors` is given as a plain number and `group` is not: addition modulo this number is then the
 * default. */
static gboolean is_group_open(const Scenario *scenario)
{
    const char *processors = scenario_get(scenario, "processors");
    return processors && !strchr(processors, 'x') && !scenario_value(scenario, "group");
}

/* Sets `dimension`, or without a power of two `processors`, to the number of ranks. Refuses other given numbers. The
 * network has no influence on measurements: without a power of two the default is a crossbar. */
static gboolean order_set_processors(const Order *order, const World *world, GError **error)
{
    guint n = world->n_ranks, dimension = g_bit_storage(n) - 1;
    gboolean is_cube = n == 1u << dimension;
    const Value *value = scenario_value(order->scenario, "dimension");
    const Value *processors = scenario_value(order->scenario, "processors");
    if (is_group_open(order->scenario) &&
        !scenario_set(order->scenario, "group", "addition", "--processors", error))
        return FALSE;
    g_autofree char *text = g_strdup_printf("%u", is_cube && !processors ? dimension : n);
    const Group *group = processors ? group_parse(processors->origin, processors->text, error) : NULL;
    if (processors && !group)
        return FALSE;
    if (n > GROUP_SIZE_MAX)
        return input_refuse(error, "%u ranks are not allowed; allowed: up to %u", n, GROUP_SIZE_MAX);
    if (group ? group->n != n : value && (!is_cube || strcmp(value->text, text) != 0))
        return input_refuse(error, "%s: '%s' is not allowed; allowed: %s%s, as there are %u ranks",
                            (group ? processors : value)->origin, (group ? processors : value)->text,
                            group || is_cube ? "" : "--processors ", text, n);
    if (!is_cube && !scenario_value(order->scenario, "topology") &&
        !scenario_set(order->scenario, "topology", "crossbar", "the number of ranks", error))
        return FALSE;
    return group || value || scenario_set(order->scenario, is_cube ? "dimension" : "processors", text,
                                          "the number of ranks", error);
}

/* Sets the machine to MACHINE, and `node` to World.node unless given. Does nothing if the user names a machine. */
static gboolean order_set_machine(const Order *order, const World *world, GError **error)
{
    g_autofree char *node = g_strdup_printf("%u", world->node);
    return scenario_value(order->scenario, "machine") ||
           (scenario_set(order->scenario, "machine", MACHINE, "machine", error) &&
            (world->node == 0 || scenario_value(order->scenario, "node") ||
             scenario_set(order->scenario, "node", node, "the hosts of the ranks", error)));
}

/* Sets `algorithm`, and `bytes` unless given: --tuning has complete exchanges that differ in `bytes` alone. Refuses
 * keys that --tuning does not take, and a single rank. */
static gboolean order_set_tuned(const Order *order, const World *world, GError **error)
{
    static const char *const others[] = {"pattern", "algorithm", "partition", "offsets", "processors", "group",
                                         "machine", "density", "sizes"};
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        if (scenario_value(order->scenario, others[i]))
            return input_refuse(error, "--tuning: '%s' is given; allowed: --bytes, --seconds, --output", others[i]);
    if (given.again && scenario_value(order->scenario, "bytes"))
        return input_refuse(error, "--again: --bytes is given; the sizes are those of --output");
    if (world->n_ranks < 2)
        return input_refuse(error, "--tuning: 1 rank is not allowed; allowed: 2 or more");
    return scenario_set(order->scenario, "algorithm", "direct", "--tuning", error) &&
           (scenario_value(order->scenario, "bytes") ||
            scenario_set(order->scenario, "bytes", TUNE_BYTES, "--tuning", error));
}

/* Refuses runs that cannot be measured, and an output that would overwrite an input. */
static gboolean order_check_runs(const Order *order, GError **error)
{
    PhaseBarrier barrier = g_array_index(order->runs, Run, 0).machine->phase_barrier;
    if (barrier > BARRIER_PHASE)
        return input_refuse(error, "phase_barrier: '%s' is for simulation; allowed: false, true",
                            barrier == BARRIER_CLOCK ? "clock" : "exchange");
    const char *scenario = scenario_path(order->scenario), *machine = g_array_index(order->runs, Run, 0).machine->path;
    for (guint i = 0; i < order->runs->len; i++)
        if (!run_check_clock(&g_array_index(order->runs, Run, i), error))
            return FALSE;
    return (!given.bare || runs_check_single("--bare", order->runs, error)) &&
           (!scenario || output_check_apart("--output", given.output, "scenario", scenario, error)) &&
           output_check_apart("--output", given.output, "machine", machine, error);
}

/* Reads the command line, the scenario and the machine. Sets `*text` to all of the output with --help or
 * --version. */
static gboolean order_read(Order *order, const World *world, int argc, char **argv, char **text, GError **error)
{
    *order = (Order){.scenario = scenario_new()};
    if (!parse_line(order, &argc, &argv, text, error) || *text)
        return *text != NULL;
    if (!parse_own(order, error) || !data_check(error) || !order_load_scenario(order, argc, argv, error) ||
        (given.tune && !order_set_tuned(order, world, error)) || !order_set_processors(order, world, error) ||
        !order_set_machine(order, world, error))
        return FALSE;
    order->runs = scenario_resolve(order->scenario, data_platforms(), SCENARIO_TIMED, error);
    order->overrides = scenario_overrides(order->scenario);
    return order->runs && order_check_runs(order, error) &&
           ((world->rank > 0 && !given.bare) || output_check_path(given.output, error));
}

/* --- facts that all ranks must share --- */

static void put_fact(GString *out, const char *name, const char *value)
{
    g_autofree char *quoted = value ? g_strdup_printf("'%s'", value) : g_strdup("not given");
    g_autofree char *line = input_printable(quoted);
    g_string_append_printf(out, "%s=%s\n", name, line);
}

static void facts_put_options(GString *out)
{
    for (const GOptionEntry *option = own; option->long_name; option++) {
        g_autofree char *name = g_strconcat("--", option->long_name, NULL);
        if (option->arg == G_OPTION_ARG_NONE)
            g_string_append_printf(out, "%s=%s\n", name, *(gboolean *)option->arg_data ? "given" : "not given");
        else
            put_fact(out, name, *(char **)option->arg_data);
    }
}

static void put_values(const Order *order, GString *out)
{
    for (guint i = 0; i < keys_count(); i++)
        put_fact(out, keys_nth(i)->name, scenario_get(order->scenario, keys_nth(i)->name));
    for (guint i = 0; machine_keys[i].name; i++)
        if (!keys_find(machine_keys[i].name))
            put_fact(out, machine_keys[i].name, scenario_get(order->scenario, machine_keys[i].name));
}

/* Appends checksums of the machine's constants and of the runs. */
static void put_resolved(const Order *order, GString *out)
{
    const Machine *machine = g_array_index(order->runs, Run, 0).machine;
    g_autofree char *constants = machine_canonical(machine);
    g_autofree char *all = g_strdup_printf("%s%" G_GINT64_FORMAT, constants, machine->flop_ps);
    g_autofree char *sum = seal_make(all);
    put_fact(out, "the sum of the machine file", sum);
    g_autoptr(GString) runs = g_string_new(NULL);
    for (guint i = 0; i < order->runs->len; i++) {
        run_put_identity(&g_array_index(order->runs, Run, i), runs);
        g_string_append_c(runs, '\n');
    }
    g_autofree char *runs_sum = seal_make(runs->str);
    put_fact(out, "the sum of all runs", runs_sum);
}

/* Returns all options, values and checksums of the order, as lines NAME=VALUE; the program is first. Ranks with
 * different facts would wait for each other. Caller frees. */
static char *order_facts(const Order *order)
{
    GString *out = g_string_new(NULL);
    put_fact(out, "the program", ECUBE_ABOUT);
    facts_put_options(out);
    put_values(order, out);
    if (order->runs)
        put_resolved(order, out);
    return g_string_free(out, FALSE);
}

static void order_clear(Order *order)
{
    g_clear_pointer(&order->runs, g_array_unref);
    scenario_free(order->scenario);
    g_free(order->overrides);
}

/* --- measuring --- */

typedef struct {
    GArray *records;        /* Record of each contender, with the fault of its data */
    GArray *measured;       /* Timing of each record; valid at rank 0 */
    char *library, *hosts;
} Results;

/* The contenders of one size. */
typedef struct {
    const Order *order;
    World world;
    GPtrArray *contenders;
    char *memory;
} Round;

/* --- progress --- */

#define LINE_EVERY_US (10 * G_USEC_PER_SEC)

/* Shows progress on rank 0: a status line on a terminal, else a line every 10 s. `what` NULL clears it. */
static void mpi_show_progress(const World *world, const char *what, guint at, guint n)
{
    static gint64 last_us;
    gint64 now_us = g_get_monotonic_time();
    if (world->rank > 0)
        return;
    last_us = last_us ? last_us : now_us;
    if (!what)
        message_progress(NULL);
    else if (message_columns() > 0)
        message_progress("%s: %u of %u", what, at, n);
    else if (now_us - last_us >= LINE_EVERY_US) {
        last_us = now_us;
        fprintf(stderr, "%s: %u of %u\n", what, at, n);
    }
}

/* --- one size --- */

static Contender *round_nth(const Round *round, guint i)
{
    return g_ptr_array_index(round->contenders, i);
}

static void fill_and_meet(const Round *round, Contender *contender, gboolean fills)
{
    if (fills)
        contender->class->fill(contender);
    if (!round->world.bare)
        MPI_Barrier(round->world.comm);
}

static void contender_check_memory(Contender *contender)
{
    if (!contender->fault)
        contender->fault = contender->class->check(contender);
}

/* Runs a contender once and checks its data. */
static void prove(const Round *round, Contender *contender)
{
    fill_and_meet(round, contender, TRUE);
    contender->class->run(contender, &contender->fault);
    contender_check_memory(contender);
}

static void time_once(const Round *round, Contender *contender, guint repetition)
{
    gboolean proven = repetition + 1 == round->order->repetitions;
    fill_and_meet(round, contender, proven || contender->consumes);
    double start = MPI_Wtime();
    contender->class->run(contender, NULL);
    contender->seconds[repetition] = MPI_Wtime() - start;
    if (proven)
        contender_check_memory(contender);
}

static void time_all(const Round *round)
{
    guint n = (guint)round->order->repetitions;
    for (guint repetition = 0; repetition < n; repetition++) {
        g_autofree char *what = run_describe(&round_nth(round, 0)->record.run);
        mpi_show_progress(&round->world, what, repetition + 1, n);
        for (guint i = 0; i < round->contenders->len; i++)
            time_once(round, round_nth(round, (repetition + i) % round->contenders->len), repetition);
    }
}

static void run_round(const Round *round)
{
    guint n = round->contenders->len;
    if (!round->world.bare)
        for (guint i = 0; i < n; i++) {
            mpi_show_progress(&round->world, "checking", i + 1, n);
            prove(round, round_nth(round, i));
        }
    time_all(round);
    if (round->world.bare)
        prove(round, round_nth(round, 0));
    mpi_show_progress(&round->world, NULL, 0, 0);
}

/* --- making contenders --- */

static gboolean round_add_baselines(Round *round, const Run *run, GError **error)
{
    for (Baseline baseline = 0; baseline < N_BASELINES; baseline++) {
        if (!round->order->compared[baseline])
            continue;
        Contender *contender = baseline_new(baseline, run, error);
        if (!contender)
            return FALSE;
        g_ptr_array_add(round->contenders, contender);
    }
    return TRUE;
}

static gboolean round_add_contender(Round *round, const Run *run, GError **error)
{
    g_autofree char *what = run_describe(run);
    if (!world_check_memory(&round->world, contender_making(run), what, error))
        return FALSE;
    Contender *contender = contender_new(run, &round->world, given.early, error);
    if (!world_agree(&round->world, contender != NULL, error))
        return FALSE;
    g_ptr_array_add(round->contenders, contender);
    return TRUE;
}

/* Allocates the memory that all contenders share, as much as the largest takes, and places all of them in it. */
static gboolean place_all(Round *round, GError **error)
{
    guint largest = 0;
    for (guint i = 0; i < round->contenders->len; i++)
        if (round_nth(round, i)->bytes > round_nth(round, largest)->bytes)
            largest = i;
    gsize bytes = round_nth(round, largest)->bytes;
    g_autofree char *what = run_describe(&round_nth(round, largest)->record.run);
    if (!world_check_memory(&round->world, bytes, what, error))
        return FALSE;
    round->memory = g_malloc0(MAX(1, bytes));
    for (guint i = 0; i < round->contenders->len; i++) {
        round_nth(round, i)->seconds = g_new0(double, round->order->repetitions);
        round_nth(round, i)->class->place(round_nth(round, i), &round->world, round->memory);
    }
    return TRUE;
}

static void round_clear(Round *round)
{
    for (guint i = 0; i < round->contenders->len; i++) {
        g_free(round_nth(round, i)->seconds);
        g_free(round_nth(round, i)->fault);
        round_nth(round, i)->class->destroy(round_nth(round, i));
    }
    g_ptr_array_unref(round->contenders);
    g_free(round->memory);
}

/* --- results --- */

static gint64 in_ps(double seconds)
{
    return llround(seconds * 1e12);
}

static gboolean is_known(const Machine *machine)
{
    return machine->terms.lambda_ps > 0 || machine->terms.tau_fs_per_byte > 0;
}

static gint64 contention_free_ps(const Run *run)
{
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    Price paid = price(schedule, run->machine, REPLAY_SIZES);
    gint64 time_ps = paid.time_ps;
    price_clear(&paid);
    return time_ps;
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Returns the quantile q, interpolated between two values (Hyndman & Fan 1996, definition 7). */
static double quantile(const double *sorted, guint n, double q)
{
    double at = (n - 1) * q;
    guint low = (guint)at, high = MIN(low + 1, n - 1);
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

/* Adds the record and the timing of a contender. The time of a repetition is the maximum over the ranks; rank 0 has
 * it. */
static void results_add(Results *results, const Round *round, Contender *contender)
{
    const World *world = &round->world;
    guint n = (guint)round->order->repetitions;
    double *seconds = contender->seconds;
    MPI_Reduce(world->rank == 0 ? MPI_IN_PLACE : seconds, seconds, (int)n, MPI_DOUBLE, MPI_MAX, 0, world->comm);
    Record record = contender->record;
    for (guint repetition = 0; repetition < n; repetition++)
        record.result.wall_s += seconds[repetition];
    qsort(seconds, n, sizeof *seconds, compare_seconds);
    gboolean priced = world->rank == 0 && contender->scheduled && is_known(record.run.machine);
    record.result.contention_free_ps = priced ? contention_free_ps(&record.run) : 0;
    contender->fault = world_first_text(world, contender->fault);
    record.result.data_ok = contender->fault == NULL;
    g_strlcpy(record.result.fault, contender->fault ? contender->fault : "", RUN_FAULT_MAX);
    Timing timing = {n, in_ps(seconds[0]), in_ps(quantile(seconds, n, 0.5)),
                     in_ps(quantile(seconds, n, 0.75) - quantile(seconds, n, 0.25)), priced, results->library,
                     results->hosts};
    g_array_append_val(results->records, record);
    g_array_append_val(results->measured, timing);
}

/* Returns the number of consecutive runs, from run `first` on, with its block size. */
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
        if (!round_add_contender(round, &g_array_index(runs, Run, first + i), error))
            return FALSE;
    if (!round_add_baselines(round, &g_array_index(runs, Run, first), error) || !place_all(round, error))
        return FALSE;
    run_round(round);
    round->world.bare = FALSE;
    if (!results->library) {
        results->library = world_library();
        results->hosts = world_hosts(&round->world);
    }
    for (guint i = 0; i < round->contenders->len; i++)
        results_add(results, round, round_nth(round, i));
    return TRUE;
}

/* Measures all runs of the order. All ranks get the same results, but rank 0 alone the times. */
static gboolean measure(Results *results, const Order *order, const World *world, GError **error)
{
    gboolean ok = TRUE;
    for (guint i = 0, n; i < order->runs->len && ok; i += n) {
        Round round = {.order = order, .world = *world, .contenders = g_ptr_array_new()};
        n = n_of_size(order->runs, i);
        ok = measure_size(results, &round, i, n, error);
        round_clear(&round);
    }
    return ok;
}

/* --- the program --- */

/* Writes the records and prints faults of data. FALSE with an error if it cannot write, without if data is wrong. */
static gboolean print_records(const Order *order, const Results *results, GError **error)
{
    Record *records = (Record *)(gpointer)results->records->data;
    for (guint i = 0; i < results->records->len; i++)
        records[i].measured = &g_array_index(results->measured, Timing, i);
    g_autofree char *text = record_text(order->format, records, results->records->len, order->overrides);
    gboolean ok = output_write(given.output, text, error);
    gboolean all_right = ok;
    for (guint i = 0; i < results->records->len && ok; i++) {
        g_autofree char *what = run_describe(&records[i].run);
        if (!records[i].result.data_ok)
            message_print("%s: the data is wrong: %s", what, records[i].result.fault);
        all_right &= records[i].result.data_ok;
    }
    return all_right;
}

static void warn_shared_cores(const World *world)
{
    g_autofree char *shared = world->bare ? NULL : world_shared_cores(world);
    if (shared && world->rank == 0)
        message_print("%s: these are times of the cores, not of a network, and advice is as good as that", shared);
}

static gboolean do_tune(const Order *order, const World *world, GError **error)
{
    double seconds = (double)order->seconds;
    g_autofree char *rules = given.again ? tune_again(given.output, world, seconds, mpi_show_progress, error)
                                         : tune_rules(order->runs, world, seconds, mpi_show_progress, error);
    return rules && (world->rank > 0 || output_write(given.output, rules, error));
}

static gboolean do_order(const Order *order, const World *world, GError **error)
{
    if (given.repeat && world->rank == 0)
        message_print("--repeat is the old name of --times");
    warn_shared_cores(world);
    if (given.tune)
        return do_tune(order, world, error);
    g_autoptr(GArray) records = g_array_new(FALSE, FALSE, sizeof(Record));
    g_autoptr(GArray) measured = g_array_new(FALSE, FALSE, sizeof(Timing));
    Results results = {.records = records, .measured = measured};
    gboolean ok = measure(&results, order, world, error) && (world->rank > 0 || print_records(order, &results, error));
    g_free(results.library);
    g_free(results.hosts);
    return ok;
}

static gboolean mpi_run(World *world, int argc, char **argv, GError **error)
{
    Order order;
    g_autofree char *text = NULL;
    gboolean ok = order_read(&order, world, argc, argv, &text, error);
    world->bare = given.bare && world_has_simulated_clock();
    g_autofree char *facts = order_facts(&order);
    ok = world_agree(world, ok, error) && world_compare(world, facts, error);
    world->bare = given.bare;
    if (ok && text)
        ok = world->rank > 0 || output_write(NULL, text, error);
    else if (ok)
        ok = do_order(&order, world, error);
    order_clear(&order);
    return ok;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    setlocale(LC_CTYPE, "C.UTF-8");
    g_set_prgname("ecube-mpi");
    g_autoptr(GError) error = NULL;
    World world = world_of(MPI_COMM_WORLD);
    gboolean ok = world_check_launcher(&world, &error) && mpi_run(&world, argc, argv, &error);
    int code = ok ? 0 : error && error->code <= ECUBE_ERROR_MEMORY ? 2 : 1;
    if (error && world.rank == 0)
        message_print("%s", error->message);
    MPI_Finalize();
    return code;
}
