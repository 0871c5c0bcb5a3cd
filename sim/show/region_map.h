/* Which algorithm multiplies matrices fastest, as slices of a map over their shapes. */
#pragma once

#include "gnuplot.h"
#include "models/matmul.h"
#include "sim/text/csv.h"

typedef struct {
    guint side, unit;               /* P, Q and R are 1 to `side` units of so many elements */
    const char *unit_name;          /* " N", or "" */
    MatmulAlgorithm *best;          /* [side][side][side]: by P, Q, R; a1 to a5 */
} RegionMap;

/* The script. `simulated`, a CSV of `ecube run` or `ecube sweep` read from `path`, or NULL: of shapes for which another
 * algorithm was simulated to be faster than that of the map it is named, the others have a ring. Errors:
 * ECUBE_ERROR_INPUT, the CSV has no multiplications. Caller frees. */
char *region_map_script(const RegionMap *map, const char *title, const Csv *simulated, const char *path,
                        PlotFormat format, GError **error);

/* How many shapes of the map were simulated, and for how many another algorithm was faster than that of the map. Errors
 * as above. */
gboolean region_map_compare(const RegionMap *map, const Csv *simulated, const char *path, guint *n, guint *n_others,
                            GError **error);
