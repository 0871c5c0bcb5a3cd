/* The parts of a run's time. Parts are made to cost nothing, one after another; each takes the time by which the
 * contention-free time decreases. Contention is the rest of the simulated time. */
#pragma once

#include "sim/run/record.h"

/* Parts of a run's time. Those up to MAKEUP_LATE_STARTS are taken out in this order. */
typedef enum {
    MAKEUP_HANDSHAKES, MAKEUP_BARRIERS, MAKEUP_TRANSMISSION, MAKEUP_CIRCUITS, MAKEUP_SHUFFLES, MAKEUP_ARITHMETIC,
    MAKEUP_LATE_STARTS, MAKEUP_STARTUPS,
    MAKEUP_ALL_ELSE,            /* all but contention, if the run is not taken apart */
    MAKEUP_CONTENTION, N_MAKEUP
} MakeupPart;

/* [part]: "handshakes", "barriers", ... */
extern const char *const makeup_names[N_MAKEUP];

typedef struct {
    gint64 ps[N_MAKEUP];        /* [part]: add up to the simulated time */
    gint64 count[N_MAKEUP];     /* [part]: number of handshakes, barriers ... of a processor; 0: not known */
} Makeup;

/* Whether a run is small enough to be priced again, part by part. */
gboolean makeup_is_known(const Record *record);

/* Returns the parts of a run with a result; not `apart`: MAKEUP_ALL_ELSE and MAKEUP_CONTENTION alone. */
Makeup makeup_of(const Record *record, gboolean apart);
