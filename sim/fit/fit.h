/* The constants of a machine from measured times. */
#pragma once

#include "columns.h"
#include "measured.h"
#include "regression.h"

/* What of short_limit is wanted. */
#define FIT_LIMIT_SEEK (-2)     /* whatever the times tell */
#define FIT_LIMIT_NONE (-1)

#define FIT_LIMITS_MAX 100u

typedef struct {
    gboolean is_known[MACHINE_KEYS_MAX];    /* [constants_count()] */
    gint64 known_ps[MACHINE_KEYS_MAX];
    gint64 short_limit;                     /* bytes, or one of the above */
} FitQuestion;

typedef enum {
    FIT_FOUND,
    FIT_KNOWN,          /* it was given */
    FIT_ZERO,           /* the times want it to be 0 or less */
    FIT_DEPENDENT,      /* it can't be told from others, which have taken it over */
    FIT_UNSEEN          /* no time depends on it */
} FitFate;

typedef struct {
    Observation *observation;
    Columns *columns;
    double residual, weight;    /* as regression.h, of the fit */
} Sample;

static inline Sample *fit_sample(const GPtrArray *samples, guint i)
{
    return g_ptr_array_index(samples, i);
}

typedef struct {
    FitQuestion question;
    GPtrArray *samples;         /* Sample *: the observations that are fitted */
    gint64 short_limit;         /* bytes; -1: none */
    gint64 next_length;         /* the next one above short_limit that was measured; 0: none */
    FitFate fate[MACHINE_KEYS_MAX];     /* [constants_count()] */
    double value_ps[MACHINE_KEYS_MAX], error_ps[MACHINE_KEYS_MAX];  /* NAN where there is no error */
    RegressionRank rank;        /* by constants */
    double scale;               /* of relative residuals */
    gboolean stable;            /* derivatives are those at the constants found */
    Machine estimate;           /* all constants, in whole ps; what is not found is 0. Has no texts */
} Fit;

/* Fits all observations that are not left out (their left_out is set where the model refuses them). Constants start
 * anywhere; derivatives are taken there, constants are found, and so on until the derivatives are those at the
 * constants found (Gauss & Newton).
 *
 * A short_limit is tried at every length of packets but the longest, where lambda and tau can be told on both sides of
 * it; at FIT_LIMITS_MAX of them, evenly spread, if there are more. It is taken if it explains more than chance could:
 * if twice the loss (regression_loss()), at the least scale of all that were tried, plus k ln n, for k constants and n
 * times, is by more than 2 less than without a limit (Schwarz 1978; Kass & Raftery 1995). The limit itself counts as a
 * constant.
 *
 * Errors: ECUBE_ERROR_INPUT if there is nothing to fit, or a schedule doesn't fit into memory. Caller frees. */
Fit *fit_find(const GPtrArray *observations, const FitQuestion *question, GError **error);
void fit_free(Fit *fit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Fit, fit_free)

/* The same without the samples for which `skip` says so, with the derivatives of `fit`, which it borrows from; no
 * samples of its own. NULL if none are left. Caller frees. */
typedef gboolean FitSkip(const Sample *sample, gconstpointer user);
Fit *fit_without(const Fit *fit, FitSkip *skip, gconstpointer user);
