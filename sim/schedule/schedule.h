/* A schedule: what each processor does, step by step, as a pure function of its number and the step's.
 *
 * A schedule sees cube arithmetic and its own parameters. It knows nothing of times, bytes or machines; the verifier,
 * the pricer and the engine each walk it their own way.
 *
 * A slot is a place in a processor's memory that holds one block, or one piece of one (division.h). In a step a
 * processor, in this order:
 *   1. waits at a barrier, if the step begins a phase and the machine has phase_barrier;
 *   2. exchanges zero-byte messages with its partner, if the step is a pairwise exchange and the machine synchronises
 *      pairs;
 *   3. issues its sends - what they carry leaves its slots, or stays there as well, as the pattern has it (pattern.h) -
 *      and waits until all are transmitted and every awaited message has arrived; the arrivals land in the slots their
 *      senders named;
 *   4. rearranges its memory, or only calls slots by other numbers.
 *
 * With n ports, what a processor does may be several strands: lists of steps that go on at the same time, each by
 * itself, over dimensions of their own. They wait for each other where steps say so. */
#ifndef ECUBE_SCHEDULE_H
#define ECUBE_SCHEDULE_H

#include "division.h"
#include "models/partition.h"
#include "models/permutation.h"
#include "pattern.h"
#include "sim/cube/graph.h"

#include <glib.h>

/* Consecutive slots that travel together. */
typedef struct {
    guint slot;         /* first of `count` consecutive slots at the sender */
    guint count;
    guint landing;      /* first of the `count` consecutive slots at the peer */
} Stretch;

/* One message. */
typedef struct {
    guint peer;         /* destination; never the sender itself */
    guint first;        /* its stretches are those from this number on */
    guint n_stretches;
} Send;

typedef struct {
    gboolean phase;     /* the step begins a phase */
    gboolean exchange;  /* pairwise: one send, one await, same peer, who does the same */
    GArray *sends;      /* Send, in the order of issue */
    GArray *stretches;  /* Stretch, of all sends; counted by reference, and the same array in other processors' steps if
                         * `shared` */
    gboolean shared;
    GArray *awaits;     /* guint: the sources of the messages awaited; one entry is one message, and messages of one
                         * source count in the order in which it sent them */
    guint rotate;       /* the block in slot i moves to slot i rotated left by this many of its d bits; 0: stays */
    gboolean renumber;  /* slots get other numbers, by algorithm->renumber(): a change of addresses, for nothing */
    guint strand;       /* given to the schedule: the strand that the step is of */
    guint32 join;       /* strands, as bits: the step begins when all of them have come to a step with this join */
} Step;

typedef struct Schedule Schedule;

/* Most strands: the cycles of a permutation of the largest cube. */
#define SCHEDULE_STRANDS_MAX 8

/* How a cycle of a permutation shares the data with the others, when all of them are busy at a time: level by level,
 * the data is in `groups` parts for as many groups of cycles; in each of `groups` rounds every group gets another part.
 * The cycle is in number `index` of the groups that the cycles `members`, as bits, are in. */
typedef struct {
    guint8 groups, index, members;
} Level;

typedef struct {
    guint n_levels;
    Level level[SCHEDULE_STRANDS_MAX];
} Sharing;

/* When data for a node crosses the channels of its path, for algorithms that go along paths (schedules/paths.c). */
typedef enum {
    TIMING_DIMENSION,   /* step k is for dimension k mod n; a path waits for its next dimension */
    TIMING_ROTATED,     /* in step k, tree j uses dimension (j + k) mod n */
    TIMING_LEVEL,       /* the i-th channel of every path in step i */
    TIMING_FARTHEST     /* the same, but paths of length l begin n - l steps later: the farthest first */
} Timing;

/* A registered algorithm, in its form for one port or for n ports per processor. */
typedef struct {
    const char *name;           /* as on the command line; unique within a pattern, the two forms aside */
    PatternKind pattern;
    gboolean n_port;            /* uses several channels of a processor at a time */
    const char *summary;        /* one line */
    const char *source;         /* author, year, section */
    gboolean takes_partition;   /* needs a partition of d */
    gboolean takes_accumulate;  /* needs a number of accumulation steps, 0 ... d */
    gboolean splits;            /* the data goes in d parts */
    gboolean pipelines;         /* parts are cut into packets that follow each other */
    gboolean contends;          /* messages may wait for channels or receive ports, whatever the data's size */
    gboolean contends_backwards;    /* the same, when it runs the pattern that is its pattern's reverse */
    gboolean overlaps;          /* a part of the data is one step ahead of the rest */
    gboolean merges;            /* a message carries all that crosses a channel in its step, in many stretches */
    gboolean translates;        /* a step of processor x is that of processor 0 with every peer xor x */
    Graph graph;                /* the spanning graph it follows, if it does */
    Timing timing;
    guint (*n_parts)(guint dimension, const Permutation *permutation);  /* of permutations; NULL: 1 */
    const char *(*refuses)(const Permutation *permutation); /* why it does not apply, or NULL; NULL: it always does */
    void (*init)(Schedule *schedule);
    void (*step)(const Schedule *schedule, guint node, guint k, Step *out);
    /* The first step from k on, or the last one up to k, in which the node does anything; G_MAXUINT: there is none. For
     * algorithms of many steps in most of which a processor does nothing; NULL: every step counts. */
    guint (*seek)(const Schedule *schedule, guint node, guint k, gboolean back);
    guint (*strand_steps)(const Schedule *schedule, guint strand);  /* steps of a strand; NULL: n_steps */
    /* The new number of a slot of `node` after step k of a strand, if that says renumber; one-to-one. */
    guint (*renumber)(const Schedule *schedule, guint node, guint strand, guint k, guint slot);
} Algorithm;

struct Schedule {
    const Algorithm *algorithm;
    const Pattern *pattern;     /* the algorithm's, or the one that is its reverse */
    guint dimension;
    Partition partition;        /* the phases; of algorithms that have none, empty */
    guint source;               /* of rooted patterns; else 0 */
    guint accumulate;           /* accumulation steps; of algorithms that have none, 0 */
    Permutation permutation;    /* of the pattern of that name; else the identity */
    guint idle;                 /* of permutations: processors with a 1 in the highest `idle` bits have no data */
    guint inner_steps, inner_owners;    /* if idle > 0: n_steps and n_owners of the permutation within a subcube */
    Pieces pieces;
    guint n_steps;              /* the same for every processor; a step may be empty. Of the longest strand */
    Sharing sharing[SCHEDULE_STRANDS_MAX];  /* [n_strands], of permutations over several cycles at a time */
    guint n_strands;            /* 1 ... SCHEDULE_STRANDS_MAX; more than 1 only with n ports. A phase begins in the
                                 * same step of all */
    guint n_pieces;             /* pieces for which an owner has slots: pieces_count(), but every part of a permutation
                                 * that is not cut into packets has a slot, also without a piece; such come last */
    guint n_owners;             /* slots per processor, each taken n_pieces times; of permutations, buffers */
    guint n_slots;              /* slots per processor */
    guint outgoing;             /* complete exchange: the block for owner i starts in slot outgoing + i */
    gboolean relative;          /* complete exchange: owner r stands for the processor x xor r, x being one's own */
};

/* What makes a schedule of an algorithm; zero for what it does not take. */
typedef struct {
    const Partition *partition; /* sums to the dimension if the algorithm takes one, else it is ignored */
    guint source, accumulate;
    const Permutation *permutation; /* of the cube's dimension, all its cycles real; NULL: the identity */
    guint idle;                 /* 0 ... dimension; the permutation leaves so many of the highest bits */
    Pieces pieces;              /* n_parts = 0: PIECES_WHOLE */
    gboolean reversed;          /* runs the pattern that is the reverse of the algorithm's */
} ScheduleOptions;

/* The registry, in the order in which it is listed: by pattern, and by algorithm, the one-port form first. */
guint algorithm_count(void);
const Algorithm *algorithm_nth(guint i);

/* Finds the algorithm of a pattern, or of the pattern it is the reverse of: the n-port form if `n_port` and there is
 * one, else the one-port form. NULL and an error if there is none: with the nearest name, or that it needs n ports. */
const Algorithm *algorithm_find(const char *where, const Pattern *pattern, gboolean n_port, const char *name,
                                GError **error);

/* The names a pattern has, each once, NULL-terminated. Caller frees the array, not the names. */
const char **algorithm_names(const Pattern *pattern);

/* The parts into which an algorithm divides data; `permutation` may be NULL if there is none. Without idle dimensions:
 * else it is extended_n_parts(). */
guint algorithm_n_parts(const Algorithm *algorithm, guint dimension, const Permutation *permutation);

/* The schedule of `algorithm` on a cube of dimension 0 ... MACHINE_DIMENSION_MAX. `options` may be NULL. A plain value;
 * nothing to free. */
Schedule schedule_make(const Algorithm *algorithm, guint dimension, const ScheduleOptions *options);

/* Whether messages may wait for channels or receive ports though all pieces have the same size. */
static inline gboolean schedule_contends(const Schedule *schedule)
{
    gboolean forwards = schedule->pattern->kind == schedule->algorithm->pattern;
    return forwards ? schedule->algorithm->contends : schedule->algorithm->contends_backwards;
}

/* The slot of piece 0 of an owner's data. */
static inline guint schedule_slot(const Schedule *schedule, guint owner)
{
    return owner * schedule->n_pieces;
}

/* Whose data belongs to `node` after the permutation. */
static inline guint schedule_origin(const Schedule *schedule, guint node)
{
    guint origin = 0;
    for (guint i = 0; i < schedule->dimension; i++)
        origin |= (node >> schedule->permutation.to[i] & 1) << i;
    return origin;
}

/* The number of steps of a strand. */
guint schedule_n_steps(const Schedule *schedule, guint strand);

/* The number of a slot of `node` after step k of a strand, which says renumber. */
guint schedule_renumber(const Schedule *schedule, guint node, guint strand, guint k, guint slot);

/* The first step from k on in which `node` may have anything to do in a strand, or schedule_n_steps(). */
guint schedule_next_step(const Schedule *schedule, guint node, guint strand, guint k);

/* Fills `out` with step k (0 <= k < schedule_n_steps()) of a strand of `node`, whatever it held before. */
void schedule_strand_step(const Schedule *schedule, guint node, guint strand, guint k, Step *out);

/* The same for the first strand. */
void schedule_step(const Schedule *schedule, guint node, guint k, Step *out);

/* An empty Step whose arrays grow as needed; to be cleared once it is no longer used. */
void step_init(Step *step);
void step_clear(Step *step);

/* For schedules, while they fill a step: begins a message, adds slots to the message begun last (slots that continue
 * those added before join them), does both, awaits a message. */
void step_send(Step *step, guint peer);
void step_carry(Step *step, guint slot, guint count, guint landing);
void step_send_slots(Step *step, guint peer, guint slot, guint count, guint landing);
void step_await(Step *step, guint source);

static inline const Send *step_nth_send(const Step *step, guint i)
{
    return &g_array_index(step->sends, Send, i);
}

/* Stretch number i of a send. */
static inline const Stretch *step_stretch(const Step *step, const Send *send, guint i)
{
    return &g_array_index(step->stretches, Stretch, send->first + i);
}

static inline guint step_nth_await(const Step *step, guint i)
{
    return g_array_index(step->awaits, guint, i);
}

#endif
