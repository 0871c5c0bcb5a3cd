/* The MPI libraries that can be told which algorithm of MPI_Alltoall to take, and what each of them reads. */
#pragma once

#include "tuning.h"

typedef struct {
    const char *format, *library;   /* "ompi-json", "Open MPI" */
    HullChoice choice;              /* the partitions that it has */
    const char *has;                /* the same in words */
    gboolean patches;               /* it reads one file for all collectives: `base` must be that file */
    /* The text for `tables`[], of TuningTable, by dimension, each once. `base` is a file's path, or NULL. NULL with an
     * error if the base is none. Caller frees. */
    char *(*write)(const GPtrArray *tables, const char *base, GError **error);
} TuningLibrary;

/* [TUNING_LIBRARIES] */
#define TUNING_LIBRARIES 4
extern const TuningLibrary tuning_libraries[];
