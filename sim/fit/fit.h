/* The constants of a machine from measured times. */
#pragma once

#include "derivatives.h"
#include "measured.h"
#include "regression.h"

/* Limits that are no bytes. */
#define FIT_LIMIT_SEEK (-2)     /* find out from the times whether there is one */
#define FIT_LIMIT_NONE (-1)     /* no message is short, or long */

/* The most lengths that are tried in one round: for the first limit, and for a second limit beside the first. */
#define FIT_LIMITS_MAX 100u
#define FIT_LIMITS_BESIDE 25u

/* The most lengths of which all pairs are tried as limits. */
#define FIT_PAIRS_MAX 12u

/* The most times by which limits are chosen. If there are more, so many of them are drawn, by a fixed seed. */
#define FIT_LIMIT_SAMPLES_MAX 2000u

/* The limits of a machine, in bytes. */
typedef struct {
    gint64 short_limit, long_limit;
} FitLimits;

typedef struct {
    gboolean is_known[MACHINE_KEYS_MAX];    /* [constants_count()] constants that are given, not fitted */
    double known_ps[MACHINE_KEYS_MAX];      /* [constants_count()] values of the given constants, in ps or ps per byte
                                             * */
    FitLimits limits;                       /* each in bytes, FIT_LIMIT_SEEK or FIT_LIMIT_NONE */
    gboolean is_node_apart;                 /* lambda_node and tau_node are fitted, never taken to be lambda and tau */
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
    FitLimits limits;           /* each in bytes or FIT_LIMIT_NONE */
    FitLimits next;             /* bytes of the shortest packet measured that is longer than each limit; 0: none */
    FitFate fate[MACHINE_KEYS_MAX];     /* [constants_count()] */
    double value_ps[MACHINE_KEYS_MAX];  /* [constants_count()]: values of the constants, in ps or ps per byte */
    double error_ps[MACHINE_KEYS_MAX];  /* [constants_count()]: half of their 95 % intervals, NAN: none */
    double low_ps[MACHINE_KEYS_MAX], high_ps[MACHINE_KEYS_MAX];
                                /* [constants_count()]: least and largest values that some machine with the same times
                                 * has; INFINITY: any */
    double criterion;           /* criterion of the last regression, by which limits are chosen */
    double reach_ps[MACHINE_KEYS_MAX];  /* [constants_count()]: how far from the values the 95 % intervals reach that
                                 * constants have with other limits that may be the true ones */
    RegressionRank rank;        /* rank of the regression, whose columns are the constants */
    double scale;               /* standard deviation of the relative residuals, if they are normal */
    gboolean is_exact;          /* whether the last regression gives all times but for rounding */
    gboolean stable;            /* the derivatives are those at `estimate` */
    Machine estimate;           /* all constants, in whole ps; constants that are not found are 0. Has no texts */
} Fit;

/* Fits all observations that are not left out, and sets left_out of those that the model refuses. Begins with the
 * constants of derivatives_anywhere(), takes the derivatives there and finds constants, until the derivatives are
 * those at the constants found (Gauss & Newton).
 *
 * The limits of single messages are those of pieces_find(), if no constant is known. In all other cases a short_limit
 * is tried at every length of packets but the longest, or at FIT_LIMITS_MAX of them, evenly spread, then between the
 * neighbours of the best of these, and where handshakes alone are short. Beside the best, a second limit is tried
 * below and above it, at FIT_LIMITS_BESIDE lengths in a round; then either limit is sought anew with the other fixed.
 * Of at most FIT_PAIRS_MAX lengths all pairs are tried. At most FIT_LIMIT_SAMPLES_MAX of the times choose the limits.
 * The criterion is 2 n ln r + 2 k ln n, for n times with the mean absolute residual r and k constants; a limit is a
 * constant. This is Schwarz's (1978) for Laplace's distribution, with twice its price. A limit is taken if the
 * criterion is less than without it. The error of a constant covers its intervals with all limits that were tried and
 * have a criterion within PIECES_NEAR of the least.
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
