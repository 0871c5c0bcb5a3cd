/* The constants of a machine from measured times. */
#pragma once

#include "derivatives.h"
#include "measured.h"
#include "regression.h"

/* Values of a FitQuestion's short_limit that are no bytes. */
#define FIT_LIMIT_SEEK (-2)     /* find out from the times whether there is one */
#define FIT_LIMIT_NONE (-1)     /* no message is short */

/* The most lengths that are tried as short_limit in a round. */
#define FIT_LIMITS_MAX 100u

/* The most times by which a short_limit is chosen; of more, so many are drawn at random, alike each time. */
#define FIT_LIMIT_SAMPLES_MAX 4000u

typedef struct {
    gboolean is_known[MACHINE_KEYS_MAX];    /* [constants_count()] constants that are given, not fitted */
    double known_ps[MACHINE_KEYS_MAX];      /* [constants_count()] their values, in ps or ps per byte */
    gint64 short_limit;                     /* bytes, FIT_LIMIT_SEEK or FIT_LIMIT_NONE */
    gboolean is_node_apart;                 /* lambda_node and tau_node are fitted, and not tried as lambda and tau */
} FitQuestion;

/* What a fit has found out about a constant. */
typedef enum {
    FIT_FOUND,          /* the constant has a value above 0 */
    FIT_KNOWN,          /* the constant was given */
    FIT_ZERO,           /* the times want the constant to be 0 or less */
    FIT_DEPENDENT,      /* the constant cannot be told from others, whose values contain it */
    FIT_UNSEEN          /* no time depends on the constant */
} FitFate;

/* A time that is fitted. */
typedef struct {
    Observation *observation;   /* borrowed */
    Derivatives *derivatives;           /* owned */
    double residual, weight;    /* relative residual and weight by the last regression */
} Sample;

static inline Sample *fit_sample(const GPtrArray *samples, guint i)
{
    return g_ptr_array_index(samples, i);
}

typedef struct {
    FitQuestion question;
    GPtrArray *samples;         /* Sample *: the observations that are fitted; NULL: fit_without() made the fit */
    gint64 short_limit;         /* bytes; -1: none */
    gint64 next_length;         /* bytes of the shortest packet measured that is not short; 0: none */
    FitFate fate[MACHINE_KEYS_MAX];     /* [constants_count()] */
    double value_ps[MACHINE_KEYS_MAX];  /* [constants_count()]: values of the constants, in ps or ps per byte */
    double error_ps[MACHINE_KEYS_MAX];  /* [constants_count()]: half of their 95 % intervals, NAN: none */
    double low_ps[MACHINE_KEYS_MAX], high_ps[MACHINE_KEYS_MAX];
                                /* [constants_count()]: least and largest values that some machine with the same times
                                 * has; INFINITY: any */
    double criterion;           /* of the last regression, as it chooses a limit */
    RegressionRank rank;        /* rank of the regression, whose columns are the constants */
    double scale;               /* standard deviation of the relative residuals, if they are normal */
    gboolean stable;            /* the derivatives are those at `estimate` */
    Machine estimate;           /* all constants, in whole ps; constants that are not found are 0. Has no texts */
} Fit;

/* Fits all observations that are not left out, and sets left_out of those that the model refuses. Begins with the
 * constants of derivatives_anywhere(), takes the derivatives there and finds constants, until the derivatives are
 * those at the constants found (Gauss & Newton).
 *
 * A short_limit is tried at every length of packets but the longest, or at FIT_LIMITS_MAX of them, evenly spread, then
 * between the neighbours of the best of these, and where handshakes alone are short. At most FIT_LIMIT_SAMPLES_MAX of
 * the times choose it. Its criterion is 2 n ln r + 2 k ln n, for n times with the mean absolute residual r and k
 * constants; the limit is a constant. This is Schwarz's (1978) for Laplace's distribution, with twice its price. The
 * limit is taken if its criterion is less than without a limit.
 *
 * Errors: ECUBE_ERROR_INPUT if there is nothing to fit, or a schedule doesn't fit into memory. Caller frees. */
Fit *fit_find(const GPtrArray *observations, const FitQuestion *question, GError **error);
void fit_free(Fit *fit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Fit, fit_free)

/* Whether fit_without() leaves out the sample. */
typedef gboolean FitSkip(const Sample *sample, gconstpointer user);

/* Fits the samples of `fit` but those that `skip` leaves out, with the derivatives that `fit` has. The result has no
 * samples, and borrows from `fit`. NULL if no sample remains. Caller frees. */
Fit *fit_without(const Fit *fit, FitSkip *skip, gconstpointer user);
