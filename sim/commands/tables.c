/* ecube tables: Tables 1-4 of Johnsson & Ho 1987 for one machine, dimension and amount of data. */
#include "sim/text/input.h"
#include "models/spanning.h"
#include "product.h"
#include "sim/run/data.h"
#include "sim/run/record.h"
#include "sim/text/number.h"

#include <string.h>

static const Column columns[] = {
    {.name = "machine", .text = TRUE}, {.name = "dimension"}, {.name = "bytes"}, {.name = "element"}, {.name = "table"},
    {.name = "pattern", .text = TRUE}, {.name = "algorithm", .text = TRUE}, {.name = "ports", .text = TRUE},
    {.name = "accumulate"},
    {.name = "row", .heading = "algorithm", .text = TRUE},
    {.name = "packet", .heading = "B"},
    {.name = "transfers_bytes", .heading = "transfers"}, {.name = "startups", .heading = "start-ups"},
    {.name = "exact_transfers_bytes"}, {.name = "exact_startups"},
    {.name = "b_opt_bytes", .heading = "B_opt"}, {.name = "min_startups", .heading = "min start-ups"},
    {.name = "published_us", .heading = "published"}, {.name = "exact_us", .heading = "exact"},
    {.name = "exact_over_published", .heading = "ratio"}, {.name = "lower_bound_us", .heading = "lower bound"},
    {.name = "note", .heading = "the printed entry is", .text = TRUE},
};

typedef struct {
    const Machine *machine;
    SpanningCase c;
    gboolean optimal;       /* c.packet is chosen row by row */
    const char *reason;     /* why some row has no time, or NULL */
} Tables;

static gboolean can_count(gint64 ps)
{
    return ps < INPUT_TIME_MAX_PS;
}

/* --- rows --- */

static void add_label(Table *table, const Tables *t, const SpanningCase *c, const SpanningRow *row)
{
    gboolean is_hybrid = row->table == 0;
    g_autofree char *number = is_hybrid ? NULL : g_strdup_printf("%u", row->table);
    g_autofree char *accumulate = is_hybrid ? g_strdup_printf("%u", c->accumulate) : NULL;
    g_autofree char *shown = is_hybrid ? g_strdup_printf("%s, k = %u", row->name, c->accumulate) : NULL;
    table_add(table, t->machine->spec);
    table_addf(table, "%u", c->dimension);
    table_addf(table, "%" G_GINT64_FORMAT, c->bytes);
    table_addf(table, "%" G_GINT64_FORMAT, c->element);
    table_add(table, number);
    table_add(table, row->pattern);
    table_add(table, row->algorithm);
    table_add(table, row->ports == PORTS_ONE ? "one" : "all");
    table_add(table, accumulate);
    table_add_shown(table, row->name, shown);
}

static void add_counts(Table *table, const SpanningRow *row, const SpanningCase *c)
{
    TransferCount printed = spanning_printed(row, c);
    LockstepCount exact = row->exact(c);
    gint64 packet = spanning_packet(row, c);
    if (packet)
        table_addf(table, "%" G_GINT64_FORMAT, packet);
    else
        table_add(table, NULL);
    table_add_rational(table, printed.bytes);
    table_add_rational(table, printed.startups);
    table_add_whole(table, exact.bytes);
    table_add_whole(table, exact.startups + exact.empty);
}

/* Published and exact time and their ratio; dashes if there is no formula or no time that can be counted. */
static void add_times(Table *table, Tables *t, const SpanningRow *row, const SpanningCase *c)
{
    gint64 published = spanning_published_ps(row, t->machine, c), exact = spanning_exact_ps(row, t->machine, c);
    const char *reason = spanning_unpublished_reason(row, t->machine, c);
    if (!reason && !(can_count(published) && can_count(exact)))
        reason = "some times are longer than the clock can count";
    if (reason) {
        t->reason = reason;
        for (guint i = 0; i < 3; i++)
            table_add(table, NULL);
        return;
    }
    table_add_time(table, published);
    table_add_time(table, exact);
    g_autofree char *ratio = g_strdup_printf("%.6f", (double)exact / (double)published);
    g_autofree char *shown = g_strdup_printf("%.4f", (double)exact / (double)published);
    if (published == exact)
        table_add(table, "1");
    else
        table_add_shown(table, published > 0 ? ratio : NULL, published > 0 ? shown : NULL);
}

static void add_row(Table *table, Tables *t, const SpanningRow *row, guint accumulate)
{
    SpanningCase c = t->c;
    c.accumulate = accumulate;
    if (t->optimal)
        c.packet = spanning_optimal_packet(row, t->machine, &c);
    add_label(table, t, &c, row);
    add_counts(table, row, &c);
    table_add_real(table, spanning_optimal_bytes(row, t->machine, &c));
    table_add_real(table, spanning_min_startups(row, t->machine, &c));
    add_times(table, t, row, &c);
    gint64 bound = spanning_lower_bound_ps(row->pattern, row->ports, t->machine, &c);
    record_add_time(table, can_count(bound), bound);
    table_add(table, row->note);
}

/* A row of the paper; the hybrid with every k that is neither GCEA (k = 0) nor SBT (k = n-1 and n). */
static void add_rows(Table *table, Tables *t, const SpanningRow *row)
{
    if (row->table != 0)
        add_row(table, t, row, 0);
    else
        for (guint k = 1; k + 1 < t->c.dimension; k++)
            add_row(table, t, row, k);
}

/* --- output --- */

static const char *const titles[] = {
    "The hybrid of section 5.1: all-to-all broadcasting, k steps of the SBT, then GCEA",
    "Table 1: one-to-all broadcasting",
    "Table 2: all-to-all broadcasting",
    "Table 3: one-to-all personalized communication",
    "Table 4: all-to-all personalized communication",
};

static char *packet_words(const Tables *t)
{
    if (t->optimal)
        return g_strdup("optimal packets");
    if (t->c.packet == 0)
        return g_strdup("packets of any size");
    return g_strdup_printf("packets up to %" G_GINT64_FORMAT " byte%s", t->c.packet, t->c.packet == 1 ? "" : "s");
}

static char *heading(const Tables *t)
{
    g_autofree char *packets = packet_words(t), *machine = input_printable(t->machine->spec);
    g_autofree char *elements =
        t->c.element == 1 ? g_strdup("") : g_strdup_printf(" of %" G_GINT64_FORMAT "-byte elements", t->c.element);
    return g_strdup_printf("Johnsson & Ho 1987 on %s: n = %u, M = %" G_GINT64_FORMAT " bytes%s, %s.\n"
                           "Transfers, B and B_opt in bytes, times in µs; exact: the right count; ratio: exact over "
                           "published.\n",
                           machine, t->c.dimension, t->c.bytes, elements, packets);
}

/* One table for each of the paper's. */
static char *people_text(Tables *t)
{
    g_autofree char *head = heading(t);
    GString *text = g_string_new(head);
    for (guint first = 0, next; first < spanning_n_rows; first = next) {
        g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
        guint number = spanning_rows[first].table;
        for (next = first; next < spanning_n_rows && spanning_rows[next].table == number; next++)
            add_rows(table, t, &spanning_rows[next]);
        g_autofree char *rows = table_is_empty(table) ? NULL : table_text(table, FORMAT_TABLE);
        if (rows)
            g_string_append_printf(text, "\n%s\n\n%s", titles[number], rows);
    }
    if (t->reason)
        g_string_append_printf(text, "\nNo time: %s.\n", t->reason);
    return g_string_free(text, FALSE);
}

static char *data_text(Tables *t, Format format)
{
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < spanning_n_rows; i++)
        add_rows(table, t, &spanning_rows[i]);
    return table_text(table, format);
}

/* The scenario is judged like that of a run; there is no cube of dimension 0. */
static gboolean spanning_tables(const CommandLine *line, GError **error)
{
    g_autoptr(Judge) judge = judge_new(data_platforms(), SCENARIO_FORMULA);
    const Wish *wish = judge_scenario(judge, line->scenario, 0, error);
    if (!wish || !input_parse_count("--dimension", scenario_get(line->scenario, "dimension"), 1, MACHINE_DIMENSION_MAX,
                                    &(gint64){0}, error))
        return FALSE;
    Tables t = {.machine = wish->machine, .optimal = wish->optimal,
                .c = {.dimension = wish->problem.dimension, .bytes = g_array_index(wish->bytes, gint64, 0),
                      .element = wish->element, .packet = wish->packet}};
    g_autofree char *text = line->format == FORMAT_TABLE ? people_text(&t) : data_text(&t, line->format);
    return output_write(NULL, text, error);
}

static char *pattern_given;

static gboolean print_tables(const CommandLine *line, GError **error)
{
    static const char *const patterns[] = {"matmul", NULL};
    if (!pattern_given)
        return product_refuse_options(error) && product_require_bytes(line, error) && spanning_tables(line, error);
    return input_parse_choice("--pattern", pattern_given, patterns, &(guint){0}, error) &&
           product_refuse_keys(line, error) && product_tables(line, error);
}

static const char *const keys[] = {"machine", "packet", "dimension", "element", "bytes", NULL};
static const char *const needed[] = {"machine", "dimension", NULL};
static const GOptionEntry options[] = {
    {"pattern", 0, 0, G_OPTION_ARG_STRING, &pattern_given, "Tables 5-12: matrix multiplication", "matmul"},
    PRODUCT_SHAPE, PRODUCT_GRID, COMMAND_FORMAT, {0},
};

const Command command_tables = {
    .name = "tables", .summary = "the tables of Johnsson & Ho 1987", .usage = "--machine M --dimension D --bytes M",
    .help = "Prints Tables 1-4 of Johnsson & Ho 1987, broadcasting and personalized communication\n"
            "on spanning graphs, as printed, for the machine's lambda and tau alone: distances,\n"
            "handshakes and barriers are not in them. Beside the published time stand the time\n"
            "by the right count, a lower bound for algorithms between neighbours, and how good\n"
            "the entry is. A dash for B: a message is one packet, whatever its size.\n\n"
            "With --pattern matmul, Tables 5-12, matrix multiplication: on columns and on rows of\n"
            "processors, and on the grid that is best for each algorithm, unless --grid says another.\n"
            "If the machine does not limit packets they are the best ones (T_min of Table 11).\n\n"
            "Examples: ecube tables -m ncube2 -d 5 -b 1000 --packet optimal\n"
            "          ecube tables -m johnsson1987 -d 4 --pattern matmul --shape 64x64x64",
    .keys = keys, .needed = needed, .options = options, .run = print_tables};
