/* ecube fit: finds the constants of a machine from measured times. */
#include "command.h"
#include "sim/text/input.h"
#include "sim/fit/fit_output.h"
#include "sim/fit/measured_files.h"
#include "sim/fit/regret.h"
#include "sim/fit/verdict.h"
#include "sim/run/data.h"
#include "sim/run/record.h"
#include "sim/text/message.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static struct {
    char *machine, *statistic;
    char **known, **within;
} given;

/* --- options --- */

/* Refuses known[n], a "KEY=VALUE", if one before it has the same key and another value. */
static gboolean check_once(char **known, guint n, GError **error)
{
    gsize length = strcspn(known[n], "=") + 1;
    for (guint i = 0; i < n; i++)
        if (strncmp(known[i], known[n], length) == 0 && strcmp(known[i], known[n]) != 0)
            return input_refuse(error, "--fix: '%s' is given, and '%s' as well; allowed: one value for one key",
                                known[n], known[i]);
    return TRUE;
}

/* Refuses `name`, an unknown key in --fix. The message suggests a constant or a limit. */
static gboolean unknown_constant(const char *name, GError **error)
{
    const char *names[MACHINE_KEYS_MAX + 3] = {"short_limit", "long_limit"};
    for (guint i = 0; i < constants_count(); i++)
        names[i + 2] = constant_key(i)->name;
    return machine_refuse_key("--fix", name, names, error);
}

static gboolean parse_known(const char *pair, FitQuestion *q, GError **error)
{
    g_auto(GStrv) halves = g_strsplit(pair, "=", 2);
    const char *name = halves[0] ? halves[0] : "";
    g_autofree char *where = g_strdup_printf("--fix %s", name);
    gint64 *limit = strcmp(name, "short_limit") == 0  ? &q->limits.short_limit
                    : strcmp(name, "long_limit") == 0 ? &q->limits.long_limit
                                                      : NULL;
    int i = constant_find(name);
    if (halves[0] && halves[1] && !machine_key(name))
        return unknown_constant(name, error);
    if (!halves[0] || !halves[1] || (i < 0 && !limit))
        return input_refuse(error, "--fix: '%s' is not allowed; allowed: KEY=VALUE with a constant of machines, as "
                            "delta=0, or short_limit=none", pair);
    if (limit && strcmp(halves[1], "none") == 0) {
        *limit = FIT_LIMIT_NONE;
        return TRUE;
    }
    if (limit)
        return input_parse_count(where, halves[1], 1, INPUT_TIME_MAX_PS, limit, error);
    q->is_known[i] = TRUE;
    gint64 value = 0;
    gboolean ok = constant_is_per_byte((guint)i) ? input_parse_fs(where, halves[1], &value, error)
                                                 : input_parse_ps(where, halves[1], &value, error);
    q->known_ps[i] = (double)value / (double)constant_per_ps((guint)i);
    return ok;
}

static gboolean parse_question(FitQuestion *q, GError **error)
{
    FitLimits *limits = &q->limits;
    *q = (FitQuestion){.limits = {FIT_LIMIT_SEEK, FIT_LIMIT_SEEK}, .is_node_apart = given.within != NULL};
    for (guint i = 0; given.known && given.known[i]; i++)
        if (!parse_known(given.known[i], q, error) || !check_once(given.known, i, error))
            return FALSE;
    if (limits->short_limit == FIT_LIMIT_NONE && limits->long_limit == FIT_LIMIT_SEEK)
        limits->long_limit = FIT_LIMIT_NONE;
    return limits->long_limit < 0 || limits->long_limit >= limits->short_limit ||
           input_refuse(error, "--fix long_limit: '%" G_GINT64_FORMAT "' is below short_limit; allowed: %"
                        G_GINT64_FORMAT " or more", limits->long_limit, limits->short_limit);
}

/* --- files --- */

/* Returns the paths of all input files, those of --within last, NULL-terminated. Caller frees with g_strfreev(). */
static char **paths_of(const CommandLine *line)
{
    g_autoptr(GStrvBuilder) paths = g_strv_builder_new();
    for (guint i = 0; i < line->n_arguments; i++)
        g_strv_builder_add(paths, line->arguments[i]);
    for (char **path = given.within; path && *path; path++)
        g_strv_builder_add(paths, *path);
    return g_strv_builder_end(paths);
}

/* Returns the date of the newest of `paths`, in UTC. Caller frees. */
static char *date_of_files(char **paths)
{
    gint64 newest = 0;
    for (; *paths; paths++) {
        GStatBuf status;
        if (g_stat(*paths, &status) == 0)
            newest = MAX(newest, (gint64)status.st_mtime);
    }
    g_autoptr(GDateTime) date = g_date_time_new_from_unix_utc(newest);
    return g_date_time_format(date, "%Y-%m-%d");
}

/* Returns the number of measured times that a fit uses. */
static guint count_used(const GPtrArray *observations)
{
    guint n = 0;
    for (guint i = 0; i < observations->len; i++)
        n += !((const Observation *)observations->pdata[i])->left_out;
    return n;
}

/* Reads all files into `measured`. Returns a text with each file's name and number of times; NULL with an error. Caller
 * frees. */
static char *read_files(const CommandLine *line, Measured *measured, GError **error)
{
    measured->place = given.within ? MEASURED_BETWEEN : MEASURED_ANYWHERE;
    g_autofree char *names = measured_read_all(measured, line->arguments, TRUE, error);
    if (!names || !given.within)
        return g_steal_pointer(&names);
    guint before = count_used(measured->observations);
    measured->place = MEASURED_WITHIN;
    g_autofree char *within = measured_read_all(measured, (const char *const *)given.within, TRUE, error);
    if (within && count_used(measured->observations) == before) {
        g_autofree char *files = g_strjoinv(" ", given.within);
        input_refuse(error, "--within: '%s' has no time of a ping-pong that the other files do not have", files);
        return measured_add_left_out(measured, error), NULL;
    }
    return within ? g_strdup_printf("%s, within nodes %s", names, within) : NULL;
}

/* --- the fit --- */

/* Writes the machine file and the figure, and prints the fit. Makes all texts before it writes the first. */
static gboolean report(const CommandLine *line, const Fit *fit, const FitSource *source, GError **error)
{
    const GPtrArray *observations = source->measured->observations;
    Machine options = ((const Observation *)g_ptr_array_index(observations, 0))->machine;
    options.host = fit->estimate.host;
    g_autofree char *constants = fit_output_machine(fit, source, &options, NULL);
    g_autoptr(Machine) machine = machine_parse("the fitted machine", constants, error);
    g_autofree char *figure = machine && line->figure ? fit_output_script(fit, line->figure_format, error) : NULL;
    if (!machine || (line->figure && !figure))
        return FALSE;
    g_autoptr(GArray) regrets = regret_list(observations, machine, FALSE);
    g_autofree char *verdict = verdict_text(fit, regrets), *file = fit_output_machine(fit, source, &options, verdict);
    g_autofree char *text = line->format == FORMAT_TABLE ? fit_output_text(fit, source, machine, regrets, verdict)
                                                         : fit_output_rows(fit, observations, line->format);
    message_progress(NULL);
    return command_draw(line, g_steal_pointer(&figure), error) &&
           (!line->output || output_write(line->output, file, error)) && output_write(NULL, text, error);
}

/* Refuses --fix of a constant that no measured machine has, for example gap if start-ups do not overlap. */
static gboolean check_known(const Measured *measured, const FitQuestion *q, GError **error)
{
    for (guint c = 0; c < constants_count(); c++) {
        gboolean is_there = !q->is_known[c] || measured->observations->len == 0;
        for (guint i = 0; i < measured->observations->len; i++)
            is_there |= !constant_is_missing(&((const Observation *)measured->observations->pdata[i])->machine, c);
        if (!is_there)
            return input_refuse(error, "--fix %s: no measured time is of a machine with a %s; allowed: with --machine, "
                                "one that has it", constant_key(c)->name, constant_key(c)->name);
    }
    return TRUE;
}

/* Refuses --fix gap if the fitted start-up is shorter: no machine has a gap longer than a start-up. */
static gboolean check_found_gap(const Fit *fit, const FitQuestion *q, GError **error)
{
    int gap = constant_find("gap");
    if (!q->is_known[gap] || constant_ps(&fit->estimate, (guint)gap) >= q->known_ps[gap])
        return TRUE;
    g_autofree char *known = table_time(llround(q->known_ps[gap]));
    return input_refuse(error, "--fix gap: '%s' does not fit these times: it would be longer than a start-up", known);
}

static gboolean fit_files(const CommandLine *line, GError **error)
{
    guint statistic = STATISTIC_MEDIAN;
    FitQuestion question;
    if (line->n_arguments == 0)
        return input_refuse(error, "usage: ecube fit FILE...; see `ecube fit --help`");
    if ((given.statistic && !input_parse_choice("--statistic", given.statistic, statistic_names, &statistic, error)) ||
        !parse_question(&question, error))
        return FALSE;
    g_auto(GStrv) paths = paths_of(line);
    for (char **path = paths; *path; path++)
        command_note_read("measured file", *path);
    if (!command_check_outputs(line, error))
        return FALSE;
    g_autoptr(Measured) measured = measured_new(data_platforms(), given.machine, (Statistic)statistic);
    g_autofree char *files = read_files(line, measured, error);
    g_autofree char *when = date_of_files(paths);
    if (!files || !measured_check_alike(measured, error) || !check_known(measured, &question, error))
        return FALSE;
    g_autoptr(Fit) fit = fit_find(measured->observations, &question, error);
    message_progress(NULL);
    if (!fit)
        measured_add_left_out(measured, error);
    return fit && check_found_gap(fit, &question, error) &&
           report(line, fit, &(FitSource){files, when, measured}, error);
}

static const GOptionEntry entries[] = {
    {"machine", 'm', 0, G_OPTION_ARG_STRING, &given.machine,
     "A machine with the options of all runs (ports, phase_barrier and so on); default: that of each row", "NAME"},
    {"statistic", 0, 0, G_OPTION_ARG_STRING, &given.statistic,
     "The column of times: the median (the default) or the minimum of the repetitions", "median|minimum"},
    {"fix", 0, 0, G_OPTION_ARG_STRING_ARRAY, &given.known,
     "A constant or limit that is known (short_limit=none: no constants for short or long messages); may be repeated",
     "KEY=VALUE"},
    {"within", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &given.within,
     "Ping-pong times within a node; those of the other files are between nodes; may be repeated", "FILE"},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &command_line.output, "Write the machine file, whole or not at all",
     "FILE"},
    COMMAND_FIGURE("measured and fitted times, and how far they differ"),
    COMMAND_FORMAT,
    {0},
};

const Command command_fit = {
    .name = "fit", .summary = "the constants of a machine from measured times", .usage = "FILE...",
    .help = "Fits lambda, tau, rho and so on to measured times: CSV of ecube-mpi, `ecube run` or `ecube\n"
            "sweep`, and what osu_latency, osu_multi_lat, NetPIPE (np.out) and IMB PingPong print. Times of schedules\n"
            "whose messages may wait for each other are left out. Prints the constants with their\n"
            "95 % intervals, what can't be told apart, residuals, and what trusting the hull of the\n"
            "fitted machine would have cost; as CSV or JSON a row for every time.\n\n"
            "Example: ecube fit measured.csv osu_latency.txt --output mine.ini --figure fit.svg",
    .options = entries, .outputs = (const char *const[]){"ini", NULL}, .run = fit_files};
