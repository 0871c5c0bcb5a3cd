/* ecube tables --pattern matmul: Tables 5-12 of Johnsson & Ho 1987. */
#include "sim/text/input.h"
#include "product.h"
#include "sim/run/data.h"
#include "sim/run/record.h"
#include "sim/text/number.h"

static const Column columns[] = {
    {.name = "table"}, {.name = "algorithm", .heading = "algorithm", .text = TRUE}, {.name = "ports", .text = TRUE},
    {.name = "grid", .heading = "grid", .text = TRUE},
    {.name = "communication", .heading = "communication", .text = TRUE},
    {.name = "transfers", .heading = "transfers"}, {.name = "startups", .heading = "start-ups"},
    {.name = "optimal_bytes", .heading = "B_opt", .text = TRUE},
    {.name = "min_startups", .heading = "min start-ups", .optional = TRUE},
    {.name = "operations", .heading = "operations"}, {.name = "published_us", .heading = "published"},
    {.name = "exact_transfers", .heading = "right transfers"},
    {.name = "exact_startups", .heading = "right start-ups"},
    {.name = "exact_us", .heading = "exact"}, {.name = "ratio", .heading = "ratio"},
    {.name = "note", .heading = "the printed entry is", .text = TRUE},
};

static const Column ideal_columns[] = {
    {.name = "algorithm", .heading = "algorithm", .text = TRUE}, {.name = "N1", .heading = "N1"},
    {.name = "N2", .heading = "N2"}, {.name = "transfers", .heading = "transfers"},
    {.name = "startups", .heading = "start-ups"}, {.name = "operations", .heading = "operations"},
    {.name = "T_min", .heading = "T_min"}, {.name = "note", .heading = "the grid", .text = TRUE},
};

/* --- a row --- */

/* With the best packets: T_min, and what can be sent. Otherwise the formulas for that packet. */
static MatmulReal printed(const MatmulRow *row, const MatmulCase *c, const MatmulTerms *terms)
{
    if (c->packet == 0)
        return matmul_printed_least(row, c, terms);
    MatmulCount count = matmul_printed(row, c, terms);
    return matmul_real(&count, c->element, terms);
}

static void add_label(Table *table, const MatmulRow *row, const MatmulCase *c)
{
    g_autofree char *grid = matmul_grid_format(&c->grid), *communication = matmul_row_communication(row, &c->grid);
    const char *name = matmul_algorithm_names[c->algorithm];
    table_addf(table, "%u", row->table);
    table_add_shown(table, row->routing == MATMUL_GCEA ? "a1l" : name, row->name);
    table_add(table, row->ports == PORTS_ONE ? "one" : "all");
    table_add(table, grid);
    table_add(table, communication);
}

/* B_opt in bytes, and the least start-ups. */
static void add_least(Table *table, const MatmulRow *row, const MatmulCase *c, const MatmulTerms *terms)
{
    double packets[MATMUL_PHASES_MAX];
    guint n = matmul_printed_packets(row, c, terms, packets);
    int least = matmul_printed_min_startups(row, c);
    g_autofree char *startups = least < 0 ? NULL : g_strdup_printf("%d", least);
    for (guint i = 0; i < n; i++)
        packets[i] *= (double)c->element;
    table_add_reals(table, packets, n);
    table_add(table, startups);
}

static void add_ratio(Table *table, gint64 exact_ps, gint64 published_ps)
{
    g_autofree char *ratio = g_strdup_printf("%.6f", (double)exact_ps / (double)published_ps);
    g_autofree char *shown = g_strdup_printf("%.4f", (double)exact_ps / (double)published_ps);
    if (published_ps == exact_ps)
        table_add(table, "1");
    else
        table_add_shown(table, published_ps > 0 ? ratio : NULL, published_ps > 0 ? shown : NULL);
}

/* The right counts, between the two times. */
static void add_exact(Table *table, const MatmulExact *exact, gint64 element)
{
    table_add_rational(table, (Rational){exact->moved.bytes, element});
    table_add_whole(table, exact->moved.startups);
}

typedef struct {
    const Machine *machine;
    MatmulQuestion q;
    MatmulShape shape;
    const char *reason;     /* why some row has no time, or NULL */
} Tables;

/* An entry as it is printed, beside the right counts. */
typedef struct {
    MatmulCase c;
    MatmulTerms terms;
    MatmulReal printed;
    MatmulExact exact;          /* if is_counted */
    gint64 exact_ps;
    gboolean is_counted, has_published, has_exact;      /* the times */
    const char *reason;         /* why one of them is missing, or NULL */
} Entry;

/* The constants of the largest packet are those of all, if there is a time. */
static Entry entry_of(const Tables *t, const MatmulRow *row, const MatmulGrid *grid)
{
    MatmulCase any = {.shape = t->shape, .grid = *grid, .element = t->q.element, .packet = t->q.packet,
                      .optimal = t->q.optimal};
    Entry e = {.c = matmul_row_case(row, &any)};
    const char *uncounted = matmul_counts(&e.c, &t->q.terms, &e.exact);
    e.is_counted = !uncounted;
    e.terms = matmul_terms(t->machine, e.exact.moved.largest_packet);
    e.printed = printed(row, &e.c, &e.terms);
    MatmulCount count = matmul_exact_count(&e.exact, e.c.element);
    e.exact_ps = matmul_ps(&count, e.c.element, &e.terms);
    const char *unpublished = lockstep_unpublished_reason(&e.exact.moved, t->machine);
    e.has_published = !unpublished && e.printed.ps < INPUT_TIME_MAX_PS;
    e.has_exact = !unpublished && e.is_counted && e.exact_ps < INPUT_TIME_MAX_PS;
    if (!e.has_published || !e.has_exact)
        e.reason = unpublished     ? unpublished
                   : !e.is_counted ? uncounted
                                   : "some times are longer than the clock can count";
    return e;
}

static void add_row(Table *table, Tables *t, const MatmulRow *row, const MatmulGrid *grid)
{
    Entry e = entry_of(t, row, grid);
    t->reason = e.reason ? e.reason : t->reason;
    add_label(table, row, &e.c);
    table_add_real(table, e.printed.transfers);
    table_add_real(table, e.printed.startups);
    add_least(table, row, &e.c, &e.terms);
    table_addf(table, "%" G_GINT64_FORMAT, e.printed.operations);
    record_add_time(table, e.has_published, e.printed.ps);
    if (e.is_counted)
        add_exact(table, &e.exact, e.c.element);
    else
        table_add(table, NULL), table_add(table, NULL);
    record_add_time(table, e.has_exact, e.exact_ps);
    if (e.has_published && e.has_exact)
        add_ratio(table, e.exact_ps, e.printed.ps);
    else
        table_add(table, NULL);
    table_add(table, row->note);
}

/* --- rows --- */

/* On the grid that is given; else by columns and by rows, or on the grid that is best for it. */
static void add_rows(Table *table, Tables *t, const MatmulRow *row)
{
    const MatmulGrid column = {0, t->q.dimension}, by_rows = {t->q.dimension, 0};
    MatmulQuestion q = t->q;
    MatmulChoice choice;
    q.ports = row->ports;
    if (t->q.grids != MATMUL_ANY) {
        if (matmul_row_is_for(row, &t->q.grid))
            add_row(table, t, row, &t->q.grid);
    } else if (row->table == 6) {
        add_row(table, t, row, &column);
        add_row(table, t, row, &by_rows);
    } else if (matmul_choose(&q, &t->shape, row->algorithm, &choice))
        add_row(table, t, row, &choice.grid);
}

static const char *where_it_is(const MatmulIdeal *ideal)
{
    return MIN(ideal->n1, ideal->n2) < 1 ? "outside 1 to N, and so is T_min" : "a grid of real numbers";
}

/* Table 12, in the columns of the others. */
static void add_ideal(Table *table, const Tables *t, MatmulAlgorithm a)
{
    MatmulIdeal ideal = matmul_ideal(a, &t->shape, t->q.dimension, t->q.element, &t->q.terms);
    table_add(table, "12");
    table_add(table, matmul_algorithm_names[a]);
    table_add(table, "one");
    table_addf(table, "%.6fx%.6f", ideal.n1, ideal.n2);
    table_add(table, NULL);
    table_add_real(table, ideal.transfers);
    table_addf(table, "%u", ideal.startups);
    table_add(table, NULL);
    table_addf(table, "%u", ideal.startups);
    table_add_real(table, ideal.operations);
    table_addf(table, "%.6f", ideal.us);
    for (guint i = 0; i < 4; i++)
        table_add(table, NULL);
    table_add(table, where_it_is(&ideal));
}

static void add_shown_ideal(Table *table, const Tables *t, MatmulAlgorithm a)
{
    MatmulIdeal ideal = matmul_ideal(a, &t->shape, t->q.dimension, t->q.element, &t->q.terms);
    table_addf(table, "A%s(1)", matmul_algorithm_names[a] + 1);
    table_add_real(table, ideal.n1);
    table_add_real(table, ideal.n2);
    table_add_real(table, ideal.transfers);
    table_addf(table, "%u", ideal.startups);
    table_add_real(table, ideal.operations);
    table_addf(table, "%.3f", ideal.us);
    table_add(table, where_it_is(&ideal));
}

/* --- output --- */

static const char *title_of(guint table)
{
    switch (table) {
    case 6:
        return "Tables 5 to 7: one-dimensional partitioning";
    case 9:
        return "Tables 8 to 10: two-dimensional partitioning, one port";
    default:
        return "Tables 8 and 11: two-dimensional partitioning, n ports";
    }
}

static void put_ideals(GString *text, const Tables *t)
{
    g_autoptr(Table) table = table_new(ideal_columns, G_N_ELEMENTS(ideal_columns));
    for (MatmulAlgorithm a = MATMUL_A1; a <= MATMUL_A5; a++)
        if (matmul_recipe(a))
            add_shown_ideal(table, t, a);
    g_autofree char *rows = table_text(table, FORMAT_TABLE);
    g_string_append_printf(text, "\nTable 12: the best grid with one port\n\n%s", rows);
}

static char *people_text(Tables *t, const char *what)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%s.\nTransfers in elements, B_opt in bytes, times in µs; right, exact: by the right "
                           "counts; ratio: exact over published.\n", what);
    for (guint first = 0, next; first < matmul_n_rows; first = next) {
        g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
        guint number = matmul_rows[first].table;
        for (next = first; next < matmul_n_rows && matmul_rows[next].table == number; next++)
            add_rows(table, t, &matmul_rows[next]);
        g_autofree char *rows = table_is_empty(table) ? NULL : table_text(table, FORMAT_TABLE);
        if (rows)
            g_string_append_printf(text, "\n%s\n\n%s", title_of(number), rows);
    }
    put_ideals(text, t);
    if (t->reason)
        g_string_append_printf(text, "\nNo time: %s.\n", t->reason);
    return g_string_free(text, FALSE);
}

static char *data_text(Tables *t, Format format)
{
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < matmul_n_rows; i++)
        add_rows(table, t, &matmul_rows[i]);
    for (MatmulAlgorithm a = MATMUL_A1; a <= MATMUL_A5; a++)
        if (matmul_recipe(a))
            add_ideal(table, t, a);
    return table_text(table, format);
}

gboolean product_tables(const CommandLine *line, GError **error)
{
    g_autoptr(Judge) judge = judge_new(data_platforms(), SCENARIO_FORMULA);
    ProductQuestion product;
    MatmulShape shape;
    if (!product_parse_shape(&shape, error) || !product_parse(line, judge, 1, &product, error))
        return FALSE;
    Tables t = {product.machine, product.q, shape, NULL};
    g_autofree char *what = product_describe(&product, &shape);
    g_autofree char *text = line->format == FORMAT_TABLE ? people_text(&t, what) : data_text(&t, (Format)line->format);
    return output_write(NULL, text, error);
}
