/* What `ecube hull` and `ecube best` have in common: a machine, a dimension and a model, from options that stand for
 * keys of [run] or are their own. */
#pragma once

#include "command.h"
#include "models/hull.h"

extern struct PredictionOptions {
    char *model, *direct_shuffle;
} prediction_options;

#define PREDICTION_MODELS "contention-free|published"
#define PREDICTION_MODEL(more, models) \
    {"model", 0, 0, G_OPTION_ARG_STRING, &prediction_options.model, \
     "contention-free (the default): what `ecube run` executes, every message over its own distance; " \
     "published: the formula as printed, every message over d/2 channels" more, \
     models}, \
    {"direct-shuffle", 0, 0, G_OPTION_ARG_STRING, &prediction_options.direct_shuffle, \
     "Whether {d} pays for its redundant shuffle; default: yes for published, no for contention-free", "yes|no"}

typedef struct {
    const Machine *machine;         /* the judge's */
    guint dimension;
    ExchangeDistance distance;      /* average: published; true: contention-free */
    gboolean direct_shuffle;        /* {d} pays for its redundant shuffle */
} Prediction;

/* Judges the options but for the dimension, which is 0; the machine is given. */
gboolean prediction_judge(const CommandLine *line, Judge *judge, Prediction *prediction, GError **error);

/* Judges the options; machine and dimension are given. */
gboolean prediction_parse(const CommandLine *line, Judge *judge, Prediction *prediction, GError **error);

/* "published model, {6} paying for its shuffle", that messages are issued at once if start-ups overlap, and that times
 * leave half duplex out. Caller frees. */
char *prediction_describe(const Prediction *prediction);

/* "3,3"; one that is longer than a table can have, as runs of equal parts (partition_format_runs()). Caller frees. */
char *prediction_partition_shown(const Partition *partition);

/* table_time_shown() of `ps`, a time that formulas give, however long. Caller frees. */
char *prediction_time_shown(double ps);
