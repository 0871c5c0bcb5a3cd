#include "report.h"
#include "calls.h"
#include "rank_plan.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    int is_on, is_first;
    pthread_mutex_t lock;       /* protects `calls` */
    Calls calls;
} here = {.lock = PTHREAD_MUTEX_INITIALIZER};

void report_begin(int rank)
{
    const char *verbose = getenv("ECUBE_VERBOSE");
    here.is_first = rank == 0;
    here.is_on = rank == 0 && verbose && *verbose && strcmp(verbose, "0") != 0;
}

int report_is_first(void)
{
    return here.is_first;
}

int report_is_on(void)
{
    return here.is_on;
}

void report_count(int processes, size_t bytes, const char *list, double seconds)
{
    pthread_mutex_lock(&here.lock);
    CallKind *kind = calls_find(&here.calls, processes, bytes, list);
    if (kind) {
        kind->calls++;
        kind->seconds += seconds;
    }
    pthread_mutex_unlock(&here.lock);
}

void report_print(int has_rules)
{
    if (!here.is_on)
        return;
    if (!has_rules)
        fprintf(stderr, "ecube: there are no rules in use (ECUBE_RULES)\n");
    if (here.calls.n == 0)
        fprintf(stderr, "ecube: the program has called neither MPI_Alltoall nor MPI_Alltoallv of libecube-mpi.so at "
                "rank 0\n");
    else
        fprintf(stderr, "ecube: MPI_Alltoall at rank 0: processes, bytes (v: MPI_Alltoallv), calls, seconds, list\n");
    for (const CallKind *kind = here.calls.kinds; kind < here.calls.kinds + here.calls.n; kind++) {
        char bytes[32] = "v";
        if (kind->bytes != PLAN_UNEQUAL)
            snprintf(bytes, sizeof bytes, "%zu", kind->bytes);
        fprintf(stderr, "ecube: %d %s %lu %.6f %s\n", kind->processes, bytes, kind->calls, kind->seconds, kind->list);
    }
    calls_clear(&here.calls);
}
