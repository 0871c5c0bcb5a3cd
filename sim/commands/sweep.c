/* ecube sweep: simulates all points of a scenario with lists of values. ecube merge: joins the pieces of shards. */
#include "command.h"
#include "sim/text/input.h"
#include "sim/run/data.h"
#include "sim/run/record.h"
#include "sim/sweep/shard.h"
#include "sim/text/file.h"
#include "sim/text/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define JOBS_MAX 4096
#define FAILURES_SHOWN 20
#define BAR "##############################"
#define REST "------------------------------"

static struct {
    char *jobs, *shard;
    gboolean restart;
} given;

/* --- progress --- */

static void show_bar(const SweepProgress *p)
{
    double rate = (p->n_over - p->n_before) / p->elapsed_s;
    double left = (double)(p->effort - p->effort_over) / (double)(p->effort_over - p->effort_before) * p->elapsed_s;
    g_autofree char *speed = rate > 0 ? g_strdup_printf(", %.1f/s, %.0f s left", rate, left) : g_strdup("");
    g_autofree char *failed = p->n_failed ? g_strdup_printf(", %u failed", p->n_failed) : g_strdup("");
    g_autofree char *numbers = g_strdup_printf("%u/%u points%s%s", p->n_over, p->n_points, speed, failed);
    int room = (int)message_columns() - (int)strlen("[] ") - (int)strlen(numbers) - 1;
    int width = CLAMP(room, 0, (int)strlen(BAR)), filled = (int)((guint64)width * p->n_over / p->n_points);
    message_progress("[%.*s%.*s] %s", filled, BAR, width - filled, REST, numbers);
}

/* --- results --- */

/* The points that this process runs, and where it writes them. */
typedef struct {
    Sweep *sweep;
    const char *output;
    Shard shard;
    GArray *points;         /* guint: indexes of the points of the shard */
    JournalEntry *entries;  /* [sweep_n_points()]: results of all points; this process fills in those of `points` */
} Part;

/* Returns the text of the output: all rows in the order of the points; with --shard, a sealed piece. Caller frees. */
static char *sweep_text(const Part *part)
{
    g_autofree char *head = shard_head(part->shard, part->points->len, sweep_n_points(part->sweep),
                                       sweep_fingerprint(part->sweep));
    g_autofree char *columns = record_text(FORMAT_CSV, NULL, 0, "");
    g_autoptr(GString) text = g_string_new(given.shard ? head : "");
    g_string_append_printf(text, "%s%s", given.shard ? SHARD_COLUMN : "", columns);
    for (guint i = 0; i < part->points->len; i++) {
        guint point = g_array_index(part->points, guint, i);
        if (given.shard)
            g_string_append_printf(text, "%u,", point + 1);
        g_string_append_printf(text, "%s\n", part->entries[point].row);
    }
    return given.shard ? shard_seal(text->str) : g_string_free(g_steal_pointer(&text), FALSE);
}

/* Reports the first FAILURES_SHOWN faults on stderr, in the order of points. Sets `*n_failed` to the number of points
 * without a result. FALSE if there are any faults. */
static gboolean sweep_report_failures(const Part *part, guint *n_failed)
{
    guint n_bad = 0;
    *n_failed = 0;
    for (guint i = 0; i < part->points->len; i++) {
        guint point = g_array_index(part->points, guint, i);
        const JournalEntry *entry = &part->entries[point];
        *n_failed += entry->failed;
        if (*entry->fault == '\0' || ++n_bad > FAILURES_SHOWN)
            continue;
        const Run *run = sweep_run(part->sweep, point);
        const char *overrides = sweep_overrides(part->sweep, point);
        g_autofree char *what = run_describe(run);
        message_print("point %u (%s on %s%s%s): %s", point + 1, what, run->machine->spec,
                      *overrides ? ", " : "", overrides, entry->fault);
    }
    if (n_bad > FAILURES_SHOWN)
        message_print("... and %u more points", n_bad - FAILURES_SHOWN);
    return n_bad == 0;
}

static gboolean sweep_finish(const Part *part, const Journal *journal, GError **error)
{
    g_autofree char *text = sweep_text(part);
    guint n_failed, n_refused = 0;
    for (guint i = 0; i < part->points->len; i++)
        n_refused += part->entries[g_array_index(part->points, guint, i)].refused;
    if (n_refused == part->points->len && !given.shard)
        return journal_remove(journal, error) && input_refuse(error, "%s", part->entries->fault);
    if (!output_write(part->output, text, error))
        return FALSE;
    gboolean ok = sweep_report_failures(part, &n_failed);
    if (n_failed == 0) {
        if (message_columns() > 0)
            message_print(given.shard ? "%s is written, %u points; put the shards together with ecube merge"
                                      : "%s is written, %u points; draw them with ecube plot", part->output,
                          part->points->len);
        return journal_remove(journal, error) && ok;
    }
    message_print("%u of %u points failed; %s is written, and the same command %s them again", n_failed,
                  part->points->len, part->output, n_failed == n_refused ? "refuses" : "runs");
    return FALSE;
}

/* --- the sweep --- */

/* Returns the path of the journal: the output's, with symbolic links resolved, plus ".journal". Caller frees. */
static char *journal_path(const char *output)
{
    g_autofree char *target = g_file_test(output, G_FILE_TEST_IS_SYMLINK) ? file_resolve(output) : NULL;
    return g_strconcat(target ? target : output, ".journal", NULL);
}

/* Whether `file` is of this sweep: it has rows of the same points, whatever the results. With --shard: its first line
 * is that of this shard. */
static gboolean part_matches(const Part *part, FILE *file)
{
    g_autofree char *head = given.shard ? shard_head(part->shard, part->points->len, sweep_n_points(part->sweep),
                                                     sweep_fingerprint(part->sweep))
                                        : record_text(FORMAT_CSV, NULL, 0, "");
    char *line = NULL;
    size_t room = 0;
    head[strlen(head) - 1] = '\0';      /* drops the line end: in a shard's file the seal follows here */
    gboolean same = getline(&line, &room, file) > 0 && g_str_has_prefix(line, head);
    for (guint i = 0; same && !given.shard && i < part->points->len; i++) {
        guint point = g_array_index(part->points, guint, i);
        same = getline(&line, &room, file) > 0 &&
               record_is_row_of(line, sweep_run(part->sweep, point), sweep_overrides(part->sweep, point));
    }
    same = same && (given.shard || getline(&line, &room, file) < 0);
    free(line);
    return same;
}

/* Refuses, without --restart, to replace an output that is not of this sweep. Accepts an output with a journal. */
static gboolean check_old(const Part *part, const char *journal, GError **error)
{
    struct stat status;
    if (given.restart || stat(part->output, &status) != 0 || status.st_size == 0 || stat(journal, &status) == 0)
        return TRUE;
    FILE *file = fopen(part->output, "r");
    gboolean same = file && part_matches(part, file);
    if (file)
        fclose(file);
    return same || input_refuse(error, "%s: has something else than the points of this sweep; choose another output, "
                                "or --restart to replace it", part->output);
}

/* Opens the journal and reads its entries. Some may be of other shards, if another version of ecube divided the
 * points. NULL with an error. */
static Journal *open_journal(Part *part, GError **error)
{
    guint n_points = sweep_n_points(part->sweep), n_before = 0;
    g_autofree char *path = journal_path(part->output);
    g_autofree char *head = g_strdup_printf("ecube sweep journal 1, shard %u of %u, %u points in all, %s",
                                            part->shard.number, part->shard.of, n_points,
                                            sweep_fingerprint(part->sweep));
    Journal *journal = check_old(part, path, error)
                           ? journal_open(path, head, given.restart, part->entries, n_points, error) : NULL;
    if (!journal)
        return NULL;
    if (!journal_is_locked(journal))
        message_print("%s: cannot be locked, as its file system has no locks: another sweep of this output at the same "
                      "time would not be noticed", path);
    file_remove_left(part->output);
    for (guint i = 0; i < part->points->len; i++)
        n_before += part->entries[g_array_index(part->points, guint, i)].row != NULL;
    if (n_before > 0)
        message_print("%s: %u of %u points are finished already", path, n_before, part->points->len);
    return journal;
}

static gboolean run_part(Part *part, guint jobs, GError **error)
{
    Journal *journal = open_journal(part, error);
    SweepPlan plan = {.jobs = jobs, .points = part->points,
                      .progress = message_columns() > 0 ? show_bar : NULL};
    if (!journal)
        return FALSE;
    gboolean ok = sweep_execute(part->sweep, &plan, journal, part->entries, error);
    message_progress(NULL);
    ok = ok && sweep_finish(part, journal, error);
    journal_close(journal);
    return ok;
}

static gboolean check_output(const char *output, GError **error)
{
    if (!output)
        return input_refuse(error, "--output: is missing; a sweep is written to a file");
    gboolean is_new = !g_file_test(output, G_FILE_TEST_EXISTS);
    if (strcmp(output, "-") != 0 && (is_new || g_file_test(output, G_FILE_TEST_IS_REGULAR | G_FILE_TEST_IS_DIR)))
        return output_check_path(output, error);
    return input_refuse(error, "--output: '%s' is not allowed; allowed: a regular file", output);
}

/* Refuses an output if it or its journal is a file that the sweep reads: the scenario or a machine. */
static gboolean check_apart(const Sweep *sweep, const char *output, GError **error)
{
    g_autofree char *journal = journal_path(output);
    g_autoptr(GPtrArray) files = sweep_machine_files(sweep);
    for (guint i = 0; i < files->len; i++)
        command_note_read("machine", g_ptr_array_index(files, i));
    return command_check_apart("--output", output, error) && command_check_apart("--output", journal, error);
}

static gboolean sweep_scenario(const CommandLine *line, GError **error)
{
    gint64 jobs = (gint64)g_get_num_processors();
    Shard shard = {1, 1};
    if ((given.jobs && !input_parse_count("--jobs", given.jobs, 1, JOBS_MAX, &jobs, error)) ||
        (given.shard && !shard_parse("--shard", given.shard, &shard, error)) || !check_output(line->output, error))
        return FALSE;
    g_autoptr(Sweep) sweep = sweep_new(line->scenario, data_platforms(), error);
    if (!sweep || !check_apart(sweep, line->output, error))
        return FALSE;
    g_autoptr(GArray) points = shard_points(shard, sweep);
    JournalEntry *entries = g_new0(JournalEntry, sweep_n_points(sweep));
    gboolean ok = run_part(&(Part){sweep, line->output, shard, points, entries}, (guint)jobs, error);
    journal_entries_free(entries, sweep_n_points(sweep));
    return ok;
}

static const GOptionEntry options[] = {
    COMMAND_OUTPUT,
    {"jobs", 'j', 0, G_OPTION_ARG_STRING, &given.jobs, "Points to run at one time (default: one per core)", "N"},
    {"shard", 0, 0, G_OPTION_ARG_STRING, &given.shard, "Run only part i of n, into a FILE of its own", "i/n"},
    {"restart", 0, 0, G_OPTION_ARG_NONE, &given.restart, "Throw away what FILE.journal has, and what FILE has", NULL},
    {0},
};

const Command command_sweep = {
    .name = "sweep", .summary = "simulate every combination of ranges, on all cores",
    .usage = "[SCENARIO] --output FILE",
    .help = "In a sweep every key of the scenario, and every option and --set, may have several values: a list\n"
            "(2,3,4; partitions by ;), a range FROM:TO:STEP, a geometric range FROM:TO:xFACTOR, or a mixture. A\n"
            "partition may also be `all` or `equal`: all partitions, or all equipartitions, of each dimension. Every\n"
            "combination is one point and one line of FILE, which has the columns of `ecube run --format csv`. The\n"
            "order of the points, the slowest key first:\n{keys}.\n\n"
            "Finished points are kept in FILE.journal until FILE is written: a sweep that was killed goes on when the\n"
            "same command is given again. With --shard i/n only part i of n is run, all parts taking about as long;\n"
            "`ecube merge` joins the files of all i. Exit code: 0 all data in place, 1 a point failed, 2 bad input.\n\n"
            "Example: ecube sweep -m ipsc860 -d 2:6:1 -a multiphase -p all -b 0:400:20 --output sweep.csv",
    .options = options, .outputs = (const char *const[]){"csv", NULL}, .run = sweep_scenario};

/* --- merge: joining the pieces of shards --- */

static gboolean merge_shards(const CommandLine *line, GError **error)
{
    guint n_bad;
    if (line->n_arguments == 0)
        return input_refuse(error, "the pieces are missing; see `ecube merge --help`");
    for (guint i = 0; i < line->n_arguments; i++)
        command_note_read("piece", line->arguments[i]);
    if (!command_check_outputs(line, error))
        return FALSE;
    g_autofree char *text = shard_merge(line->arguments, &n_bad, error);
    if (!text || !output_write(line->output, text, error))
        return FALSE;
    if (n_bad > 0)
        message_print("%u of the points failed: data_ok is not true in their rows", n_bad);
    return n_bad == 0;
}

static const GOptionEntry merge_options[] = {COMMAND_OUTPUT, {0}};

const Command command_merge = {
    .name = "merge", .summary = "join the pieces of a sharded sweep", .usage = "PIECE...",
    .help = "Joins the files that `ecube sweep --shard i/n` wrote, for all i from 1 to n and in any order,\n"
            "into the file the same sweep without --shard would have written. Pieces that are missing, come\n"
            "twice, are not whole or belong to another sweep are refused. Exit code: 0 joined, 1 joined,\n"
            "but points of the sweep had failed, 2 bad input.\n\n"
            "Example: ecube merge piece-*.csv --output sweep.csv",
    .options = merge_options, .outputs = (const char *const[]){"csv", NULL}, .run = merge_shards};
