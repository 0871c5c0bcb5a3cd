#include "report.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls of one kind. */
typedef struct {
    int processes;              /* number of processes of the communicator; 0: unknown */
    size_t bytes;               /* size of a block; 0: none, or a mistake */
    char *list;                 /* list that the calls used; owned */
    unsigned long calls;        /* number of calls */
    double seconds;             /* time of all calls together */
} Kind;

static struct {
    int is_on, is_first;
    pthread_mutex_t lock;       /* protects `kinds` */
    Kind *kinds;                /* [n] */
    size_t n;
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

/* Returns the kind of these calls, a new one if need be; NULL: there is no memory. */
static Kind *find_kind(int processes, size_t bytes, const char *list)
{
    for (Kind *kind = here.kinds; kind < here.kinds + here.n; kind++)
        if (kind->processes == processes && kind->bytes == bytes && strcmp(kind->list, list) == 0)
            return kind;
    Kind *kinds = realloc(here.kinds, (here.n + 1) * sizeof *kinds);
    here.kinds = kinds ? kinds : here.kinds;
    char *name = kinds ? strdup(list) : NULL;
    if (!name)
        return NULL;
    here.kinds[here.n] = (Kind){processes, bytes, name, 0, 0};
    return &here.kinds[here.n++];
}

void report_count(int processes, size_t bytes, const char *list, double seconds)
{
    pthread_mutex_lock(&here.lock);
    Kind *kind = find_kind(processes, bytes, list);
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
        fprintf(stderr, "ecube: there are no rules: ECUBE_RULES names no file that rank 0 can read\n");
    if (here.n == 0)
        fprintf(stderr, "ecube: the program has not called MPI_Alltoall of libecube-mpi.so at rank 0\n");
    else
        fprintf(stderr, "ecube: MPI_Alltoall at rank 0: processes, bytes, calls, seconds, list\n");
    for (const Kind *kind = here.kinds; kind < here.kinds + here.n; kind++) {
        fprintf(stderr, "ecube: %d %zu %lu %.6f %s\n", kind->processes, kind->bytes, kind->calls, kind->seconds,
                kind->list);
        free(kind->list);
    }
    free(here.kinds);
}
