#include "ab.h"
#include "calls.h"
#include "rank_plan.h"
#include "models/statistics.h"
#include "mpi_table.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>

static struct {
    double begun;
    pthread_mutex_t lock;       /* protects `calls` */
    Calls calls;
} here = {.lock = PTHREAD_MUTEX_INITIALIZER};

void ab_begin(void)
{
    here.begun = mpi.Wtime();
}

void ab_add(int n, size_t bytes, const char *list, int by_rule, double seconds)
{
    pthread_mutex_lock(&here.lock);
    CallKind *trial = calls_find(&here.calls, n, bytes, list);
    if (trial)
        turns_add(&trial->turns, by_rule, seconds);
    pthread_mutex_unlock(&here.lock);
}

/* --- printing --- */

/* Returns the block size of a kind as text: "unequal blocks", static, or "64 bytes" in `text`. */
static const char *trial_blocks(const CallKind *trial, char text[static 32])
{
    if (trial->bytes == PLAN_UNEQUAL)
        return "unequal blocks";
    snprintf(text, 32, "%zu bytes", trial->bytes);
    return text;
}

static void print_trial(const CallKind *trial)
{
    char text[32];
    const TurnsResult *r = &trial->result;
    const char *unknown = r->calls < 4 * TURNS_GROUPS ? "too few calls" : "the times depend on each other";
    fprintf(stderr, "ecube: %d processes, %s, %s: %lu calls, MPI_Alltoall%s %.2f us: ", trial->processes,
            trial_blocks(trial, text), trial->list, r->calls, trial->bytes == PLAN_UNEQUAL ? "v" : "",
            1e6 * r->library);
    if (!r->is_known)
        fprintf(stderr, "no verdict, %s\n", unknown);
    else
        fprintf(stderr, "the rule saves %.1f %% (%.1f to %.1f), %.3f s in all calls\n", 100 * r->saved, 100 * r->low,
                100 * r->high, (double)r->calls * r->seconds);
}

static void print_drops(void)
{
    char text[32];
    int n = 0;
    for (const CallKind *trial = here.calls.kinds; trial < here.calls.kinds + here.calls.n; trial++)
        if (trial->result.is_known && trial->result.high < 0)
            fprintf(stderr, "%s%s of %d", n++ ? ", " : "ecube: the library is faster; drop the rules at ",
                    trial_blocks(trial, text), trial->processes);
    if (n)
        fprintf(stderr, " processes\n");
}

/* Prints what the rules save in all calls with a verdict. */
static void print_sum(void)
{
    const char *unequal = "";
    double saved = 0, squares = 0, library = 0, run = mpi.Wtime() - here.begun;
    for (const CallKind *trial = here.calls.kinds; trial < here.calls.kinds + here.calls.n; trial++) {
        const TurnsResult *r = &trial->result;
        if (!r->is_known)
            continue;
        saved += (double)r->calls * r->seconds;
        squares += pow((double)r->calls * r->error, 2);
        library += (double)r->calls * r->library;
        unequal = trial->bytes == PLAN_UNEQUAL ? "(v)" : unequal;
    }
    double wide = statistics_t(0.995, TURNS_GROUPS - 1) * sqrt(squares);
    if (library > 0)
        fprintf(stderr, "ecube: %s: the rules save %.1f +- %.1f %% of MPI_Alltoall%s, %.3f s of %.1f s\n",
                saved > wide ? "proven" : saved < -wide ? "refuted" : "not decided", 100 * saved / library,
                100 * wide / library, unequal, saved, run);
    else
        fprintf(stderr, "ecube: no verdict: a size takes at least %d calls\n", 4 * TURNS_GROUPS);
}

void ab_print(void)
{
    fprintf(stderr, "ecube: A/B at rank 0; intervals of 99 %%\n");
    for (CallKind *trial = here.calls.kinds; trial < here.calls.kinds + here.calls.n; trial++) {
        trial->result = turns_result(&trial->turns);
        print_trial(trial);
    }
    print_sum();
    print_drops();
    calls_clear(&here.calls);
}
