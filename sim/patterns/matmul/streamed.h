/* A broadcast whose blocks are multiplied as they come. */
#pragma once

#include "matrix_content.h"
#include "region.h"
#include "sim/schedule/schedule.h"

typedef struct {
    Region blocks;              /* what is broadcast: a ring, moved */
    gboolean of_c;              /* they are C's; else D's */
    Region still, sums;         /* all that a processor has of the other factor, and what is added to: one slot each */
    gboolean first;             /* sums begin */
    guint m;                    /* number of the multiplication */
} Stream;

/* Takes over `broadcast`, of one strand. The step before the first multiplies what everybody has from the beginning,
 * and every other one what comes in it. */
Schedule *streamed_new(Schedule *broadcast, const Stream *stream, Content *content);
