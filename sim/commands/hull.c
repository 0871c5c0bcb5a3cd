/* ecube hull: the hull of optimality of a machine and of dimensions, as it is or as MPI libraries read it. */
#include "sim/text/input.h"
#include "prediction.h"
#include "sim/run/data.h"
#include "sim/run/range.h"
#include "sim/run/record.h"
#include "sim/show/hull_draw.h"
#include "sim/show/tuning.h"
#include "sim/text/message.h"

#include <math.h>
#include <string.h>

static const Column columns[] = {
    {.name = "from_bytes", .heading = "from byte"},
    {.name = "to_bytes", .heading = "to byte"},
    {.name = "partition", .heading = "partition", .text = TRUE},
    {.name = "slope_us_per_byte", .heading = "slope µs/byte"},
    {.name = "intercept_us", .heading = "intercept µs"},
    {.name = "equipartition", .heading = "equipartition"},
    {.name = "regret", .heading = "regret", .optional = TRUE},
    {.name = "worst_bytes", .heading = "at byte", .optional = TRUE},
    {.name = "worst_best", .heading = "where best is", .text = TRUE, .optional = TRUE},
    {.name = "dimension"},
};

/* A price per byte is not rounded, for it is multiplied; people only miss the zeros after its third decimal. */
static void add_slope(Table *table, double ps_per_byte)
{
    g_autofree char *exact = g_strdup_printf("%.6f", ps_per_byte / 1e6), *shown = g_strdup(exact);
    for (gsize last = strlen(shown) - 1; shown[last] == '0' && shown[last - 3] != '.'; last--)
        shown[last] = '\0';
    table_add_shown(table, exact, shown);
}

/* How much longer than the best partition the face takes at worst; `best` is NULL if there are no others. */
static void add_regret(Table *table, const HullFace *face, const Hull *best)
{
    if (!best) {
        for (guint i = 0; i < 3; i++)
            table_add(table, NULL);
        return;
    }
    HullRegret regret = hull_face_regret(face, best, 0);
    g_autofree char *exact = g_strdup_printf("%.6f", regret.ratio), *partition = partition_format(&regret.best);
    g_autofree char *shown = g_strdup_printf("%.1f %%", 100 * regret.ratio);
    g_autofree char *bytes = g_strdup_printf("%.9g", regret.bytes);
    table_add_shown(table, exact, shown);
    table_add(table, isfinite(regret.bytes) ? bytes : NULL);
    table_add(table, partition);
}

static void add_face(Table *table, const HullFace *face, guint dimension, const Hull *best)
{
    g_autofree char *partition = partition_format(&face->partition);
    g_autofree char *partition_shown = prediction_partition_shown(&face->partition);
    g_autofree char *to = g_strdup_printf("%.9g", face->to_bytes);
    g_autofree char *intercept = g_strdup_printf("%.6f", face->line.intercept_ps / 1e6);
    g_autofree char *intercept_shown = prediction_time_shown(face->line.intercept_ps);
    gboolean equal = partition_is_equipartition(&face->partition);
    table_addf(table, "%.9g", face->from_bytes);
    table_add(table, isfinite(face->to_bytes) ? to : NULL);
    table_add_shown(table, partition, partition_shown);
    add_slope(table, face->line.slope_ps_per_byte);
    table_add_shown(table, intercept, intercept_shown);
    table_add_shown(table, equal ? "true" : "false", equal ? "yes" : "NO");
    add_regret(table, face, best);
    table_addf(table, "%u", dimension);
}

static Hull *find_hull(const Prediction *p, HullChoice choice)
{
    return hull_of_machine(p->machine, p->dimension, p->distance, p->direct_shuffle, choice);
}

/* What is not measured of a hull is where its faces meet. */
static void tell_beyond(const Prediction *p, const Hull *hull)
{
    MachineSpan span;
    if (!machine_span(p->machine, &span))
        return;
    double first = (double)span.from_bytes, last = (double)span.to_bytes;
    for (guint i = 1; i < hull->n_faces; i++) {
        first = fmin(first, hull->faces[i].from_bytes);
        last = fmax(last, hull->faces[i].from_bytes);
    }
    prediction_tell_beyond(p, first, last);
}

static void add_hull(Table *table, const Prediction *p, HullChoice choice)
{
    g_autoptr(Hull) hull = find_hull(p, choice), best = choice == HULL_MIXED ? NULL : find_hull(p, HULL_MIXED);
    tell_beyond(p, hull);
    for (guint i = 0; i < hull->n_faces; i++)
        add_face(table, &hull->faces[i], p->dimension, best);
}

/* --- options --- */

static char *radix_given, *base;

/* The dimensions of the list, in its order. NULL with an error. Caller frees. */
static GArray *parse_dimensions(const CommandLine *line, gint64 min, gint64 max, GError **error)
{
    g_autoptr(Values) values = values_new("--dimension", scenario_get(line->scenario, "dimension"), ",", RANGE_WHOLE,
                                          error);
    g_autoptr(GArray) dimensions = g_array_new(FALSE, FALSE, sizeof(gint64));
    gint64 dimension;
    for (guint i = 0; values && i < values_count(values); i++) {
        if (!values_number(values, i, min, max, &dimension, error))
            return NULL;
        g_array_append_val(dimensions, dimension);
    }
    return values ? g_steal_pointer(&dimensions) : NULL;
}

/* --- for people and programs: a table for each dimension, or one of all --- */

static char *describe_hull(const Prediction *p, HullChoice choice)
{
    static const char *const choices[] = {[HULL_MIXED] = "", [HULL_ONE_RADIX] = ", one radix",
                                          [HULL_EXTREMES] = ", radix 2 or Direct"};
    g_autofree char *model = prediction_describe(p), *machine = input_printable(p->machine->spec);
    return g_strdup_printf("Hull of optimality on %s, d = %u, %s%s.\n\n", machine, p->dimension, model,
                           choices[choice]);
}

static char *hulls_for_people(Prediction *p, HullChoice choice, const GArray *dimensions)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < dimensions->len; i++) {
        g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
        p->dimension = (guint)g_array_index(dimensions, gint64, i);
        add_hull(table, p, choice);
        g_autofree char *heading = describe_hull(p, choice), *rows = table_text(table, FORMAT_TABLE);
        g_string_append_printf(text, "%s%s%s", i ? "\n" : "", heading, rows);
    }
    return g_string_free(text, FALSE);
}

static char *hulls_for_programs(Prediction *p, HullChoice choice, const GArray *dimensions, Format format)
{
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < dimensions->len; i++) {
        p->dimension = (guint)g_array_index(dimensions, gint64, i);
        add_hull(table, p, choice);
    }
    return table_text(table, format);
}

/* The lines of all partitions stand beside the faces where they are straight, and there is one dimension. */
static char *figure_of(const CommandLine *line, Prediction *p, HullChoice choice, const GArray *dimensions,
                       GError **error)
{
    g_autoptr(Csv) csv = csv_take("hull", hulls_for_programs(p, choice, dimensions, FORMAT_CSV), error);
    gboolean straight = dimensions->len == 1 && !p->machine->overlaps && p->machine->short_limit < 0;
    HullCosts costs = hull_costs(p->machine, p->dimension, p->distance, p->direct_shuffle, INFINITY);
    HullLines lines = {&costs, p->distance == EXCHANGE_AVERAGE_DISTANCE};
    g_autofree char *model = prediction_describe(p), *machine = input_printable(p->machine->spec);
    g_autofree char *dimension = dimensions->len == 1 ? g_strdup_printf(", d = %u", p->dimension) : g_strdup("");
    g_autofree char *title = g_strdup_printf("Hull of optimality on %s%s, %s", machine, dimension, model);
    g_strdelimit(title, "\n", ' ');
    return csv ? hull_draw_script(csv, "hull", title, straight ? &lines : NULL, line->figure_format, error) : NULL;
}

static char *hulls_text(const CommandLine *line, Prediction *p, GError **error)
{
    guint choice = HULL_MIXED;
    if ((base && !input_refuse(error, "--base: '%s' is not allowed here; allowed: with --format mpich", base)) ||
        (radix_given && !input_parse_choice("--radix", radix_given, hull_choice_names, &choice, error)))
        return NULL;
    g_autoptr(GArray) dimensions = parse_dimensions(line, 0, PARTITION_DIMENSION_MAX, error);
    if (!dimensions ||
        !command_draw(line, line->figure ? figure_of(line, p, choice, dimensions, error) : NULL, error))
        return NULL;
    return line->format == FORMAT_TABLE ? hulls_for_people(p, choice, dimensions)
                                        : hulls_for_programs(p, choice, dimensions, line->format);
}

/* --- for MPI libraries --- */

/* Says what the library's lack of partitions costs, if it costs anything. */
static void tell_regret(const TuningLibrary *library, const Prediction *p)
{
    g_autoptr(Hull) chosen = find_hull(p, library->choice), best = find_hull(p, HULL_MIXED);
    HullRegret regret = hull_regret(chosen, best, 1);
    g_autofree char *partition = partition_format(&regret.best);
    if (regret.ratio >= 0.0005)
        message_tell("%u processes: %s has %s only, which takes up to %.1f %% longer than the best partition (%s at "
                     "blocks of %.0f bytes)", 1u << p->dimension, library->library, library->has, 100 * regret.ratio,
                     partition, regret.bytes);
}

static int by_dimension(gconstpointer a, gconstpointer b)
{
    const gint64 *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The tables of a library, of TuningTable, by dimension, each once. Caller frees. */
static GPtrArray *make_tables(const TuningLibrary *library, Prediction *p, GArray *dimensions)
{
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)tuning_table_free);
    g_array_sort(dimensions, by_dimension);
    for (guint i = 0; i < dimensions->len; i++) {
        guint d = (guint)g_array_index(dimensions, gint64, i);
        if (i > 0 && d == p->dimension)
            continue;
        p->dimension = d;
        g_autoptr(Hull) hull = find_hull(p, library->choice);
        tell_beyond(p, hull);
        g_ptr_array_add(tables, tuning_table_new(hull, d, p->machine->overlaps));
    }
    return tables;
}

static char *tuning_text(const CommandLine *line, const TuningLibrary *library, Prediction *p, GError **error)
{
    guint choice = library->choice;
    if ((line->figure && !input_refuse(error, "--figure: '%s' is not allowed here; allowed: with table, csv, json",
                                       line->figure)) ||
        (radix_given && !input_parse_choice("--radix", radix_given, hull_choice_names, &choice, error)) ||
        (choice != library->choice &&
         !input_refuse(error, "--radix: '%s' is not allowed with --format %s; allowed: %s, as %s has %s only",
                       radix_given, library->format, hull_choice_names[library->choice], library->library,
                       library->has)) ||
        (base && !library->patches &&
         !input_refuse(error, "--base: '%s' is not allowed here; allowed: with --format mpich", base)))
        return NULL;
    g_autoptr(GArray) dimensions = parse_dimensions(line, 1, TUNING_DIMENSION_MAX, error);
    if (!dimensions)
        return NULL;
    g_autoptr(GPtrArray) tables = make_tables(library, p, dimensions);
    char *text = library->write(tables, base, error);
    for (guint i = 0; text && i < tables->len; i++) {
        p->dimension = ((const TuningTable *)tables->pdata[i])->dimension;
        tell_regret(library, p);
    }
    return text;
}

/* --- the command --- */

#define N_TABLE_FORMATS (FORMAT_JSON + 1)

static gboolean print_hulls(const CommandLine *line, GError **error)
{
    g_autoptr(Judge) judge = judge_new(data_platforms(), SCENARIO_FORMULA);
    gboolean library = line->format >= N_TABLE_FORMATS;
    Prediction p;
    if (!prediction_judge(line, judge, &p, error) ||
        !command_check_apart("--output", line->output, line->scenario, p.machine, error) ||
        (base && !output_check_apart("--output", line->output, "base", base, error)) ||
        !output_check_path(line->output, error) || !command_check_figure(line, p.machine, error))
        return FALSE;
    g_autofree char *text = library ? tuning_text(line, &tuning_libraries[line->format - N_TABLE_FORMATS], &p, error)
                                    : hulls_text(line, &p, error);
    return text && output_write(line->output, text, error);
}

static const char *const keys[] = {"machine", "dimension", NULL};
static const char *const formats[] = {"table", "csv", "json", "mpich", "ompi", "ompi-json", "ucc", NULL};
static const GOptionEntry options[] = {
    PREDICTION_MODEL("", PREDICTION_MODELS),
    {"radix", 0, 0, G_OPTION_ARG_STRING, &radix_given,
     "Which partitions there are: mixed (all; the default), one radix for all phases, or the extremes 2 and Direct",
     "mixed|one|extremes"},
    {"format", 'f', 0, G_OPTION_ARG_STRING, &command_line.format_name,
     "What the result is written as; the last four are read by MPI libraries",
     "table|csv|json|mpich|ompi|ompi-json|ucc"},
    {"base", 0, 0, G_OPTION_ARG_FILENAME, &base, "The tuning file that MPICH reads now, to be patched", "FILE"},
    COMMAND_OUTPUT,
    COMMAND_FIGURE("the faces over the lines of all partitions"),
    {0},
};

const Command command_hull = {
    .name = "hull", .summary = "for which sizes which partition is best", .usage = "--machine M --dimension D,...",
    .help = "Prints the faces of the hull of optimality (Bokhari 1993): for which block sizes\n"
            "which partition of D is the fastest complete exchange, and the straight line of\n"
            "its run time. MPI libraries have fewer partitions: with --radix, also how much longer\n"
            "theirs take than the best. With --format mpich, ompi, ompi-json or ucc, what the library\n"
            "reads to choose its MPI_Alltoall on 2^D processes.\n\n"
            "Examples: ecube hull -m bokhari1993 -d 6\n"
            "          ecube hull -m bokhari1993 -d 4,6 --radix extremes\n"
            "          ecube hull -m ipsc860 -d 6 --figure hull.svg\n"
            "          ecube hull -m ipsc860 -d 3:6:1 --format ompi --output rules.txt",
    .keys = keys, .needed = keys, .options = options, .formats = formats, .run = print_hulls};
