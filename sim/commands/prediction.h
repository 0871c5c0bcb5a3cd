/* What the hull of optimality predicts: `ecube hull`, and `ecube best` of patterns that have one. */
#pragma once

#include "command.h"
#include "sim/patterns/listing.h"

extern struct PredictionOptions {
    char *model, *direct_shuffle, *family;
} prediction_options;

#define PREDICTION_MODELS "contention-free|published"
#define PREDICTION_MODEL(more, models) \
    {"model", 0, 0, G_OPTION_ARG_STRING, &prediction_options.model, \
     "contention-free (the default): what `ecube run` executes, every message over its own distance; " \
     "published: the formula as printed, every message over d/2 channels" more, \
     models}, \
    {"direct-shuffle", 0, 0, G_OPTION_ARG_STRING, &prediction_options.direct_shuffle, \
     "Whether {d} pays for its redundant shuffle; default: yes for published, no for contention-free", "yes|no"}

#define PREDICTION_FAMILY \
    {"family", 0, 0, G_OPTION_ARG_STRING, &prediction_options.family, \
     "What there is to choose from: partitions (the default), or all lists of offsets known (`ecube offsets`)", \
     "partitions|offsets"}

/* Judges --family. */
gboolean prediction_family(gboolean *by_offsets, GError **error);

/* Where nothing takes any time nothing is better than something else. Error: no constant of the machine is above 0. */
gboolean prediction_check_costs(const Machine *machine, GError **error);

/* The partition to use for one size: fills the sheet. `*machine` becomes the judge's. */
gboolean prediction_list(const CommandLine *line, Judge *judge, const Pattern *pattern, const Machine **machine,
                         Sheet *sheet, GError **error);
