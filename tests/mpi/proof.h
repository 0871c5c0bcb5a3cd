/* Shared by programs that prove exchanges: counts of what was right, an error handler, two threads at a time. */
#pragma once

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static int failures, done, n_handled;

static void proof_count(int right)
{
    __atomic_add_fetch(right ? &done : &failures, 1, __ATOMIC_RELAXED);
}

/* Counts what all ranks of `comm` have found. Returns whether this rank is to say that somebody found it wrong. */
static int proof_judge(MPI_Comm comm, int right)
{
    int rank, all;
    MPI_Comm_rank(comm, &rank);
    PMPI_Allreduce(&right, &all, 1, MPI_INT, MPI_LAND, comm);
    proof_count(all);
    return !all && rank == 0;
}

/* Prints at rank 0 how many were right at all ranks, and ends MPI. Returns the exit code. */
static int proof_end(void)
{
    int rank, mine[2] = {done, failures}, all[2];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d right, %d wrong\n", all[0], all[1]);
    MPI_Finalize();
    return failures > 0;
}

/* Counts an error; for MPI_Comm_create_errhandler(). */
__attribute__((unused)) static void proof_handle(MPI_Comm *comm, int *code, ...)
{
    n_handled++;
}

typedef struct {
    void (*work)(MPI_Comm comm, size_t number);
    MPI_Comm comm;
    size_t number;
} ProofJob;

static void *proof_thread(void *data)
{
    const ProofJob *job = data;
    job->work(job->comm, job->number);
    return NULL;
}

/* Does the work for two numbers at a time, each by a thread on a communicator of its own. */
static void proof_by_threads(void (*work)(MPI_Comm comm, size_t number), size_t first, size_t second)
{
    ProofJob jobs[2] = {{work, MPI_COMM_NULL, first}, {work, MPI_COMM_NULL, second}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &jobs[i].comm);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, proof_thread, &jobs[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&jobs[i].comm);
}
