/* Pieces of matrices: at which times of a run they lie in a processor's slots or move in messages. */
#pragma once

#include "sim/engine/trace.h"
#include "sim/run/record.h"
#include "sim/schedule/content.h"

/* Tables of a run. The comments name the columns of a row. `start` is a date in ps, `length` a time in ps. */
typedef enum {
    BLOCKS_PIECES,      /* a piece of a matrix: matrix, top, left, height, width */
    BLOCKS_HOLDINGS,    /* a piece in a slot: processor, slot, start, length, piece */
    BLOCKS_CARGO,       /* a piece in a message, from issue to a slot of the receiver: message, piece, start, length */
    BLOCKS_WORK,        /* operations that a processor has done so far, from the end of one arithmetic to the end of the
                         * next: processor, start, length, operations */
    N_BLOCKS_TABLES
} BlocksTable;

extern const char *const blocks_table_names[N_BLOCKS_TABLES], *const blocks_columns[N_BLOCKS_TABLES][6];

/* The tables of a run. The rows of all but BLOCKS_PIECES are sorted by their first three columns. */
typedef struct {
    Mosaic mosaic;
    GPtrArray *labels;                  /* char *, [piece]: names for people: "C 2,1"; "C 2,*" (all columns); "part of C
                                         * 2,1"; "C" */
    GArray *tables[N_BLOCKS_TABLES];    /* gint64: the cells of each table, row by row */
} Blocks;

/* Walks through the record's schedule with the dates of `trace`. Returns NULL if the run failed, the content has no
 * picture (content.h), the walk or the tables would be too large, or the walk's dates differ from the trace's. */
Blocks *blocks_find(const Record *record, const Trace *trace);
void blocks_free(Blocks *blocks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Blocks, blocks_free)
