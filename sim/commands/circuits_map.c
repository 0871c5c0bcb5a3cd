#include "circuits_map.h"
#include "models/hull_bound.h"
#include "sim/text/input.h"

#include <math.h>

#define DECADES 5               /* number of decades of times to reconfigure */
#define PER_DECADE 8            /* number of times to reconfigure in each decade; --format table has only the first */
#define BYTES_MAX 1e7           /* largest block in the figure */

/* Returns time number i to reconfigure, in ps: i / PER_DECADE decades above a tenth of lambda. */
static gint64 reconfigure_ps(const Machine *machine, guint i)
{
    return MAX(1, llround((double)machine->terms.lambda_ps / 10 * pow(10, (double)i / PER_DECADE)));
}

/* Returns the number of circuits of a face. A list that repeats no offset has a circuit for each message. */
static guint circuits_of(const HullFace *face)
{
    return face->n_circuits ? face->n_circuits : hull_n_steps(face);
}

/* Returns the hull for time number i to reconfigure. Sets `*machine` to p's machine with this time, and `*bound` to the
 * hull of lower bounds. Caller frees both hulls. */
static Hull *map_hull(const Query *p, guint i, Machine *machine, Hull **bound)
{
    *machine = *p->machine;
    machine->reconfigure_ps = reconfigure_ps(p->machine, i);
    *bound = hull_bound(machine, p->group);
    return hull_of_group(machine, p->group, p->choice);
}

gboolean circuits_check_map(const GArray *places, GError **error)
{
    const Query *p = &g_array_index(places, Query, 0);
    if (places->len > 1)
        return input_refuse(error, "--map: requires a single number of processors; there are %u", places->len);
    if (!machine_is_crossbar(p->machine))
        return input_refuse(error, "--map: requires topology = crossbar; machine %s has %s", p->machine->spec,
                            topology_classes[p->machine->topology]->name);
    Machine machine = *p->machine;
    machine.reconfigure_ps = reconfigure_ps(p->machine, 0);
    return machine_check_keys(&machine, error) &&
           (query_by_offsets(p) || input_refuse(error, "--map: requires --family offsets or rings"));
}

/* --- the table --- */

static const Column map_columns[] = {
    {.name = "reconfigure_us", .heading = "reconfigure"}, {.name = "from_bytes", .heading = "from byte"},
    {.name = "to_bytes", .heading = "to byte"}, {.name = "circuits", .heading = "circuits"},
    {.name = "k", .heading = "k"},
    {.name = "offsets", .heading = "offsets", .text = TRUE}, {.name = "bound_us", .heading = "bound"},
    {.name = "gap_percent", .heading = "gap %"}, {.name = "gap_bytes", .heading = "at byte"},
};

static void map_add_face(Table *table, const Query *p, const Machine *machine, const HullFace *face, const Hull *bound)
{
    table_add_time(table, machine->reconfigure_ps);
    table_addf(table, "%.9g", face->from_bytes);
    table_addf(table, isfinite(face->to_bytes) ? "%.9g" : NULL, face->to_bytes);
    table_addf(table, "%u", circuits_of(face));
    query_add_list(table, face, p->group);
    query_add_largest_gap(table, face, bound);
}

char *circuits_map_text(const Query *p, Format format)
{
    gboolean people = format == FORMAT_TABLE;
    g_autoptr(Table) table = table_new(map_columns, G_N_ELEMENTS(map_columns));
    for (guint i = 0; i <= DECADES * PER_DECADE; i += people ? PER_DECADE : 1) {
        Machine machine;
        g_autoptr(Hull) bound = NULL, hull = map_hull(p, i, &machine, &bound);
        for (guint j = 0; j < hull->n_faces; j++)
            map_add_face(table, p, &machine, &hull->faces[j], bound);
    }
    g_autofree char *rows = table_text(table, format);
    if (!people)
        return g_steal_pointer(&rows);
    g_autofree char *machine = input_printable(p->machine->spec);
    return g_strdup_printf("Circuits that are best on %s, %s processors, by the time to reconfigure. Times in µs.\n\n"
                           "%s\nThe gap is the largest of the face above the bound, which no exchange in rounds falls "
                           "short of\nwhose circuits all change together.\n", machine, p->group->name, rows);
}

/* --- the figure --- */

char *circuits_map_figure(const CommandLine *line, const Query *p)
{
    g_autoptr(GString) faces = g_string_new(NULL), gaps = g_string_new(NULL);
    double step = pow(10, 0.5 / PER_DECADE);
    for (guint i = 0; i <= DECADES * PER_DECADE; i++) {
        Machine machine;
        g_autoptr(Hull) bound = NULL, hull = map_hull(p, i, &machine, &bound);
        double us = (double)machine.reconfigure_ps / 1e6;
        for (guint j = 0; j < hull->n_faces; j++) {
            const HullFace *face = &hull->faces[j];
            double from = fmax(1, face->from_bytes), to = fmin(BYTES_MAX, face->to_bytes);
            if (from < to)
                gnuplot_put_numbers(faces, (double[]){from, to, us / step, us * step, circuits_of(face)}, 5);
        }
        for (double bytes = 10; i % PER_DECADE == PER_DECADE / 2 && bytes < BYTES_MAX; bytes *= 10) {
            double gap = 100 * (exchange_line_at(hull_lookup(hull, bytes)->line, bytes) /
                                exchange_line_at(hull_lookup(bound, bytes)->line, bytes) - 1);
            gnuplot_put_numbers(gaps, (double[]){bytes, us, round(10 * gap) / 10}, 3);
        }
    }
    GString *out = gnuplot_script(line->figure_format, 860, 560);
    g_autofree char *machine = input_printable(p->machine->spec);
    g_autofree char *title = g_strdup_printf("To reconfigure or not: %s, %s processors", machine, p->group->name);
    g_string_append(out, "title = ");
    gnuplot_quote(out, title);
    g_string_append_printf(out, "\nfirst_us = %.9g\nlast_us = %.9g\nmost_bytes = %.9g\n",
                           (double)reconfigure_ps(p->machine, 0) / 1e6,
                           (double)reconfigure_ps(p->machine, DECADES * PER_DECADE) / 1e6, BYTES_MAX);
    gnuplot_data(out, "faces", faces->str);
    gnuplot_data(out, "gaps", gaps->str);
    gnuplot_append(out, "circuits");
    return g_string_free(out, FALSE);
}
