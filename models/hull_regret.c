#include "hull_regret.h"

#include <math.h>

/* Returns the time of a line at `bytes`; at INFINITY its slope if `sloping`, else its intercept. */
static double hull_time_at(ExchangeLine line, double bytes, gboolean sloping)
{
    if (isfinite(bytes))
        return exchange_line_at(line, bytes);
    return sloping ? line.slope_ps_per_byte : line.intercept_ps;
}

/* Sets `most` to the regret of `face` against `best` at `bytes`, if that is larger. */
static void look_at(HullRegret *most, const HullFace *face, const HullFace *best, double bytes)
{
    gboolean sloping = best->line.slope_ps_per_byte > 0;
    double least = hull_time_at(best->line, bytes, sloping);
    double ratio = least > 0 ? hull_time_at(face->line, bytes, sloping) / least - 1 : 0;
    if (ratio > most->ratio)
        *most = (HullRegret){ratio, bytes, best->partition};
}

HullRegret hull_face_regret(const HullFace *face, const Hull *best, double from_bytes)
{
    double first = fmax(face->from_bytes, from_bytes);
    HullRegret most = {.bytes = first, .best = hull_lookup(best, first)->partition};
    for (guint i = 0; i < best->n_faces; i++) {
        double from = fmax(first, best->faces[i].from_bytes);
        double to = fmin(face->to_bytes, best->faces[i].to_bytes);
        if (from >= to)
            continue;
        look_at(&most, face, &best->faces[i], from);
        look_at(&most, face, &best->faces[i], to);
    }
    return most;
}

HullRegret hull_regret(const Hull *chosen, const Hull *best, double from_bytes)
{
    HullRegret most = {0};
    for (guint i = 0; i < chosen->n_faces; i++) {
        HullRegret regret = hull_face_regret(&chosen->faces[i], best, from_bytes);
        if (i == 0 || regret.ratio > most.ratio)
            most = regret;
    }
    return most;
}
