/* Complete exchanges by offsets: models/OFFSETS.md.
 *
 * Slots are relative: slot g of processor x holds at first the block to x xor g, and at last the block from there; a
 * block keeps its slot number on its way. No step contends: the message of x is, at its j-th hop, at x xor the lower
 * bits of s_i, so that every channel has one message at most. */
#include "sim/cube/offset_list.h"
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"

typedef struct {
    Plan plan;
    Offsets *offsets;
    Covers covers;
    guint *used; /* [head.n_steps]: the steps in which blocks go along */
} ByOffsets;

static const ByOffsets *by_offsets(const Schedule *schedule)
{
    return (const ByOffsets *)schedule;
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const ByOffsets *s = by_offsets(self);
    guint i = s->used[k], peer = node ^ offsets_nth(s->offsets, i);
    step_send(out, peer);
    for (guint j = s->covers.first[i]; j < s->covers.first[i + 1]; j++)
        step_carry(out, s->covers.carried[j], 1, s->covers.carried[j]);
    step_await(out, peer);
    out->exchange = TRUE;
    out->phase = k == 0;
}

static void free_offsets(Schedule *self)
{
    ByOffsets *s = (ByOffsets *)self;
    offsets_free(s->offsets);
    covers_clear(&s->covers);
    g_free(s->used);
}

static Schedule *make(const Problem *problem)
{
    static const ScheduleClass class = {.step = step, .free = free_offsets};
    Layout layout = layout_of_problem(problem);
    layout.relative = TRUE;
    ByOffsets *s = (ByOffsets *)plan_new(sizeof *s, &class, problem, &layout);
    Schedule *head = &s->plan.head;
    s->offsets = offsets_parse("offsets", problem->offsets, problem->dimension, NULL);
    covers_init(&s->covers, s->offsets, problem->dimension);
    s->used = g_new(guint, s->offsets->len + 1);
    for (guint i = 0; i < s->offsets->len; i++)
        if (s->covers.first[i] < s->covers.first[i + 1])
            s->used[head->n_steps++] = i;
    head->n_phases = head->n_steps > 0;
    head->flags = SCHEDULE_UNIFORM;
    head->stored = (2 * (guint64)s->offsets->len + s->covers.first[s->offsets->len]) * sizeof(guint);
    return head;
}

const Algorithm algorithm_offsets = {
    .name = "offsets",
    .pattern = &pattern_complete_exchange,
    .summary = "exchanges with x xor s_i for any offsets s_i; blocks go along by smallest sub-lists",
    .source = "models/OFFSETS.md; Standard, Direct and Multiphase are such lists",
    .unpublished = "no paper has exchanges by any offsets",
    .takes = TAKES_OFFSETS,
    .make = make,
};
