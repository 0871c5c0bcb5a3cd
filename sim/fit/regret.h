/* Costs of trusting a hull, by measured times of complete exchanges. The regret of a size is the measured time of
 * the hull's partition, over the least measured time of any algorithm, less 1. The hull is that of contention-free
 * times (`ecube hull`), to which constants are fitted. */
#pragma once

#include "fit.h"

/* The regret at a place: processors, size and options of the machine. All observations are borrowed. */
typedef struct {
    const Observation *first;       /* first observation with these processors, size and options */
    Phases hull;                    /* the hull's choice, a partition or radices, by contention-free times */
    double promise_ps;              /* time of `hull` by the hull's line */
    guint n_alike;                  /* number of observations with the hull's choice, the fastest of which is
                                     * `chosen` */
    const Observation *chosen;      /* the fastest observation with the parts of `hull` in any order, or with its
                                     * radices; NULL: not measured */
    const Observation *best;        /* the fastest observation */
    const Observation *library;     /* the fastest observation of the MPI library's own function; NULL: not asked for,
                                     * or not measured */
    double regret;                  /* extra time of `chosen` as a share of the time of `best`; NAN: not measured */
} Regret;

/* Returns copies of the complete exchanges among the observations, in their order: one for each run. A run that was
 * measured several times, as in several launches, has the geometric mean of its times. The error of the mean is from
 * their differences, or from their own errors if these give more. The copies borrow from the originals (GPtrArray of
 * Observation). Caller unrefs. */
GPtrArray *regret_pool(const GPtrArray *observations);

/* Returns a Regret for each combination of processors, size and options with complete exchanges, in the order of their
 * first observations (GArray). Hulls have the options of the observations and the constants of `machine`. With
 * `baselines` the times of a library's own function count as well. Caller unrefs. */
GArray *regret_list(const GPtrArray *observations, const Machine *machine, gboolean baselines);

/* Returns the group of the place's processors. */
static inline const Group *regret_group(const Regret *regret)
{
    return problem_group(&regret->first->run.problem);
}

/* The largest and the mean of several regrets. */
typedef struct {
    guint n, n_unknown;     /* number of places with a regret; number of places whose choice was not measured */
    double worst, mean;     /* largest and mean regret; 0 without any regret */
} RegretSum;

/* Returns the largest and the mean of the regrets whose processors form `group`; NULL: of all regrets. */
RegretSum regret_sum_of(const GArray *regrets, const Group *group);

static inline RegretSum regret_sum(const GArray *regrets)
{
    return regret_sum_of(regrets, NULL);
}

/* Largest number of groups of sizes. Each group in turn is left out of the fit. */
#define REGRET_GROUPS_MAX 50u

/* Returns the regrets (GArray of Regret) of all places. For each size the machine is fitted to the complete exchanges
 * of all other sizes. If there are more than REGRET_GROUPS_MAX sizes, several are left out at a time. `machine` is what
 * fit_output_machine() writes of `fit`. It gives both limits, and constants on which no time of other sizes depends.
 * Caller unrefs. */
GArray *regret_list_left_out(const Fit *fit, const GPtrArray *observations, const Machine *machine);

/* Returns the algorithm and its partition: "multiphase 2,3", "direct". Caller frees. */
char *regret_name(const Observation *observation);

/* Whether the observation is a complete exchange without missing blocks, all of one size. */
gboolean regret_counts(const Observation *observation);

/* What a hull chooses. */
typedef struct {
    Phases partition;    /* the partition, or radices */
    double promise_ps;      /* time by the hull's line */
} RegretChoice;

/* Returns the choice of `machine`'s hull of contention-free times for the run's processors and size. */
RegretChoice regret_choice(const Machine *machine, const Run *run);

/* Returns the algorithm whose partitions are on the hull of the run's pattern on its machine. */
const Algorithm *regret_algorithm(const Run *run);

/* Whether the run's algorithm is regret_algorithm(), Standard or Direct, with the parts or radices of `choice`. Parts
 * may be in any order if those of `choice` are non-decreasing and the network is a cube or a crossbar. Standard and
 * Direct do not count on a cube if the machine has a gap: they wait where multiphase-linear does not. */
gboolean regret_is_choice(const Run *run, const Phases *choice);
