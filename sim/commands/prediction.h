/* What `ecube hull` and `ecube best` have in common: a machine, a dimension and a model, from options that stand for
 * keys of [run] or are their own; some of it also serves `ecube tables`. */
#pragma once

#include "command.h"
#include "models/hull.h"
#include "sim/text/table.h"

#include <glib.h>

typedef struct {
    Scenario *scenario;     /* what the options that stand for keys have set */
    char *model, *direct_shuffle, *format;
} PredictionOptions;

typedef struct {
    Judge *judge;                   /* the machine is its */
    const Machine *machine;
    guint dimension;
    ExchangeDistance distance;      /* average: published; true: contention-free */
    gboolean direct_shuffle;        /* {d} pays for its redundant shuffle */
    Format format;
} Prediction;

/* Entries for the options, those of the keys `names` (command.h) among them, followed by `own`, both for
 * command_parse(); makes the scenario. Caller frees the array. */
GOptionEntry *prediction_entries(PredictionOptions *options, const char *const *names, const GOptionEntry *own);
void prediction_options_clear(PredictionOptions *options);

/* Refuses a scenario in which one of the keys, NULL-terminated, is not set. */
gboolean prediction_require(const Scenario *scenario, const char *const *names, GError **error);

/* Judges the options. Clear with prediction_clear(). */
gboolean prediction_parse(const PredictionOptions *options, Prediction *prediction, GError **error);

/* "published model, {6} paying for its shuffle". Caller frees. */
char *prediction_describe(const Prediction *prediction);
void prediction_clear(Prediction *prediction);

/* table_time_shown() of `ps`, a time that formulas give, however long. Caller frees. */
char *prediction_time_shown(double ps);
