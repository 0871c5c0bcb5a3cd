#include "compare.h"
#include "limits.h"
#include "models/hull.h"
#include "sim/patterns/registry.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    Partition partition;
    gint64 promise_ps;
} Choice;

static gint64 bytes_of(const Run *run)
{
    return run->problem.data.bytes;
}

/* Trusting the hull of contention-free times, which knows no packets and the like. */
static Choice hull_choice(const Run *run)
{
    double bytes = (double)bytes_of(run);
    HullCosts costs = hull_costs(run->machine, run->problem.dimension, EXCHANGE_TRUE_DISTANCE, FALSE, bytes);
    Choice choice = {.partition = hull_best_at(&costs, bytes)};
    choice.promise_ps = llround(exchange_line_at(hull_partition_line(&costs, &choice.partition), bytes));
    return choice;
}

static const Algorithm *hull_algorithm(const Run *run)
{
    const Pattern *pattern = run->problem.pattern;
    return algorithm_find("", pattern, run->machine->ports == PORTS_ALL,
                          pattern->hull[run->machine->overlaps].algorithm, NULL);
}

gboolean compare_is_choice(const Run *run, const Partition *sorted)
{
    return partition_has_parts(&run->problem.partition, sorted) &&
           (!run->machine->overlaps || run->problem.algorithm == hull_algorithm(run));
}

static gboolean execute(const Run *run, RunResult *result, GError **error)
{
    return run_check(run, error) && run_execute(run, result, NULL, error);
}

static gboolean add_candidate(GArray *candidates, const Run *run, const Choice *choice, GError **error)
{
    Candidate candidate = {.run = *run, .promise_ps = choice->promise_ps};
    candidate.is_hull = compare_is_choice(run, &choice->partition);
    Machine flows = *run->machine;
    flows.switching = SWITCHING_FLUID;
    flows.duplex = DUPLEX_FULL;     /* flows know no other */
    Run fluid = *run;
    fluid.machine = &flows;
    g_autoptr(GError) failure = NULL;
    candidate.failed = !execute(run, &candidate.result, &failure) || !execute(&fluid, &candidate.fluid, &failure);
    if (candidate.failed && candidate.is_hull) {
        g_propagate_error(error, g_steal_pointer(&failure));
        return FALSE;
    }
    if (candidate.failed)
        g_strlcpy(candidate.result.fault, failure->message, RUN_FAULT_MAX);
    g_array_append_val(candidates, candidate);
    return TRUE;
}

static Candidate *candidate_at(const GArray *candidates, guint i)
{
    return &g_array_index(candidates, Candidate, i);
}

static void mark_best(GArray *candidates, guint first)
{
    guint best = first;
    for (guint i = first + 1; i < candidates->len; i++) {
        const Candidate *c = candidate_at(candidates, i), *least = candidate_at(candidates, best);
        if (!c->failed && (least->failed || c->result.simulated_ps < least->result.simulated_ps))
            best = i;
    }
    for (guint i = first; i < candidates->len; i++)
        candidate_at(candidates, i)->best = best;
}

/* Adds the hull's own partition if none of the candidates from number `first` on is it; of several the first counts. */
static gboolean complete_size(GArray *candidates, guint first, const Choice *choice, GError **error)
{
    gboolean found = FALSE;
    for (guint i = first; i < candidates->len; i++) {
        candidate_at(candidates, i)->is_hull &= !found;
        found |= candidate_at(candidates, i)->is_hull;
    }
    if (!found) {
        Run run = candidate_at(candidates, first)->run;
        run.problem.algorithm = hull_algorithm(&run);
        run.problem.partition = choice->partition;
        if (!add_candidate(candidates, &run, choice, error))
            return FALSE;
    }
    mark_best(candidates, first);
    return TRUE;
}

GArray *compare_run(const GArray *runs, GError **error)
{
    g_autoptr(GArray) candidates = g_array_new(FALSE, TRUE, sizeof(Candidate));
    guint first = 0;
    for (guint i = 0; i < runs->len; i++) {
        const Run *run = &g_array_index(runs, Run, i);
        Choice choice = hull_choice(run);
        if (!add_candidate(candidates, run, &choice, error))
            return NULL;
        gboolean last = i + 1 == runs->len || bytes_of(run + 1) != bytes_of(run);
        if (last && !complete_size(candidates, first, &choice, error))
            return NULL;
        if (last)
            first = candidates->len;
    }
    return g_steal_pointer(&candidates);
}

double compare_regret(const Candidate *candidate, const Candidate *best)
{
    if (best->result.simulated_ps == 0)
        return candidate->result.simulated_ps == 0 ? 0 : INFINITY;
    return (double)candidate->result.simulated_ps / (double)best->result.simulated_ps - 1;
}
