/* Listings of matrix multiplication on one machine: the fastest algorithms, each on its best grid; Tables 5-12 of
 * Johnsson & Ho 1987; and maps of the best algorithm over the shapes of the matrices. */
#include "case_run.h"
#include "models/matmul_best.h"
#include "sim/patterns/theory.h"
#include "sim/text/input.h"
#include "sim/text/number.h"

#include <math.h>
#include <string.h>

/* --- what is asked --- */

static struct {
    char *shape, *grid, *side, *unit;
} given;

static const GOptionEntry options[] = {
    {"shape", 0, 0, G_OPTION_ARG_STRING, &given.shape,
     "The matrices: C of P x Q, D of Q x R, A and E of P x R elements", "PxQxR"},
    {"grid", 0, 0, G_OPTION_ARG_STRING, &given.grid,
     "N1 rows and N2 columns of processors, in N3 layers; column: 1 x N, row: N x 1, any: the best one (the default)",
     "any|column|row|N1xN2|N1xN2xN3"},
    {0},
};

typedef struct {
    const Machine *machine;
    RunPricer *price;
    MatmulQuestion q;
    MatmulShape shape;
    const char *reason;     /* reason why some row of the tables has no time; NULL: every row has times */
} Question;

static gboolean parse_grid(MatmulQuestion *q, GError **error)
{
    const char *text = given.grid ? given.grid : "any";
    q->grids = strcmp(text, "any") == 0      ? MATMUL_ANY
               : strcmp(text, "column") == 0 ? MATMUL_COLUMN
               : strcmp(text, "row") == 0    ? MATMUL_ROW
                                             : MATMUL_GIVEN;
    return q->grids == MATMUL_ANY || matmul_grid_parse("--grid", text, q->dimension, "any", &q->grid, error);
}

#define PRICED_DIMENSION_MAX 7      /* on larger cubes it takes minutes to price all grids */

/* Implements MatmulTime: prices the run of a case on the machine of `data`, a Question. */
static gboolean find_price(const MatmulCase *c, gpointer data, MatmulReal *real)
{
    const Question *question = data;
    Machine machine = *question->machine;
    Run run = matmul_case_run(c, &machine);
    RunPrice price;
    if (question->q.dimension > PRICED_DIMENSION_MAX || !question->price(&run, &price))
        return FALSE;
    *real = (MatmulReal){(double)price.bytes / (double)c->element, (double)price.startups, price.operations, price.ps};
    return TRUE;
}

/* Fills in all of `question` but the shape. Without a limit on packets each algorithm has its best packets. The
 * constants (question->q.terms) are the machine's for the longest messages. */
static gboolean ask_any(const Request *request, const Sheet *sheet, Question *question, GError **error)
{
    *question = (Question){
        .machine = request->machine, .price = sheet->price,
        .q = {.dimension = request->problem.dimension, .ports = request->machine->ports, .element = request->element,
              .packet = request->packet, .optimal = request->packet == 0 || request->optimal,
              .terms = matmul_terms(request->machine, G_MAXINT64)}};
    if (sheet->contention_free) {
        question->q.time = find_price;
        question->q.data = question;
    }
    if (sheet->contention_free && question->q.dimension > PRICED_DIMENSION_MAX)
        return input_refuse(error, "--model: 'contention-free' is not allowed here; allowed: up to --dimension %d",
                            PRICED_DIMENSION_MAX);
    if (!sheet->contention_free && request->machine->long_limit > 0)
        return input_refuse(error, "machine %s: long_limit is not allowed here, where formulas have one lambda and one "
                            "tau; allowed: machines without it, or ecube best --model contention-free",
                            request->machine->spec);
    return parse_grid(&question->q, error) &&
           (sheet->contention_free || question->q.grid.n3 == 0 ||
            input_refuse(error, "--grid: '%s' is not allowed here; allowed: the tables' grids, of two dimensions",
                         given.grid));
}

static gboolean ask(const Request *request, const Sheet *sheet, Question *question, GError **error)
{
    MatmulShape shape;
    if ((!given.shape && !input_refuse(error, "--shape is missing")) ||
        !matmul_shape_parse("--shape", given.shape, &shape, error) || !ask_any(request, sheet, question, error))
        return FALSE;
    question->shape = shape;
    return TRUE;
}

/* Refuses a shape if the time of `choice` for it is longer than the clock can count. */
static gboolean check_time(const MatmulChoice *choice, const MatmulShape *shape, GError **error)
{
    g_autofree char *text = matmul_shape_format(shape), *grid = matmul_grid_format(&choice->grid);
    return choice->ps < INPUT_TIME_MAX_PS ||
           input_refuse(error, "shape: '%s' takes longer on %s with %s than the clock can count; allowed: less than "
                        "9.007e9 µs", text, grid, matmul_algorithm_names[choice->algorithm]);
}

static char *packets_of(const MatmulQuestion *q)
{
    if (q->packet == 0)
        return g_strdup("best packets");
    return g_strdup_printf("%spackets up to %" G_GINT64_FORMAT " byte%s", q->optimal ? "best " : "", q->packet,
                           q->packet == 1 ? "" : "s");
}

/* Returns "A <- C D + E, 16 x 16 x 16, on ipsc1: n = 4, elements of 4 bytes, best packets". Caller frees. */
static char *describe(const Question *question)
{
    const MatmulShape *shape = &question->shape;
    const MatmulQuestion *q = &question->q;
    g_autofree char *machine = input_printable(question->machine->spec), *packets = packets_of(q);
    return g_strdup_printf("A <- C D + E, %u x %u x %u, on %s: n = %u, elements of %" G_GINT64_FORMAT " byte%s, %s",
                           shape->p, shape->q, shape->r, machine, q->dimension, q->element, q->element == 1 ? "" : "s",
                           packets);
}

/* --- the fastest algorithms --- */

static const Column best_columns[] = {
    {.name = "algorithm", .heading = "algorithm", .text = TRUE}, {.name = "grid", .heading = "grid", .text = TRUE},
    {.name = "time_us", .heading = "time"}, {.name = "startups", .heading = "start-ups"},
    {.name = "transfers", .heading = "transfers"}, {.name = "operations", .heading = "operations"},
};

static void add_choice(Table *table, const MatmulChoice *choice, Sheet *sheet)
{
    gboolean counts = choice->ps < INPUT_TIME_MAX_PS;
    g_autofree char *grid = matmul_grid_format(&choice->grid);
    g_autofree char *name = g_strdup_printf("%s, %s", matmul_algorithm_names[choice->algorithm], grid);
    table_add(table, matmul_algorithm_names[choice->algorithm]);
    table_add(table, grid);
    table_add_time_if(table, counts, choice->ps);
    table_add_real(table, choice->startups);
    table_add_real(table, choice->transfers);
    table_addf(table, "%" G_GINT64_FORMAT, choice->operations);
    if (counts)
        sheet_add_bar(sheet, name, (double)choice->ps / 1e6, 0);
}

/* Appends the title, a line on the source of the times, and the rows of the table to the text of the sheet. */
static void put_best(const Question *question, const char *rows, Sheet *sheet)
{
    gboolean priced = sheet->contention_free, short_terms = !priced && question->machine->short_limit >= 0;
    g_string_append_printf(sheet->text, "%s, %s.\nTransfers in elements, times in µs, %s.\n%s\n%s\n", sheet->title,
                           question->q.ports == PORTS_ALL ? "n ports" : "one port",
                           priced ? "contention-free" : "by the tables of Johnsson & Ho",
                           short_terms ? "Short messages are counted as long ones.\n" : "", rows);
    g_string_append(sheet->text, priced ? "Waiting is not in these times: ecube run has it.\n"
                                        : "Distances, handshakes, barriers and waiting are not in these times, nor are "
                                          "all algorithms in the tables: ecube run has them.\n");
}

static gboolean list_best(const Request *request, Sheet *sheet, GError **error)
{
    Question question;
    MatmulChoice choices[MATMUL_N_ALGORITHMS];
    if (!ask(request, sheet, &question, error))
        return FALSE;
    guint n = matmul_ranking(&question.q, &question.shape, choices);
    if (n == 0)
        return input_refuse(error, "--grid: '%s' is not allowed here; allowed: one that takes less time and memory",
                            given.grid ? given.grid : "any");
    if (!check_time(&choices[0], &question.shape, error))
        return FALSE;
    g_autoptr(Table) table = table_new(best_columns, G_N_ELEMENTS(best_columns));
    for (guint i = 0; i < n; i++)
        add_choice(table, &choices[i], sheet);
    g_autofree char *rows = table_text(table, sheet->format);
    sheet->title = describe(&question);
    if (sheet->format == FORMAT_TABLE)
        put_best(&question, rows, sheet);
    else
        g_string_append(sheet->text, rows);
    if (sheet->format == FORMAT_TABLE && choices[n - 1].ps >= INPUT_TIME_MAX_PS)
        g_string_append(sheet->text, "\nNo time: longer than the clock can count.\n");
    return TRUE;
}

static const char *const models[] = {"published", "contention-free", NULL};

const Listing best_of_multiplications = {.options = options, .models = models, .list = list_best};

/* --- the tables --- */

static const Column table_columns[] = {
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

/* Returns the published counts and time of a row: those of T_min if packets are unlimited, else those of the formulas
 * for packets of c->packet. */
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

/* Adds two cells: B_opt in bytes of each phase that moves data, and the least start-ups, empty for Table 11. */
static void add_least(Table *table, const MatmulRow *row, const MatmulCase *c, const MatmulTerms *terms)
{
    double packets[MATMUL_PHASES_MAX];
    guint n = matmul_printed_packets(row, c, terms, packets);
    int least = matmul_printed_min_startups(row, c);
    for (guint i = 0; i < n; i++)
        packets[i] *= (double)c->element;
    table_add_reals(table, packets, n);
    table_add_count_if(table, least >= 0, least);
}

/* Row of the paper's tables on one grid: its published counts and time, and the counts and time of a run of its
 * algorithm. */
typedef struct {
    MatmulCase c;
    MatmulTerms terms;
    MatmulReal printed, exact;  /* printed: counts and time by the paper; exact: counts and time of the run */
    gboolean has_published, is_priced;      /* whether printed.ps is valid; whether `exact` is valid */
    const char *reason;         /* reason why one of the two times is missing; NULL: none is missing */
} MatmulEntry;

/* Returns the entry of a row on a grid. Its published time has the machine's lambda and tau for the largest packet
 * (matmul_find_terms()). */
static MatmulEntry entry_of(Question *t, const MatmulRow *row, const MatmulGrid *grid)
{
    MatmulCase any = {.shape = t->shape, .grid = *grid, .element = t->q.element, .packet = t->q.packet,
                      .optimal = t->q.optimal};
    MatmulEntry e = {.c = matmul_row_case(row, &any)};
    const char *unpublished = matmul_find_terms(&e.c, t->machine, &e.terms);
    e.printed = printed(row, &e.c, &e.terms);
    e.is_priced = find_price(&e.c, t, &e.exact);
    e.has_published = !unpublished && e.printed.ps < INPUT_TIME_MAX_PS;
    e.reason = unpublished      ? unpublished
               : e.has_published ? NULL
                                 : "some times are longer than the clock can count";
    if (!e.is_priced && !e.reason)
        e.reason = "some runs are longer than the clock can count, too large, or on more than 128 processors";
    return e;
}

static void add_row(Table *table, Question *t, const MatmulRow *row, const MatmulGrid *grid)
{
    MatmulEntry e = entry_of(t, row, grid);
    t->reason = e.reason ? e.reason : t->reason;
    add_label(table, row, &e.c);
    table_add_real(table, e.printed.transfers);
    table_add_real(table, e.printed.startups);
    add_least(table, row, &e.c, &e.terms);
    table_addf(table, "%" G_GINT64_FORMAT, e.printed.operations);
    table_add_time_if(table, e.has_published, e.printed.ps);
    if (e.is_priced) {
        table_add_real(table, e.exact.transfers);
        table_add_real(table, e.exact.startups);
    } else
        table_add_nothing(table, 2);
    table_add_time_if(table, e.is_priced, e.exact.ps);
    listing_add_ratio(table, e.has_published && e.is_priced, e.exact.ps, e.printed.ps);
    table_add(table, row->note);
}

/* --- rows --- */

/* Adds row i of matmul_rows on the user's grid, if the row is for this grid. With MATMUL_ANY it adds a row of Table 6
 * twice, by columns and by rows, and any other row on its best grid. */
static void add_rows(Table *table, guint i, gpointer question)
{
    Question *t = question;
    const MatmulRow *row = &matmul_rows[i];
    const MatmulGrid column = {0, t->q.dimension, 0}, by_rows = {t->q.dimension, 0, 0};
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

/* Adds the row of an algorithm in Table 12, with the columns of the other tables. */
static void add_ideal(Table *table, const Question *t, MatmulAlgorithm a)
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
    table_add_nothing(table, 4);
    table_add(table, where_it_is(&ideal));
}

static void add_ideals(Table *table, gpointer question)
{
    for (MatmulAlgorithm a = MATMUL_A1; a <= MATMUL_A5; a++)
        if (matmul_recipe(a))
            add_ideal(table, question, a);
}

static void add_shown_ideal(Table *table, const Question *t, MatmulAlgorithm a)
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

static guint number_of(guint row)
{
    return matmul_rows[row].table;
}

static const char *title_of(guint number)
{
    return number == 6   ? "Tables 5 to 7: one-dimensional partitioning"
           : number == 9 ? "Tables 8 to 10: two-dimensional partitioning, one port"
                         : "Tables 8 and 11: two-dimensional partitioning, n ports";
}

static void put_ideals(GString *text, const Question *t)
{
    g_autoptr(Table) table = table_new(ideal_columns, G_N_ELEMENTS(ideal_columns));
    for (MatmulAlgorithm a = MATMUL_A1; a <= MATMUL_A5; a++)
        if (matmul_recipe(a))
            add_shown_ideal(table, t, a);
    g_autofree char *rows = table_text(table, FORMAT_TABLE);
    g_string_append_printf(text, "\nTable 12: the best grid with one port\n\n%s", rows);
}

static gboolean list_tables(const Request *request, Sheet *sheet, GError **error)
{
    const PaperTables tables = {table_columns, G_N_ELEMENTS(table_columns), matmul_n_rows, number_of, title_of,
                                add_rows, add_ideals};
    Question question;
    if (!ask(request, sheet, &question, error))
        return FALSE;
    g_autofree char *what = describe(&question);
    gboolean people = sheet->format == FORMAT_TABLE;
    if (people)
        g_string_append_printf(sheet->text, "%s.\nTransfers in elements, B_opt in bytes, times in µs; right, exact: "
                               "of runs without contention; ratio: exact over published.\n", what);
    sheet_put_tables(sheet, &tables, &question);
    if (people)
        put_ideals(sheet->text, &question);
    if (people && question.reason)
        g_string_append_printf(sheet->text, "\nNo time: %s.\n", question.reason);
    return TRUE;
}

const Listing tables_of_multiplications = {.options = options, .least_dimension = 1, .list = list_tables};

/* --- the maps --- */

#define SIDE 16         /* largest P, Q and R by default, in units, as in figures 11-14, 20-23, 25 and 26 */
#define SIDE_MAX 64

static const Column columns[] = {
    {.name = "p"}, {.name = "q"}, {.name = "r"}, {.name = "best", .text = TRUE}, {.name = "time_us"},
    {.name = "second", .text = TRUE}, {.name = "second_us"},
};

static gboolean ask_map(const Request *request, const Sheet *sheet, Question *question, Map *map, GError **error)
{
    if (!ask_any(request, sheet, question, error))
        return FALSE;
    const MatmulQuestion *q = &question->q;
    gint64 side = SIDE, unit = (gint64)1 << q->dimension;
    if ((given.side && !input_parse_count("--side", given.side, 1, SIDE_MAX, &side, error)) ||
        (given.unit && !input_parse_count("--unit", given.unit, 1, MATMUL_SIDE_MAX / side, &unit, error)))
        return FALSE;
    if (side * unit > MATMUL_SIDE_MAX)
        return input_refuse(error, "--side: '%" G_GINT64_FORMAT "' is not allowed; allowed with units of 2^d = %"
                            G_GINT64_FORMAT ": 1 to %" G_GINT64_FORMAT, side, unit, MATMUL_SIDE_MAX / unit);
    if (q->grids == MATMUL_GIVEN)
        return input_refuse(error, "--grid: '%s' is not allowed here; allowed: any, column, row", given.grid);
    gboolean in_n = unit == (gint64)1 << q->dimension && unit > 1;
    map->side = (guint)side;
    map->unit = (guint)unit;
    map->unit_name = in_n ? g_strdup(" N") : unit == 1 ? g_strdup("") : g_strdup_printf(" x %" G_GINT64_FORMAT, unit);
    map->names = matmul_algorithm_names;
    map->best = g_new(guint, (gsize)(side * side * side));
    return TRUE;
}

/* Adds the row of shape number i of the map, and sets map->best[i] to its fastest algorithm. FALSE with an error if a
 * time is too long. */
static gboolean add_cell(Table *table, const MatmulQuestion *q, Map *map, guint i, GError **error)
{
    MatmulChoice two[2];
    const guint n = map->side, sides[] = {i / n / n + 1, i / n % n + 1, i % n + 1};
    MatmulShape shape = {sides[0] * map->unit, sides[1] * map->unit, sides[2] * map->unit};
    gboolean found = matmul_best_two(q, &shape, two);
    g_assert(found);
    if (!check_time(&two[1], &shape, error))
        return FALSE;
    for (guint k = 0; k < G_N_ELEMENTS(sides); k++)
        table_addf(table, "%u", sides[k]);
    for (guint k = 0; k < G_N_ELEMENTS(two); k++) {
        table_add(table, matmul_algorithm_names[two[k].algorithm]);
        table_add_time(table, two[k].ps);
    }
    map->best[i] = two[0].algorithm;
    return TRUE;
}

/* Returns "johnsson1987, N = 16, lambda = 1000 t_c, one port, by rows", where `start_up` names lambda. Caller frees. */
static char *describe_map(const Question *question, const char *start_up)
{
    static const char *const grids[] = {[MATMUL_ANY] = "the best grid of each", [MATMUL_COLUMN] = "by columns",
                                        [MATMUL_ROW] = "by rows"};
    const MatmulQuestion *q = &question->q;
    g_autofree char *machine = input_printable(question->machine->spec);
    double element_ps = machine_byte_ps(q->terms.tau_fs_per_byte) * (double)q->element;
    g_autofree char *ratio = g_strdup_printf(", %s = %.6g t_c", start_up, (double)q->terms.lambda_ps / element_ps);
    g_autofree char *arithmetic = g_strdup_printf(", t_a = %.6g t_c", (double)q->terms.flop_ps / element_ps);
    return g_strdup_printf("%s, N = %u%s%s, %s, %s", machine, 1u << q->dimension, element_ps > 0 ? ratio : "",
                           element_ps > 0 && q->terms.flop_ps > 0 ? arithmetic : "",
                           q->ports == PORTS_ALL ? "n ports" : "one port", grids[q->grids]);
}

static const Column count_columns[] = {
    {.name = "p", .heading = "P", .text = TRUE}, {.name = "a1", .heading = "a1"},
    {.name = "a2", .heading = "a2", .optional = TRUE}, {.name = "a3", .heading = "a3", .optional = TRUE},
    {.name = "a4", .heading = "a4", .optional = TRUE}, {.name = "a5", .heading = "a5", .optional = TRUE},
};

/* Adds a row with the number of shapes, out of n, for which each algorithm is the fastest. best[n]: the fastest
 * algorithm of each shape. */
static void add_map_counts(Table *table, const char *name, const guint *best, gsize n)
{
    static const MatmulAlgorithm columns_of[] = {MATMUL_A1, MATMUL_A2, MATMUL_A3, MATMUL_A4, MATMUL_A5};
    table_add(table, name);
    for (guint k = 0; k < G_N_ELEMENTS(columns_of); k++) {
        gint64 found = 0;
        for (gsize i = 0; i < n; i++)
            found += best[i] == columns_of[k];
        table_add_count_if(table, found > 0, found);
    }
}

static void put_map(const Question *question, const Map *map, GString *text)
{
    g_autoptr(Table) table = table_new(count_columns, G_N_ELEMENTS(count_columns));
    gsize plane = (gsize)map->side * map->side;
    for (guint p = 1; p <= map->side; p++) {
        g_autofree char *name = g_strdup_printf("%u", p * map->unit);
        add_map_counts(table, name, map->best + (p - 1) * plane, plane);
    }
    add_map_counts(table, "all", map->best, plane * map->side);
    g_autofree char *what = describe_map(question, "lambda"), *rows = table_text(table, FORMAT_TABLE);
    g_string_append_printf(text, "The fastest algorithm for P x Q x R matrices on %s:\nfor how many Q and R, each %u "
                           "times 1 to %u elements. --format csv has every shape.\n\n%s", what, map->unit, map->side,
                           rows);
}

/* Implements Listing.list for maps. The title of the figure writes τ for a start-up, as the papers on multiplication
 * do. */
static gboolean list_map(const Request *request, Sheet *sheet, GError **error)
{
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    Map *map = &sheet->map;
    Question question;
    if (!ask_map(request, sheet, &question, map, error))
        return FALSE;
    for (guint i = 0; i < map->side * map->side * map->side; i++)
        if (!add_cell(table, &question.q, map, i, error))
            return FALSE;
    g_autofree char *what = describe_map(&question, "τ"), *rows = table_text(table, sheet->format);
    sheet->title = g_strconcat("P x Q x R matrices on ", what, NULL);
    if (sheet->format == FORMAT_TABLE)
        put_map(&question, map, sheet->text);
    else
        g_string_append(sheet->text, rows);
    return TRUE;
}

static const GOptionEntry map_options[] = {
    {"grid", 0, 0, G_OPTION_ARG_STRING, &given.grid,
     "column: 1 x N, and a1, a3, a4; row: N x 1, and a1, a2, a5; any: a1 to a5, each on its best grid (the default)",
     "any|column|row"},
    {"side", 0, 0, G_OPTION_ARG_STRING, &given.side, "P, Q and R are 1 to S units each; default: 16", "S"},
    {"unit", 0, 0, G_OPTION_ARG_STRING, &given.unit, "Elements of a unit; default: 2^d", "N"},
    {0},
};

const Listing regions_of_multiplications = {.options = map_options, .list = list_map};
