/* What trusting a hull costs, by measured times: for every size of complete exchanges, the time measured of the
 * partition that the hull of a machine says, over the least time measured of any algorithm there, less 1. The hull is
 * that of contention-free times (`ecube hull`), which are what constants are fitted to. */
#pragma once

#include "fit.h"

typedef struct {
    const Observation *first;       /* of those with these processors, size and options */
    Partition hull;                 /* what the hull says, a partition or radices, of true distances as the fit knows
                                     * them */
    double promise_ps;              /* what its line promises */
    const Observation *chosen;      /* measured with these parts, in whatever order, or with these radices, the fastest;
                                     * NULL: not measured */
    const Observation *best;        /* the fastest of all */
    const Observation *library;     /* of the MPI library's own function, the fastest; NULL: not asked or measured */
    double regret;                  /* NAN: not measured */
} Regret;

/* Regret elements: of each number of processors and size of complete exchanges, in the order in which they first come;
 * options are those of observations, constants `machine`'s. With `baselines`, what has no schedule counts, too. Caller
 * unrefs. */
GArray *regret_list(const GPtrArray *observations, const Machine *machine, gboolean baselines);

static inline const Group *regret_group(const Regret *regret)
{
    return problem_group(&regret->first->run.problem);
}

/* Of those that have one, of a group or (NULL) of all: how many, the largest and the mean. */
typedef struct {
    guint n, n_unknown;
    double worst, mean;
} RegretSum;
RegretSum regret_sum_of(const GArray *regrets, const Group *group);

static inline RegretSum regret_sum(const GArray *regrets)
{
    return regret_sum_of(regrets, NULL);
}

#define REGRET_GROUPS_MAX 50u

/* The same, for each size, of the machine that is fitted without complete exchanges of that size, or of its group of
 * sizes if they are more than REGRET_GROUPS_MAX. short_limit is `fit`'s; `machine` is that of fit_output_machine(). */
GArray *regret_list_left_out(const Fit *fit, const GPtrArray *observations, const Machine *machine);

/* "multiphase 2,3", "direct". Caller frees. */
char *regret_name(const Observation *observation);

/* Whether it is a complete exchange. */
gboolean regret_counts(const Observation *observation);

/* What the hull of contention-free times says of a run's size, and what its line promises. */
typedef struct {
    Partition partition;
    double promise_ps;
} RegretChoice;
RegretChoice regret_choice(const Machine *machine, const Run *run);

/* The algorithm that the hull of the run's pattern is of, on its machine. */
const Algorithm *regret_algorithm(const Run *run);

/* Whether a run has these parts, in any order, and issues messages as its machine's hull has it: with a gap, all those
 * of a phase at once. `sorted` has its parts in non-decreasing order; radices are compared in theirs. */
gboolean regret_is_choice(const Run *run, const Partition *sorted);
