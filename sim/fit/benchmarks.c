#include "benchmarks.h"
#include "measured_row.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/theory.h"
#include "sim/text/input.h"

#include <string.h>

/* Reader of the lines of one file, the output of a benchmark. */
typedef struct {
    MeasuredRow at;
    const struct BenchmarkProgram *program; /* the program that printed the file; NULL: NetPIPE */
    char *other;                            /* reason why rows of the present benchmark are left out; NULL: they are
                                             * used */
    gboolean begun;                         /* whether a line that names a benchmark has been read */
    guint time_column;                      /* index of the cell with the time in a row, from 0 */
    guint n_columns;                        /* number of columns of a row; 0: not known */
    gboolean is_least;                      /* whether time_column has the least time; FALSE: the average time */
    const Pattern *pattern;                 /* pattern of the library's function that is measured; NULL: a ping-pong */
    guint n_ranks;                          /* number of ranks of the present benchmark; 0: not known */
    guint first_foreign;                    /* number of the first line that is no row; 0: none */
} BenchmarkReader;

/* Adds the time of a ping-pong: a message over one channel, without phases, to a receiver that need not be ready. Its
 * machine is that of --machine, or `plain` without the option. */
static gboolean benchmark_add_message(const BenchmarkReader *r, gint64 bytes, double time_us, GError **error)
{
    static const Machine plain = {.spec = "", .path = "", .short_limit = -1, .packet_lambda_ps = MACHINE_UNSET,
                                  .ports_overlap = 100};
    const char *name = r->at.measured->machine;
    g_autoptr(Scenario) scenario = scenario_new();
    if (name && !scenario_set(scenario, "machine", name, "--machine", error))
        return FALSE;
    const Machine *machine = name ? resolver_machine(r->at.measured->resolver, scenario, error) : &plain;
    if (!machine)
        return FALSE;
    Observation *o = measured_row_add(&r->at, time_us);
    o->machine = *machine;
    if (r->at.measured->place != MEASURED_ANYWHERE)
        o->machine.host = r->at.measured->place == MEASURED_WITHIN ? MAX(MEASURED_NODE, machine->host) : 0;
    o->machine.phase_barrier = o->machine.pairwise_sync = FALSE;
    o->machine.start_skew_ps = 0;
    o->machine.sides = NULL;    /* the sides are those of the whole machine, not of two processors */
    o->overrides = g_strdup("");
    o->run.problem = problem_of_message();
    o->run.problem.data = division_whole(bytes);
    o->run.element = 1;
    o->run.machine = &o->machine;
    return TRUE;
}

#define MESSAGE_MAX ((gint64)1 << 50)
#define BLANKS " \t\r"

/* Adds the time in a row of numbers. The first number is the message's bytes; the number in time_column is the time, in
 * units of `unit_us` µs. */
static gboolean benchmark_add_row(const BenchmarkReader *r, char **words, double unit_us, GError **error)
{
    g_autofree char *origin = measured_row_origin(&r->at, "bytes");
    double time_us;
    gint64 bytes;
    if (g_strv_length(words) <= r->time_column)
        return input_refuse(error, "%s: line %u: %u numbers; allowed: at least %u", r->at.path, r->at.line,
                            g_strv_length(words), r->time_column + 1);
    return input_parse_count(origin, words[0], 0, MESSAGE_MAX, &bytes, error) &&
           measured_row_time(&r->at, "time", words[r->time_column], unit_us, &time_us, error) &&
           benchmark_add_message(r, bytes, time_us, error);
}

/* A program that runs several benchmarks. Its output has a part for each benchmark: a line that names or begins it, a
 * line with the names of columns, and rows of numbers. */
typedef struct BenchmarkProgram {
    const char *name, *mark;        /* the program's name for people; text that only the program's output has */
    const char *begins;             /* beginning of a line that names a benchmark */
    guint name_at;                  /* index of the benchmark's name in a line that begins with `begins` */
    const char *usable;             /* regular expression: a line that names a ping-pong; "^$": no line does */
    const char *const (*libraries)[2];      /* regular expressions of lines that name a collective, each with its MPI
                                             * function; NULL, NULL ends them */
    const char *heading, *between;  /* regular expressions: the line with the names of columns; the separator of the
                                     * names */
    const char *rank;               /* regular expression: a line for each rank, or a line with the number of ranks;
                                     * NULL: none */
    const char *row;                /* regular expression: a row of the collective, where the line that begins the part
                                     * does not name it; NULL: any row is one */
    gboolean is_of_buffers;         /* whether sizes are those of whole buffers, not of blocks */
} BenchmarkProgram;

/* Lines that the regular expressions match. OSU: "# OSU MPI Latency Test v5.9", with a device behind MPI ("MPI-CUDA"),
 * then "# Size   Avg Latency(us)   Min Latency(us)". IMB: "# Benchmarking PingPong", then "#bytes #repetitions
 * t[usec]   Mbytes/sec". nccl-tests before version 2.17 name no benchmark. Their rows are of alltoall_perf if they have
 * neither reduction nor root, and if results were checked out of place, but not in place ("N/A").
 * all_gather_perf checks both. */
#define OSU "^# OSU MPI(-[A-Z]+)? "
#define IMB "^# Benchmarking "
static const char *const osu_libraries[][2] = {
    {OSU "All-to-Allv?( Personalized Exchange)? Latency Test", "MPI_Alltoall"},
    {OSU "Broadcast Latency Test", "MPI_Bcast"}, {OSU "Scatterv? Latency Test", "MPI_Scatter"},
    {OSU "Allgatherv? Latency Test", "MPI_Allgather"}, {NULL, NULL}};
static const char *const imb_libraries[][2] = {
    {IMB "Alltoallv?$", "MPI_Alltoall"}, {IMB "Bcast$", "MPI_Bcast"}, {IMB "Scatterv?$", "MPI_Scatter"},
    {IMB "Allgatherv?$", "MPI_Allgather"}, {NULL, NULL}};
#define NCCL "# Collective test starting: "
#define NCCL_RANK "^#\\s+Rank\\s+[0-9]"
static const char *const nccl_libraries[][2] = {{"^" NCCL "alltoall_perf$", "MPI_Alltoall"}, {NULL, NULL}};
static const char *const old_nccl_libraries[][2] = {{"^# nThread", "MPI_Alltoall"}, {NULL, NULL}};
static const BenchmarkProgram programs[] = {
    {"OSU micro-benchmarks", "# OSU MPI", "# OSU MPI", 2, OSU "(Multi )?Latency Test", osu_libraries, "^# ?Size",
     "\\s{2,}", NULL, NULL, FALSE},
    {"IMB", "# Benchmarking ", "# Benchmarking ", 15, IMB "PingPong$", imb_libraries, "^#bytes", "\\s+",
     "^# #processes = ([0-9]+)", NULL, FALSE},
    {"nccl-tests", NCCL, NCCL, sizeof NCCL - 1, "^$", nccl_libraries, "^#\\s+size\\s", "\\s+", NCCL_RANK, NULL, TRUE},
    {"nccl-tests", "# nThread ", "# nThread ", 2, "^$", old_nccl_libraries, "^#\\s+size\\s", "\\s+", NCCL_RANK,
     "\\snone\\s+-1(\\s+[0-9.]+){3}\\s+[0-9][0-9.e+]*\\s.*\\sN/A", TRUE},
};

static gboolean matches(const char *pattern, const char *line)
{
    return g_regex_match_simple(pattern, line, G_REGEX_RAW, 0);
}

/* Returns the pattern of the MPI function whose benchmark the line names, or NULL. */
static const Pattern *library_pattern(const BenchmarkProgram *program, const char *line)
{
    for (guint i = 0; program->libraries[i][0]; i++)
        if (matches(program->libraries[i][0], line))
            return pattern_find("", program->libraries[i][1], NULL);
    return NULL;
}

/* Begins the part of the output behind `line`, which names a benchmark. */
static void begin_part(BenchmarkReader *r, const char *line)
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

/* Sets time_column by the names of columns: the least time of a ping-pong if minima are asked for and there, else the
 * average. */
static void read_heading(BenchmarkReader *r, const char *line)
{
    g_auto(GStrv) names = g_regex_split_simple(r->program->between, line + strspn(line, "# "), G_REGEX_RAW, 0);
    guint average = 0, least = 0;
    for (guint i = 1; names[0] && names[i]; i++) {
        if (!average && matches("^((Avg )?Latency|t\\[usec\\]|t_avg\\[usec\\]|time$)", names[i]))
            average = i;
        if (g_str_has_prefix(names[i], "Min Latency"))
            least = i;
    }
    r->is_least = r->at.measured->statistic == STATISTIC_MINIMUM && least && !r->pattern;
    r->time_column = r->is_least ? least : MAX(1, average);
    r->n_columns = g_strv_length(names);
}

/* Sets n_ranks to the number of ranks in the line, or adds 1 to it if the line describes a single rank. Ignores other
 * lines. */
static void note_ranks(BenchmarkReader *r, const char *line)
{
    g_autoptr(GRegex) regex = r->program->rank ? g_regex_new(r->program->rank, G_REGEX_RAW, 0, NULL) : NULL;
    g_autoptr(GMatchInfo) match = NULL;
    if (!regex || !g_regex_match(regex, line, 0, &match))
        return;
    g_autofree char *number = g_match_info_fetch(match, 1);
    r->n_ranks = number && *number ? (guint)g_ascii_strtoull(number, NULL, 10) : r->n_ranks + 1;
}

/* Leaves out a row of the library's own function. The reason is `before`, the function's name and `behind`. */
static gboolean skip_function(const BenchmarkReader *r, const char *before, const char *behind)
{
    g_autofree char *why = g_strconcat(before, pattern_theory(r->pattern)->mpi, behind, NULL);
    return measured_row_skip(&r->at, why);
}

/* Adds the time of the library's own function with blocks of `bytes`. Leaves it out if with_libraries is FALSE or the
 * number of ranks is unknown. Leaves out functions other than MPI_Alltoall if that number is not 2, 4, 8 ... */
static gboolean benchmark_add_library(const BenchmarkReader *r, gint64 bytes, double time_us, GError **error)
{
    guint n = r->n_ranks ? r->n_ranks : r->at.measured->n_ranks;
    gboolean is_alltoall = r->pattern == pattern_default();
    if (!r->at.measured->with_libraries || n == 0)
        return skip_function(r, "", n ? ", of which it is not known what it sends; compare --measured takes such "
                                        "times, and fit those of a ping-pong"
                                      : " of an unknown number of ranks; compare --measured takes such times, with "
                                        "--processors RANKS, and fit those of a ping-pong");
    if (!is_alltoall && (n < 2 || (n & (n - 1)) != 0))
        return skip_function(r, "", " on another number of ranks than 2, 4, 8 ...");
    g_autoptr(Scenario) scenario = scenario_new();
    g_autofree char *size = g_strdup_printf("%" G_GINT64_FORMAT, bytes);
    g_autofree char *ranks = g_strdup_printf("%u", is_alltoall ? n : g_bit_storage(n) - 1);
    const char *const pairs[][2] = {{"machine", r->at.measured->machine}, {"pattern", r->pattern->name},
                                    {is_alltoall ? "processors" : "dimension", ranks},
                                    {"algorithm", is_alltoall ? "direct" : "sbt"}, {"bytes", size}};
    g_autofree char *origin = measured_row_origin(&r->at, pattern_theory(r->pattern)->mpi);
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        if (!scenario_set(scenario, pairs[i][0], pairs[i][1], origin, error))
            return FALSE;
    const Request *request = resolver_scenario(r->at.measured->resolver, scenario, error);
    Observation *o = request ? measured_row_add(&r->at, time_us) : NULL;
    if (!o || !request_run(request, 0, &o->run, &o->machine, error))
        return FALSE;
    o->overrides = g_strdup("");
    o->left_out = MEASURED_NO_SCHEDULE;
    o->run.problem.algorithm = measured_baseline("library");
    o->run.problem.partition = (Phases){0};
    return TRUE;
}

/* Adds the time of a row "bytes ... time ...". Returns FALSE without an error if the line is no such row. */
static gboolean benchmark_read_row(BenchmarkReader *r, const char *line, GError **error)
{
    g_auto(GStrv) words = input_split(line, BLANKS);
    guint n = g_strv_length(words);
    double time_us;
    gint64 bytes;
    gboolean whole = n > r->time_column && n >= r->n_columns && strspn(words[0], "0123456789") == strlen(words[0]);
    if (!whole || !input_parse_count("bytes", words[0], 0, MESSAGE_MAX, &bytes, NULL) ||
        !input_parse_decimal(words[r->time_column], &time_us) || time_us < 0 || time_us >= TIME_MAX_US)
        return FALSE;
    if (time_us < TIME_MIN_US)
        return measured_row_skip(&r->at, "rows whose time is 0: their clock is too coarse");
    if (!r->pattern) {
        r->at.measured->n_averages += !r->is_least;
        return benchmark_add_message(r, bytes, time_us, error);
    }
    if (r->program->row && !matches(r->program->row, line))
        return measured_row_skip(&r->at, "rows of nccl-tests that are not known to be of alltoall_perf, with a number "
                                 "of wrong results out of place, and N/A in place");
    gboolean buffers = r->program->is_of_buffers;
    if (bytes == 0 || (buffers && (r->n_ranks == 0 || bytes % r->n_ranks != 0)))
        return skip_function(r, "rows of ", " without whole blocks");
    return benchmark_add_library(r, buffers ? bytes / r->n_ranks : bytes, time_us, error);
}

static gboolean read_program_line(BenchmarkReader *r, const char *line, GError **error)
{
    note_ranks(r, line);
    if (g_str_has_prefix(line, r->program->begins))
        begin_part(r, line);
    else if (r->begun && matches(r->program->heading, line))
        read_heading(r, line);
    if (*line == '#')
        return TRUE;
    if (r->begun && r->other)
        return measured_row_skip(&r->at, r->other);
    g_autoptr(GError) failure = NULL;
    if (r->begun && benchmark_read_row(r, line, &failure))
        return TRUE;
    if (failure) {
        g_propagate_error(error, g_steal_pointer(&failure));
        return FALSE;
    }
    r->first_foreign = r->first_foreign ? r->first_foreign : r->at.line;
    g_autofree char *foreign = g_strdup_printf("lines that are no rows (first: %s, line %u)", r->at.path,
                                               r->first_foreign);
    return measured_row_skip(&r->at, foreign);
}

/* Limits of the ratio of two rates: the Mbit/s that NetPIPE prints, and 8 x bytes / seconds / 10^6. NetPIPE 3 prints
 * 2^20 bit/s, in few digits. */
#define RATE_MIN 0.85
#define RATE_MAX 1.1

/* Refuses a line of NetPIPE whose Mbit/s do not fit its bytes and seconds. */
static gboolean check_rate(const BenchmarkReader *r, char **words, GError **error)
{
    double bytes = g_ascii_strtod(words[0], NULL), rate = g_ascii_strtod(words[1], NULL);
    double share = rate * g_ascii_strtod(words[2], NULL) * 1e6 / (8 * bytes);
    return (share >= RATE_MIN && share <= RATE_MAX) || bytes <= 0 ||
           input_refuse(error, "%s: line %u: '%s' Mbit/s does not fit %s bytes in %s s; allowed: lines of "
                        "bytes, Mbit/s and seconds", r->at.path, r->at.line, words[1], words[0], words[2]);
}

static gboolean read_netpipe_line(BenchmarkReader *r, const char *line, GError **error)
{
    g_auto(GStrv) words = input_split(line, BLANKS);
    r->time_column = 2;
    if (*line == '#')
        return TRUE;
    if (g_strv_length(words) != 3)
        return input_refuse(error, "%s: line %u: %u numbers; allowed: 3, bytes, Mbit/s and seconds", r->at.path,
                            r->at.line, g_strv_length(words));
    r->at.measured->n_averages++;
    return benchmark_add_row(r, words, 1e6, error) && check_rate(r, words, error);
}

#define NUMBER "^[ \t]*[0-9.eE+-]+[ \t]+[0-9.eE+-]+[ \t]+[0-9.eE+-]+[ \t]*\r?$"

/* Returns the program that printed the text, or NULL. */
static const BenchmarkProgram *program_of(const char *text)
{
    for (guint i = 0; i < G_N_ELEMENTS(programs); i++)
        if (strstr(text, programs[i].mark))
            return &programs[i];
    return NULL;
}

gboolean benchmarks_print(const char *text)
{
    const char *line = text + strspn(text, "\r\n \t");
    g_autofree char *first = g_strndup(line, strcspn(line, "\n"));
    return program_of(text) || matches(NUMBER, first);
}

gboolean benchmarks_read(Measured *measured, const char *path, const char *text, GError **error)
{
    BenchmarkReader r = {.at = {measured, path, 0}, .program = program_of(text)};
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    gboolean ok = TRUE;
    for (guint i = 0; ok && lines[i]; i++) {
        r.at.line = i + 1;
        ok = !*g_strstrip(lines[i]) || (r.program ? read_program_line : read_netpipe_line)(&r, lines[i], error);
    }
    g_free(r.other);
    return ok;
}
