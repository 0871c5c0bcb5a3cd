/* The parts of a run's time. One part after another is set to cost nothing. Its time is that by which the
 * contention-free time then gets shorter. Contention is the rest of the simulated time. */
#pragma once

#include "sim/run/record.h"

/* Parts of a run's time. Those up to BREAKDOWN_LATE_STARTS are set to cost nothing, one after another in this order. */
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
    gint64 count[N_BREAKDOWN];     /* [part]: number of handshakes, reconfigurations or start-ups of a processor; 0: not
                                    * known */
} TimeBreakdown;

/* Whether the run has few enough messages to be priced again for each part. */
gboolean breakdown_is_known(const Record *record);

/* Returns the parts of a run that has a result. `apart` FALSE: only BREAKDOWN_ALL_ELSE and BREAKDOWN_CONTENTION. */
TimeBreakdown breakdown_of(const Record *record, gboolean apart);
