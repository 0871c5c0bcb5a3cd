/* ecube hull: prints the hulls of a machine for dimensions or numbers of processors, as tables or for MPI libraries. */
#include "circuits_map.h"
#include "models/hull_bound.h"
#include "models/hull_regret.h"
#include "sim/fit/libraries.h"
#include "sim/fit/rules.h"
#include "sim/run/data.h"
#include "sim/show/hull_draw.h"
#include "sim/text/input.h"
#include "sim/text/message.h"

#include <math.h>
#include <string.h>

#define FACE_COLUMNS \
    {.name = "from_bytes", .heading = "from byte"}, \
    {.name = "to_bytes", .heading = "to byte"}, \
    {.name = "partition", .heading = "partition", .text = TRUE}, \
    {.name = "slope_us_per_byte", .heading = "slope µs/byte"}, \
    {.name = "intercept_us", .heading = "intercept µs"}, \
    {.name = "equipartition", .heading = "equipartition"}, \
    {.name = "regret", .heading = "regret", .optional = TRUE}, \
    {.name = "worst_bytes", .heading = "at byte", .optional = TRUE}, \
    {.name = "worst_best", .heading = "where best is", .text = TRUE, .optional = TRUE}
#define PLACE_COLUMNS {.name = "dimension"}, {.name = "processors"}

static const Column columns[] = {FACE_COLUMNS, PLACE_COLUMNS};
static const Column mesh_columns[] = {FACE_COLUMNS, {.name = "bound_us", .heading = "bound"},
                                      {.name = "gap_percent", .heading = "gap %"},
                                      {.name = "gap_bytes", .heading = "at byte"}, PLACE_COLUMNS};

static const Column list_columns[] = {
    {.name = "from_bytes", .heading = "from byte"}, {.name = "to_bytes", .heading = "to byte"},
    {.name = "k", .heading = "k"}, {.name = "offsets", .heading = "offsets", .text = TRUE},
    {.name = "slope_us_per_byte", .heading = "slope µs/byte"}, {.name = "intercept_us", .heading = "intercept µs"},
    {.name = "bound_us", .heading = "bound"}, {.name = "gap_percent", .heading = "gap %"},
    {.name = "worst_bytes", .heading = "at byte"}, {.name = "dimension"}, {.name = "processors"},
};

/* Adds a time per byte in µs, exactly, since users multiply it by sizes: with six decimals if it is a whole number of
 * ps, else nine. For people, drops zeros at the end but keeps three decimals. */
static void add_slope(Table *table, double ps_per_byte)
{
    gboolean is_fine = fabs(ps_per_byte - rint(ps_per_byte)) > 1e-6;
    g_autofree char *exact = g_strdup_printf("%.*f", is_fine ? 9 : 6, ps_per_byte / 1e6), *shown = g_strdup(exact);
    for (gsize last = strlen(shown) - 1; shown[last] == '0' && shown[last - 3] != '.'; last--)
        shown[last] = '\0';
    table_add_shown(table, exact, shown);
}

/* Adds the largest regret of the face against `best`, the size at which it occurs, and the best partition there.
 * `best` NULL: adds empty cells. */
static void hull_add_regret(Table *table, const HullFace *face, const Hull *best)
{
    HullRegret regret = best ? hull_face_regret(face, best, 0) : (HullRegret){0};
    g_autofree char *partition = partition_format(&regret.best);
    table_add_share_if(table, best != NULL, regret.ratio);
    table_addf(table, best && isfinite(regret.bytes) ? "%.9g" : NULL, regret.bytes);
    table_add(table, best ? partition : NULL);
}

static void add_face(Table *table, const Query *p, const HullFace *face, const Hull *best, const Hull *bound)
{
    g_autofree char *partition = partition_format(&face->partition);
    g_autofree char *shown = query_partition_shown(&face->partition);
    g_autofree char *intercept = g_strdup_printf("%.6f", face->line.intercept_ps / 1e6);
    g_autofree char *intercept_shown = query_time_shown(face->line.intercept_ps);
    gboolean equal = partition_is_equipartition(&face->partition);
    table_addf(table, "%.9g", face->from_bytes);
    table_addf(table, isfinite(face->to_bytes) ? "%.9g" : NULL, face->to_bytes);
    table_add_shown(table, partition, shown);
    add_slope(table, face->line.slope_ps_per_byte);
    table_add_shown(table, intercept, intercept_shown);
    table_add_shown(table, equal ? "true" : "false", equal ? "yes" : "NO");
    hull_add_regret(table, face, best);
    if (p->congested)
        query_add_largest_gap(table, face, bound);
    query_add_dimension(table, p);
    query_add_processors(table, p);
}

static void add_list_face(Table *table, const Query *p, const HullFace *face, const Hull *bound)
{
    table_addf(table, "%.9g", face->from_bytes);
    table_addf(table, isfinite(face->to_bytes) ? "%.9g" : NULL, face->to_bytes);
    query_add_list(table, face, p->group);
    add_slope(table, face->line.slope_ps_per_byte);
    query_add_ps(table, face->line.intercept_ps);
    query_add_largest_gap(table, face, bound);
    query_add_dimension(table, p);
    query_add_processors(table, p);
}

/* Warns if the dimension, or a size at which faces meet, lies outside the times that the machine is fitted to. */
static void warn_faces_beyond(const Query *p, const Hull *hull)
{
    MachineSpan span;
    if (!machine_span(p->machine, &span))
        return;
    double first = (double)span.from_bytes, last = (double)span.to_bytes;
    for (guint i = 1; i < hull->n_faces; i++) {
        first = fmin(first, hull->faces[i].from_bytes);
        last = fmax(last, hull->faces[i].from_bytes);
    }
    query_warn_beyond(p, first, last);
}

/* Returns the hull over all partitions, or all lists of radices; NULL if there are too many lists. Caller frees. */
static Hull *best_hull(const Query *p)
{
    g_autoptr(GArray) all = query_is_cube(p) ? NULL : offsets_all_radices(p->group);
    return all || query_is_cube(p) ? query_hull(p, HULL_MIXED) : NULL;
}

static void add_hull(Table *table, const Query *p, HullChoice choice)
{
    g_autoptr(Hull) hull = query_hull(p, choice), best = choice == HULL_MIXED ? NULL : best_hull(p);
    g_autoptr(Hull) bound = query_by_offsets(p) || p->congested ? hull_bound(p->machine, p->group) : NULL;
    warn_faces_beyond(p, hull);
    for (guint i = 0; i < hull->n_faces; i++)
        if (query_by_offsets(p))
            add_list_face(table, p, &hull->faces[i], bound);
        else
            add_face(table, p, &hull->faces[i], best, bound);
}

static char *radix_given, *base;        /* values of --radix and --base; NULL: not given */
static gboolean map_given;

/* --- for people and programs: a table for each dimension, or one of all --- */

static char *describe_hull(const Query *p, HullChoice choice)
{
    static const char *const choices[] = {[HULL_MIXED] = "", [HULL_ONE_RADIX] = ", one radix",
                                          [HULL_EXTREMES] = ", radix 2 or Direct",
                                          [HULL_OFFSETS] = "", [HULL_RINGS] = ", rings"};
    g_autofree char *machine = input_printable(p->machine->spec), *place = query_words(p);
    g_autofree char *model = query_model(p);
    return g_strdup_printf("Hull of optimality of %s on %s, %s, %s%s.\n\n",
                           query_family_words(query_by_offsets(p), p->group), machine, place, model, choices[choice]);
}

static const char bound_note[] = "\nBound: no exchange takes less in which a processor sends one message at a time.\n";

/* Returns the hulls as tables: for people one for each place, for programs a single one. Caller frees. */
static char *hulls_table(const GArray *places, HullChoice choice, Format format)
{
    GString *text = g_string_new(NULL);
    const Query *p = &g_array_index(places, Query, 0);
    gboolean by_offsets = query_by_offsets(p);
    for (guint i = 0; i < places->len;) {
        const Column *heads = by_offsets ? list_columns : p->congested ? mesh_columns : columns;
        guint n_columns = by_offsets     ? G_N_ELEMENTS(list_columns)
                          : p->congested ? G_N_ELEMENTS(mesh_columns)
                                         : G_N_ELEMENTS(columns);
        g_autoptr(Table) table = table_new(heads, query_n_columns(p, n_columns));
        guint end = format == FORMAT_TABLE ? i + 1 : places->len;
        g_string_append(text, i ? "\n" : "");
        for (; i < end; i++) {
            p = &g_array_index(places, Query, i);
            add_hull(table, p, choice);
        }
        g_autofree char *heading = format == FORMAT_TABLE ? describe_hull(p, choice) : g_strdup("");
        g_autofree char *rows = table_text(table, format);
        g_string_append_printf(text, "%s%s", heading, rows);
    }
    if (format == FORMAT_TABLE)
        g_string_append(text, by_offsets ? query_list_note(p->machine) : p->congested ? bound_note : "");
    return g_string_free(text, FALSE);
}

/* Returns the script that draws the hulls. For a single cube it also draws the lines of all partitions, if they are
 * straight. NULL with an error. */
static char *hull_figure(const CommandLine *line, const GArray *places, HullChoice choice, GError **error)
{
    const Query *p = &g_array_index(places, Query, 0);
    g_autoptr(Csv) csv = csv_take("hull", hulls_table(places, choice, FORMAT_CSV), error);
    gboolean straight = places->len == 1 && query_is_cube(p) && !p->machine->overlaps && !query_by_offsets(p) &&
                        !p->congested && !machine_has_limits(p->machine);
    HullCosts costs = query_costs(p, INFINITY);
    HullLines lines = {&costs, p->distance == EXCHANGE_AVERAGE_DISTANCE};
    g_autofree char *machine = input_printable(p->machine->spec), *words = query_words(p);
    g_autofree char *model = query_model(p);
    g_autofree char *title = g_strdup_printf("Hull of optimality of %s on %s%s%s, %s",
                                             query_family_words(query_by_offsets(p), p->group), machine,
                                             places->len == 1 ? ", " : "", places->len == 1 ? words : "", model);
    g_strdelimit(title, "\n", ' ');
    return csv ? hull_draw_script(csv, "hull", title, straight ? &lines : NULL, line->figure_format, error) : NULL;
}

static char *hulls_text(const CommandLine *line, const GArray *places, HullChoice choice, GError **error)
{
    return command_draw(line, line->figure ? hull_figure(line, places, choice, error) : NULL, error)
               ? hulls_table(places, choice, line->format)
               : NULL;
}

/* --- for MPI libraries --- */

/* Reports on stderr how many percent longer the library's best partition takes than the best of all partitions, at
 * the block size where that is most. Says nothing below 0.05 %, or if the best of all is not known. */
static void print_regret(const Library *library, const Query *p)
{
    g_autoptr(Hull) chosen = query_hull(p, library->choice), best = best_hull(p);
    if (!best)
        return;
    HullRegret regret = hull_regret(chosen, best, 1);
    g_autofree char *partition = partition_format(&regret.best);
    if (regret.ratio >= 0.0005)
        message_print("%u processes: %s has %s only, which takes up to %.1f %% longer than the best partition (%s at "
                      "blocks of %.0f bytes)", query_n_processes(p), library->library, library->has,
                      100 * regret.ratio, partition, regret.bytes);
}

static int by_processes(gconstpointer a, gconstpointer b)
{
    guint x = query_n_processes(a), y = query_n_processes(b);
    return (x > y) - (x < y);
}

/* Sorts the places by processes and removes repeated numbers. */
static void sort_places(GArray *places)
{
    g_array_sort(places, by_processes);
    for (guint i = places->len; i-- > 1;)
        if (by_processes(&g_array_index(places, Query, i), &g_array_index(places, Query, i - 1)) == 0)
            g_array_remove_index(places, i);
}

static char *tuning_text(const Library *library, const GArray *places, GError **error)
{
    g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func(library_table_free);
    for (guint i = 0; i < places->len; i++) {
        const Query *p = &g_array_index(places, Query, i);
        g_autoptr(Hull) hull = query_hull(p, library->choice);
        warn_faces_beyond(p, hull);
        gboolean is_cube = query_is_cube(p);
        gboolean at_once = is_cube && p->machine->overlaps;
        g_ptr_array_add(tables, library_table_new(hull, query_n_processes(p), is_cube, at_once));
    }
    char *text = library->write(tables, base, error);
    for (guint i = 0; text && i < places->len; i++)
        print_regret(library, &g_array_index(places, Query, i));
    return text;
}

/* Returns the hulls as rules of libecube. Caller frees. */
static char *rules_text(const GArray *places, HullChoice choice)
{
    g_autofree char *machine = input_printable(g_array_index(places, Query, 0).machine->spec);
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "# The hull of optimality on %s.\n", machine);
    for (guint i = 0; i < places->len; i++) {
        const Query *p = &g_array_index(places, Query, i);
        g_autoptr(Hull) hull = query_hull(p, choice);
        warn_faces_beyond(p, hull);
        g_autofree char *rules = rules_of_hull(hull, p->group, query_by_offsets(p));
        g_string_append_printf(out, "\n%s", rules);
    }
    return g_string_free(out, FALSE);
}

#define N_TABLE_FORMATS (FORMAT_JSON + 1)
#define HULL_FORMAT_RULES (N_TABLE_FORMATS + N_LIBRARIES)

static gboolean hull_check_figure(const CommandLine *line, GError **error)
{
    return line->format < N_TABLE_FORMATS || !line->figure ||
           input_refuse(error, "--figure: '%s' is not allowed here; allowed: with table, csv, json", line->figure);
}

static gboolean check_library(const Library *library, HullChoice choice, GError **error)
{
    return !radix_given || choice == library->choice ||
           input_refuse(error, "--radix: '%s' is not allowed with --format %s; allowed: %s, as %s has %s only",
                        radix_given, library->format, hull_choice_names[library->choice], library->library,
                        library->has);
}

/* Refuses --radix, and --format of MPI libraries, for lists of offsets: libraries implement partitions only. */
static gboolean check_offsets(const CommandLine *line, const Library *library, GError **error)
{
    const char *option = library ? "--format" : "--radix", *given = library ? line->format_name : radix_given;
    return !given || (!library && !radix_given) ||
           input_refuse(error, "%s: '%s' is not allowed here; allowed: with --family partitions", option, given);
}

/* --- the command --- */

/* Returns the largest dimension that --format allows. */
static guint dimension_max(const CommandLine *line, const Query *p)
{
    return line->format == HULL_FORMAT_RULES ? RULES_DIMENSION_MAX
           : line->format < N_TABLE_FORMATS ? query_dimension_max(p) : LIBRARY_DIMENSION_MAX;
}

static gboolean print_map(const CommandLine *line, const GArray *places, GError **error)
{
    const Query *p = &g_array_index(places, Query, 0);
    if (!circuits_check_map(places, error) ||
        !command_draw(line, line->figure ? circuits_map_figure(line, p) : NULL, error))
        return FALSE;
    g_autofree char *text = circuits_map_text(p, (Format)line->format);
    return output_write(line->output, text, error);
}

static gboolean print_hulls(const CommandLine *line, GError **error)
{
    g_autoptr(Resolver) resolver = resolver_new(data_platforms(), SCENARIO_FORMULA);
    gboolean rules = line->format == HULL_FORMAT_RULES;
    const Library *library = line->format < N_TABLE_FORMATS || rules
                                       ? NULL : &libraries[line->format - N_TABLE_FORMATS];
    guint choice = HULL_MIXED;
    Query p;
    command_note_read("base", base);
    if (!query_resolve(line, resolver, &p, error) ||
        !command_check_outputs(line, error) ||
        (radix_given && !input_parse_choice("--radix", radix_given, hull_choice_names, &choice, error)) ||
        (query_by_offsets(&p) && !check_offsets(line, library, error)) ||
        !hull_check_figure(line, error) || (library && !check_library(library, (HullChoice)choice, error)) ||
        (base && !(library && library->patches) &&
         !input_refuse(error, "--base: '%s' is not allowed here; allowed: with --format mpich", base)))
        return FALSE;
    choice = query_by_offsets(&p) ? p.choice : library ? library->choice : choice;
    g_autoptr(GArray) places = query_places(line, &p, (HullChoice)choice, line->format >= N_TABLE_FORMATS,
                                            dimension_max(line, &p), error);
    if (!places)
        return FALSE;
    choice = g_array_index(places, Query, 0).choice;
    query_warn_doubt(p.machine);
    if (map_given)
        return print_map(line, places, error);
    if (line->format >= N_TABLE_FORMATS)
        sort_places(places);
    g_autofree char *text = library ? tuning_text(library, places, error)
                            : rules ? rules_text(places, (HullChoice)choice)
                                    : hulls_text(line, places, (HullChoice)choice, error);
    return text && output_write(line->output, text, error);
}

static const char *const keys[] = {"machine", "dimension", "processors", "group", NULL};
static const char *const needed[] = {"machine", NULL};
static const char *const formats[] = {"table", "csv", "json", "mpich", "ompi", "ompi-json", "ucc", "ecube", NULL};
static const GOptionEntry options[] = {
    QUERY_MODEL("", QUERY_MODELS),
    QUERY_FAMILY,
    {"radix", 0, 0, G_OPTION_ARG_STRING, &radix_given,
     "Which partitions there are: mixed (all; the default), one radix for all phases, or the extremes 2 and Direct",
     "mixed|one|extremes"},
    {"map", 0, 0, G_OPTION_ARG_NONE, &map_given,
     "Where circuits are kept: how many are best, over the block size and the time to reconfigure", NULL},
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
