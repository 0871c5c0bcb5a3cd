/* What `ecube hull` and `ecube best` have in common: a machine, a dimension and a model, from options; some of it also
 * serves `ecube tables`. */
#ifndef ECUBE_PREDICTION_H
#define ECUBE_PREDICTION_H

#include "models/hull.h"
#include "sim/text/table.h"

#include <glib.h>

typedef struct {
    char *machine, *dimension, *model, *direct_shuffle, *format;
    char **set;
} PredictionOptions;

typedef struct {
    Machine *machine;
    guint dimension;
    ExchangeDistance distance;      /* average: published; true: contention-free */
    gboolean direct_shuffle;        /* {d} pays for its redundant shuffle */
    Format format;
} Prediction;

/* Entries for the options, followed by `own`, both for command_parse(). Caller frees the array. */
GOptionEntry *prediction_entries(PredictionOptions *options, const GOptionEntry *own);
void prediction_options_clear(PredictionOptions *options);

/* The values of --set, "KEY=VALUE" each, as a table for machine_load(). Caller frees. */
GHashTable *prediction_overrides(char **set, GError **error);

/* Judges the options. Clear with prediction_clear(). */
gboolean prediction_parse(const PredictionOptions *options, Prediction *prediction, GError **error);

/* "published model, {6} paying for its shuffle". Caller frees. */
char *prediction_describe(const Prediction *prediction);
void prediction_clear(Prediction *prediction);

/* table_time_shown() of `ps`, a time that formulas give, however long. Caller frees. */
char *prediction_time_shown(double ps);

/* Checks that the value of an option, in bytes, is one of whole elements. */
gboolean prediction_check_multiple(const char *option, gint64 value, gint64 element, GError **error);

#endif
