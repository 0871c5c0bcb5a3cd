/* Only its source and its destination know the size of a block. So the sizes of its blocks precede each message. Up to
 * EAGER bytes of blocks travel with their sizes, more in messages of their own (two-phase: Fan, Gilray & Kumar, HPDC
 * 2022). A block that arrives waits in home[p]; p is the source of the block of the same number that will end here. A
 * rank without memory for blocks sends LOST as their sizes: nobody waits for it.
 *
 * Functions of type int return an MPI error code, or what their comments say. */
#include "alltoallv.h"
#include "attempt.h"
#include "report.h"
#include "room.h"
#include "side.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define EAGER 4096              /* largest sum of a step's blocks in bytes that travels in the message with the sizes */
#define CHUNK (1u << 30)        /* bytes of the largest message */
#define LOST SIZE_MAX           /* size of a block that did not get through: no memory, or another error at some rank */

/* --- the program's buffers --- */

typedef struct {
    Side side;
    const int *counts, *places;     /* elements of each block; its distance from the base in elements */
    size_t size;                    /* bytes of an element; 0 if all blocks are empty */
} UnequalSide;

static char *block_place(const UnequalSide *s, int process)
{
    return (char *)((uintptr_t)s->side.base + (uintptr_t)(s->places[process] * s->side.extent));
}

static size_t block_bytes(const UnequalSide *s, int process)
{
    return s->size * (size_t)s->counts[process];
}

/* Describes a buffer of n blocks. Returns 0 at a mistake, which the library names. A buffer without elements may have
 * any address and type. */
static int unequal_side_read(UnequalSide *s, int n, const void *base, const int *counts, const int *places,
                             MPI_Datatype type)
{
    int elements = 0;
    *s = (UnequalSide){{.base = (char *)base, .type = mpi.byte, .plain = 1}, counts, places, 0};
    for (int i = 0; counts && i < n; i++) {
        if (counts[i] < 0)
            return 0;
        elements |= counts[i];
    }
    if (!counts || !places || elements == 0)
        return counts && places;
    MPI_Count size = type == mpi.datatype_null ? -1 : side_type_bytes(type, channel_shadow());
    if (size < 0 || !side_read(&s->side, base, 1, type, channel_shadow()))
        return 0;
    s->size = (size_t)size;
    /* the base may be NULL (MPI_BOTTOM) if places are addresses; a block at NULL is a mistake */
    for (int i = 0; s->side.plain && size > 0 && i < n; i++)
        if (counts[i] > 0 && !block_place(s, i))
            return 0;
    return 1;
}

/* Copies `bytes` bytes of the program's block `process` to `packed`, or with `back` from there. */
static int block_copy(const UnequalSide *s, int process, char *packed, size_t bytes, int back, const Channel *c)
{
    char *place = block_place(s, process);
    if (bytes == 0 || s->side.plain)
        return bytes ? memcpy(back ? place : packed, back ? packed : place, bytes) : NULL, MPI_SUCCESS;
    if (s->size > INT_MAX)
        return MPI_ERR_COUNT;
    int code = MPI_SUCCESS, most = (int)(INT_MAX / s->size);
    for (int count, left = s->counts[process]; left > 0 && bytes > 0 && code == MPI_SUCCESS; left -= count) {
        count = left < most ? left : most;
        size_t some = (size_t)count * s->size < bytes ? (size_t)count * s->size : bytes;
        Side part = s->side;
        part.base = place;
        part.count = count;
        code = side_copy(&part, 1, some, packed, back, c->world[c->rank], c->tag, channel_shadow());
        place = (char *)((uintptr_t)place + (uintptr_t)(count * s->side.extent));
        packed += some;
        bytes -= some;
    }
    return code;
}

/* --- an exchange --- */

/* A block on its way. */
typedef struct {
    char *at;
    size_t bytes;               /* LOST: there is no content */
} Parcel;

/* Memory of an exchange beside its room. */
typedef struct Spill {
    struct Spill *next;
    char data[];
} Spill;

typedef struct {
    const Channel *channel;
    UnequalSide from, to;
    Parcel *home;               /* [n]: blocks that have arrived, by home */
    char *first_out, *first_in; /* sizes of the blocks of a message, and up to EAGER bytes of blocks behind them */
    char *memory;               /* [bytes]: first `used` bytes with blocks that have arrived; blocks that leave are at
                                 * the end */
    size_t bytes, used;
    size_t arrived, most;       /* bytes of all blocks that have arrived; most memory needed, spills included */
    Spill *spills;
} UnequalExchange;

/* Returns memory that stays until the exchange ends, or NULL. */
static char *spill_take(UnequalExchange *e, size_t bytes)
{
    Spill *spill = bytes < SIZE_MAX - sizeof *spill ? malloc(sizeof *spill + bytes) : NULL;
    if (!spill)
        return NULL;
    spill->next = e->spills;
    e->spills = spill;
    return spill->data;
}

/* Returns memory for blocks that leave in a step, or NULL. Sets `*out` to its bytes at the end of e->memory: `bytes`,
 * or 0 if it is a Spill. */
static char *unequal_take_out(UnequalExchange *e, size_t bytes, size_t *out)
{
    *out = bytes <= e->bytes - e->used ? bytes : 0;
    return *out == bytes ? e->memory + e->bytes - bytes : spill_take(e, bytes);
}

/* Returns memory for blocks that arrive, without the last `out` bytes of e->memory, or NULL. */
static char *unequal_take_in(UnequalExchange *e, size_t bytes, size_t out)
{
    if (bytes > e->bytes - e->used - out)
        return spill_take(e, bytes);
    e->used += bytes;
    return e->memory + e->used - bytes;
}

/* --- steps --- */

/* Sends `out_bytes` and receives `in_bytes` in chunks. With `in` NULL it drops what arrives, and returns an error. */
static int send_chunks(const UnequalExchange *e, const PlanStep *step, const char *out, size_t out_bytes, char *in,
                       size_t in_bytes)
{
    const Channel *c = e->channel;
    int code = MPI_SUCCESS;
    while (out_bytes > 0 || in_bytes > 0) {
        size_t away = out_bytes < CHUNK ? out_bytes : CHUNK, here = in_bytes < CHUNK ? in_bytes : CHUNK;
        int next = mpi.Sendrecv(out, (int)away, mpi.byte, away ? c->world[step->to] : MPI_PROC_NULL, c->tags[step->to],
                                in, in ? (int)here : 0, mpi.byte, here ? c->world[step->from] : MPI_PROC_NULL, c->tag,
                                channel_shadow(), MPI_STATUS_IGNORE);
        code = code == MPI_SUCCESS ? next : code;
        out += away;
        in = in ? in + here : NULL;
        out_bytes -= away;
        in_bytes -= here;
    }
    return code;
}

/* Returns the sum of n sizes; LOST counts as 0. */
static size_t sum_sizes(const size_t *sizes, int n)
{
    size_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += sizes[i] == LOST ? 0 : sizes[i];
    return sum;
}

/* Fills in the sizes of the blocks that leave in a step. */
static void unequal_sizes(const UnequalExchange *e, const PlanStep *step, size_t *sizes)
{
    for (const PlanPiece *p = step->out; p < step->out + step->n_out; p++)
        for (int i = p->process; i < p->process + p->n; i++)
            *sizes++ = p->is_home ? e->home[i].bytes : block_bytes(&e->from, i);
}

static int unequal_pack(const UnequalExchange *e, const PlanStep *step, const size_t *sizes, char *out)
{
    int code = MPI_SUCCESS;
    for (const PlanPiece *p = step->out; p < step->out + step->n_out && code == MPI_SUCCESS; p++)
        for (int i = p->process; i < p->process + p->n && code == MPI_SUCCESS; i++, sizes++) {
            size_t bytes = *sizes == LOST ? 0 : *sizes;
            if (!p->is_home)
                code = block_copy(&e->from, i, out, bytes, 0, e->channel);
            else if (bytes > 0)
                memcpy(out, e->home[i].at, bytes);
            out += bytes;
        }
    return code;
}

/* Sets the parcels of the homes of blocks that have arrived. The blocks lie one behind another at `in`; with `in` NULL
 * they are LOST. */
static void unequal_keep(UnequalExchange *e, const PlanStep *step, const size_t *sizes, char *in)
{
    for (const PlanPiece *p = step->in; p < step->in + step->n_in; p++)
        for (int i = p->process; i < p->process + p->n; i++, sizes++) {
            e->home[i] = (Parcel){in, in ? *sizes : LOST};
            in += in && *sizes != LOST ? *sizes : 0;
        }
}

/* Does a step. After an error, blocks that have not arrived are LOST. */
static int unequal_step(UnequalExchange *e, const PlanStep *step)
{
    const Channel *c = e->channel;
    size_t *sizes = (size_t *)(void *)e->first_out, *arriving = (size_t *)(void *)e->first_in;
    size_t header = (size_t)step->n_blocks * sizeof *sizes, aside = 0;
    unequal_sizes(e, step, sizes);
    size_t leaves = sum_sizes(sizes, step->n_blocks), eager = leaves <= EAGER ? leaves : 0, arrives = 0;
    char *out = leaves <= EAGER ? e->first_out + header : unequal_take_out(e, leaves, &aside), *in = NULL;
    int code = out ? unequal_pack(e, step, sizes, out) : MPI_ERR_NO_MEM, next;
    if (code != MPI_SUCCESS) {
        memset(sizes, 0xff, header);    /* each size is LOST */
        leaves = eager = 0;
    }
    memset(arriving, 0xff, header);     /* each size is LOST until it arrives */
    next = mpi.Sendrecv(sizes, (int)(header + eager), mpi.byte, c->world[step->to], c->tags[step->to], arriving,
                        (int)(header + EAGER), mpi.byte, c->world[step->from], c->tag, channel_shadow(),
                        MPI_STATUS_IGNORE);
    code = code == MPI_SUCCESS ? next : code;
    arrives = sum_sizes(arriving, step->n_blocks);
    in = unequal_take_in(e, arrives, aside);
    code = code == MPI_SUCCESS && !in ? MPI_ERR_NO_MEM : code;
    e->arrived += arrives;
    e->most = e->arrived + aside > e->most ? e->arrived + aside : e->most;
    e->most = leaves > EAGER && !aside && e->arrived + leaves > e->most ? e->arrived + leaves : e->most;
    if (in && arrives <= EAGER)
        memcpy(in, e->first_in + header, arrives);
    /* needed after an error, too: the partners send and await the bytes that the sizes announce */
    next = send_chunks(e, step, out, leaves > EAGER ? leaves : 0, in, arrives > EAGER ? arrives : 0);
    unequal_keep(e, step, arriving, next == MPI_SUCCESS ? in : NULL);
    return code == MPI_SUCCESS ? next : code;
}

/* Sends the block for rank `to` and receives the block from rank `from`, without copying. */
static int direct_step(const UnequalExchange *e, int to, int from, int to_tag)
{
    const Channel *c = e->channel;
    return mpi.Sendrecv(block_place(&e->from, to), e->from.counts[to], e->from.side.type, c->world[to], to_tag,
                        block_place(&e->to, from), e->to.counts[from], e->to.side.type, c->world[from], c->tag,
                        channel_shadow(), MPI_STATUS_IGNORE);
}

/* Copies the block from rank `from` to the program's memory. Returns MPI_ERR_NO_MEM if it is LOST, MPI_ERR_TRUNCATE if
 * it is longer than the program expects. */
static int unequal_deliver(const UnequalExchange *e, int from)
{
    const Parcel *parcel = &e->home[from];
    if (parcel->bytes == LOST)
        return MPI_ERR_NO_MEM;
    if (parcel->bytes > block_bytes(&e->to, from))
        return MPI_ERR_TRUNCATE;
    return block_copy(&e->to, from, parcel->at, parcel->bytes, 1, e->channel);
}

/* Carries out a plan. Goes on after an error, as other ranks wait for the next steps. Returns the first error code. */
static int carry_out_unequal(UnequalExchange *e, const RankPlan *plan)
{
    const Channel *c = e->channel;
    int code = direct_step(e, c->rank, c->rank, c->tag), next;
    for (unsigned i = 0; i < plan->n_steps; i++) {
        const PlanStep *step = &plan->steps[i];
        next = plan->is_direct ? direct_step(e, step->to, step->from, c->tags[step->to]) : unequal_step(e, step);
        code = code == MPI_SUCCESS ? next : code;
    }
    for (int p = 0; p < c->n && !plan->is_direct; p++) {
        next = p == c->rank ? MPI_SUCCESS : unequal_deliver(e, p);
        code = code == MPI_SUCCESS ? next : code;
    }
    return code;
}

/* Returns the bytes of a room that `home`, `first_out` and `first_in` take. */
static size_t fixed_bytes(const Channel *channel, const RankPlan *plan)
{
    return (size_t)channel->n * sizeof(Parcel) + 2 * ((size_t)plan->most * sizeof(size_t) + EAGER);
}

static int unequal_by_plan(UnequalExchange *e, Channel *channel, const RankPlan *plan)
{
    size_t fixed = fixed_bytes(channel, plan), first = (size_t)plan->most * sizeof(size_t) + EAGER;
    Room *room = plan->is_direct ? NULL : room_take(fixed + channel->unequal_bytes);
    if (!room && !plan->is_direct)
        room = room_take(fixed);
    if (room) {
        e->home = (Parcel *)(void *)room->memory;
        e->first_out = room->memory + (size_t)channel->n * sizeof(Parcel);
        e->first_in = e->first_out + first;
        e->memory = room->memory + fixed;
        e->bytes = room->bytes - fixed;
    }
    int code = carry_out_unequal(e, plan);
    room_give(room);
    for (Spill *next; e->spills; e->spills = next) {
        next = e->spills->next;
        free(e->spills);
    }
    channel->unequal_bytes = e->most > channel->unequal_bytes ? e->most : channel->unequal_bytes;
    channel->spoilt |= code != MPI_SUCCESS;
    return code;
}

/* --- MPI_Alltoallv --- */

/* Fills in `e` if this rank's arguments are right. Returns 0 at a mistake, which the library names. */
static int unequal_call_read(const UnequalCall *c, const Channel *channel, UnequalExchange *e)
{
#ifndef OPEN_MPI
    if (c->from == c->to && c->from_counts == c->to_counts && c->from_type == c->to_type && c->from)
        return 0;
#endif
    *e = (UnequalExchange){.channel = channel};
    return c->to != MPI_IN_PLACE &&
           unequal_side_read(&e->from, channel->n, c->from, c->from_counts, c->from_places, c->from_type) &&
           unequal_side_read(&e->to, channel->n, c->to, c->to_counts, c->to_places, c->to_type);
}

/* Finds channel and plan of a call, and fills in `e`. `*plan` NULL: the library does the call, always if in place. */
static int find_unequal_plan(const UnequalCall *c, Channel **channel, const RankPlan **plan, UnequalExchange *e)
{
    if (c->comm == mpi.comm_null || c->from == MPI_IN_PLACE || !rank_plan_may_be_unequal())
        return MPI_SUCCESS;
    int code = channel_find(c->comm, channel);
    if (code != MPI_SUCCESS || !*channel || (*channel)->apart || channel_is_unequal_unruled(*channel) ||
        !unequal_call_read(c, *channel, e))
        return code;
    code = channel_plan_unequal(*channel, plan);
    if (*plan && !(*plan)->is_direct && fixed_bytes(*channel, *plan) > ROOM_SURE)
        *plan = NULL;
    return code;
}

static int call_unequal_library(const UnequalCall *c)
{
    return mpi.next_Alltoallv(c->from, c->from_counts, c->from_places, c->from_type, c->to, c->to_counts, c->to_places,
                              c->to_type, c->comm);
}

int alltoallv_exchange(const UnequalCall *c)
{
    Channel *channel = NULL;
    const RankPlan *plan = NULL;
    UnequalExchange e;      /* set whenever there is a plan; not cleared before, which would slow the library's calls */
    int n = 0, code = find_unequal_plan(c, &channel, &plan, &e);
    if (code != MPI_SUCCESS)
        return code;
    if (!plan && !report_is_on())
        return call_unequal_library(c);
    Attempt attempt = attempt_begin(channel, plan, PLAN_UNEQUAL);
    if (attempt.by_rule) {
        code = unequal_by_plan(&e, channel, plan);
        if (code != MPI_SUCCESS)
            mpi.Comm_call_errhandler(c->comm, code);
    } else {
        code = call_unequal_library(c);
    }
    double seconds = attempt_end(&attempt, attempt.by_rule);
    if (report_is_on()) {
        if (code == MPI_SUCCESS)
            mpi.Comm_size(c->comm, &n);
        report_count(n, PLAN_UNEQUAL, attempt.by_rule ? plan->list : "library", seconds);
    }
    return code;
}
