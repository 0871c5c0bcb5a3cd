#include "measured_csv.h"
#include "sim/text/input.h"
#include "sim/run/keys.h"
#include "sim/patterns/registry.h"
#include "sim/text/csv.h"

#include <string.h>

typedef struct {
    Measured *measured;
    const char *path;
    const Csv *csv;
    guint row, line;
} Reader;

/* What the row has in a column, or "". */
static const char *cell(const Reader *r, const char *column)
{
    int i = csv_column(r->csv, column);
    return i < 0 ? "" : csv_cell(r->csv, r->row, (guint)i);
}

static char *origin_of(const Reader *r, const char *column)
{
    return g_strdup_printf("%s: line %u: %s", r->path, r->line, column);
}

/* --- from a row to a scenario --- */

/* Whether an algorithm has what the column says. A partition is told of those too that do not take one. */
static gboolean is_said(const Key *key, const char *text, const Algorithm *algorithm)
{
    gboolean follows = key->shown == KEY_ALWAYS && key->of_algorithm && !(algorithm->takes & key->of_algorithm);
    return *text && !follows;
}

static gboolean set_keys(const Reader *r, const Algorithm *algorithm, Scenario *scenario, GError **error)
{
    for (guint i = 0; i < keys_count(); i++) {
        const Key *key = keys_nth(i);
        const char *text = cell(r, key->name);
        if (key->kind == KEY_MACHINE && r->measured->machine)
            text = r->measured->machine;
        g_autofree char *origin = origin_of(r, key->name);
        if (is_said(key, text, algorithm) && !scenario_get(scenario, key->name) &&
            !scenario_set(scenario, key->name, text, origin, error))
            return FALSE;
    }
    return TRUE;
}

/* The size of packets that are optimal is in their own column. */
static gboolean set_overrides(const Reader *r, Scenario *scenario, GError **error)
{
    g_autofree char *origin = origin_of(r, "overrides");
    g_auto(GStrv) pairs = input_split(cell(r, "overrides"), " ");
    for (guint i = 0; pairs[i]; i++) {
        if (strcmp(pairs[i], "packet=optimal") == 0)
            continue;
        g_autofree char *value = NULL;
        char *equals = strchr(pairs[i], '=');
        if (equals) {
            *equals = '\0';
            value = g_strdup(equals + 1);
        }
        if (!value || !machine_may_override(pairs[i]))
            return input_refuse(error, "%s: '%s' is not allowed; allowed: keys of machines, as tau=0.2", origin,
                                pairs[i]);
        if (!scenario_set(scenario, pairs[i], value, origin, error))
            return FALSE;
    }
    return TRUE;
}

/* The time added last is one of what has no schedule. */
static void put_baseline(const Measured *measured, const Algorithm *baseline)
{
    Observation *o = g_ptr_array_index(measured->observations, measured->observations->len - 1);
    o->run.problem.algorithm = baseline;
    o->run.problem.partition = (Partition){0};
}

static gboolean add_run(const Reader *r, const Algorithm *algorithm, double time_us, const char *left_out,
                        GError **error)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GError) failure = NULL;
    const Algorithm *baseline = baseline_find(cell(r, "algorithm"));
    if ((!baseline || scenario_set(scenario, "algorithm", algorithm->name, "algorithm", &failure)) &&
        set_overrides(r, scenario, &failure) && set_keys(r, algorithm, scenario, &failure) &&
        measured_add(r->measured, scenario, r->path, r->line, time_us, left_out, &failure)) {
        if (baseline)
            put_baseline(r->measured, baseline);
        return TRUE;
    }
    if (!g_str_has_prefix(failure->message, r->path))
        g_prefix_error(&failure, "%s: line %u: ", r->path, r->line);
    g_propagate_error(error, g_steal_pointer(&failure));
    return FALSE;
}

/* --- rows --- */

static const char *const time_columns[] = {[STATISTIC_MINIMUM] = "minimum_us", [STATISTIC_MEDIAN] = "median_us"};

#define SIMULATED "simulated_us"

/* A row that was not measured has been simulated. */
static const char *time_column(const Reader *r)
{
    const char *measured = time_columns[r->measured->statistic];
    return *cell(r, measured) ? measured : SIMULATED;
}

/* What ecube itself says of its own times. */
static gboolean has_waited(const Reader *r, const char *column)
{
    const char *alone = cell(r, "contention_free_us");
    return strcmp(column, SIMULATED) == 0 && *alone && strcmp(alone, cell(r, SIMULATED)) != 0;
}

static gboolean is_faulty(const Reader *r)
{
    const char *data = cell(r, "data_ok");
    return strcmp(data, "false") == 0 || strcmp(data, "failed") == 0;
}

/* TRUE, so that the next row can be read. */
static gboolean skip(const Reader *r, const char *what)
{
    measured_skip(r->measured, what);
    return TRUE;
}

static gboolean skip_algorithm(const Reader *r, const char *name)
{
    g_autofree char *what = g_strdup_printf("algorithm %.60s, which is not registered", name);
    return skip(r, what);
}

/* Nothing, or 0. */
static gboolean is_no_time(const char *text)
{
    char *end;
    return !*text || (g_ascii_strtod(text, &end) == 0 && end != text && !*end);
}

static gboolean read_time(const Reader *r, const Algorithm *algorithm, GError **error)
{
    const char *column = time_column(r), *text = cell(r, column);
    g_autofree char *origin = origin_of(r, column);
    double time_us;
    if (is_no_time(text))
        return skip(r, "runs without a time");
    if (!measured_parse_time(origin, text, 1, &time_us, error))
        return FALSE;
    measured_note(r->measured->libraries, cell(r, "library"));
    measured_note(r->measured->hosts, cell(r, "host"));
    const char *left_out = baseline_find(cell(r, "algorithm")) ? "it has no schedule to fit"
                           : has_waited(r, column)             ? "its messages have waited for each other"
                                                               : NULL;
    return add_run(r, algorithm, time_us, left_out, error);
}

static gboolean read_row(const Reader *r, GError **error)
{
    g_autofree char *origin = origin_of(r, "pattern");
    const char *name = cell(r, "algorithm"), *pattern_name = cell(r, "pattern");
    const Pattern *pattern = *pattern_name ? pattern_find(origin, pattern_name, error) : pattern_default();
    if (!pattern)
        return FALSE;
    gboolean is_baseline = pattern == pattern_default() && baseline_find(name);
    const Algorithm *algorithm = algorithm_find("", pattern, TRUE, is_baseline ? "direct" : name, NULL);
    if (!algorithm)
        return skip_algorithm(r, name);
    if (is_faulty(r))
        return skip(r, "runs that failed, or whose data was wrong");
    return read_time(r, algorithm, error);
}

static gboolean check_columns(const Csv *csv, const Measured *measured, const char *path, GError **error)
{
    const char *const needed[] = {"dimension", "algorithm", "bytes"};
    const char *time = time_columns[measured->statistic];
    for (guint i = 0; i < G_N_ELEMENTS(needed); i++)
        if (csv_column(csv, needed[i]) < 0)
            return input_refuse(error, "%s: there is no column '%s': not the CSV of ecube-mpi, ecube run or ecube "
                                "sweep", path, needed[i]);
    return csv_column(csv, time) >= 0 || csv_column(csv, SIMULATED) >= 0 ||
           input_refuse(error, "%s: there is no column '%s', nor '" SIMULATED "'", path, time);
}

gboolean measured_read_csv(Measured *measured, const char *path, const char *text, GError **error)
{
    g_autoptr(Csv) csv = csv_parse(path, text, error);
    if (!csv || !check_columns(csv, measured, path, error))
        return FALSE;
    for (guint i = 0; i < csv->n_rows; i++) {
        Reader r = {measured, path, csv, i, g_array_index(csv->lines, guint, i)};
        if (!read_row(&r, error))
            return FALSE;
    }
    return TRUE;
}
