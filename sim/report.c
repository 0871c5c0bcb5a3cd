#include "report.h"
#include "../models/input.h"
#include "cube.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const format_names[] = {"table", "csv", "json", NULL};

const char *const *report_format_names(void)
{
    return format_names;
}

/* --- cells --- */

typedef struct {
    const Record *record;
    const char *overrides;
} Row;

static void put_time(GString *out, gint64 ps)
{
    g_string_append_printf(out, "%" G_GINT64_FORMAT ".%06" G_GINT64_FORMAT, ps / 1000000, ps % 1000000);
}

static void put_machine(GString *out, const Row *row)
{
    g_string_append(out, row->record->run.machine->spec);
}

static void put_dimension(GString *out, const Row *row)
{
    g_string_append_printf(out, "%u", row->record->run.schedule.dimension);
}

static void put_processors(GString *out, const Row *row)
{
    g_string_append_printf(out, "%u", cube_n_nodes(row->record->run.schedule.dimension));
}

static void put_pattern(GString *out, const Row *row)
{
    (void)row;
    g_string_append(out, "complete-exchange");
}

static void put_algorithm(GString *out, const Row *row)
{
    g_string_append(out, row->record->run.schedule.algorithm->name);
}

static void put_partition(GString *out, const Row *row)
{
    g_autofree char *text = partition_format(&row->record->run.schedule.partition);
    g_string_append(out, text);
}

static void put_bytes(GString *out, const Row *row)
{
    g_string_append_printf(out, "%" G_GINT64_FORMAT, row->record->run.bytes);
}

static void put_published(GString *out, const Row *row)
{
    if (row->record->result.has_published)
        put_time(out, row->record->result.published_ps);
}

static void put_contention_free(GString *out, const Row *row)
{
    put_time(out, row->record->result.contention_free_ps);
}

static void put_simulated(GString *out, const Row *row)
{
    if (row->record->result.finished)
        put_time(out, row->record->result.simulated_ps);
}

static void put_messages(GString *out, const Row *row)
{
    g_string_append_printf(out, "%" G_GUINT64_FORMAT, row->record->result.network.messages);
}

static void put_blocked_messages(GString *out, const Row *row)
{
    g_string_append_printf(out, "%" G_GUINT64_FORMAT, row->record->result.network.blocked);
}

static void put_blocked(GString *out, const Row *row)
{
    put_time(out, row->record->result.network.blocked_ps);
}

static void put_longest(GString *out, const Row *row)
{
    put_time(out, row->record->result.network.longest_ps);
}

static void put_data_ok(GString *out, const Row *row)
{
    g_string_append(out, row->record->result.data_ok ? "true" : "false");
}

static void put_wall(GString *out, const Row *row)
{
    g_string_append_printf(out, "%.6f", row->record->result.wall_s);
}

static void put_overrides(GString *out, const Row *row)
{
    g_string_append(out, row->overrides);
}

typedef struct {
    const char *name;       /* in JSON and CSV */
    const char *heading;    /* in the table; NULL: not shown there */
    gboolean text;          /* quoted in JSON, to the left in the table */
    void (*put)(GString *out, const Row *row);
} Column;

static const Column columns[] = {
    {"machine", NULL, TRUE, put_machine},
    {"dimension", NULL, FALSE, put_dimension},
    {"processors", NULL, FALSE, put_processors},
    {"pattern", NULL, TRUE, put_pattern},
    {"algorithm", "algorithm", TRUE, put_algorithm},
    {"partition", "partition", TRUE, put_partition},
    {"bytes", "bytes", FALSE, put_bytes},
    {"published_us", "published", FALSE, put_published},
    {"contention_free_us", "contention-free", FALSE, put_contention_free},
    {"simulated_us", "simulated", FALSE, put_simulated},
    {"messages", "messages", FALSE, put_messages},
    {"blocked_messages", "blocked", FALSE, put_blocked_messages},
    {"blocked_us", "waiting", FALSE, put_blocked},
    {"longest_wait_us", "longest wait", FALSE, put_longest},
    {"data_ok", "data", FALSE, put_data_ok},
    {"wall_s", NULL, FALSE, put_wall},
    {"overrides", NULL, TRUE, put_overrides},
};
#define N_COLUMNS G_N_ELEMENTS(columns)

/* --- CSV and JSON --- */

static void csv_cell(GString *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        g_string_append(out, text);
        return;
    }
    g_auto(GStrv) parts = g_strsplit(text, "\"", -1);
    g_autofree char *doubled = g_strjoinv("\"\"", parts);
    g_string_append_printf(out, "\"%s\"", doubled);
}

static void csv_row(GString *out, const Row *row)
{
    g_autoptr(GString) cell = g_string_new(NULL);
    for (guint c = 0; c < N_COLUMNS; c++) {
        g_string_truncate(cell, 0);
        columns[c].put(cell, row);
        g_string_append(out, c ? "," : "");
        csv_cell(out, cell->str);
    }
    g_string_append_c(out, '\n');
}

static void csv_header(GString *out)
{
    for (guint c = 0; c < N_COLUMNS; c++)
        g_string_append_printf(out, "%s%s", c ? "," : "", columns[c].name);
    g_string_append_c(out, '\n');
}

static void json_string(GString *out, const char *text)
{
    g_string_append_c(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            g_string_append_printf(out, "\\%c", *text);
        else if ((guchar)*text < 0x20)
            g_string_append_printf(out, "\\u%04x", (guint)*text);
        else
            g_string_append_c(out, *text);
    }
    g_string_append_c(out, '"');
}

static void json_row(GString *out, const Row *row)
{
    g_autoptr(GString) cell = g_string_new(NULL);
    g_string_append(out, "  {");
    for (guint c = 0; c < N_COLUMNS; c++) {
        g_string_truncate(cell, 0);
        columns[c].put(cell, row);
        g_string_append_printf(out, "%s\"%s\": ", c ? ", " : "", columns[c].name);
        if (columns[c].text)
            json_string(out, cell->str);
        else
            g_string_append(out, cell->len ? cell->str : "null");
    }
    g_string_append_c(out, '}');
}

/* --- the table --- */

static void table_heading(GString *out, const Row *row)
{
    const Run *run = &row->record->run;
    g_string_append_printf(out, "Complete exchange on %s", run->machine->spec);
    if (run->machine->title)
        g_string_append_printf(out, " (%s)", run->machine->title);
    g_string_append_printf(out, ", d = %u: %u processors. Times in µs.\n", run->schedule.dimension,
                           cube_n_nodes(run->schedule.dimension));
    if (*row->overrides)
        g_string_append_printf(out, "With %s.\n", row->overrides);
    g_string_append_c(out, '\n');
}

/* What the table shows in a cell: a dash for what does not apply, words for the proof, and of waits nothing but 0 if
 * there are none. */
static const char *table_cell(GString *cell, const Column *column, const Row *row)
{
    g_string_truncate(cell, 0);
    column->put(cell, row);
    if (column->put == put_data_ok)
        return row->record->result.data_ok ? "ok" : "WRONG";
    if (cell->len == 0)
        return "-";
    return strcmp(cell->str, "0.000000") == 0 ? "0" : cell->str;
}

static void table_line(GString *out, char *const cells[N_COLUMNS], const guint widths[N_COLUMNS])
{
    g_autoptr(GString) line = g_string_new(NULL);
    for (guint c = 0; c < N_COLUMNS; c++)
        if (columns[c].heading)
            g_string_append_printf(line, columns[c].text ? "%-*s  " : "%*s  ", (int)widths[c], cells[c]);
    g_string_append_printf(out, "%s\n", g_strchomp(line->str));
}

static char *table_text(const Record *records, guint n, const char *overrides)
{
    GString *out = g_string_new(NULL);
    g_autoptr(GString) cell = g_string_new(NULL);
    char *(*cells)[N_COLUMNS] = g_malloc0_n(n + 1, sizeof *cells);
    guint widths[N_COLUMNS] = {0};
    for (guint r = 0; r <= n; r++)
        for (guint c = 0; c < N_COLUMNS; c++) {
            Row row = {&records[r ? r - 1 : 0], overrides};
            cells[r][c] = g_strdup(r ? table_cell(cell, &columns[c], &row) : columns[c].heading);
            if (columns[c].heading)
                widths[c] = MAX(widths[c], (guint)strlen(cells[r][c]));
        }
    if (n)
        table_heading(out, &(Row){&records[0], overrides});
    for (guint r = 0; r <= n; r++) {
        table_line(out, cells[r], widths);
        for (guint c = 0; c < N_COLUMNS; c++)
            g_free(cells[r][c]);
    }
    g_free(cells);
    return g_string_free(out, FALSE);
}

char *report_text(Format format, const Record *records, guint n_records, const char *overrides)
{
    if (format == FORMAT_TABLE)
        return table_text(records, n_records, overrides);
    GString *out = g_string_new(format == FORMAT_JSON ? "[\n" : NULL);
    if (format == FORMAT_CSV)
        csv_header(out);
    for (guint i = 0; i < n_records; i++) {
        Row row = {&records[i], overrides};
        if (format == FORMAT_CSV) {
            csv_row(out, &row);
        } else {
            json_row(out, &row);
            g_string_append(out, i + 1 < n_records ? ",\n" : "\n");
        }
    }
    if (format == FORMAT_JSON)
        g_string_append(out, "]\n");
    return g_string_free(out, FALSE);
}

/* --- writing --- */

static gboolean unwritable(const char *path, int failure, GError **error)
{
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "%s: cannot be written: %s", path ? path : "standard output",
                g_strerror(failure));
    return FALSE;
}

static gboolean write_stream(FILE *stream, const char *path, const char *text, GError **error)
{
    errno = 0;
    gboolean ok = fputs(text, stream) >= 0;
    ok = fflush(stream) == 0 && ok;
    int failure = errno;
    if (path && fclose(stream) != 0 && ok) {
        ok = FALSE;
        failure = errno;
    }
    return ok || unwritable(path, failure, error);
}

/* Devices and pipes are written as they are; only a file can be replaced. */
static gboolean is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/* GLib writes a temporary file beside `path` and renames it. No signal comes in between, so that none is left. */
static gboolean replace_file(const char *path, const char *text, GError **error)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    g_autoptr(GError) failure = NULL;
    g_autofree char *target = realpath(path, NULL); /* a link stays a link */
    gboolean ok = g_file_set_contents(target ? target : path, text, (gssize)strlen(text), &failure);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (!ok)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "%s: cannot be written: %s", path, failure->message);
    return ok;
}

gboolean report_write(const char *path, const char *text, GError **error)
{
    if (!path)
        return write_stream(stdout, NULL, text, error);
    if (!is_special(path))
        return replace_file(path, text, error);
    FILE *stream = fopen(path, "we");
    return stream ? write_stream(stream, path, text, error) : unwritable(path, errno, error);
}

gboolean report_check_path(const char *path, GError **error)
{
    if (!path)
        return TRUE;
    if (*path == '\0')
        return unwritable("--output ''", ENOENT, error);
    struct stat status;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return unwritable(path, EISDIR, error);
        return access(path, W_OK) == 0 || unwritable(path, errno, error);
    }
    g_autofree char *folder = g_path_get_dirname(path);
    if (stat(folder, &status) == 0 && !S_ISDIR(status.st_mode))
        return unwritable(path, ENOTDIR, error);
    return access(folder, W_OK | X_OK) == 0 || unwritable(path, errno, error);
}
