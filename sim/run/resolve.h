/* Resolution of scenarios into runs: for every size every algorithm, with every partition, list of offsets or number of
 * accumulation steps if it takes these, in the given order. */
#pragma once

#include "scenario.h"

/* Makes requests of scenarios, one after the other, and reads each machine file only once. `platforms`, the folder of
 * machine files, is borrowed. */
typedef struct Resolver Resolver;
Resolver *resolver_new(const char *platforms, ScenarioUse use);
void resolver_free(Resolver *resolver);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Resolver, resolver_free)

/* Reads and checks the values of a scenario. Returns the request, which belongs to the resolver and is valid until the
 * next call. NULL with an error, ECUBE_ERROR_INPUT. */
const Request *resolver_scenario(Resolver *resolver, const Scenario *scenario, GError **error);

/* Returns the machine of a scenario, with its overrides; other keys are not checked. The machine belongs to the
 * resolver and is valid until the next call. NULL with an error. */
const Machine *resolver_machine(Resolver *resolver, const Scenario *scenario, GError **error);

/* Returns the paths of the machine files read so far, in the order of reading. Caller frees the array. */
GPtrArray *resolver_files(const Resolver *resolver);

/* Returns the number of runs that the request makes, at most SCENARIO_RUNS_MAX. */
guint request_n_runs(const Request *request);

/* Fills in run number i, and divides its data into pieces unless it is refused (Run.refused). `machine` becomes the
 * run's machine, if the request has one, and borrows from the resolver; with packet = optimal it has the run's own
 * packet. Error: too many packets. */
gboolean request_run(const Request *request, guint i, Run *run, Machine *machine, GError **error);

#define RUNS_ARE_MADE_OF "the lists of algorithms, partitions and sizes"

/* Refuses more or fewer runs than one. `where` begins the error message. */
gboolean runs_check_single(const char *where, const GArray *runs, GError **error);

/* Returns the runs of one scenario (Run). Their machines belong to the scenario: the caller unrefs the array before it
 * frees the scenario. NULL with an error, ECUBE_ERROR_INPUT. */
GArray *scenario_resolve(Scenario *scenario, const char *platforms, ScenarioUse use, GError **error);
