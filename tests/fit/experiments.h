/* Experiments for fits: runs whose times are what the pricer says, or that with noise. */
#pragma once

#include "sim/fit/measured.h"

/* Keys of scenarios, "KEY=VALUE KEY=VALUE", for one dimension after the other. */
typedef struct {
    const char *keys;
    guint from, to;
} Experiment;

/* Adds the runs of an experiment on a machine, with their contention-free times. */
void experiment_add(Measured *measured, const char *machine, const Experiment *experiment);

/* All that tells constants apart: exchanges, messages over one channel and more, arithmetic. */
void experiments_add_all(Measured *measured, const char *machine);

/* Times every time with 1 + share x a number from a normal distribution (at least 0.1), and one in `every` with `wild`
 * as well; 0: none. */
void experiment_disturb(const Measured *measured, guint32 seed, double share, guint every, double wild);
