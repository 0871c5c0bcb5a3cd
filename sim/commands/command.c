#include "command.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/theory.h"
#include "sim/text/input.h"
#include "sim/run/data.h"
#include "sim/run/estimate.h"
#include "sim/run/options.h"
#include "sim/text/file.h"
#include "sim/text/message.h"

#include <string.h>

CommandLine command_line;

/* --- options --- */

gboolean command_takes_scenario(const Command *command)
{
    return g_str_has_prefix(command->usage, "[SCENARIO]");
}

static void add_options(GArray *options, const Command *command, const GOptionEntry *more)
{
    for (; more && more->long_name; more++)
        if (*more->long_name)
            g_array_append_vals(options, more, 1);
        else
            for (guint i = 0; i < pattern_count(); i++) {
                const Listing *listing = pattern_theory(pattern_nth(i))->listings[command->listing];
                add_options(options, command, listing ? listing->options : NULL);
            }
}

/* Returns the names of keys that are options of the command: command->keys, then the keys of each pattern whose listing
 * for this command has takes_keys. Caller frees. */
static GStrv key_names(const Command *command)
{
    g_autoptr(GStrvBuilder) names = g_strv_builder_new();
    g_strv_builder_addv(names, (const char **)command->keys);
    for (guint i = 0; i < pattern_count(); i++) {
        const PatternTheory *theory = pattern_theory(pattern_nth(i));
        const Listing *listing = theory->listings[command->listing];
        for (const Key *key = listing && listing->takes_keys ? theory->keys : NULL; key && key->name; key++)
            g_strv_builder_add(names, key->name);
    }
    return g_strv_builder_end(names);
}

GOptionEntry *command_options(const Command *command)
{
    gboolean all = command_takes_scenario(command);
    g_autoptr(GArray) own = g_array_new(TRUE, FALSE, sizeof(GOptionEntry));
    g_auto(GStrv) keys = command->keys ? key_names(command) : NULL;
    add_options(own, command, command->options);
    return options_new(all, (const char *const *)keys, (const GOptionEntry *)(gconstpointer)own->data);
}

/* --- the line --- */

/* Characters that a shell takes literally within a word. */
#define PLAIN G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_./,:=+@%"

static gboolean parse_options(const Command *command, int *argc, char ***argv, GError **error)
{
    g_auto(GStrv) help = g_strsplit(command->help, "{keys}", -1);
    g_autofree char *order = keys_order(), *description = g_strjoinv(order, help);
    g_autoptr(GOptionContext) context = g_option_context_new(command->usage);
    g_option_context_set_description(context, description);
    g_autofree GOptionEntry *options = command_options(command);
    return options_parse(context, options, command_line.scenario, argc, argv, error);
}

static gboolean check_arguments(const CommandLine *line, GError **error)
{
    const Command *command = line->command;
    if (*command->usage == '-' && !command->verbatim && line->n_arguments > 0)
        return input_refuse(error, "'%s': the command takes options only; see `%s --help`", line->arguments[0],
                            g_get_prgname());
    if (command_takes_scenario(command) && line->n_arguments > 1)
        return input_refuse(error, "'%s': one scenario at most", line->arguments[1]);
    return !command->single || line->n_arguments == 1 || input_refuse(error, "%s", command->single);
}

static gboolean has_figure(const Command *command)
{
    const GOptionEntry *entry = command->options;
    while (entry && entry->long_name && strcmp(entry->long_name, "figure") != 0)
        entry++;
    return entry && entry->long_name;
}

/* Returns a hint for the end of an error: which command or option writes files with the suffix of --output. Returns ""
 * if there is none. Caller frees. */
static char *output_hint(const CommandLine *line)
{
    PlotFormat picture;
    if (line->output && g_str_has_suffix(line->output, ".html"))
        return g_strdup_printf("; `ecube report ... -o %s` writes a page of runs", line->output);
    if (!line->output || !gnuplot_parse_format("", line->output, &picture, NULL))
        return g_strdup("");
    if (has_figure(line->command))
        return g_strdup_printf("; for a picture give --figure %s", line->output);
    return g_strdup(line->command->formats ? "" : "; `ecube plot` draws CSV");
}

static gboolean parse_formats(CommandLine *line, GError **error)
{
    const char *const *formats = line->command->formats ? line->command->formats : table_format_names;
    const char *const *outputs = line->command->outputs;
    const char *decides = outputs ? NULL : line->output;
    g_autofree char *hint = output_hint(line);
    return output_parse_format(formats, line->format_name, decides, hint, &line->format, error) &&
           (!outputs || output_parse_format(outputs, NULL, line->output, hint, &(guint){0}, error)) &&
           (!line->figure || gnuplot_parse_format("--figure", line->figure, &line->figure_format, error));
}

const char *command_csv(const CommandLine *line)
{
    gboolean is_csv = line->command->takes_csv && line->n_arguments > 0 && g_str_has_suffix(line->arguments[0], ".csv");
    return is_csv ? line->arguments[0] : NULL;
}

static gboolean command_load_scenario(const CommandLine *line, GError **error)
{
    if (!command_takes_scenario(line->command) || line->n_arguments == 0 || command_csv(line))
        return TRUE;
    g_autofree char *path = data_find_scenario(line->arguments[0], error);
    gboolean ok = path && scenario_load(line->scenario, path, error);
    command_note_read("scenario", scenario_path(line->scenario));
    return ok;
}

static gboolean check_needed(const CommandLine *line, GError **error)
{
    for (const char *const *name = line->command->needed; name && *name; name++)
        if (!scenario_get(line->scenario, *name))
            return input_refuse(error, "--%s is missing", *name);
    return TRUE;
}

/* Returns a word with unprintable characters as bash and other shells quote it: $'a\nb'. Caller frees. */
static char *quote_escaped(const char *word)
{
    g_autofree char *escaped = g_strescape(word, NULL);
    g_auto(GStrv) pieces = g_strsplit(escaped, "'", -1);
    g_autofree char *joined = g_strjoinv("\\'", pieces);
    return g_strconcat("$'", joined, "'", NULL);
}

static char *quote_word(const char *word)
{
    g_autofree char *shown = input_printable(word);
    if (*word && strspn(word, PLAIN) == strlen(word))
        return g_strdup(word);
    return strcmp(shown, word) == 0 ? g_shell_quote(word) : quote_escaped(word);
}

char *command_quote(const char *const *words)
{
    GString *out = g_string_new("ecube");
    for (const char *const *word = words; *word; word++) {
        g_autofree char *quoted = quote_word(*word);
        g_string_append_printf(out, " %s", quoted);
    }
    return g_string_free(out, FALSE);
}

gboolean command_main(const Command *const *commands, const Command *command, int argc, char **argv, GError **error)
{
    CommandLine *line = &command_line;
    *line = (CommandLine){.commands = commands, .command = command, .scenario = scenario_new(),
                          .read = g_ptr_array_new(),
                          .words = command_quote((const char *const *)argv)};
    gboolean as_it_is = command->verbatim && argc > 2 && strcmp(argv[1], "--") == 0;
    gboolean ok = as_it_is || parse_options(command, &argc, &argv, error);
    line->arguments = (const char *const *)argv + 1;
    line->n_arguments = (guint)argc - 1;
    ok = ok && check_arguments(line, error) && parse_formats(line, error) && command_load_scenario(line, error) &&
         check_needed(line, error) && command->run(line, error);
    scenario_free(line->scenario);
    g_ptr_array_unref(line->read);
    g_free(line->format_name);
    g_free(line->output);
    g_free(line->figure);
    g_free(line->words);
    return ok;
}

/* --- runs --- */

GArray *command_runs(const CommandLine *line, ScenarioUse use, GError **error)
{
    g_autoptr(GArray) runs = scenario_resolve(line->scenario, data_platforms(), use, error);
    const Machine *machine = runs ? g_array_index(runs, Run, 0).machine : NULL;
    command_note_read("machine", machine ? machine->path : NULL);
    return runs && command_check_outputs(line, error) ? g_steal_pointer(&runs) : NULL;
}

/* --- defaults --- */

const Group *command_group(const Scenario *scenario, const Machine *machine, GError **error)
{
    return group_asked(scenario_get(scenario, "dimension"), scenario_get(scenario, "processors"),
                       scenario_get(scenario, "group"), machine_is_cube(machine), MACHINE_DIMENSION_MAX, error);
}

/* Ignores errors of the scenario: they are reported when it is resolved. */
char *command_algorithms(const Scenario *scenario, const Pattern *pattern)
{
    g_autoptr(Resolver) resolver = resolver_new(data_platforms(), SCENARIO_TIMED);
    const Machine *machine = resolver_machine(resolver, scenario, NULL);
    const Group *group = machine ? command_group(scenario, machine, NULL) : NULL;
    gboolean cube = !group || group->binary;
    Ports ports = machine ? machine->ports : PORTS_ONE;
    g_autofree const char **names = algorithm_names(pattern);
    GString *out = g_string_new(NULL);
    for (guint i = 0; names[i]; i++) {
        const Algorithm *algorithm = algorithm_find("", pattern, ports, names[i], NULL);
        gboolean is_extreme = algorithm && algorithm->phases && !(algorithm->takes & TAKES_PARTITION);
        gboolean is_elsewhere = algorithm && algorithm->on_mesh && !(machine && machine_is_mesh(machine));
        if (algorithm && !is_extreme && !is_elsewhere && (cube || algorithm->any_group))
            g_string_append_printf(out, "%s%s", out->len ? "," : "", names[i]);
    }
    return g_string_free(out, FALSE);
}

/* --- files that are read and written --- */

void command_note_read(const char *what, const char *path)
{
    if (!path)
        return;
    g_ptr_array_add(command_line.read, (gpointer)what);
    g_ptr_array_add(command_line.read, (gpointer)path);
}

gboolean command_check_apart(const char *option, const char *path, GError **error)
{
    gpointer *read = command_line.read->pdata;
    for (guint i = 0; i < command_line.read->len; i += 2)
        if (!output_check_apart(option, path, read[i], read[i + 1], error))
            return FALSE;
    return TRUE;
}

gboolean command_check_outputs(const CommandLine *line, GError **error)
{
    return output_check_path(line->output, error) && command_check_apart("--output", line->output, error) &&
           (!line->figure ||
            (output_check_path(line->figure, error) &&
             output_check_apart("--figure", line->figure, "output", line->output, error) &&
             command_check_apart("--figure", line->figure, error)));
}

gboolean command_draw(const CommandLine *line, char *script, GError **error)
{
    g_autofree char *text = script;
    g_autoptr(GBytes) picture = line->figure && text ? gnuplot_run(text, error) : NULL;
    if (!picture)
        return !line->figure;
    return output_write_data(line->figure, g_bytes_get_data(picture, NULL), g_bytes_get_size(picture), error);
}

gboolean command_check_runs(const GArray *runs, GPtrArray *refused, GError **error)
{
    guint n_refused = 0;
    g_ptr_array_set_size(refused, 0);
    for (guint i = 0; i < runs->len; i++) {
        g_autoptr(GError) failure = NULL;
        n_refused += !run_check(&g_array_index(runs, Run, i), &failure);
        g_ptr_array_add(refused, failure ? g_strdup(failure->message) : NULL);
    }
    return n_refused < runs->len || input_refuse(error, "%s", (const char *)refused->pdata[0]);
}

void command_report_failed(const GArray *runs, guint i, const char *why)
{
    g_autofree char *what = run_describe(&g_array_index(runs, Run, i));
    if (runs->len > 1)
        message_print("run %u of %u (%s): %s", i + 1, runs->len, what, why);
    else
        message_print("%s: %s", what, why);
}

gboolean command_execute(const GArray *runs, guint i, Record *records, GPtrArray *failures, Trace **trace,
                         GError **error)
{
    g_autoptr(GError) failure = NULL;
    Record *record = &records[i];
    gboolean refused = failures->pdata[i] != NULL;
    *record = (Record){.run = g_array_index(runs, Run, i), .failed = refused};
    if (!refused && !run_execute(&record->run, &record->result, trace, &failure)) {
        record->failed = TRUE;
        refused = g_error_matches(failure, ECUBE_ERROR, ECUBE_ERROR_INPUT);
        failures->pdata[i] = g_strdup(failure->message);
    }
    record->all_refused = refused && (i == 0 || records[i - 1].all_refused);
    if (runs->len > 1)
        return i + 1 < runs->len || !record->all_refused ||
               input_refuse(error, "%s", (const char *)failures->pdata[0]);
    if (failure)
        g_propagate_error(error, g_steal_pointer(&failure));
    return !record->failed;
}

gboolean command_report_failures(const GArray *runs, const Record *records, const GPtrArray *failures)
{
    gboolean ok = TRUE;
    for (guint i = 0; i < runs->len; i++) {
        if (records[i].failed)
            command_report_failed(runs, i, failures->pdata[i]);
        ok &= !records[i].failed && run_report_failure(&records[i].run, &records[i].result);
    }
    return ok;
}
