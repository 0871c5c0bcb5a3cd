/* ecube regions: which algorithm multiplies matrices best, over their shapes. */
#include "sim/text/input.h"
#include "models/matmul_best.h"
#include "product.h"
#include "sim/run/data.h"
#include "sim/run/record.h"
#include "sim/show/gnuplot.h"
#include "sim/text/csv.h"

#include <math.h>
#include <string.h>

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

#define SLICES 6

/* Values of P out of 16. */
static const guint sixteenths[SLICES] = {1, 2, 4, 8, 14, 16};

/* The cells of a slice have numbers, row by row: Q across, R up. */
typedef struct {
    const Regions *map;
    guint p, n;                 /* n cells */
} Slice;

static Slice slice_of(const Regions *map, guint p)
{
    return (Slice){map, p, map->side * map->side};
}

static MatmulAlgorithm best_of(Slice slice, guint cell)
{
    const Regions *map = slice.map;
    return map->best[((slice.p - 1) * map->side + cell % map->side) * map->side + cell / map->side];
}

/* The slices' values of P: each once. */
static guint choose_slices(const Regions *map, guint slices[SLICES])
{
    guint n = 0;
    for (guint i = 0; i < SLICES; i++) {
        guint p = MAX(1, (map->side * sixteenths[i] + 8) / 16);
        if (n == 0 || p > slices[n - 1])
            slices[n++] = p;
    }
    return n;
}

/* --- the map: cells --- */

/* A rectangle of cells of one algorithm, as large as it can be from its first cell on; they are marked as done. */
static void put_rectangle(GString *out, Slice slice, guint first, gboolean *done)
{
    MatmulAlgorithm best = best_of(slice, first);
    guint side = slice.map->side, q = first % side, r = first / side, width = 1, height = 1;
    while (q + width < side && best_of(slice, first + width) == best && !done[first + width])
        width++;
    for (gboolean same = TRUE; same && r + height < side; height += same)
        for (guint cell = first + height * side, i = 0; same && i < width; i++)
            same = best_of(slice, cell + i) == best && !done[cell + i];
    for (guint i = 0; i < width * height; i++)
        done[first + i / width * side + i % width] = TRUE;
    g_string_append_printf(out, "%c %.1f %.1f %.1f %.1f\n", matmul_algorithm_names[best][1], q + 0.5, r + 0.5,
                           q + width + 0.5, r + height + 0.5);
}

static void put_cells(GString *out, Slice slice)
{
    g_autofree gboolean *done = g_new0(gboolean, slice.n);
    for (guint cell = 0; cell < slice.n; cell++)
        if (!done[cell])
            put_rectangle(out, slice, cell, done);
    g_string_append(out, "\n\n");
}

static GArray *region_of(Slice slice, guint first, gboolean *done)
{
    const guint side = slice.map->side;
    GArray *cells = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(cells, first);
    done[first] = TRUE;
    for (guint i = 0; i < cells->len; i++) {
        guint cell = g_array_index(cells, guint, i), x = cell % side, y = cell / side;
        const guint next[] = {x > 0 ? cell - 1 : cell, x + 1 < side ? cell + 1 : cell, y > 0 ? cell - side : cell,
                              y + 1 < side ? cell + side : cell};
        for (guint k = 0; k < G_N_ELEMENTS(next); k++)
            if (!done[next[k]] && best_of(slice, next[k]) == best_of(slice, first)) {
                done[next[k]] = TRUE;
                g_array_append_val(cells, next[k]);
            }
    }
    return cells;
}

/* How far a cell is from all that is not of the region's algorithm, in cells. */
static guint depth_of(Slice slice, guint cell)
{
    gint side = (gint)slice.map->side, x = (gint)cell % side, y = (gint)cell / side, depth = 0;
    for (;; depth++)
        for (gint dy = -depth; dy <= depth; dy++)
            for (gint dx = -depth; dx <= depth; dx++)
                if (x + dx < 0 || y + dy < 0 || x + dx >= side || y + dy >= side ||
                    best_of(slice, (guint)((y + dy) * side + x + dx)) != best_of(slice, cell))
                    return (guint)depth;
}

/* --- what was simulated --- */

typedef struct {
    guint p, q, r;
    double least_us, map_us;
    char algorithm[8];
} Simulated;

/* The cell of a shape, or FALSE. */
static gboolean cell_of(const Regions *map, const MatmulShape *shape, Simulated *cell)
{
    *cell = (Simulated){.p = shape->p / map->unit, .q = shape->q / map->unit, .r = shape->r / map->unit,
                        .least_us = INFINITY, .map_us = INFINITY};
    return shape->p % map->unit == 0 && shape->q % map->unit == 0 && shape->r % map->unit == 0 &&
           MAX(cell->p, MAX(cell->q, cell->r)) <= map->side;
}

static void note(GArray *cells, const Simulated *cell, double us, const char *algorithm, const char *on_map)
{
    guint i = 0;
    while (i < cells->len && memcmp(&g_array_index(cells, Simulated, i), cell, 3 * sizeof(guint)) != 0)
        i++;
    if (i == cells->len)
        g_array_append_val(cells, *cell);
    Simulated *known = &g_array_index(cells, Simulated, i);
    if (us < known->least_us) {
        known->least_us = us;
        g_strlcpy(known->algorithm, algorithm, sizeof known->algorithm);
    }
    if (strcmp(algorithm, on_map) == 0)
        known->map_us = fmin(known->map_us, us);
}

/* Simulated, each cell once; none if nothing was simulated. NULL with an error. */
static GArray *read_simulated(const Regions *map, GError **error)
{
    const Csv *csv = map->simulated;
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(Simulated));
    if (!csv)
        return g_steal_pointer(&cells);
    int shape = csv_column(csv, "shape"), algorithm = csv_column(csv, "algorithm"),
        time = csv_column(csv, "simulated_us");
    if (shape < 0 || algorithm < 0 || time < 0) {
        input_refuse(error, "%s: has no columns 'shape', 'algorithm' and 'simulated_us': not the CSV of `ecube sweep "
                     "--pattern matmul`", simulated_given);
        return NULL;
    }
    for (guint row = 0; row < csv->n_rows; row++) {
        MatmulShape sides;
        Simulated cell;
        const char *us = csv_cell(csv, row, (guint)time);
        if (!matmul_shape_parse(simulated_given, csv_cell(csv, row, (guint)shape), &sides, error))
            return NULL;
        if (*us && cell_of(map, &sides, &cell))
            note(cells, &cell, g_ascii_strtod(us, NULL), csv_cell(csv, row, (guint)algorithm),
                 matmul_algorithm_names[best_of(slice_of(map, cell.p), (cell.r - 1) * map->side + cell.q - 1)]);
    }
    return g_steal_pointer(&cells);
}

static gboolean is_as_mapped(const Simulated *cell)
{
    return cell->map_us <= cell->least_us;
}

static void put_simulated(GString *out, const GArray *cells, const guint *slices, guint n)
{
    for (guint i = 0; i < cells->len * n; i++) {
        const Simulated *cell = &g_array_index(cells, Simulated, i / n);
        g_autofree char *name = g_ascii_strup(cell->algorithm, -1);
        if (cell->p == slices[i % n])
            g_string_append_printf(out, "%u %u %u \"%s\"\n", i % n + 1, cell->q, cell->r,
                                   is_as_mapped(cell) ? "" : name);
    }
}

/* --- names, clear of the marks of what was simulated --- */

static gboolean is_marked(const GArray *simulated, Slice slice, guint cell)
{
    for (guint i = 0; i < simulated->len; i++) {
        const Simulated *mark = &g_array_index(simulated, Simulated, i);
        if (mark->p == slice.p && (mark->r - 1) * slice.map->side + mark->q - 1 == cell)
            return TRUE;
    }
    return FALSE;
}

/* Once for each region, where it is thickest, if it can be without a mark; of several such cells in the middle one. */
static void put_names(GString *out, Slice slice, const GArray *simulated, guint number)
{
    const guint side = slice.map->side;
    g_autofree gboolean *done = g_new0(gboolean, slice.n);
    for (guint first = 0; first < slice.n; first++) {
        if (done[first])
            continue;
        guint most = 0;
        g_autoptr(GArray) cells = region_of(slice, first, done), thick = g_array_new(FALSE, FALSE, sizeof(guint));
        for (guint i = 0; i < cells->len; i++) {
            guint cell = g_array_index(cells, guint, i);
            guint depth = 2 * depth_of(slice, cell) + !is_marked(simulated, slice, cell);
            if (depth > most)
                g_array_set_size(thick, 0);
            most = MAX(most, depth);
            if (depth == most)
                g_array_append_val(thick, cell);
        }
        guint cell = g_array_index(thick, guint, thick->len / 2);
        g_autofree char *name = g_ascii_strup(matmul_algorithm_names[best_of(slice, first)], -1);
        g_string_append_printf(out, "%u %u %u %s\n", number, cell % side + 1, cell / side + 1, name);
    }
}

/* --- the script --- */

/* Of simulated shapes, those for which another algorithm is faster than on the map name it, the others have a ring. */
static char *script_of(const Regions *map, const char *title, const char *unit_name, const GArray *simulated,
                       PlotFormat format)
{
    guint slices[SLICES], n = choose_slices(map, slices);
    g_autoptr(GString) cells = g_string_new(NULL), names = g_string_new(NULL), values = g_string_new(NULL),
                       marks = g_string_new(NULL);
    for (guint i = 0; i < n; i++) {
        put_cells(cells, slice_of(map, slices[i]));
        put_names(names, slice_of(map, slices[i]), simulated, i + 1);
        g_string_append_printf(values, "%u ", slices[i]);
    }
    put_simulated(marks, simulated, slices, n);
    GString *out = gnuplot_script(format, 1000, 85 + 315 * ((n + 2) / 3));
    g_autofree char *unit = *unit_name ? g_strdup_printf(" (%s)", unit_name + 1) : g_strdup("");
    gnuplot_set(out, "title =", title);
    gnuplot_set(out, "slices =", values->str);
    gnuplot_set(out, "unit =", unit);
    gnuplot_set(out, "p_unit =", unit_name);
    gnuplot_set(out, "key_text =",
                simulated->len == 0 ? "regions have the name of the fastest algorithm"
                                    : "regions: the fastest algorithm. Simulated: ring - the same; black - this "
                                      "one is faster");
    g_string_append_printf(out, "side = %" G_GINT64_FORMAT "\n", map->side);
    gnuplot_data(out, "cells", cells->str);
    gnuplot_data(out, "names", names->str);
    gnuplot_data(out, "simulated", marks->len ? marks->str : "0 0 0 \"\"\n");
    gnuplot_append(out, "regions");
    return g_string_free(out, FALSE);
}

/* The papers on multiplication write tau for a start-up. NULL with an error. Caller frees. */
static char *figure_of(const CommandLine *line, const Regions *regions, GError **error)
{
    gboolean in_n = regions->unit == (gint64)1 << regions->q.dimension && regions->unit > 1;
    g_autofree char *other = regions->unit == 1 ? g_strdup("") : g_strdup_printf(" x %" G_GINT64_FORMAT, regions->unit);
    g_autofree char *what = describe(regions, "τ"), *title = g_strconcat("P x Q x R matrices on ", what, NULL);
    g_autoptr(GArray) cells = read_simulated(regions, error);
    return cells ? script_of(regions, title, in_n ? " N" : other, cells, line->figure_format) : NULL;
}

/* --- for people --- */

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
        table_addf(table, found ? "%zu" : NULL, found);
    }
}

/* What simulation says about the map; or nothing. NULL with an error. Caller frees. */
static char *compare(const Regions *regions, GError **error)
{
    g_autoptr(GArray) cells = read_simulated(regions, error);
    guint n_others = 0;
    for (guint i = 0; cells && i < cells->len; i++)
        n_others += !is_as_mapped(&g_array_index(cells, Simulated, i));
    if (!cells || !regions->simulated)
        return cells ? g_strdup("") : NULL;
    return g_strdup_printf("\nOf these %u were simulated: another algorithm is faster in %u.\n", cells->len, n_others);
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
