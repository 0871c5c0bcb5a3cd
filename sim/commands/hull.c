/* ecube hull: the hull of a machine, of dimensions or numbers of processors, as it is or as MPI libraries read it. */
#include "prediction.h"
#include "sim/fit/rules.h"
#include "sim/run/data.h"
#include "sim/show/hull_draw.h"
#include "sim/show/tuning.h"
#include "sim/text/input.h"
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
    {.name = "dimension"}, {.name = "processors"},
};

static const Column list_columns[] = {
    {.name = "from_bytes", .heading = "from byte"}, {.name = "to_bytes", .heading = "to byte"},
    {.name = "k", .heading = "k"}, {.name = "offsets", .heading = "offsets", .text = TRUE},
    {.name = "slope_us_per_byte", .heading = "slope µs/byte"}, {.name = "intercept_us", .heading = "intercept µs"},
    {.name = "bound_us", .heading = "bound"}, {.name = "gap_percent", .heading = "gap %"},
    {.name = "worst_bytes", .heading = "at byte"}, {.name = "dimension"}, {.name = "processors"},
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
    HullRegret regret = best ? hull_face_regret(face, best, 0) : (HullRegret){0};
    g_autofree char *bytes = g_strdup_printf("%.9g", regret.bytes), *partition = partition_format(&regret.best);
    table_add_share_if(table, best != NULL, regret.ratio);
    table_add(table, best && isfinite(regret.bytes) ? bytes : NULL);
    table_add(table, best ? partition : NULL);
}

static void add_face(Table *table, const Prediction *p, const HullFace *face, const Hull *best)
{
    g_autofree char *partition = partition_format(&face->partition);
    g_autofree char *shown = prediction_partition_shown(&face->partition);
    g_autofree char *to = g_strdup_printf("%.9g", face->to_bytes);
    g_autofree char *intercept = g_strdup_printf("%.6f", face->line.intercept_ps / 1e6);
    g_autofree char *intercept_shown = prediction_time_shown(face->line.intercept_ps);
    gboolean equal = partition_is_equipartition(&face->partition);
    table_addf(table, "%.9g", face->from_bytes);
    table_add(table, isfinite(face->to_bytes) ? to : NULL);
    table_add_shown(table, partition, shown);
    add_slope(table, face->line.slope_ps_per_byte);
    table_add_shown(table, intercept, intercept_shown);
    table_add_shown(table, equal ? "true" : "false", equal ? "yes" : "NO");
    add_regret(table, face, best);
    prediction_add_dimension(table, p);
    prediction_add_processors(table, p);
}

static void add_list_face(Table *table, const Prediction *p, const HullFace *face, const Hull *bound)
{
    HullRegret gap = bound ? hull_face_regret(face, bound, 1) : (HullRegret){.bytes = INFINITY};
    g_autofree char *to = g_strdup_printf("%.9g", face->to_bytes);
    table_addf(table, "%.9g", face->from_bytes);
    table_add(table, isfinite(face->to_bytes) ? to : NULL);
    prediction_add_list(table, face, p->group);
    add_slope(table, face->line.slope_ps_per_byte);
    prediction_add_ps(table, face->line.intercept_ps);
    if (isfinite(gap.bytes)) {
        prediction_add_gap(table, exchange_line_at(hull_lookup(bound, gap.bytes)->line, gap.bytes), gap.ratio);
        table_addf(table, "%.9g", gap.bytes);
    } else {
        table_add_nothing(table, 3);
    }
    prediction_add_dimension(table, p);
    prediction_add_processors(table, p);
}

/* What is not measured of a hull is where its faces meet. */
static void tell_faces_beyond(const Prediction *p, const Hull *hull)
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

/* Over all partitions, or lists of radices; NULL: these are too many. */
static Hull *best_hull(const Prediction *p)
{
    g_autoptr(GArray) all = prediction_is_cube(p) ? NULL : offsets_all_radices(p->group);
    return all || prediction_is_cube(p) ? prediction_hull(p, HULL_MIXED) : NULL;
}

static void add_hull(Table *table, const Prediction *p, HullChoice choice)
{
    g_autoptr(Hull) hull = prediction_hull(p, choice), best = choice == HULL_MIXED ? NULL : best_hull(p);
    g_autoptr(Hull) bound = p->by_offsets ? hull_bound(p->machine, p->group) : NULL;
    tell_faces_beyond(p, hull);
    for (guint i = 0; i < hull->n_faces; i++)
        if (p->by_offsets)
            add_list_face(table, p, &hull->faces[i], bound);
        else
            add_face(table, p, &hull->faces[i], best);
}

/* --- options --- */

static char *radix_given, *base;

/* --- for people and programs: a table for each dimension, or one of all --- */

static char *describe_hull(const Prediction *p, HullChoice choice)
{
    static const char *const choices[] = {[HULL_MIXED] = "", [HULL_ONE_RADIX] = ", one radix",
                                          [HULL_EXTREMES] = ", radix 2 or Direct",
                                          [HULL_OFFSETS] = ""};
    g_autofree char *machine = input_printable(p->machine->spec), *place = prediction_words(p);
    g_autofree char *model = prediction_model(p);
    return g_strdup_printf("Hull of optimality on %s, %s, %s%s.\n\n", machine, place, model, choices[choice]);
}

/* For people a table for each place, for programs one of all. */
static char *hulls_table(const GArray *places, HullChoice choice, Format format)
{
    GString *text = g_string_new(NULL);
    const Prediction *p = &g_array_index(places, Prediction, 0);
    gboolean by_offsets = p->by_offsets;
    for (guint i = 0; i < places->len;) {
        guint n_columns = by_offsets ? G_N_ELEMENTS(list_columns) : G_N_ELEMENTS(columns);
        g_autoptr(Table) table = table_new(by_offsets ? list_columns : columns, prediction_n_columns(p, n_columns));
        guint end = format == FORMAT_TABLE ? i + 1 : places->len;
        g_string_append(text, i ? "\n" : "");
        for (; i < end; i++) {
            p = &g_array_index(places, Prediction, i);
            add_hull(table, p, choice);
        }
        g_autofree char *heading = format == FORMAT_TABLE ? describe_hull(p, choice) : g_strdup("");
        g_autofree char *rows = table_text(table, format);
        g_string_append_printf(text, "%s%s", heading, rows);
    }
    g_string_append(text, by_offsets && format == FORMAT_TABLE ? prediction_list_note(p->machine) : "");
    return g_string_free(text, FALSE);
}

/* The lines of all partitions stand beside the faces where they are straight, and there is one dimension. */
static char *figure_of(const CommandLine *line, const GArray *places, HullChoice choice, GError **error)
{
    const Prediction *p = &g_array_index(places, Prediction, 0);
    g_autoptr(Csv) csv = csv_take("hull", hulls_table(places, choice, FORMAT_CSV), error);
    gboolean straight = places->len == 1 && prediction_is_cube(p) && !p->machine->overlaps && !p->by_offsets &&
                        p->machine->short_limit < 0;
    HullCosts costs = prediction_costs(p, INFINITY);
    HullLines lines = {&costs, p->distance == EXCHANGE_AVERAGE_DISTANCE};
    g_autofree char *machine = input_printable(p->machine->spec), *words = prediction_words(p);
    g_autofree char *model = prediction_model(p);
    g_autofree char *title = g_strdup_printf("Hull of optimality on %s%s%s, %s", machine, places->len == 1 ? ", " : "",
                                             places->len == 1 ? words : "", model);
    g_strdelimit(title, "\n", ' ');
    return csv ? hull_draw_script(csv, "hull", title, straight ? &lines : NULL, line->figure_format, error) : NULL;
}

static char *hulls_text(const CommandLine *line, const GArray *places, HullChoice choice, GError **error)
{
    return command_draw(line, line->figure ? figure_of(line, places, choice, error) : NULL, error)
               ? hulls_table(places, choice, line->format)
               : NULL;
}

/* --- for MPI libraries --- */

/* Says what the library's lack of partitions costs, if it costs anything and these are not too many to look at. */
static void tell_regret(const TuningLibrary *library, const Prediction *p)
{
    g_autoptr(Hull) chosen = prediction_hull(p, library->choice), best = best_hull(p);
    if (!best)
        return;
    HullRegret regret = hull_regret(chosen, best, 1);
    g_autofree char *partition = partition_format(&regret.best);
    if (regret.ratio >= 0.0005)
        message_tell("%u processes: %s has %s only, which takes up to %.1f %% longer than the best partition (%s at "
                     "blocks of %.0f bytes)", prediction_n_processes(p), library->library, library->has,
                     100 * regret.ratio, partition, regret.bytes);
}

static int by_processes(gconstpointer a, gconstpointer b)
{
    guint x = prediction_n_processes(a), y = prediction_n_processes(b);
    return (x > y) - (x < y);
}

/* Each number of processes once. */
static void sort_places(GArray *places)
{
    g_array_sort(places, by_processes);
    for (guint i = places->len; i-- > 1;)
        if (by_processes(&g_array_index(places, Prediction, i), &g_array_index(places, Prediction, i - 1)) == 0)
            g_array_remove_index(places, i);
}

static char *tuning_text(const TuningLibrary *library, const GArray *places, GError **error)
{
    g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func((GDestroyNotify)tuning_table_free);
    for (guint i = 0; i < places->len; i++) {
        const Prediction *p = &g_array_index(places, Prediction, i);
        g_autoptr(Hull) hull = prediction_hull(p, library->choice);
        tell_faces_beyond(p, hull);
        g_ptr_array_add(tables, tuning_table_new(hull, prediction_n_processes(p), prediction_is_cube(p),
                                                 p->machine->overlaps));
    }
    char *text = library->write(tables, base, error);
    for (guint i = 0; text && i < places->len; i++)
        tell_regret(library, &g_array_index(places, Prediction, i));
    return text;
}

/* For libecube. */
static char *rules_text(const GArray *places, HullChoice choice)
{
    g_autofree char *machine = input_printable(g_array_index(places, Prediction, 0).machine->spec);
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "# The hull of optimality on %s.\n", machine);
    for (guint i = 0; i < places->len; i++) {
        const Prediction *p = &g_array_index(places, Prediction, i);
        g_autoptr(Hull) hull = prediction_hull(p, choice);
        tell_faces_beyond(p, hull);
        g_autofree char *rules = rules_of_hull(hull, p->group, p->by_offsets);
        g_string_append_printf(out, "\n%s", rules);
    }
    return g_string_free(out, FALSE);
}

#define N_TABLE_FORMATS (FORMAT_JSON + 1)
#define FORMAT_RULES (N_TABLE_FORMATS + TUNING_LIBRARIES)

static gboolean check_figure(const CommandLine *line, GError **error)
{
    return line->format < N_TABLE_FORMATS || !line->figure ||
           input_refuse(error, "--figure: '%s' is not allowed here; allowed: with table, csv, json", line->figure);
}

static gboolean check_library(const TuningLibrary *library, HullChoice choice, GError **error)
{
    return !radix_given || choice == library->choice ||
           input_refuse(error, "--radix: '%s' is not allowed with --format %s; allowed: %s, as %s has %s only",
                        radix_given, library->format, hull_choice_names[library->choice], library->library,
                        library->has);
}

/* Libraries have partitions. */
static gboolean check_offsets(const CommandLine *line, const TuningLibrary *library, GError **error)
{
    const char *option = library ? "--format" : "--radix", *given = library ? line->format_name : radix_given;
    return !given || (!library && !radix_given) ||
           input_refuse(error, "%s: '%s' is not allowed here; allowed: with --family partitions", option, given);
}

/* --- the command --- */

/* Largest cube for a format. */
static guint dimension_max(const CommandLine *line, const Prediction *p)
{
    return line->format == FORMAT_RULES ? RULES_DIMENSION_MAX
           : line->format < N_TABLE_FORMATS ? prediction_dimension_max(p) : TUNING_DIMENSION_MAX;
}

static gboolean print_hulls(const CommandLine *line, GError **error)
{
    g_autoptr(Judge) judge = judge_new(data_platforms(), SCENARIO_FORMULA);
    gboolean rules = line->format == FORMAT_RULES;
    const TuningLibrary *library = line->format < N_TABLE_FORMATS || rules
                                       ? NULL : &tuning_libraries[line->format - N_TABLE_FORMATS];
    guint choice = HULL_MIXED;
    Prediction p;
    command_note_read("base", base);
    if (!prediction_judge(line, judge, &p, error) ||
        !command_check_outputs(line, error) ||
        (radix_given && !input_parse_choice("--radix", radix_given, hull_choice_names, &choice, error)) ||
        (p.by_offsets && !check_offsets(line, library, error)) ||
        !check_figure(line, error) || (library && !check_library(library, (HullChoice)choice, error)) ||
        (base && !(library && library->patches) &&
         !input_refuse(error, "--base: '%s' is not allowed here; allowed: with --format mpich", base)))
        return FALSE;
    choice = p.by_offsets ? HULL_OFFSETS : library ? library->choice : choice;
    g_autoptr(GArray) places = prediction_places(line, &p, (HullChoice)choice, line->format >= N_TABLE_FORMATS,
                                                 dimension_max(line, &p), error);
    if (!places)
        return FALSE;
    if (line->format >= N_TABLE_FORMATS)
        sort_places(places);
    g_autofree char *text = library ? tuning_text(library, places, error)
                            : rules ? rules_text(places, (HullChoice)choice)
                                    : hulls_text(line, places, (HullChoice)choice, error);
    return text && output_write(line->output, text, error);
}

static const char *const keys[] = {"machine", "dimension", "processors", NULL}, *const needed[] = {"machine", NULL};
static const char *const formats[] = {"table", "csv", "json", "mpich", "ompi", "ompi-json", "ucc", "ecube", NULL};
static const GOptionEntry options[] = {
    PREDICTION_MODEL("", PREDICTION_MODELS),
    PREDICTION_FAMILY,
    {"radix", 0, 0, G_OPTION_ARG_STRING, &radix_given,
     "Which partitions there are: mixed (all; the default), one radix for all phases, or the extremes 2 and Direct",
     "mixed|one|extremes"},
    {"format", 'f', 0, G_OPTION_ARG_STRING, &command_line.format_name,
     "What the result is written as; the last five are read by MPI libraries, and by libecube",
     "table|csv|json|mpich|ompi|ompi-json|ucc|ecube"},
    {"base", 0, 0, G_OPTION_ARG_FILENAME, &base, "The tuning file that MPICH reads now, to be patched", "FILE"},
    COMMAND_OUTPUT,
    COMMAND_FIGURE("the faces over the lines of all partitions"),
    {0},
};

const Command command_hull = {
    .name = "hull", .summary = "for which sizes which partition is best", .usage = "--machine M --dimension D,...",
    .help = "Prints the faces of the hull of optimality (Bokhari 1993): for which block sizes\n"
            "which partition of D is the fastest complete exchange, and the straight line of\n"
            "its run time; with --processors P,..., on a crossbar, which radices. MPI libraries have\n"
            "fewer partitions: with --radix, also how much longer theirs take than the best. With\n"
            "--format mpich, ompi, ompi-json or ucc, what the library reads to choose its\n"
            "MPI_Alltoall on 2^D or P processes; with --format ecube, the rules that libecube-mpi reads\n"
            "to do it instead.\n\n"
            "Examples: ecube hull -m bokhari1993 -d 6\n"
            "          ecube hull -m bokhari1993 -d 4,6 --radix extremes\n"
            "          ecube hull -m ipsc860 -d 6 --figure hull.svg\n"
            "          ecube hull -m ipsc860 -s topology=crossbar -n 12\n"
            "          ecube hull -m ipsc860 -d 3:6:1 --format ompi --output rules.txt",
    .keys = keys, .needed = needed, .options = options, .formats = formats, .run = print_hulls};
