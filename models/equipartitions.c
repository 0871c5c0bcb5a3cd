#include "equipartitions.h"

#include <math.h>
#include <string.h>

/* Appends n > 0 if it is less than the last number. */
static void append_new(GArray *visited, guint n)
{
    if (visited->len == 0 || n < g_array_index(visited, guint, visited->len - 1))
        g_array_append_val(visited, n);
}

GArray *equipartitions_visited(guint d)
{
    GArray *visited = g_array_new(FALSE, FALSE, sizeof(guint));
    guint s = 1;
    while ((s + 1) * (s + 1) <= d)
        s++;
    for (guint v = 1; v <= s; v++) {
        append_new(visited, d / v);
        append_new(visited, (d + v) / (v + 1));
    }
    for (guint n = s; n > 0; n--)
        append_new(visited, n);
    return visited;
}

static ExchangeLine equipartition_line(guint d, guint n, const ExchangeLine *part)
{
    guint small = d / n, n_large = d % n;
    ExchangeLine a = part[small], b = part[n_large ? small + 1 : small];
    return (ExchangeLine){(n - n_large) * a.intercept_ps + n_large * b.intercept_ps,
                          (n - n_large) * a.slope_ps_per_byte + n_large * b.slope_ps_per_byte};
}

GArray *equipartitions_hull(guint d, const ExchangeLine *part, guint *n_crossings)
{
    g_autoptr(GArray) visited = equipartitions_visited(d);
    GArray *faces = g_array_new(FALSE, FALSE, sizeof(EquipartitionFace));
    for (guint i = 0; i < visited->len; i++) {
        guint n = g_array_index(visited, guint, i);
        EquipartitionFace new = {n, equipartition_line(d, n, part), 0};
        for (; faces->len > 0; g_array_set_size(faces, faces->len - 1)) {
            const EquipartitionFace *last = &g_array_index(faces, EquipartitionFace, faces->len - 1);
            new.from_bytes = (new.line.intercept_ps - last->line.intercept_ps) /
                             (last->line.slope_ps_per_byte - new.line.slope_ps_per_byte);
            ++*n_crossings;
            if (new.from_bytes > last->from_bytes * (1 + 1e-12))
                break;
        }
        new.from_bytes = faces->len ? new.from_bytes : 0;
        g_array_append_val(faces, new);
    }
    return faces;
}

guint equipartitions_lookup(const GArray *faces, double bytes, guint *n_comparisons)
{
    guint low = 0, high = faces->len;
    while (high - low > 1) {
        guint middle = (low + high) / 2;
        ++*n_comparisons;
        if (bytes >= g_array_index(faces, EquipartitionFace, middle).from_bytes)
            low = middle;
        else
            high = middle;
    }
    return low;
}
