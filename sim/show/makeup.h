/* What the time of a run is made of. What a run pays for something is what its contention-free time falls by when that
 * costs nothing, one thing after the other; contention is the rest of its simulated time. */
#pragma once

#include "sim/run/record.h"

/* Up to MAKEUP_LATE_STARTS in the order in which they are taken out. */
typedef enum {
    MAKEUP_HANDSHAKES, MAKEUP_BARRIERS, MAKEUP_TRANSMISSION, MAKEUP_CIRCUITS, MAKEUP_SHUFFLES, MAKEUP_ARITHMETIC,
    MAKEUP_LATE_STARTS, MAKEUP_STARTUPS,
    MAKEUP_ALL_ELSE,            /* all but contention, of a run that is not taken apart */
    MAKEUP_CONTENTION, N_MAKEUP
} MakeupPart;

/* [part]: "handshakes", "barriers", ... */
extern const char *const makeup_names[N_MAKEUP];

typedef struct {
    gint64 ps[N_MAKEUP];        /* adds up to the simulated time */
    gint64 count[N_MAKEUP];     /* how many a processor has; 0: not known */
} Makeup;

/* Whether a run is small enough to be priced again, part by part. */
gboolean makeup_is_known(const Record *record);

/* Of a run with a result. `apart`: part by part. */
Makeup makeup_of(const Record *record, gboolean apart);
