/* ecube sweep: simulate every point of a scenario whose keys have several values. */
#include "../models/input.h"
#include "command.h"
#include "piece.h"
#include "report.h"
#include "sweep.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOBS_MAX 4096
#define FAILURES_SHOWN 20
#define BAR_WIDTH 30
#define BAR_FIRST_S 1.0

typedef struct {
    char *output, *jobs, *shard;
    gboolean restart;
} SweepOptions;

/* --- progress --- */

static void show_bar(const SweepProgress *p)
{
    if (p->elapsed_s < BAR_FIRST_S)
        return;
    guint filled = (guint)((guint64)BAR_WIDTH * p->n_over / p->n_points);
    double rate = (p->n_over - p->n_before) / p->elapsed_s;
    fprintf(stderr, "\r\033[K[");
    for (guint i = 0; i < BAR_WIDTH; i++)
        fputc(i < filled ? '#' : '-', stderr);
    fprintf(stderr, "] %u/%u points", p->n_over, p->n_points);
    if (rate > 0)
        fprintf(stderr, ", %.1f/s, %.0f s left", rate, (p->n_points - p->n_over) / rate);
    if (p->n_failed > 0)
        fprintf(stderr, ", %u failed", p->n_failed);
    fflush(stderr);
}

static void clear_bar(void)
{
    fprintf(stderr, "\r\033[K");
}

/* --- results --- */

/* The file: all rows in the order of the points, in a shard after the line that makes it a piece. */
static char *sweep_text(const Sweep *sweep, Shard shard, gboolean piece, const Outcome *outcomes)
{
    g_autofree char *head = piece_head(shard, sweep_n_points(sweep), sweep_fingerprint(sweep));
    g_autofree char *columns = report_text(FORMAT_CSV, NULL, 0, "");
    GString *text = g_string_new(piece ? head : "");
    g_string_append(text, columns);
    for (guint i = 0; i < shard_n_points(shard, sweep_n_points(sweep)); i++)
        g_string_append_printf(text, "%s\n", outcomes[i].entry.row);
    return g_string_free(text, FALSE);
}

/* Tells what is wrong with points, in their order; 1 if there is any. */
static int tell_failures(const Sweep *sweep, Shard shard, const Outcome *outcomes, guint *n_failed)
{
    guint n = shard_n_points(shard, sweep_n_points(sweep)), n_bad = 0;
    *n_failed = 0;
    for (guint i = 0; i < n; i++) {
        guint point = shard_point(shard, i);
        *n_failed += outcomes[i].failed;
        if (*outcomes[i].entry.fault == '\0' || ++n_bad > FAILURES_SHOWN)
            continue;
        const Run *run = sweep_run(sweep, point);
        const char *overrides = sweep_overrides(sweep, point);
        g_autofree char *what = run_describe(run);
        fprintf(stderr, "ecube: point %u (%s on %s%s%s): %s\n", point + 1, what, run->machine->spec,
                *overrides ? ", " : "", overrides, outcomes[i].entry.fault);
    }
    if (n_bad > FAILURES_SHOWN)
        fprintf(stderr, "ecube: ... and %u more points\n", n_bad - FAILURES_SHOWN);
    return n_bad > 0;
}

static int finish(const Sweep *sweep, Shard shard, const SweepOptions *options, Journal **journal,
                  const Outcome *outcomes, GError **error)
{
    g_autofree char *text = sweep_text(sweep, shard, options->shard != NULL, outcomes);
    if (!report_write(options->output, text, error))
        return 2;
    guint n_failed;
    int code = tell_failures(sweep, shard, outcomes, &n_failed);
    if (n_failed > 0)
        fprintf(stderr, "ecube: %u of %u points failed; %s is written, and the same command runs them again\n",
                n_failed, shard_n_points(shard, sweep_n_points(sweep)), options->output);
    else
        journal_close(g_steal_pointer(journal), TRUE);
    return code;
}

/* --- the sweep --- */

/* The journal lies beside the output; beside the file itself if that is a link, so that both names mean one sweep. */
static char *journal_path(const char *output)
{
    char target[PATH_MAX];
    gboolean link = g_file_test(output, G_FILE_TEST_IS_SYMLINK) && realpath(output, target);
    return g_strconcat(link ? target : output, ".journal", NULL);
}

/* Opens the journal and takes what it has. */
static Journal *open_journal(const Sweep *sweep, Shard shard, const SweepOptions *options, Outcome *outcomes,
                             GError **error)
{
    guint n_points = sweep_n_points(sweep), n_before = 0;
    g_autofree char *path = journal_path(options->output);
    g_autofree char *head = g_strdup_printf("ecube sweep journal 1, shard %u of %u, %u points in all, %s", shard.number,
                                            shard.of, n_points, sweep_fingerprint(sweep));
    g_autofree JournalEntry *entries = g_new0(JournalEntry, MAX(1, n_points));
    Journal *journal = journal_open(path, head, options->restart, entries, n_points, error);
    for (guint i = 0; i < shard_n_points(shard, n_points); i++) {
        outcomes[i].entry = entries[shard_point(shard, i)];
        n_before += outcomes[i].entry.row != NULL;
    }
    if (journal && n_before > 0)
        fprintf(stderr, "ecube: %s: %u of %u points are finished already\n", path, n_before,
                shard_n_points(shard, n_points));
    return journal;
}

static int run_sweep(const Sweep *sweep, const SweepOptions *options, guint jobs, Shard shard, GError **error)
{
    guint n = shard_n_points(shard, sweep_n_points(sweep));
    g_autofree Outcome *outcomes = g_new0(Outcome, MAX(1, n));
    Journal *journal = open_journal(sweep, shard, options, outcomes, error);
    gboolean terminal = isatty(STDERR_FILENO);
    SweepPlan plan = {.jobs = jobs, .shard = shard, .progress = terminal ? show_bar : NULL};
    int code = 2;
    if (journal) {
        gboolean ok = sweep_execute(sweep, &plan, journal, outcomes, error);
        if (terminal)
            clear_bar();
        if (ok)
            code = finish(sweep, shard, options, &journal, outcomes, error);
    }
    if (journal)
        journal_close(journal, FALSE);
    for (guint i = 0; i < n; i++) {
        g_free(outcomes[i].entry.row);
        g_free(outcomes[i].entry.fault);
    }
    return code;
}

static gboolean check_output(const char *output, GError **error)
{
    if (!output || strcmp(output, "-") == 0) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "--output: is missing; a sweep is written to a file");
        return FALSE;
    }
    if (!g_file_test(output, G_FILE_TEST_EXISTS) || g_file_test(output, G_FILE_TEST_IS_REGULAR | G_FILE_TEST_IS_DIR))
        return report_check_path(output, error);
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "--output: '%.60s' is not allowed; allowed: a regular file",
                output);
    return FALSE;
}

static int sweep_scenario(const Scenario *scenario, const SweepOptions *options, GError **error)
{
    gint64 jobs = (gint64)g_get_num_processors();
    Shard shard = {1, 1};
    if ((options->jobs && !input_parse_count("--jobs", options->jobs, 1, JOBS_MAX, &jobs, error)) ||
        (options->shard && !shard_parse("--shard", options->shard, &shard, error)) ||
        !check_output(options->output, error))
        return 2;
    g_autoptr(Sweep) sweep = sweep_new(scenario, command_platforms(), error);
    return sweep ? run_sweep(sweep, options, (guint)jobs, shard, error) : 2;
}

static const char help[] =
    "In a sweep every key of the scenario, and every option and --set, may have several values: a list\n"
    "(2,3,4; partitions by ;), a range FROM:TO:STEP, a geometric range FROM:TO:xFACTOR, or a mixture. A\n"
    "partition may also be `all` or `equal`: all partitions, or all equipartitions, of each dimension. Every\n"
    "combination is one point and one line of FILE, which has the columns of `ecube run --format csv`. The\n"
    "machine varies slowest, then its keys (`ecube list keys`), pattern, dimension, bytes, algorithm, partition.\n\n"
    "Finished points are kept in FILE.journal until FILE is written: a sweep that was killed goes on when the\n"
    "same command is given again. With --shard i/n only every n-th point is run; `ecube merge` joins the files\n"
    "of all i. Exit code: 0 all data in place, 1 a point failed, 2 bad input.\n\n"
    "Example: ecube sweep -m ipsc860 -d 2:6:1 -a multiphase -p all -b 0:400:20 --output sweep.csv";

static int cmd_sweep(int argc, char **argv, GError **error)
{
    ScenarioOptions options = {0};
    SweepOptions mine = {0};
    const GOptionEntry own[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &mine.output, "Write to FILE, whole or not at all", "FILE"},
        {"jobs", 'j', 0, G_OPTION_ARG_STRING, &mine.jobs, "Points to run at one time (default: one per core)", "N"},
        {"shard", 0, 0, G_OPTION_ARG_STRING, &mine.shard, "Run only part i of n, into a FILE of its own", "i/n"},
        {"restart", 0, 0, G_OPTION_ARG_NONE, &mine.restart, "Throw away what FILE.journal has", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autofree GOptionEntry *entries = command_scenario_entries(&options, own);
    int code = 2;
    if (command_parse(&argc, &argv, "[SCENARIO] --output FILE", help, entries, error)) {
        g_autoptr(Scenario) scenario = command_scenario(&options, argc, argv, error);
        if (scenario)
            code = sweep_scenario(scenario, &mine, error);
    }
    command_scenario_clear(&options);
    g_free(mine.output);
    g_free(mine.jobs);
    g_free(mine.shard);
    return code;
}

const Command command_sweep = {"sweep", "simulate every combination of ranges, on all cores", cmd_sweep};
