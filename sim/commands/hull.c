/* ecube hull: the hull of optimality of a machine and a dimension. */
#include "models/input.h"
#include "prediction.h"
#include "sim/run/data.h"
#include "sim/run/report.h"

#include <math.h>
#include <string.h>

#define SHOWN_MAX 16    /* a longer partition is shown to people as runs of equal parts */

static const Column columns[] = {
    {.name = "from_bytes", .heading = "from byte"},
    {.name = "to_bytes", .heading = "to byte"},
    {.name = "partition", .heading = "partition", .text = TRUE},
    {.name = "slope_us_per_byte", .heading = "slope µs/byte"},
    {.name = "intercept_us", .heading = "intercept µs"},
    {.name = "equipartition", .heading = "equipartition"},
};

/* A price per byte is not rounded, for it is multiplied; people only miss the zeros after its third decimal. */
static void add_slope(Table *table, double ps_per_byte)
{
    g_autofree char *exact = g_strdup_printf("%.6f", ps_per_byte / 1e6), *shown = g_strdup(exact);
    for (gsize last = strlen(shown) - 1; shown[last] == '0' && shown[last - 3] != '.'; last--)
        shown[last] = '\0';
    table_add_shown(table, exact, shown);
}

static void add_face(Table *table, const HullFace *face)
{
    g_autofree char *partition = partition_format(&face->partition);
    g_autofree char *runs = partition_format_runs(&face->partition);
    g_autofree char *to = g_strdup_printf("%.9g", face->to_bytes);
    g_autofree char *intercept = g_strdup_printf("%.6f", face->line.intercept_ps / 1e6);
    g_autofree char *intercept_shown = prediction_time_shown(face->line.intercept_ps);
    gboolean equal = partition_is_equipartition(&face->partition);
    table_addf(table, "%.9g", face->from_bytes);
    table_add(table, isfinite(face->to_bytes) ? to : NULL);
    table_add_shown(table, partition, strlen(partition) > SHOWN_MAX ? runs : NULL);
    add_slope(table, face->line.slope_ps_per_byte);
    table_add_shown(table, intercept, intercept_shown);
    table_add_shown(table, equal ? "true" : "false", equal ? "yes" : "NO");
}

static gboolean print_hull(const CommandLine *line, GError **error)
{
    g_autoptr(Judge) judge = judge_new(data_platforms(), SCENARIO_FORMULA);
    Prediction p;
    if (!prediction_parse(line, judge, &p, error))
        return FALSE;
    g_autoptr(Hull) hull = hull_of_machine(p.machine, p.dimension, p.distance, p.direct_shuffle);
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    for (guint i = 0; i < hull->n_faces; i++)
        add_face(table, &hull->faces[i]);
    g_autofree char *rows = table_text(table, line->format);
    g_autofree char *model = prediction_describe(&p), *machine = input_printable(p.machine->spec);
    g_autofree char *heading =
        g_strdup_printf("Hull of optimality on %s, d = %u, %s.\n\n", machine, p.dimension, model);
    g_autofree char *text = g_strconcat(line->format == FORMAT_TABLE ? heading : "", rows, NULL);
    return report_write(NULL, text, error);
}

static const char *const keys[] = {"machine", "dimension", NULL};
static const GOptionEntry options[] = {PREDICTION_OPTIONS, {0}};

const Command command_hull = {
    .name = "hull", .summary = "for which sizes which partition is best", .usage = "--machine M --dimension D",
    .help = "Prints the faces of the hull of optimality (Bokhari 1993): for which block sizes\n"
            "which partition of D is the fastest complete exchange, and the straight line of\n"
            "its run time.\n\n"
            "Example: ecube hull -m bokhari1993 -d 6",
    .keys = keys, .needed = keys, .options = options, .run = print_hull};
