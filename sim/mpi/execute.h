/* Carrying out agendas: one MPI rank is one processor, and a step's messages are non-blocking ones.
 *
 * In a step the messages that must be are packed, then all receives are posted, then the partners shake hands, then all
 * is sent. If the agenda is early, all receives are posted before the first step instead. Receives of a step complete
 * before what was staged lands. Strands go on independently of each other.
 * Messages are told apart by their source and their strand; MPI keeps those of one source and strand in order. */
#pragma once

#include "sim/agenda/agenda.h"

#include <mpi.h>

typedef struct Executor Executor;

/* Of the agenda of this rank, whose memory and stage have agenda->memory_bytes and agenda->stage_bytes at least. All
 * are borrowed. Nothing is sent yet. Caller frees. */
Executor *executor_new(const Agenda *agenda, MPI_Comm comm, char *memory, char *stage);
void executor_free(Executor *executor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Executor, executor_free)

/* From the first step to the last. If `fault` is not NULL, every message is checked when it has arrived, and `*fault`
 * becomes what is wrong with the first that is wrong, unless it is set already; caller frees. */
void executor_run(Executor *executor, char **fault);
