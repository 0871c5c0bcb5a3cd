/* Everything that reads what users write, under libFuzzer: `fuzz PARSER [CORPUS...]`. A parser accepts a text or
 * refuses it with an error; it never crashes, leaks, or lets GLib complain, and what it accepts holds what its header
 * says. */
#include "sim/text/input.h"
#include "sim/machine/machine.h"
#include "sim/cube/partition.h"
#include "sim/cube/permutation.h"
#include "sim/fit/measured_files.h"
#include "sim/sweep/journal.h"
#include "sim/sweep/shard.h"
#include "sim/run/range.h"
#include "sim/run/resolve.h"
#include "sim/text/csv.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const guint8 *data, gsize length);

static char *folder;    /* for parsers that read files */

static char *file_path(const char *name)
{
    return g_build_filename(folder, name, NULL);
}

static void file_write(const char *path, const char *text, gsize length)
{
    FILE *file = fopen(path, "w");
    g_assert(file && fwrite(text, 1, length, file) == length && fclose(file) == 0);
}

/* An error if and only if something was refused, and one that says something. */
static void resolver(gboolean accepted, GError *error)
{
    g_assert(accepted == !error);
    g_assert(!error || (error->domain == ECUBE_ERROR && error->code == ECUBE_ERROR_INPUT && *error->message));
    g_clear_error(&error);
}

/* --- parsers of text --- */

static void fuzz_range(const char *text, gsize length)
{
    for (RangeKind kind = RANGE_WHOLE; kind <= RANGE_DECIMAL && strchr(text, ':'); kind++) {
        GError *error = NULL;
        g_autoptr(GPtrArray) values = values_parse("range", text, "", kind, &error);
        resolver(values != NULL, error);
        gint64 last = -1, value;
        for (guint i = 0; values && i < values->len; i++, last = value) {
            const char *word = values->pdata[i];
            g_assert(kind == RANGE_WHOLE ? input_parse_count("", word, 0, INPUT_TIME_MAX_PS, &value, NULL)
                                         : input_parse_ps("", word, &value, NULL));
            g_assert(last < value);
        }
    }
}

static void fuzz_partition(const char *text, gsize length)
{
    for (guint d = 0; d <= PARTITION_DIMENSION_MAX; d++) {
        Phases partition, again;
        GError *error = NULL;
        gboolean ok = partition_parse("partition", text, d, &partition, &error);
        resolver(ok, error);
        if (!ok)
            continue;
        g_autofree char *printed = partition_format(&partition), *runs = partition_format_runs(&partition);
        g_assert(*runs || d == 0);
        g_assert(partition_parse("", printed, d, &again, NULL) && partition_equal(&partition, &again));
    }
}

static void check_permutation(const Permutation *permutation, guint d)
{
    Permutation again;
    g_autofree char *printed = permutation_format(permutation);
    g_assert(permutation_parse("", printed, d, &again, NULL) && permutation_equal(permutation, &again));
    for (guint i = 0; i < PERMUTATION_BITS_MAX; i++)
        g_assert_cmpuint(permutation_origin(permutation, permutation_apply(permutation, 1u << i)), ==, 1u << i);
    Permutation kept = permutation_keep(permutation, G_MAXUINT32), real = permutation_real_part(permutation);
    g_assert(permutation_equal(&kept, permutation) && permutation_virtual_order(&real) == 0);
    g_assert_cmpuint(permutation_local_dimensions(permutation), <=, PERMUTATION_BITS_MAX - d);
}

static void fuzz_permutation(const char *text, gsize length)
{
    for (guint d = 0; d <= PERMUTATION_BITS_MAX; d += 4) {
        Permutation permutation;
        GError *error = NULL;
        gboolean ok = permutation_parse("permutation", text, d, &permutation, &error);
        resolver(ok, error);
        if (ok)
            check_permutation(&permutation, d);
        error = NULL;
        ok = permutation_parse_cycles("cycles", text, d, &permutation, &error);
        resolver(ok, error);
        if (ok)
            check_permutation(&permutation, d);
    }
}

static void fuzz_csv(const char *text, gsize length)
{
    GError *error = NULL;
    g_autoptr(Csv) csv = csv_take("csv", g_strdup(text), &error);
    resolver(csv != NULL, error);
    if (!csv)
        return;
    guint n = csv->n_columns, line = 0;
    for (guint i = 0; i < n; i++)
        g_assert_cmpint(csv_column(csv, csv->names[i]), <=, (int)i);
    for (guint row = 0; row < csv->n_rows; row++) {
        g_assert_cmpuint(line, <, g_array_index(csv->lines, guint, row));
        line = g_array_index(csv->lines, guint, row);
        for (guint i = 0; i < n; i++)
            g_assert(strlen(csv_cell(csv, row, i)) <= length);
    }
}

/* --- parsers of files --- */

static void fuzz_machine(const char *text, gsize length)
{
    g_autofree char *path = file_path("machine.ini");
    file_write(path, text, length);
    static const char *const profiles[] = {"", ":a", ":slow"};
    for (guint i = 0; i < G_N_ELEMENTS(profiles); i++) {
        GError *error = NULL;
        g_autofree char *spec = g_strconcat(path, profiles[i], NULL);
        g_autoptr(Machine) machine = machine_load("platforms", "machine", spec, &error);
        resolver(machine != NULL, error);
        g_autofree char *canonical = machine ? machine_canonical(machine) : NULL;
        g_assert(!machine || (*canonical && machine_barrier_ps(machine, MACHINE_DIMENSION_MAX) >= 0));
    }
}

/* Whether so many values may be meant that a sweep of them takes too long. */
static gboolean is_long(const char *text)
{
    const guint digits = 3;
    for (gsize n; *text; text += MAX(n, 1))
        if ((n = strspn(text, "0123456789.")) > digits)
            return TRUE;
    return FALSE;
}

static void resolve(Scenario *scenario, ScenarioUse use)
{
    GError *error = NULL;
    g_autoptr(GArray) runs = scenario_resolve(scenario, "platforms", use, &error);
    resolver(runs != NULL, error);
}

static void fuzz_scenario(const char *text, gsize length)
{
    g_autofree char *path = file_path("scenario.ini");
    file_write(path, text, length);
    for (guint use = SCENARIO_TIMED; use <= SCENARIO_DATA; use++) {
        GError *error = NULL;
        g_autoptr(Scenario) scenario = scenario_new();
        gboolean ok = scenario_load(scenario, path, &error);
        resolver(ok, error);
        if (!ok || is_long(text))
            return;
        resolve(scenario, use);
        error = NULL;
        g_autoptr(Axes) axes = axes_new(scenario, &error);
        resolver(axes != NULL, error);
        for (guint i = 0; axes && i < MIN(axes_count(axes), 10); i++) {
            g_autoptr(Scenario) one = scenario_copy(axes_scenario(axes, i));
            resolve(one, use);
        }
    }
}

#define HEAD "fuzz"
#define N_POINTS 4

/* What is to be in a journal's file: of a line that ends with "\t!", the right seal is put for the "!". */
static char *journal_text(const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i]; i++)
        if (g_str_has_suffix(lines[i], "\t!")) {
            lines[i][strlen(lines[i]) - 2] = '\0';
            g_autofree char *plain = lines[i], *seal = seal_make(plain);
            lines[i] = g_strdup_printf("%s\t%s", plain, seal);
        }
    return g_strjoinv("\n", lines);
}

static gboolean read_journal(const char *path, JournalEntry *entries, gboolean add)
{
    GError *error = NULL;
    Journal *journal = journal_open(path, HEAD, FALSE, entries, N_POINTS, &error);
    resolver(journal != NULL, error);
    if (journal && add)
        g_assert(journal_add(journal, 1, &(JournalEntry){(char *)"a\tb\n\"", (char *)"", FALSE, FALSE}, NULL));
    if (journal)
        journal_close(journal);
    return journal != NULL;
}

/* A journal that was accepted is accepted again, with the same entries, also behind a new one. */
static void fuzz_journal(const char *text, gsize length)
{
    g_autofree char *path = file_path("journal"), *written = journal_text(text);
    file_write(path, written, strlen(written));
    JournalEntry first[N_POINTS] = {{0}}, second[N_POINTS] = {{0}};
    if (read_journal(path, first, TRUE)) {
        g_assert(read_journal(path, second, FALSE));
        g_assert_cmpstr(second[1].row, ==, "a\tb\n\"");
    }
    for (guint i = 0; i < N_POINTS; i++) {
        g_assert(i == 1 || g_strcmp0(first[i].row, second[i].row) == 0);
        g_free(first[i].row);
        g_free(first[i].fault);
        g_free(second[i].row);
        g_free(second[i].fault);
    }
}

/* Times are times, runs are runs. */
static void fuzz_measured(const char *text, gsize length)
{
    g_autofree char *path = file_path("measured");
    g_autoptr(Measured) measured = measured_new("platforms", NULL, STATISTIC_MINIMUM);
    GError *error = NULL;
    file_write(path, text, length);
    gboolean ok = measured_read(measured, path, &error);
    resolver(ok, error);
    for (guint i = 0; ok && i < measured->observations->len; i++) {
        const Observation *o = g_ptr_array_index(measured->observations, i);
        g_assert(o->time_ps > 0 && o->run.machine == &o->machine && o->line > 0);
        g_free(run_describe(&o->run));
    }
}

/* Several pieces, separated by lines "%%". One that begins with "!" is sealed without it. */
static void fuzz_piece(const char *text, gsize length)
{
    g_auto(GStrv) texts = g_strsplit(text, "%%\n", 8);
    g_autoptr(GStrvBuilder) built = g_strv_builder_new();
    for (guint i = 0; texts[i]; i++) {
        g_autofree char *name = g_strdup_printf("piece-%u", i), *path = file_path(name);
        g_autofree char *written = *texts[i] == '!' ? shard_seal(texts[i] + 1) : g_strdup(texts[i]);
        file_write(path, written, strlen(written));
        g_strv_builder_add(built, path);
    }
    g_auto(GStrv) paths = g_strv_builder_end(built);
    guint n_bad = 0;
    GError *error = NULL;
    g_autofree char *merged = *paths ? shard_merge((const char *const *)paths, &n_bad, &error) : NULL;
    resolver(merged || !*paths, error);
    g_assert(!merged || strlen(merged) <= strlen(text));
}

/* --- libFuzzer --- */

static const struct {
    const char *name;
    void (*run)(const char *text, gsize length);    /* text[length] is '\0'; there may be others */
} parsers[] = {
    {"csv", fuzz_csv}, {"journal", fuzz_journal}, {"machine", fuzz_machine}, {"measured", fuzz_measured},
    {"partition", fuzz_partition}, {"permutation", fuzz_permutation}, {"piece", fuzz_piece}, {"range", fuzz_range},
    {"scenario", fuzz_scenario},
};

static guint chosen;

static void remove_folder(void)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        g_autofree char *path = file_path(name);
        g_unlink(path);
    }
    g_rmdir(folder);
    g_free(folder);
}

/* Takes the name of the parser out of the arguments. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = *argc > 1 ? (*argv)[1] : "";
    while (chosen < G_N_ELEMENTS(parsers) && strcmp(parsers[chosen].name, name) != 0)
        chosen++;
    if (chosen == G_N_ELEMENTS(parsers)) {
        g_printerr("fuzz: there is no parser '%s'\n", name);
        exit(EXIT_FAILURE);
    }
    (*argv)[1] = (*argv)[0];
    ++*argv;
    --*argc;
    folder = g_dir_make_tmp("fuzz-XXXXXX", NULL);
    g_assert(folder);
    atexit(remove_folder);
    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING | G_LOG_LEVEL_ERROR);
    return 0;
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize length)
{
    g_autofree char *text = g_malloc(length + 1);
    memcpy(text, data, length);
    text[length] = '\0';
    parsers[chosen].run(text, length);
    return 0;
}
