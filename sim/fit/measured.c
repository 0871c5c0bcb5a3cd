#include "measured.h"
#include "sim/machine/constants.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/theory.h"
#include "sim/run/available.h"
#include "sim/run/estimate.h"
#include "sim/run/keys.h"
#include "sim/text/csv.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

const char *const statistic_names[] = {"minimum", "median", NULL};

static const Algorithm baselines[] = {{.name = "library"}, {.name = "loop"}};

/* Returns what `ecube-mpi --baseline` measures by that name, an algorithm without a schedule, or NULL. */
static const Algorithm *baseline_find(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(baselines); i++)
        if (strcmp(baselines[i].name, name) == 0)
            return &baselines[i];
    return NULL;
}

gboolean observation_is_library(const Observation *observation)
{
    return observation->run.problem.algorithm == &baselines[0];
}

/* The reason why a fit takes no baseline. */
#define NO_SCHEDULE "it has no schedule to fit"

static void observation_free(gpointer data)
{
    Observation *observation = data;
    g_free(observation->overrides);
    g_free(observation);
}

Measured *measured_new(const char *platforms, const char *machine, Statistic statistic)
{
    Measured *measured = g_new0(Measured, 1);
    measured->statistic = statistic;
    measured->machine = machine;
    measured->observations = g_ptr_array_new_with_free_func(observation_free);
    measured->skipped = g_ptr_array_new_with_free_func(g_free);
    measured->libraries = g_ptr_array_new_with_free_func(g_free);
    measured->hosts = g_ptr_array_new_with_free_func(g_free);
    measured->texts = g_ptr_array_new_with_free_func(g_free);
    measured->resolver = resolver_new(platforms, SCENARIO_TIMED);
    return measured;
}

void measured_free(Measured *measured)
{
    g_ptr_array_unref(measured->observations);
    g_ptr_array_unref(measured->skipped);
    g_ptr_array_unref(measured->libraries);
    g_ptr_array_unref(measured->hosts);
    g_ptr_array_unref(measured->texts);
    resolver_free(measured->resolver);
    g_free(measured);
}

/* Adds a text to a list, unless it is empty or in the list. */
static void note_once(GPtrArray *texts, const char *text)
{
    if (*text && !g_ptr_array_find_with_equal_func(texts, text, g_str_equal, NULL))
        g_ptr_array_add(texts, g_strdup(text));
}

static void count_text(GPtrArray *lines, GHashTable *counts, const char *text)
{
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, text));
    if (n == 0)
        g_ptr_array_add(lines, g_strdup(text));
    g_hash_table_insert(counts, g_strdup(text), GUINT_TO_POINTER(n + 1));
}

const char *measured_statistic(const Measured *measured)
{
    return measured->n_averages == 0 ? statistic_names[measured->statistic]
           : measured->n_averages == measured->observations->len ? "average"
           : measured->statistic == STATISTIC_MEDIAN ? "median or average" : "minimum or average";
}

char **measured_left_out(const Measured *measured)
{
    g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GPtrArray *lines = g_ptr_array_new();
    for (guint i = 0; i < measured->skipped->len; i++)
        count_text(lines, counts, g_ptr_array_index(measured->skipped, i));
    for (guint i = 0; i < measured->observations->len; i++) {
        const Observation *o = g_ptr_array_index(measured->observations, i);
        const Problem *problem = &o->run.problem;
        g_autofree char *what = o->left_out ? g_strdup_printf("%s %s: %s", problem->pattern->name,
                                                              problem->algorithm->name, o->left_out) : NULL;
        if (what)
            count_text(lines, counts, what);
    }
    for (guint i = 0; i < lines->len; i++) {
        g_autofree char *text = g_ptr_array_index(lines, i), *what = input_printable(text);
        lines->pdata[i] = g_strdup_printf("%u of %s", GPOINTER_TO_UINT(g_hash_table_lookup(counts, text)), what);
    }
    g_ptr_array_add(lines, NULL);
    return (char **)g_ptr_array_free(lines, FALSE);
}

gboolean measured_add_left_out(const Measured *measured, GError **error)
{
    g_auto(GStrv) lines = measured_left_out(measured);
    g_autofree char *all = g_strjoinv(", ", lines), *before = error && *error ? (*error)->message : NULL;
    if (before)
        (*error)->message = g_strdup_printf("%s%s%s", before, *all ? "; left out: " : "", all);
    return FALSE;
}

/* Refuses an observation of another machine than the first, or with other constants. Options may differ. */
static gboolean check_like(const Observation *o, const Observation *first, GError **error)
{
    if (strcmp(o->machine.spec, first->machine.spec) != 0)
        return input_refuse(error, "%s: line %u: machine: '%s' is not allowed beside '%s'; allowed: times of one "
                            "machine; --machine says whose options all have", o->path, o->line, o->machine.spec,
                            first->machine.spec);
    return strcmp(o->overrides, first->overrides) == 0 ||
           input_refuse(error, "%s: line %u: overrides: '%s' is not allowed beside '%s'; allowed: times of one "
                        "machine", o->path, o->line, o->overrides, first->overrides);
}

gboolean measured_check_alike(const Measured *measured, GError **error)
{
    const Observation *first = NULL;
    for (guint i = 0; i < measured->observations->len; i++) {
        const Observation *o = g_ptr_array_index(measured->observations, i);
        if (*o->machine.spec == '\0')       /* times of single messages (ping-pong) name no machine */
            continue;
        if (first && !check_like(o, first, error))
            return FALSE;
        first = first ? first : o;
    }
    return TRUE;
}

/* --- reading --- */

/* Where a reader is in a file. */
typedef struct {
    Measured *measured;                     /* receives the times */
    const char *path;
    guint line;                             /* number of the line, from 1 */
    const Csv *csv;                         /* NULL: the file is no CSV */
    guint row;                              /* index of the row in `csv`, from 0 */
    const struct MeasuredProgram *program;  /* the program that printed the file; NULL: CSV, or NetPIPE */
    char *other;                            /* reason why the present benchmark cannot be used; NULL: it can */
    gboolean begun;                         /* whether the part of some benchmark has begun */
    guint time_column;                      /* index of the time in a row, from 0 */
    guint n_columns;                        /* columns of a row; 0: not known */
    gboolean is_least;                      /* whether that is the least time of the repetitions */
    const Pattern *pattern;                 /* pattern of the library's function that is measured; NULL: a ping-pong */
    guint n_ranks;                          /* its ranks; 0: not known */
    guint first_foreign;                    /* the first line that is no row; 0: none */
} MeasuredReader;

static char *measured_origin(const MeasuredReader *r, const char *what)
{
    return g_strdup_printf("%s: line %u: %s", r->path, r->line, what);
}

/* Notes why a row is left out. Returns TRUE, so that reading goes on. */
static gboolean skip(const MeasuredReader *r, const char *what)
{
    g_ptr_array_add(r->measured->skipped, g_strdup(what));
    return TRUE;
}

#define TIME_MIN_US 1e-6    /* a picosecond, as residuals are relative */
#define TIME_MAX_US 9e9

static gboolean parse_time(const MeasuredReader *r, const char *column, const char *text, double unit_us,
                           double *time_us, GError **error)
{
    g_autofree char *where = measured_origin(r, column);
    gboolean number = input_parse_decimal(text, time_us);
    *time_us *= unit_us;
    return (number && *time_us >= TIME_MIN_US && *time_us < TIME_MAX_US) ||
           input_refuse(error, "%s: '%s' is not allowed; allowed: a time from %g to %g %s", where, text,
                        TIME_MIN_US / unit_us, TIME_MAX_US / unit_us, unit_us == 1 ? "µs" : "s");
}

static Observation *add_observation(const MeasuredReader *r, double time_us)
{
    Observation *o = g_new0(Observation, 1);
    o->path = r->path;
    o->line = r->line;
    o->time_ps = time_us * 1e6;
    o->log_time = (StatisticsEstimate){log(o->time_ps), NAN, 1};
    g_ptr_array_add(r->measured->observations, o);
    return o;
}

/* --- CSV --- */

static const char *cell(const MeasuredReader *r, const char *column)
{
    return csv_named(r->csv, r->row, column);
}

static const char *const time_columns[] = {[STATISTIC_MINIMUM] = "minimum_us", [STATISTIC_MEDIAN] = "median_us"};

#define SIMULATED "simulated_us"

/* Whether the cell `text` sets the key: it is not empty and does not follow from the algorithm. Rows of algorithms that
 * do not take a partition have one all the same. */
static gboolean is_said(const Key *key, const char *text, const Algorithm *algorithm)
{
    gboolean follows = key->record.when == KEY_ALWAYS && key->of_algorithm && !(algorithm->takes & key->of_algorithm);
    return *text && !follows;
}

/* Sets the keys of a row that its overrides have not set. */
static gboolean set_keys(const MeasuredReader *r, const Algorithm *algorithm, Scenario *scenario, GError **error)
{
    for (guint i = 0; i < keys_count(); i++) {
        const Key *key = keys_nth(i);
        const char *text = cell(r, key->former && csv_column(r->csv, key->name) < 0 ? key->former : key->name);
        if (key->kind == KEY_MACHINE && r->measured->machine)
            text = r->measured->machine;
        gboolean said_by_dimension = strcmp(key->name, "processors") == 0 && *cell(r, "dimension");
        g_autofree char *origin = measured_origin(r, key->name);
        if (!said_by_dimension && is_said(key, text, algorithm) && !scenario_get(scenario, key->name) &&
            !scenario_set(scenario, key->name, text, origin, error))
            return FALSE;
    }
    return TRUE;
}

/* Sets group = addition for rows with a single number of processors and no dimension, whatever the network is. */
static gboolean set_group(const MeasuredReader *r, Scenario *scenario, GError **error)
{
    const char *processors = cell(r, "processors");
    g_autofree char *origin = measured_origin(r, "processors");
    gboolean is_added = *processors && !*cell(r, "dimension") && !strchr(processors, 'x');
    return !is_added || scenario_set(scenario, "group", "addition", origin, error);
}

/* Sets the keys in the column `overrides`, but for packet=optimal: the column `packet` has the size. */
static gboolean set_overrides(const MeasuredReader *r, Scenario *scenario, GError **error)
{
    g_autofree char *origin = measured_origin(r, "overrides");
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

/* Returns how well the row's time is known, which is in `column`. */
static StatisticsEstimate estimate_of_row(const MeasuredReader *r, const char *column, double time_ps)
{
    double spread_us;
    gint64 n;
    gboolean is_spread = strcmp(column, "median_us") == 0 && input_parse_decimal(cell(r, "spread_us"), &spread_us) &&
                         input_parse_count("", cell(r, "repetitions"), 0, G_MAXINT, &n, NULL);
    return is_spread ? statistics_of_quartiles(time_ps, spread_us * 1e6, (gsize)n)
                     : (StatisticsEstimate){log(time_ps), strcmp(column, SIMULATED) == 0 ? 0 : NAN, 1};
}

/* Adds the observation of a row. A baseline, which has no schedule, is resolved as `algorithm`. */
static gboolean add_run(const MeasuredReader *r, const Algorithm *algorithm, const char *column, double time_us,
                        const char *left_out, GError **error)
{
    g_autoptr(Scenario) scenario = scenario_new();
    g_autoptr(GError) failure = NULL;
    const Algorithm *baseline = baseline_find(cell(r, "algorithm"));
    const Request *request = NULL;
    if ((!baseline || scenario_set(scenario, "algorithm", algorithm->name, "algorithm", &failure)) &&
        set_overrides(r, scenario, &failure) && set_keys(r, algorithm, scenario, &failure) &&
        set_group(r, scenario, &failure))
        request = resolver_scenario(r->measured->resolver, scenario, &failure);
    Observation *o = add_observation(r, time_us);
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
    if (!g_str_has_prefix(failure->message, r->path))
        g_prefix_error(&failure, "%s: line %u: ", r->path, r->line);
    g_propagate_error(error, g_steal_pointer(&failure));
    return FALSE;
}

/* Returns the name of the column that has the row's time: that of measured times or, if its cell is empty, that of
 * simulated ones. */
static const char *time_column(const MeasuredReader *r)
{
    const char *measured = time_columns[r->measured->statistic];
    return *cell(r, measured) ? measured : SIMULATED;
}

/* Whether the row is a simulated time that differs from its contention-free time. */
static gboolean has_waited(const MeasuredReader *r, const char *column)
{
    const char *alone = cell(r, "contention_free_us");
    return strcmp(column, SIMULATED) == 0 && *alone && strcmp(alone, cell(r, SIMULATED)) != 0;
}

static gboolean is_faulty(const MeasuredReader *r)
{
    const char *data = cell(r, "data_ok");
    return strcmp(data, "false") == 0 || strcmp(data, "failed") == 0;
}

/* Whether the cell of a time is empty or 0. */
static gboolean is_no_time(const char *text)
{
    double us;
    return !*text || (input_parse_decimal(text, &us) && us == 0);
}

static gboolean read_time(const MeasuredReader *r, const Algorithm *algorithm, GError **error)
{
    const char *column = time_column(r), *text = cell(r, column);
    double time_us;
    if (is_no_time(text))
        return skip(r, "runs without a time");
    if (!parse_time(r, column, text, 1, &time_us, error))
        return FALSE;
    note_once(r->measured->libraries, cell(r, "library"));
    note_once(r->measured->hosts, cell(r, "host"));
    const char *left_out = baseline_find(cell(r, "algorithm")) ? NO_SCHEDULE
                           : has_waited(r, column)             ? "its messages have waited for each other"
                                                               : NULL;
    return add_run(r, algorithm, column, time_us, left_out, error);
}

static gboolean measured_read_row(const MeasuredReader *r, GError **error)
{
    g_autofree char *origin = measured_origin(r, "pattern");
    const char *name = cell(r, "algorithm"), *pattern_name = cell(r, "pattern");
    const Pattern *pattern = *pattern_name ? pattern_find(origin, pattern_name, error) : pattern_default();
    if (!pattern)
        return FALSE;
    gboolean is_baseline = pattern == pattern_default() && baseline_find(name);
    const Algorithm *algorithm = algorithm_find("", pattern, TRUE, is_baseline ? "direct" : name, NULL);
    g_autofree char *unknown = g_strdup_printf("algorithm %.60s, which is not registered", name);
    if (!algorithm)
        return skip(r, unknown);
    if (is_faulty(r))
        return skip(r, "runs that failed, or whose data was wrong");
    return read_time(r, algorithm, error);
}

static gboolean measured_check_columns(const MeasuredReader *r, GError **error)
{
    const char *const needed[] = {"dimension", "algorithm", "bytes"};
    const char *time = time_columns[r->measured->statistic];
    for (guint i = 0; i < G_N_ELEMENTS(needed); i++)
        if (csv_column(r->csv, needed[i]) < 0)
            return input_refuse(error, "%s: there is no column '%s': not the CSV of ecube-mpi, ecube run or ecube "
                                "sweep", r->path, needed[i]);
    return csv_column(r->csv, time) >= 0 || csv_column(r->csv, SIMULATED) >= 0 ||
           input_refuse(error, "%s: there is no column '%s', nor '" SIMULATED "'%s", r->path, time,
                        csv_column(r->csv, "minimum_us") < 0 ? "" : "; minima are for `ecube fit --statistic minimum`");
}

static gboolean read_csv(MeasuredReader *r, char *text, GError **error)
{
    g_autoptr(Csv) csv = csv_take(r->path, text, error);
    r->csv = csv;
    gboolean ok = csv && measured_check_columns(r, error);
    for (r->row = 0; ok && r->row < csv->n_rows; r->row++) {
        r->line = g_array_index(csv->lines, guint, r->row);
        ok = measured_read_row(r, error);
    }
    return ok;
}

/* --- what benchmarks of others print --- */

/* Adds the time of a single message over one channel, without phases, whose receiver need not be ready. The machine of
 * --machine gives its options. */
static gboolean measured_add_message(const MeasuredReader *r, gint64 bytes, double time_us, GError **error)
{
    static const Machine plain = {.spec = "", .path = "", .short_limit = -1, .packet_lambda_ps = MACHINE_UNSET,
                                  .ports_overlap = 100};
    const char *name = r->measured->machine;
    g_autoptr(Scenario) scenario = scenario_new();
    if (name && !scenario_set(scenario, "machine", name, "--machine", error))
        return FALSE;
    const Machine *machine = name ? resolver_machine(r->measured->resolver, scenario, error) : &plain;
    if (!machine)
        return FALSE;
    Observation *o = add_observation(r, time_us);
    o->machine = *machine;
    if (r->measured->place != MEASURED_ANYWHERE)
        o->machine.host = r->measured->place == MEASURED_WITHIN ? MAX(MEASURED_NODE, machine->host) : 0;
    o->machine.phase_barrier = o->machine.pairwise_sync = FALSE;
    o->machine.start_skew_ps = 0;
    o->overrides = g_strdup("");
    o->run.problem = problem_of_message();
    o->run.problem.data = division_whole(bytes);
    o->run.element = 1;
    o->run.machine = &o->machine;
    return TRUE;
}

#define MESSAGE_MAX ((gint64)1 << 50)
#define BLANKS " \t\r"

/* Adds the message of a row of numbers: bytes in the first, and a time of `unit_us` in the time column. */
static gboolean measured_add_row(const MeasuredReader *r, char **words, double unit_us, GError **error)
{
    g_autofree char *origin = measured_origin(r, "bytes");
    double time_us;
    gint64 bytes;
    if (g_strv_length(words) <= r->time_column)
        return input_refuse(error, "%s: line %u: %u numbers; allowed: at least %u", r->path, r->line,
                            g_strv_length(words), r->time_column + 1);
    return input_parse_count(origin, words[0], 0, MESSAGE_MAX, &bytes, error) &&
           parse_time(r, "time", words[r->time_column], unit_us, &time_us, error) &&
           measured_add_message(r, bytes, time_us, error);
}

/* A program that runs several benchmarks, a ping-pong among them. Its output has a part for each benchmark: a line with
 * the benchmark's name, a line with the names of columns, and rows of numbers. */
typedef struct MeasuredProgram {
    const char *name, *mark;        /* name for people; text that only this program's output has */
    const char *begins;             /* beginning of the line with a benchmark's name */
    guint name_at;                  /* place of the name in that line, from 0 */
    const char *usable;             /* regular expression: the line with the name of a ping-pong */
    const char *const (*libraries)[2];      /* regular expressions of lines with the name of a collective, and its MPI
                                     * function; NULL, NULL ends them */
    const char *heading, *between;  /* regular expressions: the line with the names of columns; their separator */
    const char *rank;               /* regular expression: a line for each rank, or with their number; NULL: none */
} MeasuredProgram;

/* OSU: "# OSU MPI Latency Test v5.9", with a device behind MPI ("MPI-CUDA"), and "# Size   Avg Latency(us)   Min
 * Latency(us)". IMB: "# Benchmarking PingPong" and "#bytes #repetitions      t[usec]   Mbytes/sec". nccl-tests name no
 * benchmark: where no operation and no root is named it is taken as alltoall_perf. */
#define OSU "^# OSU MPI(-[A-Z]+)? "
#define IMB "^# Benchmarking "
static const char *const osu_libraries[][2] = {
    {OSU "All-to-Allv?( Personalized Exchange)? Latency Test", "MPI_Alltoall"},
    {OSU "Broadcast Latency Test", "MPI_Bcast"}, {OSU "Scatterv? Latency Test", "MPI_Scatter"},
    {OSU "Allgatherv? Latency Test", "MPI_Allgather"}, {NULL, NULL}};
static const char *const imb_libraries[][2] = {
    {IMB "Alltoallv?$", "MPI_Alltoall"}, {IMB "Bcast$", "MPI_Bcast"}, {IMB "Scatterv?$", "MPI_Scatter"},
    {IMB "Allgatherv?$", "MPI_Allgather"}, {NULL, NULL}};
static const char *const nccl_libraries[][2] = {{"^# nThread", "MPI_Alltoall"}, {NULL, NULL}};
static const MeasuredProgram programs[] = {
    {"OSU micro-benchmarks", "# OSU MPI", "# OSU MPI", 2, OSU "(Multi )?Latency Test", osu_libraries, "^# ?Size",
     "\\s{2,}", NULL},
    {"IMB", "# Benchmarking ", "# Benchmarking ", 15, IMB "PingPong$", imb_libraries, "^#bytes", "\\s+",
     "^# #processes = ([0-9]+)"},
    {"nccl-tests", "# nThread ", "# nThread ", 2, "^$", nccl_libraries, "^#\\s+size\\s", "\\s+",
     "^#\\s+Rank\\s+[0-9]"},
};

static gboolean matches(const char *pattern, const char *line)
{
    return g_regex_match_simple(pattern, line, G_REGEX_RAW, 0);
}

/* Returns the pattern of the library's function that the line names, or NULL. */
static const Pattern *library_pattern(const MeasuredProgram *program, const char *line)
{
    for (guint i = 0; program->libraries[i][0]; i++)
        if (matches(program->libraries[i][0], line))
            return pattern_find("", program->libraries[i][1], NULL);
    return NULL;
}

/* Begins the part of the benchmark that the line names. */
static void begin_part(MeasuredReader *r, const char *line)
{
    g_auto(GStrv) name = g_strsplit(line + r->program->name_at, " Test", 2);
    g_free(r->other);
    r->pattern = library_pattern(r->program, line);
    r->other = r->pattern || matches(r->program->usable, line) ? NULL
                   : g_strdup_printf("%s: %s, of which it is not known what it sends", r->program->name, name[0]);
    r->begun = TRUE;
    r->time_column = 1;
    r->n_columns = r->n_ranks = 0;
}

/* Sets the time column by the names of columns: the least time of a message if it is asked for and there, else the
 * average. */
static void read_heading(MeasuredReader *r, const char *line)
{
    g_auto(GStrv) names = g_regex_split_simple(r->program->between, line + strspn(line, "# "), G_REGEX_RAW, 0);
    guint average = 0, least = 0;
    for (guint i = 1; names[0] && names[i]; i++) {
        if (!average && matches("^((Avg )?Latency|t\\[usec\\]|t_avg\\[usec\\]|time$)", names[i]))
            average = i;
        if (g_str_has_prefix(names[i], "Min Latency"))
            least = i;
    }
    r->is_least = r->measured->statistic == STATISTIC_MINIMUM && least && !r->pattern;
    r->time_column = r->is_least ? least : MAX(1, average);
    r->n_columns = g_strv_length(names);
}

/* Counts the ranks that a line names. */
static void note_ranks(MeasuredReader *r, const char *line)
{
    g_autoptr(GRegex) regex = r->program->rank ? g_regex_new(r->program->rank, G_REGEX_RAW, 0, NULL) : NULL;
    g_autoptr(GMatchInfo) match = NULL;
    if (!regex || !g_regex_match(regex, line, 0, &match))
        return;
    g_autofree char *number = g_match_info_fetch(match, 1);
    r->n_ranks = number && *number ? (guint)g_ascii_strtoull(number, NULL, 10) : r->n_ranks + 1;
}

/* Leaves out a row of the library's own function, whose name is between the texts. */
static gboolean skip_function(const MeasuredReader *r, const char *before, const char *behind)
{
    g_autofree char *why = g_strconcat(before, pattern_theory(r->pattern)->mpi, behind, NULL);
    return skip(r, why);
}

/* Adds the time of the library's own function with blocks of `bytes`. Without ranks or machine it is left out. So are
 * other functions than MPI_Alltoall where the ranks are no cube. */
static gboolean measured_add_library(const MeasuredReader *r, gint64 bytes, double time_us, GError **error)
{
    guint n = r->n_ranks ? r->n_ranks : r->measured->n_ranks;
    gboolean is_alltoall = r->pattern == pattern_default();
    if (!r->measured->machine || n == 0)
        return skip_function(r, "", n ? ", of which it is not known what it sends; compare --measured takes such "
                                        "times, and fit those of a ping-pong"
                                      : " of an unknown number of ranks; compare --measured takes such times, with "
                                        "--processors RANKS, and fit those of a ping-pong");
    if (!is_alltoall && (n < 2 || (n & (n - 1)) != 0))
        return skip_function(r, "", " on ranks whose number is no power of two");
    g_autoptr(Scenario) scenario = scenario_new();
    g_autofree char *size = g_strdup_printf("%" G_GINT64_FORMAT, bytes);
    g_autofree char *ranks = g_strdup_printf("%u", is_alltoall ? n : g_bit_storage(n) - 1);
    const char *const pairs[][2] = {{"machine", r->measured->machine}, {"pattern", r->pattern->name},
                                    {is_alltoall ? "processors" : "dimension", ranks},
                                    {"algorithm", is_alltoall ? "direct" : "sbt"}, {"bytes", size}};
    g_autofree char *origin = measured_origin(r, pattern_theory(r->pattern)->mpi);
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        if (!scenario_set(scenario, pairs[i][0], pairs[i][1], origin, error))
            return FALSE;
    const Request *request = resolver_scenario(r->measured->resolver, scenario, error);
    Observation *o = request ? add_observation(r, time_us) : NULL;
    if (!o || !request_run(request, 0, &o->run, &o->machine, error))
        return FALSE;
    o->overrides = g_strdup("");
    o->left_out = NO_SCHEDULE;
    o->run.problem.algorithm = &baselines[0];
    o->run.problem.partition = (Phases){0};
    return TRUE;
}

/* Adds the time of a row of words, "bytes ... time ...". Returns FALSE without an error if they are no row. */
static gboolean add_words(MeasuredReader *r, char **words, GError **error)
{
    guint n = g_strv_length(words);
    double time_us;
    gint64 bytes;
    gboolean whole = n > r->time_column && n >= r->n_columns && strspn(words[0], "0123456789") == strlen(words[0]);
    if (!whole || !input_parse_count("bytes", words[0], 0, MESSAGE_MAX, &bytes, NULL) ||
        !input_parse_decimal(words[r->time_column], &time_us) || time_us < 0 || time_us >= TIME_MAX_US)
        return FALSE;
    if (time_us < TIME_MIN_US)
        return skip(r, "rows whose time is 0: their clock is too coarse");
    if (!r->pattern) {
        r->measured->n_averages += !r->is_least;
        return measured_add_message(r, bytes, time_us, error);
    }
    gboolean buffers = g_str_has_prefix(r->program->mark, "# nThread");     /* sizes are those of whole buffers */
    if (bytes == 0 || (buffers && (r->n_ranks == 0 || bytes % r->n_ranks != 0)))
        return skip_function(r, "rows of ", " without whole blocks");
    return measured_add_library(r, buffers ? bytes / r->n_ranks : bytes, time_us, error);
}

static gboolean read_program_line(MeasuredReader *r, const char *line, GError **error)
{
    note_ranks(r, line);
    if (g_str_has_prefix(line, r->program->begins))
        begin_part(r, line);
    else if (r->begun && matches(r->program->heading, line))
        read_heading(r, line);
    if (*line == '#')
        return TRUE;
    if (r->begun && r->other)
        return skip(r, r->other);
    g_auto(GStrv) words = input_split(line, BLANKS);
    g_autoptr(GError) failure = NULL;
    if (r->begun && add_words(r, words, &failure))
        return TRUE;
    if (failure) {
        g_propagate_error(error, g_steal_pointer(&failure));
        return FALSE;
    }
    r->first_foreign = r->first_foreign ? r->first_foreign : r->line;
    g_autofree char *foreign = g_strdup_printf("lines that are no rows (first: %s, line %u)", r->path,
                                               r->first_foreign);
    return skip(r, foreign);
}

/* A printed rate is from RATE_MIN to RATE_MAX times that of bytes and seconds in 10^6 bit/s: NetPIPE 3 prints 2^20
 * bit/s, in few digits. */
#define RATE_MIN 0.85
#define RATE_MAX 1.1

/* Refuses a line of NetPIPE whose Mbit/s are not those of its bytes and seconds. */
static gboolean check_rate(const MeasuredReader *r, char **words, GError **error)
{
    double bytes = g_ascii_strtod(words[0], NULL), rate = g_ascii_strtod(words[1], NULL);
    double share = rate * g_ascii_strtod(words[2], NULL) * 1e6 / (8 * bytes);
    return (share >= RATE_MIN && share <= RATE_MAX) || bytes <= 0 ||
           input_refuse(error, "%s: line %u: '%s' Mbit/s does not fit %s bytes in %s s; allowed: lines of "
                        "bytes, Mbit/s and seconds", r->path, r->line, words[1], words[0], words[2]);
}

static gboolean read_netpipe_line(MeasuredReader *r, const char *line, GError **error)
{
    g_auto(GStrv) words = input_split(line, BLANKS);
    r->time_column = 2;
    if (*line == '#')
        return TRUE;
    if (g_strv_length(words) != 3)
        return input_refuse(error, "%s: line %u: %u numbers; allowed: 3, bytes, Mbit/s and seconds", r->path, r->line,
                            g_strv_length(words));
    return measured_add_row(r, words, 1e6, error) && check_rate(r, words, error);
}

/* Reads the output of r->program, or of NetPIPE. */
static gboolean read_lines(MeasuredReader *r, const char *text, GError **error)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    gboolean ok = TRUE;
    for (guint i = 0; ok && lines[i]; i++) {
        r->line = i + 1;
        ok = !*g_strstrip(lines[i]) || (r->program ? read_program_line : read_netpipe_line)(r, lines[i], error);
    }
    g_free(r->other);
    return ok;
}

/* --- files --- */

/* What launchers, time stamps and mails put before lines: "[1,0]<stdout>:", "[0] ", "0: ", "> ", "12:00:00.5 ". */
#define PREFIX "^(\\[[0-9]+,[0-9]+\\]<std(out|err)>: ?|\\[[0-9]+\\] ?|[0-9]+: |> ?|" \
               "([0-9]{4}-[0-9]{2}-[0-9]{2}[T ])?[0-9]{2}:[0-9]{2}:[0-9]{2}([.,][0-9]+)?Z?[ \t]+)+"

/* Returns the text without prefixes, if the line that names a benchmark has one. Takes `text`; caller frees. */
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

/* Returns the table with commas between its cells instead of `between`, and points instead of decimal commas in cells
 * that have nothing else than digits, but for partitions and the like. Takes `text`; caller frees. */
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

/* Returns the text as the readers take it. Takes `text`; caller frees. */
static char *clean(char *text)
{
    text = without_prefixes(text);
    g_autofree char *first = g_strndup(text, strcspn(text, "\n"));
    const char *between = strchr(first, ';') ? ";" : strchr(first, '\t') ? "\t" : NULL;
    return between && *first != '#' && strstr(first, "algorithm") && !strchr(first, ',') ? with_commas(text, between)
                                                                                         : text;
}

/* Whether a file with the same text has been read. Notes the text. */
static gboolean is_read(Measured *measured, const char *path, const char *text)
{
    g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    guint before = measured->texts->len;
    note_once(measured->texts, sum);
    if (measured->texts->len > before)
        return FALSE;
    g_ptr_array_add(measured->skipped, g_strdup_printf("files with the text of another (%s)", path));
    return TRUE;
}

#define NUMBER "^[ \t]*[0-9.eE+-]+[ \t]+[0-9.eE+-]+[ \t]+[0-9.eE+-]+[ \t]*\r?$"

/* Refuses a file with which all files have more than MEASURED_LINES_MAX lines, as a fit would take minutes. */
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

#define LINE_BYTES 6400         /* memory of a line in a fit; other commands take less */
#define PROGRAM_BYTES 30000000  /* resident memory of the program, libraries included */

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
    MeasuredReader r = {.measured = measured, .path = path};
    const char *line = text + strspn(text, "\r\n \t");
    g_autofree char *first = g_strndup(line, strcspn(line, "\n"));
    for (guint i = 0; i < G_N_ELEMENTS(programs) && !r.program; i++)
        r.program = strstr(text, programs[i].mark) ? &programs[i] : NULL;
    if (r.program)
        return read_lines(&r, text, error);
    if (*first != '#' && strchr(first, ',') && measured->place == MEASURED_WITHIN)
        return input_refuse(error, "--within: '%s' is not allowed; allowed: times of a ping-pong. Rows of runs have "
                            "the column node", path);
    if (*first != '#' && strchr(first, ','))
        return read_csv(&r, g_steal_pointer(&text), error);
    if (matches(NUMBER, first))
        return read_lines(&r, text, error);
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
