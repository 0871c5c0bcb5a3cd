/* ecube sweep: simulate every point of a scenario whose keys have several values. */
#include "command.h"
#include "models/input.h"
#include "sim/run/piece.h"
#include "sim/run/report.h"
#include "sim/run/sweep.h"
#include "sim/text/file.h"
#include "sim/text/message.h"

#include <stdio.h>
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
    double left = (double)(p->effort - p->effort_over) / (double)(p->effort_over - p->effort_before) * p->elapsed_s;
    fprintf(stderr, "\r\033[K[");
    for (guint i = 0; i < BAR_WIDTH; i++)
        fputc(i < filled ? '#' : '-', stderr);
    fprintf(stderr, "] %u/%u points", p->n_over, p->n_points);
    if (rate > 0)
        fprintf(stderr, ", %.1f/s, %.0f s left", rate, left);
    if (p->n_failed > 0)
        fprintf(stderr, ", %u failed", p->n_failed);
    fflush(stderr);
}

static void clear_bar(void)
{
    fprintf(stderr, "\r\033[K");
}

/* --- results --- */

/* What one process runs. */
typedef struct {
    Sweep *sweep;
    Shard shard;
    GArray *points;         /* of the shard */
    Outcome *outcomes;      /* [points->len] */
} Part;

static guint part_point(const Part *part, guint i)
{
    return g_array_index(part->points, guint, i);
}

/* The file: all rows in the order of the points; of a shard, a piece. */
static char *sweep_text(const Part *part, gboolean piece)
{
    g_autofree char *head = piece_head(part->shard, part->points->len, sweep_n_points(part->sweep),
                                       sweep_fingerprint(part->sweep));
    g_autofree char *columns = report_text(FORMAT_CSV, NULL, 0, "");
    GString *text = g_string_new(piece ? head : "");
    g_string_append_printf(text, "%s%s", piece ? PIECE_COLUMN : "", columns);
    for (guint i = 0; i < part->points->len; i++) {
        if (piece)
            g_string_append_printf(text, "%u,", part_point(part, i) + 1);
        g_string_append_printf(text, "%s\n", part->outcomes[i].entry.row);
    }
    return g_string_free(text, FALSE);
}

/* Tells what is wrong with points, in their order; 1 if there is any. */
static int tell_failures(const Part *part, guint *n_failed)
{
    guint n_bad = 0;
    *n_failed = 0;
    for (guint i = 0; i < part->points->len; i++) {
        guint point = part_point(part, i);
        const Outcome *outcome = &part->outcomes[i];
        *n_failed += outcome->failed;
        if (*outcome->entry.fault == '\0' || ++n_bad > FAILURES_SHOWN)
            continue;
        const Run *run = sweep_run(part->sweep, point);
        const char *overrides = sweep_overrides(part->sweep, point);
        g_autofree char *what = run_describe(run);
        message_tell("point %u (%s on %s%s%s): %s", point + 1, what, run->machine->spec,
                     *overrides ? ", " : "", overrides, outcome->entry.fault);
    }
    if (n_bad > FAILURES_SHOWN)
        message_tell("... and %u more points", n_bad - FAILURES_SHOWN);
    return n_bad > 0;
}

static int finish(const Part *part, const SweepOptions *options, const Journal *journal, GError **error)
{
    g_autofree char *text = sweep_text(part, options->shard != NULL);
    g_autofree char *sealed = options->shard ? piece_seal(text) : NULL;
    if (!report_write(options->output, sealed ? sealed : text, error))
        return 2;
    guint n_failed;
    int code = tell_failures(part, &n_failed);
    if (n_failed > 0)
        message_tell("%u of %u points failed; %s is written, and the same command runs them again", n_failed,
                     part->points->len, options->output);
    else if (!journal_remove(journal, error))
        code = 2;
    return code;
}

/* --- the sweep --- */

/* The journal lies beside the output; beside the file itself if that is a link, so that both names mean one sweep. */
static char *journal_path(const char *output)
{
    g_autofree char *target = g_file_test(output, G_FILE_TEST_IS_SYMLINK) ? file_resolve(output) : NULL;
    return g_strconcat(target ? target : output, ".journal", NULL);
}

/* Takes the entries of the part's points; those of others, of a shard that another version cut, are dropped. Returns
 * how many of the points are over. */
static guint take_entries(Part *part, JournalEntry *entries)
{
    guint n_before = 0;
    for (guint i = 0; i < part->points->len; i++) {
        part->outcomes[i].entry = entries[part_point(part, i)];
        entries[part_point(part, i)] = (JournalEntry){0};
        n_before += part->outcomes[i].entry.row != NULL;
    }
    for (guint point = 0; point < sweep_n_points(part->sweep); point++) {
        g_free(entries[point].row);
        g_free(entries[point].fault);
    }
    return n_before;
}

/* Opens the journal and takes what it has. */
static Journal *open_journal(Part *part, const SweepOptions *options, GError **error)
{
    guint n_points = sweep_n_points(part->sweep);
    g_autofree char *path = journal_path(options->output);
    g_autofree char *head = g_strdup_printf("ecube sweep journal 1, shard %u of %u, %u points in all, %s",
                                            part->shard.number, part->shard.of, n_points,
                                            sweep_fingerprint(part->sweep));
    g_autofree JournalEntry *entries = g_new0(JournalEntry, MAX(1, n_points));
    Journal *journal = journal_open(path, head, options->restart, entries, n_points, error);
    guint n_before = take_entries(part, entries);
    if (journal)
        file_remove_left(options->output);
    if (journal && n_before > 0)
        message_tell("%s: %u of %u points are finished already", path, n_before, part->points->len);
    return journal;
}

static int run_part(Part *part, const SweepOptions *options, guint jobs, GError **error)
{
    Journal *journal = open_journal(part, options, error);
    gboolean terminal = isatty(STDERR_FILENO);
    SweepPlan plan = {.jobs = jobs, .points = part->points, .progress = terminal ? show_bar : NULL};
    int code = 2;
    if (!journal)
        return code;
    gboolean ok = sweep_execute(part->sweep, &plan, journal, part->outcomes, error);
    if (terminal)
        clear_bar();
    if (ok)
        code = finish(part, options, journal, error);
    journal_close(journal);
    return code;
}

static int run_sweep(Sweep *sweep, const SweepOptions *options, guint jobs, Shard shard, GError **error)
{
    Part part = {.sweep = sweep, .shard = shard, .points = shard_points(shard, sweep)};
    part.outcomes = g_new0(Outcome, MAX(1, part.points->len));
    int code = run_part(&part, options, jobs, error);
    for (guint i = 0; i < part.points->len; i++) {
        g_free(part.outcomes[i].entry.row);
        g_free(part.outcomes[i].entry.fault);
    }
    g_free(part.outcomes);
    g_array_unref(part.points);
    return code;
}

static gboolean check_output(const char *output, GError **error)
{
    if (!output || strcmp(output, "-") == 0)
        return input_refuse(error, "--output: is missing; a sweep is written to a file");
    if (!g_file_test(output, G_FILE_TEST_EXISTS) || g_file_test(output, G_FILE_TEST_IS_REGULAR | G_FILE_TEST_IS_DIR))
        return report_check_path(output, error);
    return input_refuse(error, "--output: '%.60s' is not allowed; allowed: a regular file", output);
}

/* The sweep must not write what it reads; its journal neither. */
static gboolean check_apart(const Scenario *scenario, const Sweep *sweep, const char *output, GError **error)
{
    g_autofree char *journal = journal_path(output);
    g_autoptr(GPtrArray) files = sweep_machine_files(sweep);
    gboolean ok = command_check_apart("--output", output, scenario, NULL, error) &&
                  command_check_apart("--output", journal, scenario, NULL, error);
    for (guint i = 0; ok && i < files->len; i++)
        ok = report_check_apart("--output", output, "machine", g_ptr_array_index(files, i), error) &&
             report_check_apart("--output", journal, "machine", g_ptr_array_index(files, i), error);
    return ok;
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
    if (!sweep || !check_apart(scenario, sweep, options->output, error))
        return 2;
    return run_sweep(sweep, options, (guint)jobs, shard, error);
}

/* Caller frees. */
static char *help_text(void)
{
    g_autofree char *order = keys_order();
    return g_strdup_printf(
        "In a sweep every key of the scenario, and every option and --set, may have several values: a list\n"
        "(2,3,4; partitions by ;), a range FROM:TO:STEP, a geometric range FROM:TO:xFACTOR, or a mixture. A\n"
        "partition may also be `all` or `equal`: all partitions, or all equipartitions, of each dimension. Every\n"
        "combination is one point and one line of FILE, which has the columns of `ecube run --format csv`. The\n"
        "order of the points, the slowest key first:\n%s.\n\n"
        "Finished points are kept in FILE.journal until FILE is written: a sweep that was killed goes on when the\n"
        "same command is given again. With --shard i/n only part i of n is run, all parts taking about as long;\n"
        "`ecube merge` joins the files of all i. Exit code: 0 all data in place, 1 a point failed, 2 bad input.\n\n"
        "Example: ecube sweep -m ipsc860 -d 2:6:1 -a multiphase -p all -b 0:400:20 --output sweep.csv", order);
}

static int cmd_sweep(int argc, char **argv, GError **error)
{
    g_autoptr(Scenario) scenario = scenario_new();
    SweepOptions mine = {0};
    const GOptionEntry own[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &mine.output, "Write to FILE, whole or not at all", "FILE"},
        {"jobs", 'j', 0, G_OPTION_ARG_STRING, &mine.jobs, "Points to run at one time (default: one per core)", "N"},
        {"shard", 0, 0, G_OPTION_ARG_STRING, &mine.shard, "Run only part i of n, into a FILE of its own", "i/n"},
        {"restart", 0, 0, G_OPTION_ARG_NONE, &mine.restart, "Throw away what FILE.journal has", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autofree GOptionEntry *entries = command_key_entries(NULL, own);
    g_autofree char *help = help_text();
    int code = 2;
    if (command_parse(&argc, &argv, "[SCENARIO] --output FILE", help, entries, scenario, error) &&
        command_load(scenario, argc, argv, error))
        code = sweep_scenario(scenario, &mine, error);
    g_free(mine.output);
    g_free(mine.jobs);
    g_free(mine.shard);
    return code;
}

const Command command_sweep = {"sweep", "simulate every combination of ranges, on all cores", cmd_sweep};
