/* The parts of a run's time. One part after another is set to cost nothing. Its time is that by which the
 * contention-free time then gets shorter. Contention is the rest of the simulated time. */
#pragma once

#include "sim/run/record.h"

/* Parts of a run's time. In this order, each part up to BREAKDOWN_LATE_STARTS is set to cost nothing, and stays so. The
 * contention-free time that is left then is BREAKDOWN_STARTUPS. */
typedef enum {
    BREAKDOWN_HANDSHAKES, BREAKDOWN_BARRIERS, BREAKDOWN_RECONFIGURATIONS, BREAKDOWN_TRANSMISSION,
    BREAKDOWN_CIRCUITS, BREAKDOWN_SHUFFLES, BREAKDOWN_ARITHMETIC, BREAKDOWN_LATE_STARTS, BREAKDOWN_STARTUPS,
    BREAKDOWN_ALL_ELSE,            /* all parts but contention in one, if the run is not taken apart */
    BREAKDOWN_CONTENTION, N_BREAKDOWN
} BreakdownPart;

/* [part]: name for people: "handshakes", "barriers", ... */
extern const char *const breakdown_names[N_BREAKDOWN];

typedef struct {
    gint64 ps[N_BREAKDOWN];        /* [part]: time of each part; the sum is the simulated time */
    gint64 count[N_BREAKDOWN];     /* [part]: number of handshakes, reconfigurations or start-ups per processor; 0: not
                                    * known, or another part */
} TimeBreakdown;

/* Whether the run has few enough messages to be priced again for each part. */
gboolean breakdown_is_known(const Record *record);

/* Returns the parts of the time of a run with a result. `apart` FALSE: all but contention is in BREAKDOWN_ALL_ELSE. */
TimeBreakdown breakdown_of(const Record *record, gboolean apart);
