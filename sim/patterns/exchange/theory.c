/* Listing of Tables 1 to 4 of Johnsson & Ho 1987, broadcasting and personalized communication, for one machine,
 * dimension and amount of data. */
#include "models/spanning.h"
#include "sim/patterns/theory.h"
#include "sim/text/input.h"
#include "sim/text/number.h"

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
    gboolean optimal;       /* whether the packet of each row is the best one for it, instead of c.packet */
    const char *reason;     /* reason why some row has no time; NULL: all rows have times */
} Tables;

static gboolean can_count(gint64 ps)
{
    return ps < INPUT_TIME_MAX_PS;
}

static void spanning_add_label(Table *table, const Tables *t, const SpanningCase *c, const SpanningRow *row)
{
    gboolean is_hybrid = row->table == 0;
    g_autofree char *shown = is_hybrid ? g_strdup_printf("%s, k = %u", row->name, c->accumulate) : NULL;
    table_add(table, t->machine->spec);
    table_addf(table, "%u", c->dimension);
    table_addf(table, "%" G_GINT64_FORMAT, c->bytes);
    table_addf(table, "%" G_GINT64_FORMAT, c->element);
    table_add_count_if(table, !is_hybrid, row->table);
    table_add(table, row->pattern);
    table_add(table, row->algorithm);
    table_add(table, row->ports == PORTS_ONE ? "one" : "all");
    table_add_count_if(table, is_hybrid, c->accumulate);
    table_add_shown(table, row->name, shown);
}

static void spanning_add_counts(Table *table, const SpanningRow *row, const SpanningCase *c)
{
    TransferCount printed = spanning_printed(row, c);
    LockstepCount exact = row->exact(c);
    gint64 packet = spanning_packet(row, c);
    table_add_count_if(table, packet > 0, packet);
    table_add_rational(table, printed.bytes);
    table_add_rational(table, printed.startups);
    table_add_whole(table, exact.bytes);
    table_add_whole(table, exact.startups + exact.empty);
}

/* Adds the published time, the exact time and their ratio. All three are empty if there is no formula or a time is
 * longer than the clock can count. */
static void spanning_add_times(Table *table, Tables *t, const SpanningRow *row, const SpanningCase *c)
{
    gint64 published = spanning_published_ps(row, t->machine, c), exact = spanning_exact_ps(row, t->machine, c);
    const char *reason = spanning_unpublished_reason(row, t->machine, c);
    if (!reason && !(can_count(published) && can_count(exact)))
        reason = "some times are longer than the clock can count";
    t->reason = reason ? reason : t->reason;
    table_add_time_if(table, !reason, published);
    table_add_time_if(table, !reason, exact);
    listing_add_ratio(table, !reason, exact, published);
}

static void spanning_add_row(Table *table, Tables *t, const SpanningRow *row, guint accumulate)
{
    SpanningCase c = t->c;
    c.accumulate = accumulate;
    if (t->optimal)
        c.packet = spanning_optimal_packet(row, t->machine, &c);
    spanning_add_label(table, t, &c, row);
    spanning_add_counts(table, row, &c);
    table_add_real(table, spanning_optimal_bytes(row, t->machine, &c));
    table_add_real(table, spanning_min_startups(row, t->machine, &c));
    spanning_add_times(table, t, row, &c);
    gint64 bound = spanning_lower_bound_ps(row->pattern, row->ports, t->machine, &c);
    table_add_time_if(table, can_count(bound), bound);
    table_add(table, row->note);
}

/* Adds row i of spanning_rows. The hybrid becomes a row for each number k of accumulation steps, except those that make
 * it the GCEA (0) or the SBT (n - 1 and n). */
static void spanning_add(Table *table, guint i, gpointer data)
{
    Tables *t = data;
    const SpanningRow *row = &spanning_rows[i];
    if (row->table != 0)
        spanning_add_row(table, t, row, 0);
    else
        for (guint k = 1; k + 1 < t->c.dimension; k++)
            spanning_add_row(table, t, row, k);
}

static guint spanning_number(guint row)
{
    return spanning_rows[row].table;
}

static const char *spanning_title(guint number)
{
    static const char *const titles[] = {
        "The hybrid of section 5.1: all-to-all broadcasting, k steps of the SBT, then GCEA",
        "Table 1: one-to-all broadcasting",
        "Table 2: all-to-all broadcasting",
        "Table 3: one-to-all personalized communication",
        "Table 4: all-to-all personalized communication",
    };
    return titles[number];
}

static char *packet_words(const Tables *t)
{
    if (t->optimal)
        return g_strdup("optimal packets");
    if (t->c.packet == 0)
        return g_strdup("packets of any size");
    return g_strdup_printf("packets up to %" G_GINT64_FORMAT " byte%s", t->c.packet, t->c.packet == 1 ? "" : "s");
}

static void spanning_put_heading(const Tables *t, GString *text)
{
    g_autofree char *packets = packet_words(t), *machine = input_printable(t->machine->spec);
    g_autofree char *elements =
        t->c.element == 1 ? g_strdup("") : g_strdup_printf(" of %" G_GINT64_FORMAT "-byte elements", t->c.element);
    g_string_append_printf(text, "Johnsson & Ho 1987 on %s: n = %u, M = %" G_GINT64_FORMAT " bytes%s, %s.\n"
                           "Transfers, B and B_opt in bytes, times in µs; exact: the right count; ratio: exact over "
                           "published.\n",
                           machine, t->c.dimension, t->c.bytes, elements, packets);
}

static gboolean spanning_list(const Request *request, Sheet *sheet, GError **error)
{
    const PaperTables tables = {columns, G_N_ELEMENTS(columns), spanning_n_rows, spanning_number, spanning_title,
                                spanning_add, NULL};
    Tables t = {.machine = request->machine, .optimal = request->optimal,
                .c = {.dimension = request->problem.dimension, .bytes = g_array_index(request->bytes, gint64, 0),
                      .element = request->element, .packet = request->packet}};
    gboolean people = sheet->format == FORMAT_TABLE;
    if (people)
        spanning_put_heading(&t, sheet->text);
    sheet_put_tables(sheet, &tables, &t);
    if (people && t.reason)
        g_string_append_printf(sheet->text, "\nNo time: %s.\n", t.reason);
    return TRUE;
}

const Listing tables_of_spanning_graphs = {.least_dimension = 1, .list = spanning_list};
