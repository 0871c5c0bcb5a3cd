/* ecube regions: which algorithm multiplies matrices best, over their shapes. */
#include "models/input.h"
#include "models/matmul_transposition.h"
#include "product.h"
#include "sim/run/data.h"
#include "sim/run/report.h"

#define SIDE 16         /* of the cube in figures 11-14, 20-23, 25 and 26 of Johnsson & Ho 1987 */
#define SIDE_MAX 64

static const Column columns[] = {
    {.name = "p"}, {.name = "q"}, {.name = "r"}, {.name = "best", .text = TRUE}, {.name = "time_us"},
    {.name = "second", .text = TRUE}, {.name = "second_us"},
};

static char *side_given, *unit_given, *model_given;

typedef struct {
    MatmulQuestion q;
    gint64 side, unit;
} Regions;

static gboolean add_cell(Table *table, const Regions *regions, const gint64 sides[3], GError **error)
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
    return TRUE;
}

static gboolean add_cells(Table *table, const Regions *regions, GError **error)
{
    gint64 at[3];
    for (at[0] = 1; at[0] <= regions->side; at[0]++)
        for (at[1] = 1; at[1] <= regions->side; at[1]++)
            for (at[2] = 1; at[2] <= regions->side; at[2]++)
                if (!add_cell(table, regions, at, error))
                    return FALSE;
    return TRUE;
}

static gboolean parse(const CommandLine *line, Judge *judge, Regions *regions, GError **error)
{
    Product product;
    if (!product_parse(line, judge, 0, &product, error) || !product_parse_model(model_given, &product.q.model, error))
        return FALSE;
    *regions = (Regions){product.q, SIDE, (gint64)1 << product.q.dimension};
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

static gboolean print_regions(const CommandLine *line, GError **error)
{
    g_autoptr(Judge) judge = judge_new(data_platforms(), SCENARIO_FORMULA);
    g_autoptr(GHashTable) known = matmul_transpositions_new();
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    Regions regions;
    if (!parse(line, judge, &regions, error))
        return FALSE;
    regions.q.transpositions = known;
    if (!add_cells(table, &regions, error))
        return FALSE;
    g_autofree char *text = table_text(table, line->format == 0 ? FORMAT_CSV : FORMAT_JSON);
    return report_write(NULL, text, error);
}

static const char *const formats[] = {"csv", "json", NULL};
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
    {"format", 'f', 0, G_OPTION_ARG_STRING, &command_line.format_name, "What the result is written as", "csv|json"},
    {0},
};

const Command command_regions = {
    .name = "regions", .summary = "which algorithm multiplies matrices best, by shape",
    .usage = "--machine M --dimension D",
    .help = "Names, for all P x Q x R of 16^3 shapes, the algorithm that multiplies these matrices in the\n"
            "least time, and the second: the maps of Johnsson & Ho 1987, figures 11-14, 20-23, 25 and 26.\n"
            "p, q, r are P, Q, R in units. Packets are the best ones if the machine does not limit them,\n"
            "which with n ports is T_min of Table 11. Of algorithms that take as long the first is best.\n\n"
            "Example: ecube regions -m johnsson1987:equal -d 4 --grid column",
    .keys = keys, .needed = needed, .options = options, .formats = formats, .run = print_regions};
