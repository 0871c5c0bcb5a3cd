/* The parts of a run's time. Parts are made to cost nothing, one after another; each takes the time by which the
 * contention-free time decreases. Contention is the rest of the simulated time. */
#pragma once

#include "sim/run/record.h"

/* Parts of a run's time. Those up to BREAKDOWN_LATE_STARTS are set to cost nothing in this order. */
typedef enum {
    BREAKDOWN_HANDSHAKES, BREAKDOWN_BARRIERS, BREAKDOWN_RECONFIGURATIONS, BREAKDOWN_TRANSMISSION,
    BREAKDOWN_CIRCUITS, BREAKDOWN_SHUFFLES, BREAKDOWN_ARITHMETIC, BREAKDOWN_LATE_STARTS, BREAKDOWN_STARTUPS,
    BREAKDOWN_ALL_ELSE,            /* all but contention, if the run is not taken apart */
    BREAKDOWN_CONTENTION, N_BREAKDOWN
} BreakdownPart;

/* [part]: "handshakes", "barriers", ... */
extern const char *const breakdown_names[N_BREAKDOWN];

typedef struct {
    gint64 ps[N_BREAKDOWN];        /* [part]: times, whose sum is the simulated time */
    gint64 count[N_BREAKDOWN];     /* [part]: handshakes, reconfigurations, start-ups of a processor; 0: not
                                    * counted */
} TimeBreakdown;

/* Whether a run is small enough to be priced again, part by part. */
gboolean breakdown_is_known(const Record *record);

/* Returns the parts of a run with a result; not `apart`: BREAKDOWN_ALL_ELSE and BREAKDOWN_CONTENTION alone. */
TimeBreakdown breakdown_of(const Record *record, gboolean apart);
