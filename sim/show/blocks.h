/* Which pieces of matrices lie in which processor, and move, at what time of a run. */
#pragma once

#include "sim/engine/trace.h"
#include "sim/run/record.h"
#include "sim/schedule/content.h"

typedef enum {
    BLOCKS_PIECES,      /* matrix, top, left, height, width */
    BLOCKS_HOLDINGS,    /* processor, slot, start, length, piece */
    BLOCKS_CARGO,       /* message, piece, start, length: from its issue until it is in a slot of its destination */
    BLOCKS_WORK,        /* processor, start, length, done: operations of arithmetic, all up to then */
    N_BLOCKS_TABLES
} BlocksTable;

extern const char *const blocks_table_names[N_BLOCKS_TABLES], *const blocks_columns[N_BLOCKS_TABLES][6];

/* Times are in ps. All tables but the pieces are sorted by their first three columns. */
typedef struct {
    Mosaic mosaic;
    GPtrArray *labels;                  /* of the pieces: "C 2,1"; "C 2,*", all columns; "part of C 2,1"; or "C" */
    GArray *tables[N_BLOCKS_TABLES];    /* gint64, row by row */
} Blocks;

/* NULL if there is no picture of them (content.h), of runs that failed, and where a walk through the schedule does not
 * have the dates of the trace. */
Blocks *blocks_find(const Record *record, const Trace *trace);
void blocks_free(Blocks *blocks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Blocks, blocks_free)
