/* On its way a block lies at home: in each process it takes the place where the block of the same number will end. A
 * message whose blocks lie in one piece, at home or in the program's memory, is sent from this place, and received
 * there. Other messages are packed and unpacked. Blocks of the program that are not plain bytes, or are exchanged in
 * place, are copied before or behind the exchange.
 *
 * Functions of type int return an MPI error code, or what their comments say. */
#include "alltoall.h"
#include "ab.h"
#include "attempt.h"
#include "channel.h"
#include "report.h"
#include "room.h"
#include "side.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define SURE_BYTES (ROOM_SURE / 4)  /* largest sum of all blocks in bytes for which a room of ROOM_SURE always does */

/* --- beginning and end --- */

/* Prints the reports and frees everything. MPI_Finalize() calls it first: it is the delete function of an attribute of
 * MPI_COMM_SELF. */
static int alltoall_end(MPI_Comm comm, int key, void *value, void *extra)
{
    report_print(channel_is_open());
    if (channel_is_trial() && report_is_first())
        ab_print();
    if (channel_is_open())
        side_end();
    channel_end();
    return MPI_SUCCESS;
}

static int not_copied(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    *flag = 0;
    return MPI_SUCCESS;
}

void alltoall_begin(void)
{
    int rank, key;
    mpi.Comm_rank(mpi.comm_world, &rank);
    if (mpi.Comm_create_keyval(not_copied, alltoall_end, &key, NULL) != MPI_SUCCESS ||
        mpi.Comm_set_attr(mpi.comm_self, key, NULL) != MPI_SUCCESS)
        return;
    mpi.Comm_free_keyval(&key);     /* MPI keeps the key until the attribute is deleted */
    report_begin(rank);
    channel_begin();
    if (channel_is_open())
        side_begin();
    if (channel_is_trial())
        ab_begin();
}

/* --- the exchange --- */

typedef struct {
    const Channel *channel;
    size_t bytes;           /* bytes of a block */
    char *from, *home;      /* blocks for each process, and blocks from each process */
    char *out, *in;         /* buffers for the largest message */
} Exchange;

static char *piece_place(const Exchange *e, const PlanPiece *piece)
{
    return (piece->is_home ? e->home : e->from) + piece->process * e->bytes;
}

/* Does a step of an exchange. Packs the blocks that leave, unless they lie in one piece into which no block arrives. */
static int do_step(const Exchange *e, const PlanStep *step)
{
    const Channel *c = e->channel;
    int bytes = step->n_blocks * (int)e->bytes, arrive_at_home = step->n_in == 1;
    int packed = step->n_out > 1 || (step->out->is_home && arrive_at_home);
    char *next = e->out, *out = packed ? e->out : piece_place(e, step->out);
    char *in = arrive_at_home ? piece_place(e, step->in) : e->in;
    for (const PlanPiece *p = step->out; packed && p < step->out + step->n_out; next += p++->n * e->bytes)
        memcpy(next, piece_place(e, p), p->n * e->bytes);
    int code = mpi.Sendrecv(out, bytes, mpi.byte, c->world[step->to], c->tags[step->to], in, bytes, mpi.byte,
                            c->world[step->from], c->tag, channel_shadow(), MPI_STATUS_IGNORE);
    for (const PlanPiece *p = step->in; !arrive_at_home && p < step->in + step->n_in; in += p++->n * e->bytes)
        memcpy(piece_place(e, p), in, p->n * e->bytes);
    return code;
}

/* Copies all blocks of `side` to `packed`, or with `back` from there. */
static int exchange_copy(const Exchange *e, const Side *side, char *packed, int back)
{
    const Channel *c = e->channel;
    size_t all = (size_t)c->n * e->bytes;
    if (side->plain)
        return memcpy(back ? side->base : packed, back ? packed : side->base, all), MPI_SUCCESS;
    return side_copy(side, c->n, e->bytes, packed, back, c->world[c->rank], c->tag, channel_shadow());
}

/* Carries out a plan. Goes on after an error, as other ranks wait for the next steps. Returns the first error code. */
static int carry_out(const Exchange *e, const RankPlan *plan, const Side *from, const Side *to)
{
    const Channel *c = e->channel;
    int code = e->from == from->base ? MPI_SUCCESS : exchange_copy(e, from, e->from, 0), next;
    memcpy(e->home + (size_t)c->rank * e->bytes, e->from + (size_t)c->rank * e->bytes, e->bytes);
    for (unsigned i = 0; i < plan->n_steps; i++) {
        next = do_step(e, &plan->steps[i]);
        code = code == MPI_SUCCESS ? next : code;
    }
    next = e->home == to->base ? MPI_SUCCESS : exchange_copy(e, to, e->home, 1);
    return code == MPI_SUCCESS ? next : code;
}

/* Returns a room of `needed` bytes; NULL at all ranks if one has no memory. Collective if n blocks of `bytes` have more
 * than SURE_BYTES; otherwise never NULL. */
static Room *take_room(const Channel *channel, size_t bytes, size_t needed)
{
    Room *room = room_take(needed);
    int mine = room != NULL, all = mine;
    if ((size_t)channel->n * bytes > SURE_BYTES &&
        mpi.Allreduce(&mine, &all, 1, mpi.integer, mpi.min, channel->comm) != MPI_SUCCESS)
        all = 0;
    if (all)
        return room;
    room_give(room);
    return NULL;
}

/* Does an exchange by a plan. `*done` is 0 if the library must do the exchange instead. */
static int exchange_by_plan(const Call *call, Channel *channel, const RankPlan *plan, size_t bytes, int *done)
{
    Side to, from;
    int in_place = call->from == MPI_IN_PLACE;
    *done = 0;
    if (!side_read(&to, call->to, (int)call->to_count, call->to_type, channel_shadow()))
        return MPI_SUCCESS;
    from = to;
    if (!in_place && !side_read(&from, call->from, (int)call->from_count, call->from_type, channel_shadow()))
        return MPI_SUCCESS;
    if ((to.plain && !to.base) || (from.plain && !from.base))
        return MPI_SUCCESS;     /* a mistake; other types may have absolute addresses */
    size_t message = plan->most > 1 ? (size_t)plan->most * bytes : 0, all = (size_t)channel->n * bytes;
    int copied = in_place || !from.plain;
    Room *room = take_room(channel, bytes, 2 * message + (copied ? all : 0) + (to.plain ? 0 : all));
    if (!room)
        return MPI_SUCCESS;
    char *rest = room->memory + 2 * message;
    Exchange e = {channel, bytes, copied ? rest : from.base, to.plain ? to.base : rest + (copied ? all : 0),
                  room->memory, room->memory + message};
    int code = carry_out(&e, plan, &from, &to);
    room_give(room);
    channel->spoilt |= code != MPI_SUCCESS;
    *done = 1;
    return code;
}

/* --- MPI_Alltoall --- */

/* Returns the bytes of a block; 0: none, more than INT_MAX, or an invalid type. */
static size_t call_type_bytes(Count count, MPI_Datatype type)
{
    MPI_Count size = side_type_bytes(type, channel_shadow());
    if (size <= 0 || size > INT_MAX / count)
        return 0;
    return (size_t)size * (size_t)count;
}

/* Whether this rank's blocks are empty, or its arguments are a mistake that the library should name. */
static int call_is_wrong(const Call *c)
{
    int in_place = c->from == MPI_IN_PLACE;
    if (c->to == MPI_IN_PLACE || c->to_count <= 0 || c->to_type == mpi.datatype_null)
        return 1;
    if (!in_place && (c->from_count <= 0 || c->from_type == mpi.datatype_null))
        return 1;
    return c->from == c->to && c->from && c->from_count == c->to_count && c->from_type == c->to_type;
}

/* Returns the bytes of a block, the same at all ranks; 0: the library handles the call, mistakes included. */
static size_t call_block_bytes(const Call *c)
{
    size_t bytes = call_is_wrong(c) ? 0 : call_type_bytes(c->to_count, c->to_type);
    if (c->from != MPI_IN_PLACE && bytes && (c->from_type != c->to_type || c->from_count != c->to_count) &&
        call_type_bytes(c->from_count, c->from_type) != bytes)
        return 0;
    return bytes;
}

static int call_library(const Call *c)
{
#if MPI_VERSION >= 4
    return mpi.next_Alltoall_c(c->from, c->from_count, c->from_type, c->to, c->to_count, c->to_type, c->comm);
#else
    return mpi.next_Alltoall(c->from, c->from_count, c->from_type, c->to, c->to_count, c->to_type, c->comm);
#endif
}

/* Finds the channel, the bytes of a block and the plan of a call. `*plan` NULL: the library does the call. */
static int find_plan(const Call *c, Channel **channel, size_t *bytes, const RankPlan **plan)
{
    int code = c->comm == mpi.comm_null ? MPI_SUCCESS : channel_find(c->comm, channel);
    if (code != MPI_SUCCESS || !*channel || (((*channel)->apart || (*channel)->is_library) && !report_is_on()))
        return code;
    *bytes = call_block_bytes(c);
    return *bytes ? channel_plan(*channel, *bytes, plan) : MPI_SUCCESS;
}

/* Counts a call for the report. `list` NULL: the library has done the call. */
static void count_call(const Call *c, const Channel *channel, int is_right, const char *list, double seconds)
{
    int n = 0;
    MPI_Count size = 0;
    if (is_right) {
        mpi.Comm_size(c->comm, &n);
        mpi.Type_size_x(c->to_type, &size);
    }
    const char *without = channel && (channel->apart || channel->unruled) ? "library (no rule)" : "library";
    report_count(n, (size_t)(size * c->to_count), list ? list : without, seconds);
}

int alltoall_exchange(const Call *c)
{
    Channel *channel = NULL;
    const RankPlan *plan = NULL;
    size_t bytes = 0;
    int done = 0, code = find_plan(c, &channel, &bytes, &plan);
    if (code != MPI_SUCCESS)
        return code;
    if (!plan && !report_is_on())
        return call_library(c);
    Attempt attempt = attempt_begin(channel, plan, bytes);
    if (attempt.by_rule) {
        code = exchange_by_plan(c, channel, plan, bytes, &done);
        if (code != MPI_SUCCESS)
            mpi.Comm_call_errhandler(c->comm, code);
    }
    if (!done)
        code = call_library(c);
    double seconds = attempt_end(&attempt, done);
    if (report_is_on())
        count_call(c, channel, code == MPI_SUCCESS, done ? plan->list : NULL, seconds);
    return code;
}
