#include "record.h"
#include "keys.h"
#include "sim/text/csv.h"
#include "sim/text/input.h"
#include "sim/patterns/published.h"
#include "sim/cube/cube.h"
#include "sim/replay/cost.h"

#include <string.h>

/* What follows the inputs, but for those without a place (key.h). */
static const Column results[] = {
    {.name = "published_us", .heading = "published"},
    {.name = "contention_free_us", .heading = "contention-free"},
    {.name = "simulated_us", .heading = "simulated"}, {.name = "messages", .heading = "messages"},
    {.name = "blocked_messages", .heading = "blocked"}, {.name = "blocked_us", .heading = "waiting"},
    {.name = "longest_wait_us", .heading = "longest wait"}, {.name = "data_ok", .heading = "data"},
    {.name = "wall_s"}, {.name = "overrides", .text = TRUE},
};

/* At the end. */
static const Column arithmetic[] = {
    {.name = "operations", .heading = "operations", .optional = TRUE},
    {.name = "arithmetic_us", .heading = "arithmetic", .optional = TRUE},
    {.name = "peak_elements", .heading = "peak elements", .optional = TRUE},
};

/* After them, of runs that have been measured. */
static const Column measurements[] = {
    {.name = "repetitions"}, {.name = "minimum_us", .heading = "minimum"}, {.name = "median_us", .heading = "median"},
    {.name = "spread_us", .heading = "spread"}, {.name = "library", .text = TRUE}, {.name = "host", .text = TRUE},
};

/* Inputs without a place come behind the results; in tables for people they stand with the others. */
static gboolean is_behind(const Key *key, Format format)
{
    return key->column == 0 && format != FORMAT_TABLE && format != FORMAT_HTML;
}

static void add_columns(GArray *columns, Format format, gboolean behind)
{
    for (const Key *const *keys = keys_of_runs(); *keys; keys++) {
        gboolean text = (*keys)->kind != KEY_NUMBER && (*keys)->kind != KEY_BOOLEAN;
        Column column = {(*keys)->name, (*keys)->heading, text, TRUE};
        if (is_behind(*keys, format) == behind)
            g_array_append_val(columns, column);
    }
}

/* Results. Tables of measured runs have no column of results that no run has. */
static void add_results(GArray *columns, gboolean measured)
{
    for (guint i = 0; i < G_N_ELEMENTS(results); i++) {
        Column column = results[i];
        column.optional = measured;
        g_array_append_val(columns, column);
    }
}

/* Every key that runs have a value of (keys.h), and the results. Column. */
static GArray *all_columns(Format format, gboolean measured)
{
    GArray *columns = g_array_new(FALSE, FALSE, sizeof(Column));
    add_columns(columns, format, FALSE);
    add_results(columns, measured);
    add_columns(columns, format, TRUE);
    g_array_append_vals(columns, arithmetic, G_N_ELEMENTS(arithmetic));
    if (measured)
        g_array_append_vals(columns, measurements, G_N_ELEMENTS(measurements));
    return columns;
}

/* What was run, in the order of the columns. */
static void add_input(Table *table, const Run *run, Format format, gboolean behind)
{
    for (const Key *const *keys = keys_of_runs(); *keys; keys++) {
        g_autofree char *value = key_shown(*keys, run);
        if (is_behind(*keys, format) != behind)
            continue;
        g_autofree char *shown = value ? key_for_people(*keys, value) : NULL;
        table_add_shown(table, value, g_strcmp0(shown, value) == 0 ? NULL : shown);
    }
}

#define N_RESULTS 9     /* cells that add_result() adds */
#define DATA_OK 7       /* which of them is data_ok */

static void add_failure(Table *table)
{
    for (guint i = 0; i < N_RESULTS; i++)
        table_add(table, i == DATA_OK ? "failed" : NULL);
}

void record_add_published(Table *table, const Run *run)
{
    gint64 published_ps = 0;
    gboolean applies = published_time(run, &published_ps, NULL);
    table_add_time_if(table, applies, published_ps);
}

static void add_result(Table *table, const Record *record)
{
    const Run *run = &record->run;
    const RunResult *result = &record->result;
    const NetworkStats *network = &result->network;
    const Timing *measured = record->measured;
    if (!measured || measured->priced)
        record_add_published(table, run);
    else
        table_add(table, NULL);
    table_add_time_if(table, !measured || measured->priced, result->contention_free_ps);
    table_add_time_if(table, !measured && result->finished, result->simulated_ps);
    table_add_count_if(table, !measured || network->messages > 0, (gint64)network->messages);
    table_add_count_if(table, !measured, (gint64)network->blocked);
    table_add_time_if(table, !measured, network->blocked_ps);
    table_add_time_if(table, !measured, network->longest_ps);
    table_add_shown(table, result->data_ok ? "true" : "false", result->data_ok ? "ok" : "WRONG");
    table_addf(table, "%.6f", result->wall_s);
}

/* Arithmetic that takes no time is nothing to show people. */
static void add_arithmetic(Table *table, const Record *record)
{
    const RunResult *result = &record->result;
    gint64 flop_ps = record->run.machine->flop_ps, element = record->run.element;
    if (record->failed || !record->run.problem.pattern->computes) {
        table_add_nothing(table, G_N_ELEMENTS(arithmetic));
        return;
    }
    g_autofree char *operations = g_strdup_printf("%" G_GINT64_FORMAT, result->operations);
    table_add_shown(table, operations, flop_ps ? NULL : "-");
    g_autofree char *time = table_time(time_times(flop_ps, result->operations));
    g_autofree char *shown = flop_ps ? table_time_shown(time_times(flop_ps, result->operations)) : g_strdup("-");
    table_add_shown(table, time, shown);
    table_addf(table, "%" G_GINT64_FORMAT, result->peak_bytes / element);
}

static void add_measured(Table *table, const Timing *measured)
{
    table_addf(table, "%u", measured->repetitions);
    table_add_time(table, measured->minimum_ps);
    table_add_time(table, measured->median_ps);
    table_add_time(table, measured->spread_ps);
    table_add(table, measured->library);
    table_add(table, measured->host);
}

/* Of the first run that is done in some manner; all are done in the same, if in any. */
static void put_manner(GString *out, const Record *records, guint n_records)
{
    gsize before = out->len;
    for (guint i = 0; i < n_records && out->len == before; i++)
        run_put_named(&records[i].run, KEY_OF_MANNER, out);
}

char *record_title(const Record *records, guint n_records)
{
    GString *out = g_string_new(NULL);
    const Run *run = &records[0].run;
    const Problem *problem = &run->problem;
    g_string_append(out, problem->pattern->title);
    if (problem->pattern->size_key) {
        g_autofree char *size = key_shown(key_of_size(run), run);
        g_string_append_printf(out, " of %s", size);
    }
    if (problem->pattern->rooted)
        g_string_append_printf(out, " %s %u", problem->pattern->reverse ? "to" : "from", problem->source);
    g_autofree char *machine = input_printable(run->machine->spec);
    g_string_append_printf(out, " on %s", machine);
    if (run->machine->title)
        g_string_append_printf(out, " (%s)", run->machine->title);
    const Group *group = problem_group(problem);
    if (group->binary)
        g_string_append_printf(out, ", d = %u: %u", problem->dimension, group->n);
    else
        g_string_append_printf(out, ": %s", group->name);
    g_string_append_printf(out, " processor%s", group->n > 1 ? "s" : "");
    if (run->machine->ports != PORTS_ONE)
        g_string_append_printf(out, ", %s ports", machine_ports_name(run->machine->ports));
    put_manner(out, records, n_records);
    return g_string_free(out, FALSE);
}

static void add_record(Table *table, Format format, const Record *record, const char *overrides)
{
    add_input(table, &record->run, format, FALSE);
    if (record->failed)
        add_failure(table);
    else
        add_result(table, record);
    table_add(table, overrides);
    add_input(table, &record->run, format, TRUE);
    add_arithmetic(table, record);
    if (record->measured)
        add_measured(table, record->measured);
}

char *record_text(Format format, const Record *records, guint n_records, const char *overrides)
{
    g_autoptr(GArray) columns = all_columns(format, n_records > 0 && records[0].measured);
    g_autoptr(Table) table = table_new((const Column *)(gconstpointer)columns->data, columns->len);
    for (guint i = 0; i < n_records; i++)
        add_record(table, format, &records[i], overrides);
    GString *out = g_string_new(NULL);
    if (format == FORMAT_TABLE && n_records > 0) {
        g_autofree char *title = record_title(records, n_records);
        g_string_append_printf(out, "%s. Times in µs.\n", title);
        g_string_append_printf(out, *overrides ? "With %s.\n\n" : "\n", overrides);
    }
    g_autofree char *rows = table_text(table, format);
    g_string_append(out, rows);
    return g_string_free(out, FALSE);
}

gboolean record_is_row_of(const char *line, const Run *run, const char *overrides)
{
    const Record record = {.run = *run, .failed = TRUE};
    g_autofree char *text = record_text(FORMAT_CSV, &record, 1, overrides);
    g_autoptr(GArray) columns = all_columns(FORMAT_CSV, FALSE);
    const char *cell = strchr(text, '\n') + 1;     /* names of columns are on one line */
    guint first = 0, last = columns->len - G_N_ELEMENTS(arithmetic);
    while (strcmp(g_array_index(columns, Column, first).name, results[0].name) != 0)
        first++;
    for (guint i = 0; i < columns->len; i++) {
        const char *end = csv_find(cell, ",\n"), *other_end = csv_find(line, ",\n");
        gboolean same = end - cell == other_end - line && strncmp(cell, line, (gsize)(end - cell)) == 0;
        gboolean is_result = (i >= first && i < first + N_RESULTS) || i >= last;
        if (*end != *other_end || (!same && !is_result))
            return FALSE;
        cell = end + 1;
        line = other_end + (*other_end != '\0');
    }
    return TRUE;
}
