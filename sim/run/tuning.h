/* A procedure that finds out where a candidate is faster than the MPI library, from times that are noise for the most
 * part. It knows nothing of MPI: a function measures for it.
 *
 * 1. Screening: in TUNING_SCREEN rounds the library and all candidates of all sizes take turns. Where candidates gain
 *    as much as the best one, at most TUNING_TIES rounds follow. The winner of a size is the first candidate whose gain
 *    is at most TUNING_MARGIN less than that of the best. So chance does not choose among equals, and another tuning
 *    names the same list.
 * 2. Confirmation: library and winner are measured afresh, so that luck does not win twice. The gain is judged after
 *    24, 48, 96, 192 and 384 rounds. If its interval lies above the margin, the winner becomes a rule. If it lies
 *    below the margin, or the time is over, the library stays.
 *
 * A gain is the logarithm of the library's time over the candidate's. */
#pragma once

#include <glib.h>

#define TUNING_CALLS 4000       /* estimated time of the tuning of a size, in calls of the library at this size */
#define TUNING_MARGIN 0.02      /* gain that a rule must exceed */
#define TUNING_ERROR 0.01       /* largest probability of a false rule, over all sizes together */
#define TUNING_TURNS 5          /* number of times that a round measures each algorithm */
#define TUNING_SCREEN 20        /* rounds of the screening */
#define TUNING_TIES 60          /* largest number of further rounds, for sizes at which several candidates gain alike */

/* Measures a round on new buffers: times algorithms in the order of `order` [n], after each has run once outside the
 * clock. Fills in seconds [n]. Algorithm 0 is the library, then follow the candidates of size `size`. */
typedef void (*TuningMeasure)(void *data, guint size, const guint *order, guint n, double *seconds);

/* Returns the seconds since the tuning began; the same at all ranks. */
typedef double (*TuningClock)(void *data);

/* Prints how far the tuning is: round `at` of `n` of a stage. */
typedef void (*TuningProgress)(void *data, const char *stage, guint at, guint n);

typedef enum {
    TUNING_RULE,            /* the winner is faster than the library: the low end of the gain exceeds the margin */
    TUNING_LIBRARY,         /* no candidate is faster by more than the margin */
    TUNING_UNDECIDED,       /* there were too few rounds, too little time, or times that depend on each other */
    TUNING_LEFT_OUT         /* not measured: the time does not suffice for so large blocks */
} TuningVerdict;

typedef struct {
    TuningVerdict verdict;
    guint winner;           /* candidate that the screening chose, from 1 on; 0: it chose none */
    double gain, low, high; /* gain in the confirmation, and the ends of its interval, which is so wide that all sizes
                             * together have the error TUNING_ERROR */
    guint rounds;           /* number of rounds of the confirmation from which `gain` follows */
    double seconds;         /* estimated time of a call of the library */
} TuningChoice;

typedef struct {
    guint n_sizes;              /* number of block sizes; size 0 is the smallest */
    const guint *n_candidates;  /* [n_sizes]: number of candidates of each size */
    double budget_s;            /* seconds that the tuning may take */
    guint32 seed;
    gboolean is_chosen;         /* whether candidate 1 of each size is the winner of an earlier launch: no screening */
    TuningMeasure measure;
    TuningClock clock;
    TuningProgress progress;    /* NULL: no progress is shown */
    void *data;
} Tuning;

/* Measures three rounds of the library at each size: sets choices[].seconds, leaves out the largest sizes for which the
 * budget does not suffice, and returns the seconds that the others will take, about. */
double tuning_estimate(const Tuning *tuning, TuningChoice *choices);

/* Screens and confirms the sizes that tuning_estimate() has not left out: fills in their choices[]. */
void tuning_run(const Tuning *tuning, TuningChoice *choices);
