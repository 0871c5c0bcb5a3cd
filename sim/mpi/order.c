#include "order.h"
#include "sim/text/input.h"
#include "sim/run/limits.h"
#include "sim/run/data.h"
#include "sim/run/journal.h"
#include "sim/run/options.h"
#include "sim/run/record.h"
#include "sim/run/resolve.h"
#include "sim/text/version.h"

#include <string.h>

#define REPETITIONS "20"
#define REPETITIONS_MAX 1000000
#define MACHINE "mpi"           /* where none is named */

static struct {
    char *repeat, *format, *output, *baseline;
    gboolean bare, early, help, version;
} given;

static const GOptionEntry own[] = {
    {"repeat", 0, 0, G_OPTION_ARG_STRING, &given.repeat,
     "Measure every run N times; default: " REPETITIONS ". (The key `repeat` is set by --set repeat=K)", "N"},
    {"baseline", 0, 0, G_OPTION_ARG_STRING, &given.baseline,
     "Measure as well the MPI library's own function for the pattern, or a plain loop of messages, or both",
     "library|loop,..."},
    {"bare", 0, 0, G_OPTION_ARG_NONE, &given.bare,
     "Measure a single run once, from time 0 on, without a barrier; under SMPI, without any message before it", NULL},
    {"early", 0, 0, G_OPTION_ARG_NONE, &given.early,
     "Post all receives of a run before its first step, each into memory of its own; else those of a step when it "
     "begins, but where messages are sent in earlier steps", NULL},
    {"format", 'f', 0, G_OPTION_ARG_STRING, &given.format,
     "What the result is written as; default: csv with --output, else table", "table|csv|json"},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &given.output, "Write to FILE, whole or not at all", "FILE"},
    {"help", 'h', 0, G_OPTION_ARG_NONE, &given.help, "Say all this", NULL},
    {"version", 0, 0, G_OPTION_ARG_NONE, &given.version, "Print the version, and that of the MPI library", NULL},
    {0},
};

static const char description[] =
    "Runs every combination of the scenario's sizes, algorithms and partitions on the ranks, which are the processors\n"
    "of the cube: 2^d of them. Each is checked, every byte of it, and timed N times; the repetitions of all runs of\n"
    "one size take turns. The result has the columns of `ecube run` and what was measured. Exit code: 0 all data in\n"
    "place, 1 a run failed, 2 bad input.\n\n"
    "Example: mpirun -np 64 ecube-mpi -a standard,multiphase,direct -p all -b 8:65536:x2 --repeat 100 -o measured.csv";

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
    static const char *const names[] = {"library", "loop", NULL};
    g_auto(GStrv) words = input_split(given.baseline ? given.baseline : "", ",");
    for (guint i = 0; words[i]; i++) {
        guint which;
        if (!input_parse_choice("--baseline", words[i], names, &which, error))
            return FALSE;
        order->library |= which == 0;
        order->loop |= which == 1;
    }
    return TRUE;
}

static gboolean parse_own(Order *order, GError **error)
{
    order->output = given.output;
    order->format = given.output ? FORMAT_CSV : FORMAT_TABLE;
    order->bare = given.bare;
    order->early = given.early;
    if (given.bare && given.repeat && strcmp(given.repeat, "1") != 0)
        return input_refuse(error, "--repeat: '%s' is not allowed; allowed: 1, as --bare is given", given.repeat);
    if (given.bare && given.baseline)
        return input_refuse(error, "--baseline: '%s' is given, and --bare takes a single run", given.baseline);
    const char *repeat = given.repeat ? given.repeat : given.bare ? "1" : REPETITIONS;
    return input_parse_count("--repeat", repeat, 1, REPETITIONS_MAX, &order->repetitions, error) &&
           (!given.format || input_parse_choice("--format", given.format, table_format_names, &order->format, error)) &&
           parse_baselines(order, error);
}

/* --- the scenario --- */

static gboolean load_scenario(const Order *order, int argc, char **argv, GError **error)
{
    if (argc > 2)
        return input_refuse(error, "'%s': one scenario at most", argv[2]);
    if (argc < 2)
        return TRUE;
    g_autofree char *path = data_find_scenario(argv[1], error);
    return path && scenario_load(order->scenario, path, error);
}

/* As many dimensions as the ranks have. */
static gboolean set_dimension(const Order *order, const World *world, GError **error)
{
    guint dimension;
    const Value *value = scenario_value(order->scenario, "dimension");
    if (!world_dimension(world, &dimension, error))
        return FALSE;
    g_autofree char *text = g_strdup_printf("%u", dimension);
    if (value && strcmp(value->text, text) != 0)
        return input_refuse(error, "%s: '%s' is not allowed; allowed: %s, as there are %u ranks", value->origin,
                            value->text, text, world->n_ranks);
    return value || scenario_set(order->scenario, "dimension", text, "the number of ranks", error);
}

static gboolean set_machine(const Order *order, GError **error)
{
    return scenario_value(order->scenario, "machine") ||
           scenario_set(order->scenario, "machine", MACHINE, "machine", error);
}

/* Of what would be lost, or could not be done. */
static gboolean check_runs(const Order *order, GError **error)
{
    const char *scenario = scenario_path(order->scenario), *machine = g_array_index(order->runs, Run, 0).machine->path;
    for (guint i = 0; i < order->runs->len; i++)
        if (!run_check_clock(&g_array_index(order->runs, Run, i), error))
            return FALSE;
    if (order->bare && order->runs->len != 1)
        return input_refuse(error, "--bare: takes a single run; the scenario's lists make %u", order->runs->len);
    return (!scenario || output_check_apart("--output", order->output, "scenario", scenario, error)) &&
           output_check_apart("--output", order->output, "machine", machine, error);
}

gboolean order_read(Order *order, const World *world, int argc, char **argv, char **text, GError **error)
{
    *order = (Order){.scenario = scenario_new()};
    if (!parse_line(order, &argc, &argv, text, error) || *text)
        return *text != NULL;
    if (!parse_own(order, error) || !data_check(error) || !load_scenario(order, argc, argv, error) ||
        !set_dimension(order, world, error) || !set_machine(order, error))
        return FALSE;
    order->runs = scenario_resolve(order->scenario, data_platforms(), SCENARIO_TIMED, error);
    order->overrides = scenario_overrides(order->scenario);
    return order->runs && check_runs(order, error) &&
           ((world->rank > 0 && !order->bare) || output_check_path(order->output, error));
}

/* --- what all ranks have to be given alike --- */

static void put_fact(GString *out, const char *name, const char *value)
{
    g_autofree char *quoted = value ? g_strdup_printf("'%s'", value) : g_strdup("not given");
    g_autofree char *line = input_printable(quoted);
    g_string_append_printf(out, "%s=%s\n", name, line);
}

static void put_options(GString *out)
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

/* Sums of what the machine's file says, and of the runs. */
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

char *order_facts(const Order *order)
{
    GString *out = g_string_new(NULL);
    put_fact(out, "the program", ECUBE_ABOUT);
    put_options(out);
    put_values(order, out);
    if (order->runs)
        put_resolved(order, out);
    return g_string_free(out, FALSE);
}

void order_clear(Order *order)
{
    g_clear_pointer(&order->runs, g_array_unref);
    scenario_free(order->scenario);
    g_free(order->overrides);
}
