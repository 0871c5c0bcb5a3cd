#include "record.h"
#include "keys.h"
#include "sim/text/csv.h"
#include "sim/text/input.h"
#include "sim/patterns/published.h"
#include "sim/patterns/theory.h"
#include "sim/cube/cube.h"
#include "sim/replay/cost.h"

#include <string.h>

/* --- columns --- */

/* The condition under which a result applies. */
typedef enum {
    WHEN_ALWAYS,
    WHEN_SIMULATED,         /* the run was simulated, not measured */
    WHEN_FINISHED,          /* the run was simulated to its end */
    WHEN_PRICED,            /* the constants of the machine are known */
    WHEN_COUNTED,           /* the run was simulated, or measured with a schedule of ecube, whose messages are known */
    WHEN_COMPUTING          /* the pattern has arithmetic */
} ResultWhen;

typedef enum { UNIT_OTHER, UNIT_COUNT, UNIT_US, UNIT_TEXT } ResultUnit;

/* A column of results. Its value is a gint64 (in picoseconds for UNIT_US) or a text. The value stands at byte `offset`
 * of the Record, or of the record's Timing for columns of `measurements`. With UNIT_OTHER `add` adds the cell. */
typedef struct {
    Column column;
    ResultUnit unit;
    ResultWhen when;
    gsize offset;
    void (*add)(Table *table, const Record *record, const char *overrides);
    const char *failed;     /* the cell of a run that came to no result */
    gboolean is_input;      /* whether the cell is known before the run, and part of the run's identity */
} Result;

void record_add_published(Table *table, const Run *run)
{
    gint64 published_ps = 0;
    gboolean applies = published_time(run, &published_ps, NULL);
    table_add_time_if(table, applies, published_ps);
}

static void add_published_cell(Table *table, const Record *record, const char *overrides)
{
    record_add_published(table, &record->run);
}

static void add_data_cell(Table *table, const Record *record, const char *overrides)
{
    gboolean ok = record->result.data_ok;
    table_add_shown(table, ok ? "true" : "false", ok ? "ok" : "WRONG");
}

static void add_wall_cell(Table *table, const Record *record, const char *overrides)
{
    table_addf(table, "%.6f", record->result.wall_s);
}

static void add_overrides_cell(Table *table, const Record *record, const char *overrides)
{
    table_add(table, overrides);
}

/* Adds the number of operations; people see "-" if arithmetic takes no time. */
static void add_operations_cell(Table *table, const Record *record, const char *overrides)
{
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, record->result.operations);
    table_add_shown(table, text, record->run.machine->flop_ps ? NULL : "-");
}

static void add_arithmetic_cell(Table *table, const Record *record, const char *overrides)
{
    gint64 flop_ps = record->run.machine->flop_ps, ps = time_times(flop_ps, record->result.operations);
    g_autofree char *text = table_time(ps), *shown = table_time_shown(ps);
    table_add_shown(table, text, flop_ps ? shown : "-");
}

static void add_peak_cell(Table *table, const Record *record, const char *overrides)
{
    table_addf(table, "%" G_GINT64_FORMAT, record->result.peak_bytes / record->run.element);
}

/* Adds the bytes of a buffer that has room for the largest packet; without packets, for the largest message. */
static void add_buffer_cell(Table *table, const Record *record, const char *overrides)
{
    gint64 packet = record->run.machine->packet, largest = record->result.largest;
    table_addf(table, "%" G_GINT64_FORMAT, packet ? MIN(packet, largest) : largest);
}

static void add_proof_cell(Table *table, const Record *record, const char *overrides)
{
    table_add(table, proof_names[record->result.proof]);
}

#define AT(member) .offset = G_STRUCT_OFFSET(Record, result.member)
#define OF_TIMING(member) .offset = G_STRUCT_OFFSET(Timing, member)

/* The results whose columns follow the inputs, but precede the inputs for which is_behind() is TRUE. */
static const Result results[] = {
    {{.name = "published_us", .heading = "published"}, UNIT_OTHER, WHEN_PRICED, .add = add_published_cell},
    {{.name = "contention_free_us", .heading = "contention-free"}, UNIT_US, WHEN_PRICED, AT(contention_free_ps)},
    {{.name = "simulated_us", .heading = "simulated"}, UNIT_US, WHEN_FINISHED, AT(simulated_ps)},
    {{.name = "messages", .heading = "messages"}, UNIT_COUNT, WHEN_COUNTED, AT(network.messages)},
    {{.name = "blocked_messages", .heading = "blocked"}, UNIT_COUNT, WHEN_SIMULATED, AT(network.blocked)},
    {{.name = "blocked_us", .heading = "waiting"}, UNIT_US, WHEN_SIMULATED, AT(network.blocked_ps)},
    {{.name = "longest_wait_us", .heading = "longest wait"}, UNIT_US, WHEN_SIMULATED, AT(network.longest_ps)},
    {{.name = "channels_held_us"}, UNIT_US, WHEN_SIMULATED, AT(network.held_ps)},
    {{.name = "channels_dead_us"}, UNIT_US, WHEN_SIMULATED, AT(network.dead_ps)},
    {{.name = "data_ok", .heading = "data"}, UNIT_OTHER, .add = add_data_cell, .failed = "failed"},
    {{.name = "wall_s"}, UNIT_OTHER, .add = add_wall_cell},
    {{.name = "overrides", .text = TRUE}, UNIT_OTHER, .add = add_overrides_cell, .is_input = TRUE},
};

/* The results whose columns follow those of all inputs. */
static const Result arithmetic[] = {
    {{.name = "operations", .heading = "operations"}, UNIT_OTHER, WHEN_COMPUTING, .add = add_operations_cell},
    {{.name = "arithmetic_us", .heading = "arithmetic"}, UNIT_OTHER, WHEN_COMPUTING, .add = add_arithmetic_cell},
    {{.name = "peak_elements", .heading = "peak elements"}, UNIT_OTHER, WHEN_COMPUTING, .add = add_peak_cell},
    {{.name = "proof", .text = TRUE}, UNIT_OTHER, WHEN_FINISHED, .add = add_proof_cell},
    {{.name = "peak_bytes"}, UNIT_COUNT, WHEN_FINISHED, AT(peak_bytes)},
    {{.name = "buffer_bytes"}, UNIT_OTHER, WHEN_FINISHED, .add = add_buffer_cell},
};

/* The results of runs that were measured, which stand last. */
static const Result measurements[] = {
    {{.name = "repetitions"}, UNIT_COUNT, OF_TIMING(repetitions)},
    {{.name = "minimum_us", .heading = "minimum"}, UNIT_US, OF_TIMING(minimum_ps)},
    {{.name = "median_us", .heading = "median"}, UNIT_US, OF_TIMING(median_ps)},
    {{.name = "spread_us", .heading = "spread"}, UNIT_US, OF_TIMING(spread_ps)},
    {{.name = "library", .text = TRUE}, UNIT_TEXT, OF_TIMING(library)},
    {{.name = "host", .text = TRUE}, UNIT_TEXT, OF_TIMING(host)},
};

/* A column of records: of an input, or of a result. */
typedef struct {
    const Key *key;             /* key of an input; NULL: the column is a result */
    const Result *result;       /* result that the column has; NULL: the column is an input */
    gboolean of_timing;         /* whether the result is one of `measurements` */
} RecordField;

/* Whether the column of an input comes after the results: if KeyRecord.column is 0, except in tables for people. */
static gboolean is_behind(const Key *key, Format format)
{
    return key->record.column == 0 && format != FORMAT_TABLE && format != FORMAT_HTML;
}

static void append_inputs(GArray *fields, Format format, gboolean behind)
{
    for (const Key *const *keys = keys_of_runs(); *keys; keys++) {
        RecordField field = {.key = *keys};
        if (is_behind(*keys, format) == behind)
            g_array_append_val(fields, field);
    }
}

static void append_results(GArray *fields, const Result *rows, guint n)
{
    for (guint i = 0; i < n; i++) {
        RecordField field = {.result = &rows[i], .of_timing = rows == measurements};
        g_array_append_val(fields, field);
    }
}

/* Returns the columns of records, in their order (RecordField). Caller unrefs. */
static GArray *record_fields(Format format, gboolean measured)
{
    GArray *fields = g_array_new(FALSE, FALSE, sizeof(RecordField));
    append_inputs(fields, format, FALSE);
    append_results(fields, results, G_N_ELEMENTS(results));
    append_inputs(fields, format, TRUE);
    append_results(fields, arithmetic, G_N_ELEMENTS(arithmetic));
    if (measured)
        append_results(fields, measurements, G_N_ELEMENTS(measurements));
    return fields;
}

/* Returns the column of `field`. Tables for people leave out an optional column unless a run has a value. Inputs and
 * results with WHEN_COMPUTING are optional; with `measured` all results except `measurements` are optional. */
static Column record_column(const RecordField *field, gboolean measured)
{
    const Key *key = field->key;
    if (key)
        return (Column){key->name, key->record.heading, key->kind != KEY_NUMBER && key->kind != KEY_BOOLEAN, TRUE};
    Column column = field->result->column;
    column.optional = !field->of_timing && (measured || field->result->when == WHEN_COMPUTING);
    return column;
}

/* --- cells --- */

static void record_add_input(Table *table, const Key *key, const Run *run)
{
    g_autofree char *value = key_shown(key, run);
    g_autofree char *shown = value ? key_for_people(key, value) : NULL;
    table_add_shown(table, value, g_strcmp0(shown, value) == 0 ? NULL : shown);
}

static gboolean result_applies(const Record *record, ResultWhen when)
{
    const Timing *measured = record->measured;
    switch (when) {
    case WHEN_ALWAYS:
        return TRUE;
    case WHEN_SIMULATED:
        return !measured;
    case WHEN_FINISHED:
        return !measured && record->result.finished;
    case WHEN_PRICED:
        return !measured || measured->priced;
    case WHEN_COUNTED:
        return !measured || record->result.network.messages > 0;
    case WHEN_COMPUTING:
        return record->run.problem.pattern->computes;
    }
    g_assert_not_reached();
}

static void record_add_result(Table *table, const RecordField *field, const Record *record, const char *overrides)
{
    const Result *result = field->result;
    gconstpointer base = field->of_timing ? (gconstpointer)record->measured : record;
    gconstpointer value = G_STRUCT_MEMBER_P(base, result->offset);
    if (record->failed && !result->is_input && !field->of_timing)
        table_add(table, result->failed);
    else if (!result_applies(record, result->when))
        table_add(table, NULL);
    else if (result->unit == UNIT_US)
        table_add_time(table, *(const gint64 *)value);
    else if (result->unit == UNIT_COUNT)
        table_addf(table, "%" G_GINT64_FORMAT, *(const gint64 *)value);
    else if (result->unit == UNIT_TEXT)
        table_add(table, *(const char *const *)value);
    else
        result->add(table, record, overrides);
}

static void add_record(Table *table, const GArray *fields, const Record *record, const char *overrides)
{
    for (guint i = 0; i < fields->len; i++) {
        const RecordField *field = &g_array_index(fields, RecordField, i);
        if (field->key)
            record_add_input(table, field->key, &record->run);
        else
            record_add_result(table, field, record, overrides);
    }
}

/* --- texts --- */

/* Appends how the runs were computed, the values of keys with KEY_HOW, as ", routing sbt". Takes them from the first
 * run that has such keys; all other runs with such keys have the same values. */
static void put_manner(GString *out, const Record *records, guint n_records)
{
    gsize before = out->len;
    for (guint i = 0; i < n_records && out->len == before; i++)
        run_put_named(&records[i].run, KEY_HOW, out);
}

char *record_title(const Record *records, guint n_records)
{
    GString *out = g_string_new(NULL);
    const Run *run = &records[0].run;
    const Problem *problem = &run->problem;
    const PatternTheory *theory = pattern_theory(problem->pattern);
    g_string_append(out, theory->title);
    if (theory->size_key) {
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

char *record_text(Format format, const Record *records, guint n_records, const char *overrides)
{
    gboolean measured = n_records > 0 && records[0].measured;
    g_autoptr(GArray) fields = record_fields(format, measured);
    g_autofree Column *columns = g_new(Column, fields->len);
    for (guint i = 0; i < fields->len; i++)
        columns[i] = record_column(&g_array_index(fields, RecordField, i), measured);
    g_autoptr(Table) table = table_new(columns, fields->len);
    for (guint i = 0; i < n_records; i++)
        add_record(table, fields, &records[i], overrides);
    GString *out = g_string_new(NULL);
    if (format == FORMAT_TABLE) {
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
    g_autoptr(GArray) fields = record_fields(FORMAT_CSV, FALSE);
    const char *cell = strchr(text, '\n') + 1;     /* the first line has the names of columns */
    for (guint i = 0; i < fields->len; i++) {
        const Result *result = g_array_index(fields, RecordField, i).result;
        const char *end = csv_find(cell, ",\n"), *other_end = csv_find(line, ",\n");
        gboolean same = end - cell == other_end - line && strncmp(cell, line, (gsize)(end - cell)) == 0;
        if (*end != *other_end || (!same && (!result || result->is_input)))
            return FALSE;
        cell = end + 1;
        line = other_end + (*other_end != '\0');
    }
    return TRUE;
}
