/* What the hull of optimality predicts: `ecube hull`, and `ecube best` of patterns that have one. */
#pragma once

#include "command.h"
#include "models/hull.h"
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

/* Of processors that are no cube (`group`; NULL: a cube) no line has barriers before exchanges. */
gboolean prediction_check_barrier(const Machine *machine, const Group *group, GError **error);

/* Where nothing takes any time nothing is better than something else. Error: no constant of the machine is above 0. */
gboolean prediction_check_costs(const Machine *machine, GError **error);

typedef struct {
    const Machine *machine;         /* the judge's */
    guint dimension;
    const Group *group;             /* NULL: a cube that is too large for one */
    ExchangeDistance distance;      /* average: published; true: contention-free */
    gboolean direct_shuffle;        /* {d} pays for its redundant shuffle */
    gboolean by_offsets;            /* lists of offsets, not partitions */
    gboolean by_processors;         /* tables have a column `processors`: some place is no cube */
} Prediction;

/* Judges the options but for the place, which is a cube of dimension 0; the machine is the judge's. */
gboolean prediction_judge(const CommandLine *line, Judge *judge, Prediction *p, GError **error);

/* The same prediction for each --dimension, from `min` to `max`, or for each of --processors, which must be places of
 * the model that a choice has something for: Prediction. NULL with an error. Caller unrefs. */
GArray *prediction_places(const CommandLine *line, const Prediction *p, HullChoice choice, guint min, guint max,
                          GError **error);
guint prediction_dimension_max(const Prediction *p);

gboolean prediction_is_cube(const Prediction *p);
guint prediction_n_processes(const Prediction *p);      /* of at most 2^31 */

Hull *prediction_hull(const Prediction *p, HullChoice choice);
HullCosts prediction_costs(const Prediction *p, double bytes);      /* of a cube */

/* Says on standard error if a prediction for blocks of these sizes is beyond what the machine was fitted to. */
void prediction_tell_beyond(const Prediction *p, double from_bytes, double to_bytes);

/* Prints the verdict on a machine's constants on standard error, unless they may be used. */
void prediction_tell_doubt(const Machine *machine);

/* --- in words; the caller frees --- */

/* "partitions", "radices", "lists of offsets": what a hull is of. Static. */
const char *prediction_family_words(gboolean by_offsets, const Group *group);

/* "d = 6", "12 processors". */
char *prediction_words(const Prediction *p);

/* "published model, {6} paying for its shuffle", that messages are issued at once if start-ups overlap, and that times
 * leave half duplex out. */
char *prediction_model(const Prediction *p);

/* "3,3"; one that is longer than a table can have, as runs of equal parts (partition_format_runs()). */
char *prediction_partition_shown(const Partition *partition);

/* table_time_shown() of `ps`, a time that formulas give, however long. */
char *prediction_time_shown(double ps);

/* What people should know of a table of lists. Static. */
const char *prediction_list_note(const Machine *machine);

/* --- cells --- */

/* The last of n columns is processors, if there is one. */
guint prediction_n_columns(const Prediction *p, gsize n);
void prediction_add_processors(Table *table, const Prediction *p);
void prediction_add_dimension(Table *table, const Prediction *p);

void prediction_add_ps(Table *table, double ps);

/* The length of a list, and the list. */
void prediction_add_list(Table *table, const HullFace *face, const Group *group);

/* What nothing takes less than, and how far above it a time is. */
void prediction_add_gap(Table *table, double bound_ps, double ratio);

/* The partition to use for one size: fills the sheet. */
gboolean prediction_list(const CommandLine *line, Judge *judge, const Pattern *pattern, Sheet *sheet, GError **error);
