/* The constants of a machine from measured times. */
#pragma once

#include "derivatives.h"
#include "measured.h"
#include "regression.h"

/* Values of a limit that are no number of bytes. */
#define FIT_LIMIT_SEEK (-2)     /* the fit finds out from the times whether there is a limit */
#define FIT_LIMIT_NONE (-1)     /* there is no limit: no message is short, or none is long */

/* The most lengths that one round tries: as the only limit (FIT_LIMITS_MAX), or beside another (FIT_LIMITS_BESIDE). */
#define FIT_LIMITS_MAX 100u
#define FIT_LIMITS_BESIDE 25u

/* The most lengths of which all pairs are tried as limits. */
#define FIT_PAIRS_MAX 12u

/* The most times that choose limits. If there are more, this many of them are drawn, by a fixed seed. */
#define FIT_LIMIT_SAMPLES_MAX 2000u

/* The limits of a machine, in bytes. */
typedef struct {
    gint64 short_limit, long_limit;
} FitLimits;

typedef struct {
    gboolean is_known[MACHINE_KEYS_MAX];    /* [constants_count()]: whether the constant is given, not fitted */
    double known_ps[MACHINE_KEYS_MAX];      /* [constants_count()]: given values, in ps or ps per byte */
    FitLimits limits;                       /* limits that are asked for, each in bytes, FIT_LIMIT_SEEK or
                                             * FIT_LIMIT_NONE */
    gboolean is_node_apart;                 /* whether lambda_node and tau_node are fitted apart from lambda and tau;
                                             * FALSE: they may equal these */
} FitQuestion;

/* What a fit has found out about a constant. */
typedef enum {
    FIT_FOUND,          /* the constant has a value above 0 */
    FIT_KNOWN,          /* the constant was given */
    FIT_ZERO,           /* the times want the constant to be 0 or less */
    FIT_DEPENDENT,      /* the times determine only sums of the constant and others, by Fit.rank */
    FIT_UNSEEN          /* no time depends on the constant */
} FitFate;

/* A time that is fitted. */
typedef struct {
    Observation *observation;   /* borrowed */
    Derivatives *derivatives;           /* owned */
    double residual, weight;    /* relative residual, at last by the rounded constants; weight in the last regression */
} Sample;

static inline Sample *fit_sample(const GPtrArray *samples, guint i)
{
    return g_ptr_array_index(samples, i);
}

typedef struct {
    FitQuestion question;
    GPtrArray *samples;         /* Sample *: the fitted times; owned; NULL in a result of fit_without() */
    FitLimits limits;           /* limits of the fit, each in bytes or FIT_LIMIT_NONE */
    FitLimits next;             /* bytes of the shortest measured packet that is longer than the limit, for each limit;
                                 * 0: there is none */
    FitFate fate[MACHINE_KEYS_MAX];     /* [constants_count()]: what the fit found out */
    double value_ps[MACHINE_KEYS_MAX];  /* [constants_count()]: values of the constants, in ps or ps per byte */
    double error_ps[MACHINE_KEYS_MAX];  /* [constants_count()]: half of each constant's 95 % interval; NAN: no
                                         * interval */
    double low_ps[MACHINE_KEYS_MAX], high_ps[MACHINE_KEYS_MAX];
                                /* [constants_count()]: least and largest value of each constant among all sets of
                                 * constants that give the same fitted times; INFINITY: no largest */
    double criterion;           /* criterion of the last regression; the least one chooses the limits */
    double reach_ps[MACHINE_KEYS_MAX];  /* [constants_count()]: largest distance from the value to an end of its 95 %
                                         * interval with other limits that may be the true ones */
    RegressionRank rank;        /* rank of the regression, whose columns are the constants */
    double scale;               /* standard deviation of the relative residuals, estimated from their median size */
    gboolean is_exact;          /* whether the last regression gives all times but for rounding */
    gboolean stable;            /* whether the derivatives hold at `estimate` */
    Machine estimate;           /* all constants, in the units of constant_set(), without texts. 0: not found;
                                 * MACHINE_UNSET: equal to that between nodes */
} Fit;

/* Fits all observations that are not left out, and sets left_out of those that the model refuses. Begins with the
 * constants of derivatives_anywhere(), takes the derivatives there and finds constants, until the derivatives are those
 * at the constants found (Gauss & Newton).
 *
 * pieces_find() finds the limits of single messages, if the question gives no constant or limit. In all other cases
 * every length of packets but the longest is tried as short_limit. Of more than FIT_LIMITS_MAX lengths this many are
 * tried, evenly spread, then those between the neighbours of the best. A limit at which handshakes alone are short is
 * tried as well. If one limit is better than none, a second one is sought. Of at most FIT_PAIRS_MAX lengths all pairs
 * are tried. Of more lengths FIT_LIMITS_BESIDE a round are tried below and above the best limit. Then each limit is
 * sought anew with the other fixed. At most FIT_LIMIT_SAMPLES_MAX of the times choose the limits.
 *
 * The criterion is 2 n ln r + 2 k ln n, for n times with the mean absolute residual r and k constants. A limit counts
 * as a constant. This is Schwarz's criterion (1978) for Laplace's distribution, with twice the price of a constant. A
 * limit is taken if the criterion is less than without it. The error of a constant also covers its intervals with
 * other limits, equally many, with a criterion within PIECES_NEAR of the least.
 *
 * Errors: ECUBE_ERROR_INPUT if there is nothing to fit, or no length between given limits was measured; those of
 * derivatives_new(). Caller frees. */
Fit *fit_find(const GPtrArray *observations, const FitQuestion *question, GError **error);
void fit_free(Fit *fit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Fit, fit_free)

/* Whether fit_without() is to leave out the sample. */
typedef gboolean FitSkip(const Sample *sample, gconstpointer user);

/* Fits the samples of `fit` but those that `skip` leaves out, with the derivatives that `fit` has. The result has no
 * samples, and borrows from `fit`. NULL if no sample remains. Caller frees. */
Fit *fit_without(const Fit *fit, FitSkip *skip, gconstpointer user);
