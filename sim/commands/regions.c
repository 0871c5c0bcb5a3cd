/* ecube regions: which algorithm multiplies matrices best, over their shapes. */
#include "sim/text/input.h"
#include "models/matmul_best.h"
#include "product.h"
#include "sim/run/data.h"
#include "sim/run/record.h"
#include "sim/show/region_map.h"

#define SIDE 16         /* of the cube in figures 11-14, 20-23, 25 and 26 of Johnsson & Ho 1987 */
#define SIDE_MAX 64

static const Column columns[] = {
    {.name = "p"}, {.name = "q"}, {.name = "r"}, {.name = "best", .text = TRUE}, {.name = "time_us"},
    {.name = "second", .text = TRUE}, {.name = "second_us"},
};

static char *side_given, *unit_given, *model_given, *simulated_given;

typedef struct {
    ProductQuestion product;
    MatmulQuestion q;
    gint64 side, unit;
    MatmulAlgorithm *best;      /* [side^3] */
    Csv *simulated;             /* or NULL */
} Regions;

/* The row of a shape, and its algorithm to *best. */
static gboolean add_cell(Table *table, const Regions *regions, const gint64 sides[3], MatmulAlgorithm *best,
                         GError **error)
{
    MatmulChoice two[2];
    guint unit = (guint)regions->unit;
    MatmulShape shape = {(guint)sides[0] * unit, (guint)sides[1] * unit, (guint)sides[2] * unit};
    gboolean found = matmul_best_two(&regions->q, &shape, two);
    g_assert(found);
    if (!product_check_time(&two[1], &shape, error))
        return FALSE;
    for (guint i = 0; i < 3; i++)
        table_addf(table, "%" G_GINT64_FORMAT, sides[i]);
    for (guint i = 0; i < G_N_ELEMENTS(two); i++) {
        table_add(table, matmul_algorithm_names[two[i].algorithm]);
        table_add_time(table, two[i].ps);
    }
    *best = two[0].algorithm;
    return TRUE;
}

static gboolean add_cells(Table *table, const Regions *regions, GError **error)
{
    gint64 at[3];
    MatmulAlgorithm *best = regions->best;
    for (at[0] = 1; at[0] <= regions->side; at[0]++)
        for (at[1] = 1; at[1] <= regions->side; at[1]++)
            for (at[2] = 1; at[2] <= regions->side; at[2]++)
                if (!add_cell(table, regions, at, best++, error))
                    return FALSE;
    return TRUE;
}

static gboolean parse(const CommandLine *line, Judge *judge, Regions *regions, GError **error)
{
    ProductQuestion product;
    if (!product_parse(line, judge, 0, &product, error) || !product_parse_model(model_given, &product.q.model, error))
        return FALSE;
    *regions = (Regions){.product = product, .q = product.q, .side = SIDE, .unit = (gint64)1 << product.q.dimension};
    if ((side_given && !input_parse_count("--side", side_given, 1, SIDE_MAX, &regions->side, error)) ||
        (unit_given && !input_parse_count("--unit", unit_given, 1, MATMUL_SIDE_MAX / regions->side, &regions->unit,
                                          error)))
        return FALSE;
    if (regions->side * regions->unit > MATMUL_SIDE_MAX)
        return input_refuse(error, "--side: '%" G_GINT64_FORMAT "' is not allowed; allowed with units of 2^d = %"
                            G_GINT64_FORMAT ": 1 to %" G_GINT64_FORMAT, regions->side, regions->unit,
                            MATMUL_SIDE_MAX / regions->unit);
    if (regions->q.grids == MATMUL_GIVEN)
        return input_refuse(error, "--grid: '%s' is not allowed here; allowed: any, column, row",
                            product_options.grid);
    gboolean uneven = regions->unit & (((gint64)1 << product.q.dimension) - 1);
    return !(uneven && product.q.ports == PORTS_ALL && product.q.model == MATMUL_COUNTED) ||
           input_refuse(error, "--unit: '%" G_GINT64_FORMAT "' is not allowed; allowed with n ports and --model "
                        "counted: multiples of 2^d", regions->unit);
}

/* --- for people --- */

/* "on johnsson1987, N = 16, lambda = 1000 t_c, one port, the best grid of each". Caller frees. */
static char *describe(const Regions *regions, const char *start_up)
{
    static const char *const grids[] = {[MATMUL_ANY] = "the best grid of each", [MATMUL_COLUMN] = "by columns",
                                        [MATMUL_ROW] = "by rows"};
    const MatmulQuestion *q = &regions->q;
    g_autofree char *machine = input_printable(regions->product.machine->spec);
    double element_ps = (double)q->terms.tau_ps_per_byte * (double)q->element;
    g_autofree char *ratio = g_strdup_printf(", %s = %.6g t_c", start_up, (double)q->terms.lambda_ps / element_ps);
    g_autofree char *arithmetic = g_strdup_printf(", t_a = %.6g t_c", (double)q->terms.flop_ps / element_ps);
    return g_strdup_printf("%s, N = %u%s%s, %s, %s%s", machine, 1u << q->dimension, element_ps > 0 ? ratio : "",
                           element_ps > 0 && q->terms.flop_ps > 0 ? arithmetic : "",
                           q->ports == PORTS_ALL ? "n ports" : "one port", grids[q->grids],
                           q->model == MATMUL_COUNTED ? ", by the right counts" : "");
}

static const Column counts[] = {
    {.name = "p", .heading = "P", .text = TRUE}, {.name = "a1", .heading = "a1"},
    {.name = "a2", .heading = "a2", .optional = TRUE}, {.name = "a3", .heading = "a3", .optional = TRUE},
    {.name = "a4", .heading = "a4", .optional = TRUE}, {.name = "a5", .heading = "a5", .optional = TRUE},
};

/* The shapes of some cells that each algorithm is the fastest for. */
static void add_counts(Table *table, const char *name, const MatmulAlgorithm *best, gsize n)
{
    static const MatmulAlgorithm columns_of[] = {MATMUL_A1, MATMUL_A2, MATMUL_A3, MATMUL_A4, MATMUL_A5};
    table_add(table, name);
    for (guint k = 0; k < G_N_ELEMENTS(columns_of); k++) {
        gsize found = 0;
        for (gsize i = 0; i < n; i++)
            found += best[i] == columns_of[k];
        if (found)
            table_addf(table, "%zu", found);
        else
            table_add(table, NULL);
    }
}

static RegionMap map_of(const Regions *regions, const char *unit_name)
{
    return (RegionMap){(guint)regions->side, (guint)regions->unit, unit_name, regions->best};
}

/* What simulation says about the map; or nothing. NULL with an error. Caller frees. */
static char *compare(const Regions *regions, GError **error)
{
    RegionMap map = map_of(regions, "");
    guint n = 0, n_others = 0;
    if (!regions->simulated)
        return g_strdup("");
    if (!region_map_compare(&map, regions->simulated, simulated_given, &n, &n_others, error))
        return NULL;
    return g_strdup_printf("\nOf these %u were simulated: another algorithm is faster in %u.\n", n, n_others);
}

static char *text_for_people(const Regions *regions, GError **error)
{
    g_autofree char *compared = compare(regions, error);
    if (!compared)
        return NULL;
    g_autoptr(Table) table = table_new(counts, G_N_ELEMENTS(counts));
    gsize plane = (gsize)(regions->side * regions->side);
    for (gint64 p = 1; p <= regions->side; p++) {
        g_autofree char *name = g_strdup_printf("%" G_GINT64_FORMAT, p * regions->unit);
        add_counts(table, name, regions->best + (gsize)(p - 1) * plane, plane);
    }
    add_counts(table, "all", regions->best, plane * (gsize)regions->side);
    g_autofree char *what = describe(regions, "lambda"), *rows = table_text(table, FORMAT_TABLE);
    return g_strdup_printf("The fastest algorithm for P x Q x R matrices on %s:\nfor how many Q and R, each %"
                           G_GINT64_FORMAT " times 1 to %" G_GINT64_FORMAT
                           " elements. --format csv has every shape.\n\n%s%s",
                           what, regions->unit, regions->side, rows, compared);
}

/* The papers on multiplication write tau for a start-up. */
static char *figure_of(const CommandLine *line, const Regions *regions, GError **error)
{
    gboolean in_n = regions->unit == (gint64)1 << regions->q.dimension && regions->unit > 1;
    g_autofree char *other = regions->unit == 1 ? g_strdup("") : g_strdup_printf(" x %" G_GINT64_FORMAT, regions->unit);
    g_autofree char *what = describe(regions, "τ"), *title = g_strconcat("P x Q x R matrices on ", what, NULL);
    RegionMap map = map_of(regions, in_n ? " N" : other);
    return region_map_script(&map, title, regions->simulated, simulated_given, line->figure_format, error);
}

/* --- the command --- */

static gboolean check_files(const CommandLine *line, const Regions *regions, GError **error)
{
    if (simulated_given && !line->figure && line->format != FORMAT_TABLE)
        return input_refuse(error, "--simulated: '%s' is not allowed here; allowed: with a table or --figure",
                            simulated_given);
    return command_check_figure(line, regions->product.machine, error) &&
           (!simulated_given || output_check_apart("--figure", line->figure, "CSV", simulated_given, error));
}

static gboolean print_regions(const CommandLine *line, GError **error)
{
    g_autoptr(Judge) judge = judge_new(data_platforms(), SCENARIO_FORMULA);
    g_autoptr(GHashTable) known = matmul_transpositions_new();
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    Regions regions;
    if (!parse(line, judge, &regions, error) || !check_files(line, &regions, error))
        return FALSE;
    g_autoptr(Csv) simulated = regions.simulated = simulated_given ? csv_load(simulated_given, error) : NULL;
    if (simulated_given && !simulated)
        return FALSE;
    regions.q.transpositions = known;
    g_autofree MatmulAlgorithm *best = regions.best =
        g_new(MatmulAlgorithm, (gsize)(regions.side * regions.side * regions.side));
    if (!add_cells(table, &regions, error) ||
        !command_draw(line, line->figure ? figure_of(line, &regions, error) : NULL, error))
        return FALSE;
    g_autofree char *text = line->format == FORMAT_TABLE ? text_for_people(&regions, error)
                                                        : table_text(table, line->format);
    return text && output_write(NULL, text, error);
}

static const char *const keys[] = {"machine", "packet", "ports", "dimension", "element", NULL};
static const char *const needed[] = {"machine", "dimension", NULL};
static const GOptionEntry options[] = {
    {"grid", 0, 0, G_OPTION_ARG_STRING, &product_options.grid,
     "column: 1 x N, and a1, a3, a4; row: N x 1, and a1, a2, a5; any: a1 to a5, each on its best grid (the default)",
     "any|column|row"},
    {"side", 0, 0, G_OPTION_ARG_STRING, &side_given, "P, Q and R are 1 to S units each; default: 16", "S"},
    {"unit", 0, 0, G_OPTION_ARG_STRING, &unit_given, "Elements of a unit; default: 2^d", "N"},
    {"model", 0, 0, G_OPTION_ARG_STRING, &model_given,
     "published: the tables of Johnsson & Ho (the default); counted: the right counts", "published|counted"},
    COMMAND_FORMAT,
    COMMAND_FIGURE("the map, P in slices"),
    {"simulated", 0, 0, G_OPTION_ARG_FILENAME, &simulated_given,
     "CSV of `ecube sweep --pattern matmul`: whether its fastest algorithms are those of the map", "FILE.csv"},
    {0},
};

const Command command_regions = {
    .name = "regions", .summary = "which algorithm multiplies matrices best, by shape",
    .usage = "--machine M --dimension D",
    .help = "Counts for how many of 16^3 shapes each algorithm multiplies matrices in the least time; as CSV or\n"
            "JSON names, for all P x Q x R of 16^3 shapes, the algorithm that multiplies these matrices in the\n"
            "least time, and the second: the maps of Johnsson & Ho 1987, figures 11-14, 20-23, 25 and 26.\n"
            "p, q, r are P, Q, R in units. Packets are the best ones if the machine does not limit them,\n"
            "which with n ports is T_min of Table 11. Of algorithms that take as long the first is best.\n\n"
            "Example: ecube regions -m johnsson1987:equal -d 4 --grid column\n"
            "         ecube regions -m johnsson1987 -d 7 --figure map.svg",
    .keys = keys, .needed = needed, .options = options, .run = print_regions};
