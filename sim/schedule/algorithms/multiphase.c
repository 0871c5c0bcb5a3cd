/* Multiphase complete exchange, and its two extremes Standard and Direct (Bokhari 1993, sec. 2). */
#include "schedules.h"
#include "sim/cube/cube.h"

/* Where step k stands: phase i over address bits start ... stop, exchange j within it. */
typedef struct {
    guint i, start, stop, j;
} Place;

static guint n_exchanges(guint part)
{
    return (1u << part) - 1;
}

static Place find_place(const Schedule *schedule, guint k)
{
    const guint8 *d = schedule->partition.part;
    Place at = {.i = 0, .start = schedule->dimension - 1};
    for (; k >= n_exchanges(d[at.i]); at.i++) {
        k -= n_exchanges(d[at.i]);
        at.start -= d[at.i];
    }
    at.stop = at.start + 1 - d[at.i];
    at.j = k + 1;
    return at;
}

static void step(const Schedule *schedule, guint node, guint k, Step *out)
{
    Place at = find_place(schedule, k);
    guint part = schedule->partition.part[at.i];
    guint effective_block = 1u << (schedule->dimension - part);

    guint partner = node ^ (at.j << at.stop);
    guint label = partner >> at.stop & n_exchanges(part);   /* the partner's, within the subcube of this phase */
    step_send_slots(out, partner, label * effective_block, effective_block,
              (node >> at.stop & n_exchanges(part)) * effective_block);
    step_await(out, partner);
    out->exchange = TRUE;
    out->phase = at.j == 1;

    /* "shuffle blocks d_i times"; after a single phase that is the identity */
    gboolean last_of_phase = at.j == n_exchanges(part);
    if (last_of_phase && schedule->partition.n_parts > 1)
        out->rotate = part;
}

static void count_steps(Schedule *schedule)
{
    for (guint i = 0; i < schedule->partition.n_parts; i++)
        schedule->n_steps += n_exchanges(schedule->partition.part[i]);
}

static void init_standard(Schedule *schedule)
{
    schedule->partition = partition_standard(schedule->dimension);
    count_steps(schedule);
}

static void init_direct(Schedule *schedule)
{
    schedule->partition = partition_direct(schedule->dimension);
    count_steps(schedule);
}

const Algorithm algorithm_standard = {
    .name = "standard",
    .summary = "d exchanges of half the memory, a shuffle after each",
    .source = "Johnsson & Ho; Bokhari 1993, sec. 2.1",
    .init = init_standard,
    .step = step,
};

const Algorithm algorithm_direct = {
    .name = "direct",
    .summary = "2^d - 1 exchanges of one block, partner node xor i in step i",
    .source = "Take; Seidel; Bokhari 1993, sec. 2.2",
    .init = init_direct,
    .step = step,
};

const Algorithm algorithm_multiphase = {
    .name = "multiphase",
    .summary = "Direct exchanges on subcubes, one phase per part of a partition of d",
    .source = "Bokhari 1993, sec. 2.3; Nicol & Bokhari 1994, sec. 2.4",
    .takes_partition = TRUE,
    .init = count_steps,
    .step = step,
};
