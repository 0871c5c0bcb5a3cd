/* Schedules with one mistake: everything else is as in a good one. */
#pragma once

#include "tests.h"

typedef enum {
    MISTAKE_SWAPPED,        /* the first and the last block of a message land in each other's places; a single one in
                             * the next slot */
    MISTAKE_NOT_SENT,       /* a message is neither sent nor awaited */
    MISTAKE_NOT_MOVED,      /* no message of a step is, of all processors */
    MISTAKE_TRANSFER,       /* what is to be copied moves, what is to move or to be added is copied */
    MISTAKE_NO_WORK,        /* a processor does not work on its slots */
    MISTAKE_WORKED_TWICE,   /* it does so once more, in a step of its own */
    N_MISTAKES
} Mistake;

/* Where: in step k of a strand of `node`, whose first message it is about. */
typedef struct {
    Mistake mistake;
    guint strand, k, node;
} Disturbance;

/* Whether there is anything to do wrong there. */
gboolean disturbance_applies(const Schedule *schedule, const Disturbance *disturbance);

/* Takes over the schedule. */
Schedule *disturbed_new(Schedule *schedule, const Disturbance *disturbance);

/* "not sent, strand 0, step 3, processor 5". Caller frees. */
char *disturbance_describe(const Disturbance *disturbance);
