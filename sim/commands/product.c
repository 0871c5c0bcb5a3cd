#include "product.h"
#include "sim/text/input.h"
#include "sim/run/data.h"
#include "sim/run/record.h"
#include "sim/show/gnuplot.h"
#include "sim/text/number.h"

#include <string.h>

struct ProductOptions product_options;

/* --- options --- */

static gboolean parse_grid(MatmulQuestion *q, GError **error)
{
    const char *text = product_options.grid ? product_options.grid : "any";
    q->grids = strcmp(text, "any") == 0      ? MATMUL_ANY
               : strcmp(text, "column") == 0 ? MATMUL_COLUMN
               : strcmp(text, "row") == 0    ? MATMUL_ROW
                                             : MATMUL_GIVEN;
    return q->grids == MATMUL_ANY || matmul_grid_parse("--grid", text, q->dimension, "any", &q->grid, error);
}

gboolean product_parse(const CommandLine *line, Judge *judge, guint least, ProductQuestion *product, GError **error)
{
    const char *element_text = scenario_get(line->scenario, "element");
    gint64 dimension, element = MATMUL_ELEMENT;
    if (!input_parse_count("--dimension", scenario_get(line->scenario, "dimension"), least,
                           MACHINE_DIMENSION_MAX, &dimension, error) ||
        (element_text && !input_parse_count("--element", element_text, 1, MATMUL_ELEMENT_MAX, &element, error)))
        return FALSE;
    const Machine *machine = judge_machine(judge, line->scenario, error);
    if (!machine)
        return FALSE;
    gboolean optimal = machine->packet == 0 || wish_is_optimal(scenario_value(line->scenario, "packet"));
    *product = (ProductQuestion){machine, {.dimension = (guint)dimension, .ports = machine->ports, .element = element,
                                   .packet = machine->packet, .optimal = optimal,
                                   .terms = matmul_terms(machine, G_MAXINT64)}};
    return parse_grid(&product->q, error);
}

gboolean product_parse_shape(MatmulShape *shape, GError **error)
{
    if (!product_options.shape)
        return input_refuse(error, "--shape is missing");
    return matmul_shape_parse("--shape", product_options.shape, shape, error);
}

gboolean product_parse_model(const char *text, MatmulModel *model, GError **error)
{
    static const char *const models[] = {"published", "counted", NULL};
    guint number = MATMUL_PUBLISHED;
    if (text && !input_parse_choice("--model", text, models, &number, error))
        return FALSE;
    *model = number == 0 ? MATMUL_PUBLISHED : MATMUL_COUNTED;
    return TRUE;
}

gboolean product_check_time(const MatmulChoice *choice, const MatmulShape *shape, GError **error)
{
    g_autofree char *text = matmul_shape_format(shape), *grid = matmul_grid_format(&choice->grid);
    return choice->ps < INPUT_TIME_MAX_PS ||
           input_refuse(error, "shape: '%s' takes longer on %s with %s than the clock can count; allowed: less than "
                        "9.007e9 µs", text, grid, matmul_algorithm_names[choice->algorithm]);
}

/* --- options that go with other patterns --- */

static gboolean refuse(const char *option, const char *text, const char *allowed, GError **error)
{
    return !text || input_refuse(error, "%s: '%s' is not allowed here; allowed: %s", option, text, allowed);
}

gboolean product_refuse_options(GError **error)
{
    return refuse("--shape", product_options.shape, "with --pattern matmul", error) &&
           refuse("--grid", product_options.grid, "with --pattern matmul", error);
}

gboolean product_refuse_keys(const CommandLine *line, GError **error)
{
    static const char *const refused[] = {"bytes", "permutation", "cycles", "idle"};
    for (guint i = 0; i < G_N_ELEMENTS(refused); i++) {
        const Value *value = scenario_value(line->scenario, refused[i]);
        if (value && !refuse(value->origin, value->text, "with other patterns than matmul", error))
            return FALSE;
    }
    return TRUE;
}

gboolean product_require_bytes(const CommandLine *line, GError **error)
{
    return scenario_get(line->scenario, "bytes") || input_refuse(error, "--bytes is missing");
}

/* --- words --- */

static char *packets_of(const MatmulQuestion *q)
{
    if (q->packet == 0)
        return g_strdup("best packets");
    return g_strdup_printf("%spackets up to %" G_GINT64_FORMAT " byte%s", q->optimal ? "best " : "", q->packet,
                           q->packet == 1 ? "" : "s");
}

char *product_describe(const ProductQuestion *product, const MatmulShape *shape)
{
    g_autofree char *machine = input_printable(product->machine->spec), *packets = packets_of(&product->q);
    return g_strdup_printf("A <- C D + E, %u x %u x %u, on %s: n = %u, elements of %" G_GINT64_FORMAT " byte%s, %s",
                           shape->p, shape->q, shape->r, machine, product->q.dimension, product->q.element,
                           product->q.element == 1 ? "" : "s", packets);
}

/* --- ecube best --- */

static const Column columns[] = {
    {.name = "algorithm", .heading = "algorithm", .text = TRUE}, {.name = "grid", .heading = "grid", .text = TRUE},
    {.name = "time_us", .heading = "time"}, {.name = "startups", .heading = "start-ups"},
    {.name = "transfers", .heading = "transfers"}, {.name = "operations", .heading = "operations"},
};

static void add_choice(Table *table, const MatmulChoice *choice)
{
    g_autofree char *grid = matmul_grid_format(&choice->grid);
    table_add(table, matmul_algorithm_names[choice->algorithm]);
    table_add(table, grid);
    record_add_time(table, choice->ps < INPUT_TIME_MAX_PS, choice->ps);
    table_add_real(table, choice->startups);
    table_add_real(table, choice->transfers);
    table_addf(table, "%" G_GINT64_FORMAT, choice->operations);
}

static const char *const no_time = "\nNo time: longer than the clock can count.\n";

static char *figure_of(const MatmulChoice *choices, guint n, const char *title, PlotFormat format)
{
    g_autoptr(Bars) bars = bars_new();
    for (guint i = 0; i < n; i++) {
        g_autofree char *grid = matmul_grid_format(&choices[i].grid);
        g_autofree char *name = g_strdup_printf("%s, %s", matmul_algorithm_names[choices[i].algorithm], grid);
        if (choices[i].ps < INPUT_TIME_MAX_PS)
            bars_add(bars, name, (double)choices[i].ps / 1e6);
    }
    return bars_script(bars, title, 0, format);
}

static gboolean print_best(const ProductQuestion *product, const MatmulShape *shape, const CommandLine *line,
                           GError **error)
{
    const Format format = (Format)line->format;
    MatmulChoice choices[MATMUL_N_ALGORITHMS];
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    guint n = matmul_ranking(&product->q, shape, choices);
    if (!product_check_time(&choices[0], shape, error))
        return FALSE;
    for (guint i = 0; i < n; i++)
        add_choice(table, &choices[i]);
    g_autofree char *rows = table_text(table, format), *what = product_describe(product, shape);
    if (!command_draw(line, line->figure ? figure_of(choices, n, what, line->figure_format) : NULL, error))
        return FALSE;
    g_autofree char *heading =
        g_strdup_printf("%s, %s.\nTransfers in elements, times in µs, by %s.\n%s\n", what,
                        product->q.ports == PORTS_ALL ? "n ports" : "one port",
                        product->q.model == MATMUL_PUBLISHED ? "the tables of Johnsson & Ho" : "the right counts",
                        product->machine->short_limit < 0 ? "" : "Short messages are counted as long ones.\n");
    gboolean all = choices[n - 1].ps < INPUT_TIME_MAX_PS, for_people = format == FORMAT_TABLE;
    g_autofree char *text = g_strconcat(for_people ? heading : "", rows, for_people && !all ? no_time : "", NULL);
    return output_write(NULL, text, error);
}

gboolean product_best(const CommandLine *line, GError **error)
{
    g_autoptr(Judge) judge = judge_new(data_platforms(), SCENARIO_FORMULA);
    ProductQuestion product;
    MatmulShape shape;
    return product_parse_shape(&shape, error) && product_parse(line, judge, 0, &product, error) &&
           product_parse_model(product_options.model, &product.q.model, error) &&
           command_check_figure(line, product.machine, error) && print_best(&product, &shape, line, error);
}
