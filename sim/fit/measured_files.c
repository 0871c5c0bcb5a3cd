#include "measured_files.h"
#include "benchmarks.h"
#include "measured_row.h"
#include "sim/machine/constants.h"
#include "sim/patterns/registry.h"
#include "sim/run/available.h"
#include "sim/run/estimate.h"
#include "sim/run/keys.h"
#include "sim/text/csv.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

/* --- CSV --- */

/* Reader of the rows of a table of times. */
typedef struct {
    MeasuredRow at;
    const Csv *csv;
    guint row;              /* index of the row, from 0 */
} CsvReader;

static const char *cell(const CsvReader *r, const char *column)
{
    return csv_named(r->csv, r->row, column);
}

static const char *const time_columns[] = {[STATISTIC_MINIMUM] = "minimum_us", [STATISTIC_MEDIAN] = "median_us"};

#define SIMULATED "simulated_us"

/* Whether the cell `text` of a row sets the key. Empty cells set nothing. Keys of other algorithms, such as the
 * partition, are not set: rows have cells for them as well. */
static gboolean is_said(const Key *key, const char *text, const Algorithm *algorithm)
{
    gboolean follows = key->record.when == KEY_ALWAYS && key->of_algorithm && !(algorithm->takes & key->of_algorithm);
    return *text && !follows;
}

/* Sets the keys of a row, except those that set_overrides() has set. */
static gboolean set_keys(const CsvReader *r, const Algorithm *algorithm, Scenario *scenario, GError **error)
{
    for (guint i = 0; i < keys_count(); i++) {
        const Key *key = keys_nth(i);
        const char *text = cell(r, key->former && csv_column(r->csv, key->name) < 0 ? key->former : key->name);
        if (key->kind == KEY_MACHINE && r->at.measured->machine)
            text = r->at.measured->machine;
        gboolean said_by_dimension = strcmp(key->name, "processors") == 0 && *cell(r, "dimension");
        g_autofree char *origin = measured_row_origin(&r->at, key->name);
        if (!said_by_dimension && is_said(key, text, algorithm) && !scenario_get(scenario, key->name) &&
            !scenario_set(scenario, key->name, text, origin, error))
            return FALSE;
    }
    return TRUE;
}

/* Sets group = addition for rows with a single number of processors and no dimension, whatever the network is. */
static gboolean set_group(const CsvReader *r, Scenario *scenario, GError **error)
{
    const char *processors = cell(r, "processors");
    g_autofree char *origin = measured_row_origin(&r->at, "processors");
    gboolean is_added = *processors && !*cell(r, "dimension") && !strchr(processors, 'x');
    return !is_added || scenario_set(scenario, "group", "addition", origin, error);
}

/* Sets the keys in the column `overrides`. Leaves out packet=optimal: the column `packet` has the size. */
static gboolean set_overrides(const CsvReader *r, Scenario *scenario, GError **error)
{
    g_autofree char *origin = measured_row_origin(&r->at, "overrides");
    g_auto(GStrv) pairs = input_split(cell(r, "overrides"), " ");
    for (guint i = 0; pairs[i]; i++) {
        if (strcmp(pairs[i], "packet=optimal") == 0)
            continue;
        g_auto(GStrv) halves = g_strsplit(pairs[i], "=", 2);
        if (!halves[1] || !machine_may_override(halves[0]))
            return input_refuse(error, "%s: '%s' is not allowed; allowed: keys of machines, as tau=0.2", origin,
                                halves[0]);
        if (!scenario_set(scenario, halves[0], halves[1], origin, error))
            return FALSE;
    }
    return TRUE;
}

/* Returns the constants of machines that the scenario sets: "tau=0.2 rho=1". Caller frees. */
static char *constants_set(const Scenario *scenario)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < constants_count(); i++) {
        const char *name = constant_key(i)->name, *text = scenario_get(scenario, name);
        if (text)
            g_string_append_printf(out, "%s%s=%s", out->len ? " " : "", name, text);
    }
    return g_string_free(out, FALSE);
}

/* Returns the logarithm of time_ps, the time in `column`, with its error: by spread_us for a median, 0 for a simulated
 * time, else NAN (not known). */
static StatisticsEstimate estimate_of_row(const CsvReader *r, const char *column, double time_ps)
{
    double spread_us;
    gint64 n;
    gboolean is_spread = strcmp(column, "median_us") == 0 && input_parse_decimal(cell(r, "spread_us"), &spread_us) &&
                         input_parse_count("", cell(r, "repetitions"), 0, G_MAXINT, &n, NULL);
    return is_spread ? statistics_of_quartiles(time_ps, spread_us * 1e6, (gsize)n)
                     : (StatisticsEstimate){log(time_ps), strcmp(column, SIMULATED) == 0 ? 0 : NAN, 1};
}

/* Adds the observation of a row. A baseline, which has no schedule, is resolved as `algorithm`. */
static gboolean add_run(const CsvReader *r, const Algorithm *algorithm, const char *column, double time_us,
                        const char *left_out, GError **error)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GError) failure = NULL;
    const Algorithm *baseline = measured_baseline(cell(r, "algorithm"));
    const Request *request = NULL;
    if ((!baseline || scenario_set(scenario, "algorithm", algorithm->name, "algorithm", &failure)) &&
        set_overrides(r, scenario, &failure) && set_keys(r, algorithm, scenario, &failure) &&
        set_group(r, scenario, &failure))
        request = resolver_scenario(r->at.measured->resolver, scenario, &failure);
    Observation *o = measured_row_add(&r->at, time_us);
    o->log_time = estimate_of_row(r, column, o->time_ps);
    o->overrides = constants_set(scenario);
    o->left_out = left_out;
    gboolean ok = request && request_run(request, 0, &o->run, &o->machine, &failure) &&
                  run_check_clock(&o->run, &failure);
    if (baseline) {
        o->run.problem.algorithm = baseline;
        o->run.problem.partition = (Phases){0};
    }
    if (ok)
        return TRUE;
    if (!g_str_has_prefix(failure->message, r->at.path))
        g_prefix_error(&failure, "%s: line %u: ", r->at.path, r->at.line);
    g_propagate_error(error, g_steal_pointer(&failure));
    return FALSE;
}

/* Returns the name of the column that has the row's time: the column of measured times or, if its cell is empty, the
 * column of simulated times. */
static const char *time_column(const CsvReader *r)
{
    const char *measured = time_columns[r->at.measured->statistic];
    return *cell(r, measured) ? measured : SIMULATED;
}

/* Whether `column`, which has the row's time, is that of simulated times, and the time differs from the contention-free
 * time. */
static gboolean has_waited(const CsvReader *r, const char *column)
{
    const char *alone = cell(r, "contention_free_us");
    return strcmp(column, SIMULATED) == 0 && *alone && strcmp(alone, cell(r, SIMULATED)) != 0;
}

static gboolean is_faulty(const CsvReader *r)
{
    const char *data = cell(r, "data_ok");
    return strcmp(data, "false") == 0 || strcmp(data, "failed") == 0;
}

/* Whether `text`, the cell of a time, is empty or 0. */
static gboolean is_no_time(const char *text)
{
    double us;
    return !*text || (input_parse_decimal(text, &us) && us == 0);
}

static gboolean read_time(const CsvReader *r, const Algorithm *algorithm, GError **error)
{
    const char *column = time_column(r), *text = cell(r, column);
    double time_us;
    if (is_no_time(text))
        return measured_row_skip(&r->at, "runs without a time");
    if (!measured_row_time(&r->at, column, text, 1, &time_us, error))
        return FALSE;
    measured_note_once(r->at.measured->libraries, cell(r, "library"));
    measured_note_once(r->at.measured->hosts, cell(r, "host"));
    const char *left_out = measured_baseline(cell(r, "algorithm")) ? MEASURED_NO_SCHEDULE
                           : has_waited(r, column)             ? "its messages have waited for each other"
                                                               : NULL;
    return add_run(r, algorithm, column, time_us, left_out, error);
}

static gboolean measured_read_row(const CsvReader *r, GError **error)
{
    g_autofree char *origin = measured_row_origin(&r->at, "pattern");
    const char *name = cell(r, "algorithm"), *pattern_name = cell(r, "pattern");
    const Pattern *pattern = *pattern_name ? pattern_find(origin, pattern_name, error) : pattern_default();
    if (!pattern)
        return FALSE;
    gboolean is_baseline = pattern == pattern_default() && measured_baseline(name);
    const Algorithm *algorithm = algorithm_find("", pattern, TRUE, is_baseline ? "direct" : name, NULL);
    g_autofree char *unknown = g_strdup_printf("algorithm %.60s, which is not registered", name);
    if (!algorithm)
        return measured_row_skip(&r->at, unknown);
    if (is_faulty(r))
        return measured_row_skip(&r->at, "runs that failed, or whose data was wrong");
    return read_time(r, algorithm, error);
}

static gboolean measured_check_columns(const CsvReader *r, GError **error)
{
    const char *const needed[] = {"dimension", "algorithm", "bytes"};
    const char *time = time_columns[r->at.measured->statistic];
    for (guint i = 0; i < G_N_ELEMENTS(needed); i++)
        if (csv_column(r->csv, needed[i]) < 0)
            return input_refuse(error, "%s: there is no column '%s': not the CSV of ecube-mpi, ecube run or ecube "
                                "sweep", r->at.path, needed[i]);
    return csv_column(r->csv, time) >= 0 || csv_column(r->csv, SIMULATED) >= 0 ||
           input_refuse(error, "%s: there is no column '%s', nor '" SIMULATED "'%s", r->at.path, time,
                        csv_column(r->csv, "minimum_us") < 0 ? "" : "; minima are for `ecube fit --statistic minimum`");
}

/* Adds the times of a table; takes `text`. */
static gboolean read_csv(Measured *measured, const char *path, char *text, GError **error)
{
    g_autoptr(Csv) csv = csv_take(path, text, error);
    CsvReader r = {{measured, path, 0}, csv, 0};
    gboolean ok = csv && measured_check_columns(&r, error);
    for (; ok && r.row < csv->n_rows; r.row++) {
        r.at.line = g_array_index(csv->lines, guint, r.row);
        ok = measured_read_row(&r, error);
    }
    return ok;
}

/* --- files --- */

/* What launchers, time stamps and mails put before lines: "[1,0]<stdout>:", "[0] ", "0: ", "> ", "12:00:00.5 ". */
#define PREFIX "^(\\[[0-9]+,[0-9]+\\]<std(out|err)>: ?|\\[[0-9]+\\] ?|[0-9]+: |> ?|" \
               "([0-9]{4}-[0-9]{2}-[0-9]{2}[T ])?[0-9]{2}:[0-9]{2}:[0-9]{2}([.,][0-9]+)?Z?[ \t]+)+"

/* Returns the text without PREFIX before its lines, if the line that names a benchmark has such a prefix. Takes `text`;
 * caller frees. */
static char *without_prefixes(char *text)
{
    const GRegexCompileFlags lines = G_REGEX_RAW | G_REGEX_MULTILINE;
    if (!g_regex_match_simple(PREFIX "# (OSU MPI|Benchmarking|nThread) ?", text, lines, 0))
        return text;
    g_autoptr(GRegex) prefix = g_regex_new(PREFIX, lines, 0, NULL);
    char *rest = g_regex_replace_literal(prefix, text, -1, 0, "", 0, NULL);
    g_free(text);
    return rest;
}

/* Returns the table with commas between its cells instead of `between`. In columns of times ("_us") decimal commas
 * become points; other cells with commas get quotes. Takes `text`; caller frees. */
static char *with_commas(char *text, const char *between)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    GString *out = g_string_new(NULL);
    g_auto(GStrv) names = g_strsplit(g_strchomp(lines[0]), between, -1);
    guint n_names = g_strv_length(names);
    for (guint i = 0; lines[i] && *g_strchomp(lines[i]); i++) {
        g_auto(GStrv) cells = g_strsplit(lines[i], between, -1);
        for (guint j = 0; cells[j]; j++) {
            gboolean is_time = i > 0 && j < n_names && g_str_has_suffix(names[j], "_us");
            gboolean quoted = *cells[j] == '"' || !strchr(cells[j], ',') || is_time;
            g_string_append_printf(out, quoted ? "%s%s" : "%s\"%s\"", j ? "," : "",
                                   is_time ? g_strdelimit(cells[j], ",", '.') : cells[j]);
        }
        g_string_append_c(out, '\n');
    }
    g_free(text);
    return g_string_free(out, FALSE);
}

/* Returns the text of a file without prefixes of its lines and, if it is a table, with commas between its cells. Takes
 * `text`; caller frees. */
static char *clean(char *text)
{
    text = without_prefixes(text);
    g_autofree char *first = g_strndup(text, strcspn(text, "\n"));
    const char *between = strchr(first, ';') ? ";" : strchr(first, '\t') ? "\t" : NULL;
    return between && *first != '#' && strstr(first, "algorithm") && !strchr(first, ',') ? with_commas(text, between)
                                                                                         : text;
}

/* Whether another file with this text has been read; if so, notes the file in `skipped`. Notes the text's checksum. */
static gboolean is_read(Measured *measured, const char *path, const char *text)
{
    g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    guint before = measured->texts->len;
    measured_note_once(measured->texts, sum);
    if (measured->texts->len > before)
        return FALSE;
    g_ptr_array_add(measured->skipped, g_strdup_printf("files with the text of another (%s)", path));
    return TRUE;
}

/* Refuses the file if all files up to it have more than MEASURED_LINES_MAX lines: a fit would take minutes. */
static gboolean measured_check_lines(Measured *measured, const char *path, const char *text, GError **error)
{
    guint before = measured->n_lines;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        measured->n_lines++;
    g_autofree char *others = before ? g_strdup_printf(" and %u of other files", before) : g_strdup("");
    return measured->n_lines <= MEASURED_LINES_MAX ||
           input_refuse(error, "%s: %u lines%s; allowed: at most %u lines of measured times", path,
                        measured->n_lines - before, others, MEASURED_LINES_MAX);
}

#define LINE_BYTES 6400         /* bytes of memory that a fit takes for a line; an upper bound for other commands */
#define PROGRAM_BYTES 30000000  /* resident memory of the program in bytes, libraries included */

static gboolean measured_check_memory(const Measured *measured, const char *path, const char *text, GError **error)
{
    gsize needed = PROGRAM_BYTES + (gsize)measured->n_lines * LINE_BYTES + 3 * strlen(text);
    gsize available = available_bytes();
    g_autofree char *need = available_text(needed, TRUE), *there = available_text(available, FALSE);
    return needed <= available ||
           input_refuse(error, "%s: measured times need about %s of memory; %s are free", path, need, there);
}

gboolean measured_read(Measured *measured, const char *path, GError **error)
{
    g_autofree char *text = input_load_text(path, MEASURED_FILE_MAX, FALSE, error);
    if (!text || !measured_check_lines(measured, path, text, error) ||
        !measured_check_memory(measured, path, text, error))
        return FALSE;
    if (is_read(measured, path, text))
        return TRUE;
    text = clean(text);
    if (benchmarks_print(text))
        return benchmarks_read(measured, path, text, error);
    const char *line = text + strspn(text, "\r\n \t");
    g_autofree char *first = g_strndup(line, strcspn(line, "\n"));
    if (*first != '#' && strchr(first, ',') && measured->place == MEASURED_WITHIN)
        return input_refuse(error, "--within: '%s' is not allowed; allowed: times of a ping-pong. Rows of runs have "
                            "the column node", path);
    if (*first != '#' && strchr(first, ','))
        return read_csv(measured, path, g_steal_pointer(&text), error);
    return input_refuse(error, "%s: line 1: '%s' begins no file that is known; allowed: CSV of ecube-mpi, ecube run "
                        "or ecube sweep, or what osu_latency, osu_alltoall, NetPIPE (np.out), IMB or alltoall_perf "
                        "print", path, first);
}

char *measured_read_all(Measured *measured, const char *const *paths, gboolean counted, GError **error)
{
    g_autoptr(GString) names = g_string_new(NULL);
    for (const char *const *path = paths; *path; path++) {
        guint before = measured->observations->len;
        if (!measured_read(measured, *path, error))
            return NULL;
        g_string_append_printf(names, "%s%s", path > paths ? ", " : "", *path);
        if (counted)
            g_string_append_printf(names, " (%u times)", measured->observations->len - before);
    }
    return g_strdup(names->str);
}
