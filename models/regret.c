#include "regret.h"

#include <math.h>

/* At infinity only slopes count; where they are 0, only intercepts. */
static double time_at(ExchangeLine line, double bytes, gboolean sloping)
{
    if (isfinite(bytes))
        return exchange_line_at(line, bytes);
    return sloping ? line.slope_ps_per_byte : line.intercept_ps;
}

/* Makes `most` the regret at `bytes`, if that is larger. */
static void look_at(Regret *most, const HullFace *face, const HullFace *best, double bytes)
{
    gboolean sloping = best->line.slope_ps_per_byte > 0;
    double least = time_at(best->line, bytes, sloping);
    double ratio = least > 0 ? time_at(face->line, bytes, sloping) / least - 1 : 0;
    if (ratio > most->ratio)
        *most = (Regret){ratio, bytes, best->partition};
}

Regret regret_of_face(const HullFace *face, const Hull *best, double from_bytes)
{
    double first = fmax(face->from_bytes, from_bytes);
    Regret most = {.bytes = first, .best = hull_lookup(best, first)->partition};
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

Regret regret_of_hull(const Hull *chosen, const Hull *best, double from_bytes)
{
    Regret most = {0};
    for (guint i = 0; i < chosen->n_faces; i++) {
        Regret regret = regret_of_face(&chosen->faces[i], best, from_bytes);
        if (i == 0 || regret.ratio > most.ratio)
            most = regret;
    }
    return most;
}
