/* A schedule: what each processor does, step by step (step.h), as a function of its number and the step's. Code
 * that walks a schedule only calls it, and knows neither its algorithm nor its pattern.
 *
 * A schedule sees its group of processors and its own parameters. It knows nothing of times or machines; the verifier,
 * the pricer and the engine each walk it their own way.
 *
 * A slot is a place in a processor's memory that holds one block or none; the content says what blocks mean
 * (content.h). With n ports, what a processor does may be several strands: lists of steps that go on at the same
 * time, each by itself, over dimensions of their own. They wait for each other where steps say so (Step.join). */
#pragma once

#include "content.h"
#include "sim/cube/group.h"

typedef struct Schedule Schedule;

typedef struct {
    /* Fills in step k of a strand of `node`; `out` is empty before. */
    void (*step)(const Schedule *self, guint node, guint strand, guint k, Step *out);

    /* Returns the number of steps of a strand. NULL: n_steps. */
    guint (*n_steps)(const Schedule *self, guint strand);

    /* Returns the first step from k on, or with `back` the last one up to k, in which the node does anything; G_MAXUINT
     * if there is none. It is for long schedules in which a processor mostly does nothing. NULL: callers go through all
     * steps. */
    guint (*seek)(const Schedule *self, guint node, guint strand, guint k, gboolean back);

    /* Returns the new index of `slot` after step k, which has Step.renumber; one-to-one. NULL: no step has
     * Step.renumber. */
    guint (*renumber)(const Schedule *self, guint node, guint strand, guint k, guint slot);

    /* Frees the data that the schedule owns beside its structure and its content; NULL: there is none. */
    void (*free)(Schedule *self);
} ScheduleClass;

enum {
    SCHEDULE_TRANSLATES = 1,               /* a step of processor x is processor 0's, with x added to every peer */
    SCHEDULE_CONTENDS = 2,              /* messages may wait for channels or receive ports, though all blocks have the
                                         * same size */
    SCHEDULE_CONTENDS_BACKWARDS = 4,    /* the schedule run backwards has SCHEDULE_CONTENDS */
    SCHEDULE_AT_ONCE = 8,               /* a step may have several messages for a port, one after another */
    SCHEDULE_SAME_WORK = 16,                /* as SCHEDULE_TRANSLATES, except that the numbers of slots may differ */
    SCHEDULE_STRAIGHT = 32              /* complete exchange: every message is one block that goes to its destination */
};

#define NO_ROOT G_MAXUINT

/* The most strands of a schedule: one for each cycle of a permutation of the largest cube. */
#define SCHEDULE_STRANDS_MAX 9

/* The head of a schedule; algorithms and combinators have fields of their own behind it. */
struct Schedule {
    const ScheduleClass *class;
    const Group *group;     /* group of the processors */
    guint dimension;        /* dimension of the group */
    guint n_strands;        /* number of strands, 1 to SCHEDULE_STRANDS_MAX */
    guint n_steps;          /* number of steps of the longest strand, of every processor; a step may be empty */
    guint n_slots;          /* number of slots of a processor */
    guint n_phases;         /* number of phases, each with a barrier under phase_barrier */
    Content *content;       /* owned; NULL before it is set. A combined schedule takes it from its first part that has
                             * one, and leaves NULL there */
    guint flags;
    guint root;             /* the processor from which data comes or to which it goes; NO_ROOT: there is none */
    guint64 stored;         /* bytes of the arrays that the schedule keeps, beyond its struct */
};

/* Allocates a schedule on a cube, with one strand, no steps, no slots and no content. `size` is the size of a Schedule,
 * or of a structure that begins with one. */
Schedule *schedule_new(gsize size, const ScheduleClass *class, guint dimension);
void schedule_set_group(Schedule *schedule, const Group *group);
void schedule_free(Schedule *schedule);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Schedule, schedule_free)

/* Takes over `content`, and frees the content that the schedule had. */
void schedule_set_content(Schedule *schedule, Content *content);

static inline guint schedule_n_nodes(const Schedule *schedule)
{
    return schedule->group->n;
}

static inline gboolean schedule_contends(const Schedule *schedule)
{
    return (schedule->flags & SCHEDULE_CONTENDS) != 0;
}

/* Whether all processors do the same at the same time if they begin together: one processor then stands for all. */
static inline gboolean schedule_is_alike(const Schedule *schedule)
{
    const Content *content = schedule->content;
    return schedule->flags & (SCHEDULE_TRANSLATES | SCHEDULE_SAME_WORK) && schedule->n_strands == 1 &&
           content->block_bytes != BYTES_DIFFER && !content->class->operations && !content->element_bytes;
}

static inline guint schedule_n_steps(const Schedule *schedule, guint strand)
{
    return schedule->class->n_steps ? schedule->class->n_steps(schedule, strand) : schedule->n_steps;
}

/* Returns the index that a slot of `node` gets after step k of a strand; step k must have `renumber`. */
static inline guint schedule_renumber(const Schedule *schedule, guint node, guint strand, guint k, guint slot)
{
    return schedule->class->renumber(schedule, node, strand, k, slot);
}

/* Returns the first step from k on in which `node` may have anything to do in a strand; schedule_n_steps() if there is
 * none. */
guint schedule_next_step(const Schedule *schedule, guint node, guint strand, guint k);

/* Fills in `out` with step k (0 <= k < schedule_n_steps()) of a strand of `node`, whatever `out` held before. */
static inline void schedule_strand_step(const Schedule *schedule, guint node, guint strand, guint k, Step *out)
{
    step_empty(out);
    schedule->class->step(schedule, node, strand, k, out);
    out->strand = strand;
}
