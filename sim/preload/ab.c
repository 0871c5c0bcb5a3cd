#include "ab.h"
#include "models/statistics.h"
#include "models/turns.h"
#include "mpi_table.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls of one kind. */
typedef struct {
    int n;                  /* number of processes */
    size_t bytes;           /* size of a block */
    char *list;             /* list of the rule; owned */
    Turns turns;
    TurnsResult result;
} Trial;

static struct {
    double begun;
    pthread_mutex_t lock;       /* protects `trials` */
    Trial *trials;              /* [n] */
    size_t n;
} here = {.lock = PTHREAD_MUTEX_INITIALIZER};

void ab_begin(void)
{
    here.begun = mpi.Wtime();
}

/* Returns the trial of these calls, a new one if need be; NULL: there is no memory. */
static Trial *find_trial(int n, size_t bytes, const char *list)
{
    for (Trial *trial = here.trials; trial < here.trials + here.n; trial++)
        if (trial->n == n && trial->bytes == bytes && strcmp(trial->list, list) == 0)
            return trial;
    Trial *trials = realloc(here.trials, (here.n + 1) * sizeof *trials);
    if (!trials)
        return NULL;
    here.trials = trials;
    char *name = strdup(list);
    if (!name)
        return NULL;
    here.trials[here.n] = (Trial){.n = n, .bytes = bytes, .list = name};
    return &here.trials[here.n++];
}

void ab_add(int n, size_t bytes, const char *list, int by_rule, double seconds)
{
    pthread_mutex_lock(&here.lock);
    Trial *trial = find_trial(n, bytes, list);
    if (trial)
        turns_add(&trial->turns, by_rule, seconds);
    pthread_mutex_unlock(&here.lock);
}

/* --- printing --- */

static void print_trial(const Trial *trial)
{
    const TurnsResult *r = &trial->result;
    const char *unknown = r->calls < 4 * TURNS_GROUPS ? "too few calls" : "the times depend on each other";
    fprintf(stderr, "ecube: %d processes, %zu bytes, %s: %lu calls, MPI_Alltoall %.2f us: ", trial->n, trial->bytes,
            trial->list, r->calls, 1e6 * r->library);
    if (!r->is_known)
        fprintf(stderr, "no verdict, %s\n", unknown);
    else
        fprintf(stderr, "the rule saves %.1f %% (%.1f to %.1f), %.3f s in all calls\n", 100 * r->saved, 100 * r->low,
                100 * r->high, (double)r->calls * r->seconds);
}

/* Prints the sizes at which the library is faster. */
static void print_drops(void)
{
    int n = 0;
    for (const Trial *trial = here.trials; trial < here.trials + here.n; trial++)
        if (trial->result.is_known && trial->result.high < 0)
            fprintf(stderr, "%s%zu bytes of %d", n++ ? ", " : "ecube: the library is faster; drop the rules at ",
                    trial->bytes, trial->n);
    if (n)
        fprintf(stderr, " processes\n");
}

/* Prints what the rules save in all calls with a verdict. */
static void print_sum(void)
{
    double saved = 0, squares = 0, library = 0, run = mpi.Wtime() - here.begun;
    for (const Trial *trial = here.trials; trial < here.trials + here.n; trial++) {
        const TurnsResult *r = &trial->result;
        if (!r->is_known)
            continue;
        saved += (double)r->calls * r->seconds;
        squares += pow((double)r->calls * r->error, 2);
        library += (double)r->calls * r->library;
    }
    double wide = statistics_t(0.995, TURNS_GROUPS - 1) * sqrt(squares);
    if (library > 0)
        fprintf(stderr, "ecube: %s: the rules save %.1f +- %.1f %% of MPI_Alltoall, %.3f s of %.1f s\n",
                saved > wide ? "proven" : saved < -wide ? "refuted" : "not decided", 100 * saved / library,
                100 * wide / library, saved, run);
    else
        fprintf(stderr, "ecube: no verdict: a size takes at least %d calls\n", 4 * TURNS_GROUPS);
}

void ab_print(void)
{
    fprintf(stderr, "ecube: A/B at rank 0; intervals of 99 %%\n");
    for (Trial *trial = here.trials; trial < here.trials + here.n; trial++) {
        trial->result = turns_result(&trial->turns);
        print_trial(trial);
    }
    print_sum();
    print_drops();
    for (Trial *trial = here.trials; trial < here.trials + here.n; trial++)
        free(trial->list);
    free(here.trials);
}
