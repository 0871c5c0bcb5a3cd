#include "region_map.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

#define SLICES 6

/* Values of P out of 16. */
static const guint sixteenths[SLICES] = {1, 2, 4, 8, 14, 16};

/* The cells of a slice have numbers, row by row: Q across, R up. */
typedef struct {
    const RegionMap *map;
    guint p, n;                 /* n cells */
} Slice;

static Slice slice_of(const RegionMap *map, guint p)
{
    return (Slice){map, p, map->side * map->side};
}

static MatmulAlgorithm best_of(Slice slice, guint cell)
{
    const RegionMap *map = slice.map;
    return map->best[((slice.p - 1) * map->side + cell % map->side) * map->side + cell / map->side];
}

/* The slices' values of P: each once. */
static guint choose_slices(const RegionMap *map, guint slices[SLICES])
{
    guint n = 0;
    for (guint i = 0; i < SLICES; i++) {
        guint p = MAX(1, (map->side * sixteenths[i] + 8) / 16);
        if (n == 0 || p > slices[n - 1])
            slices[n++] = p;
    }
    return n;
}

/* --- cells --- */

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

/* --- regions --- */

/* The cells of a cell's region, which are marked as done. */
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
static gboolean cell_of(const RegionMap *map, const MatmulShape *shape, Simulated *cell)
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

/* Simulated, each cell once. NULL with an error. */
static GArray *read_simulated(const RegionMap *map, const Csv *csv, const char *path, GError **error)
{
    int shape = csv_column(csv, "shape"), algorithm = csv_column(csv, "algorithm"),
        time = csv_column(csv, "simulated_us");
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(Simulated));
    if (shape < 0 || algorithm < 0 || time < 0) {
        input_refuse(error, "%s: has no columns 'shape', 'algorithm' and 'simulated_us': not the CSV of `ecube sweep "
                     "--pattern matmul`", path);
        return NULL;
    }
    for (guint row = 0; row < csv->n_rows; row++) {
        MatmulShape sides;
        Simulated cell;
        const char *us = csv_cell(csv, row, (guint)time);
        if (!matmul_shape_parse(path, csv_cell(csv, row, (guint)shape), &sides, error))
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

gboolean region_map_compare(const RegionMap *map, const Csv *simulated, const char *path, guint *n, guint *n_others,
                            GError **error)
{
    g_autoptr(GArray) cells = read_simulated(map, simulated, path, error);
    *n = cells ? cells->len : 0;
    *n_others = 0;
    for (guint i = 0; i < *n; i++)
        *n_others += !is_as_mapped(&g_array_index(cells, Simulated, i));
    return cells != NULL;
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

static char *script_of(const RegionMap *map, const char *title, const guint *slices, guint n, const GArray *simulated,
                       PlotFormat format)
{
    g_autoptr(GString) cells = g_string_new(NULL), names = g_string_new(NULL), values = g_string_new(NULL),
                       marks = g_string_new(NULL);
    for (guint i = 0; i < n; i++) {
        put_cells(cells, slice_of(map, slices[i]));
        put_names(names, slice_of(map, slices[i]), simulated, i + 1);
        g_string_append_printf(values, "%u ", slices[i]);
    }
    put_simulated(marks, simulated, slices, n);
    GString *out = gnuplot_script(format, 1000, 85 + 315 * ((n + 2) / 3));
    g_autofree char *unit = *map->unit_name ? g_strdup_printf(" (%s)", map->unit_name + 1) : g_strdup("");
    gnuplot_set(out, "title =", title);
    gnuplot_set(out, "slices =", values->str);
    gnuplot_set(out, "unit =", unit);
    gnuplot_set(out, "p_unit =", map->unit_name);
    gnuplot_set(out, "key_text =",
                simulated->len == 0 ? "regions have the name of the fastest algorithm"
                                    : "regions: the fastest algorithm. Simulated: ring - the same; black - this "
                                      "one is faster");
    g_string_append_printf(out, "side = %u\n", map->side);
    gnuplot_data(out, "cells", cells->str);
    gnuplot_data(out, "names", names->str);
    gnuplot_data(out, "simulated", marks->len ? marks->str : "0 0 0 \"\"\n");
    gnuplot_append(out, "regions");
    return g_string_free(out, FALSE);
}

char *region_map_script(const RegionMap *map, const char *title, const Csv *simulated, const char *path,
                        PlotFormat format, GError **error)
{
    guint slices[SLICES], n = choose_slices(map, slices);
    g_autoptr(GArray) cells = simulated ? read_simulated(map, simulated, path, error)
                                        : g_array_new(FALSE, FALSE, sizeof(Simulated));
    return cells ? script_of(map, title, slices, n, cells, format) : NULL;
}
