/* Complete exchanges by offsets: models/OFFSETS.md.
 *
 * Slots are relative: slot g of processor x holds at first the block to x + g, and at last the block from x - g. A
 * block keeps its slot number wherever it is. On a cube no messages of a step contend. After j hops the message of x
 * is at x xor the j lowest ones of the offset, so that every channel has at most one message. */
#include "by_offsets.h"
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"

typedef struct {
    Plan plan;
    Offsets *offsets;
    Covers covers;
    guint *used; /* [head.n_steps]: index of the first offset of each round in which blocks move */
} ByOffsets;

static const ByOffsets *by_offsets(const Schedule *schedule)
{
    return (const ByOffsets *)schedule;
}

static void by_offsets_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const ByOffsets *s = by_offsets(self);
    guint end = offsets_next_round(s->offsets, s->used[k]);
    for (guint i = s->used[k]; i < end; i++) {
        if (s->covers.first[i] == s->covers.first[i + 1])
            continue;
        guint offset = offsets_nth(s->offsets, i);
        guint to = group_add(self->group, node, offset), from = group_subtract(self->group, node, offset);
        step_send(out, to);
        for (guint j = s->covers.first[i]; j < s->covers.first[i + 1]; j++)
            step_carry(out, s->covers.carried[j], 1, s->covers.carried[j]);
        step_await(out, from);
        out->exchange = to == from && end == s->used[k] + 1;
    }
    out->phase = k == 0;
}

static void by_offsets_free(Schedule *self)
{
    ByOffsets *s = (ByOffsets *)self;
    offsets_free(s->offsets);
    covers_clear(&s->covers);
    g_free(s->used);
}

Schedule *exchange_by_offsets(const Problem *problem, Offsets *offsets)
{
    static const ScheduleClass class = {.step = by_offsets_step, .free = by_offsets_free};
    const Group *group = problem_group(problem);
    Layout layout = layout_of_problem(problem);
    layout.relative = TRUE;
    ByOffsets *s = (ByOffsets *)plan_new(sizeof *s, &class, problem, &layout);
    Schedule *head = &s->plan.head;
    s->offsets = offsets;
    covers_init(&s->covers, s->offsets, group);
    s->used = g_new(guint, s->offsets->len + 1);
    for (guint i = 0, next; i < s->offsets->len; i = next) {
        next = offsets_next_round(s->offsets, i);
        if (s->covers.first[i] < s->covers.first[next])
            s->used[head->n_steps++] = i;
    }
    head->n_phases = head->n_steps > 0;
    head->flags = SCHEDULE_TRANSLATES | (group->binary && problem_rails(problem) == 1 ? 0 : SCHEDULE_CONTENDS);
    if (s->covers.first[s->offsets->len] == group->n - 1)   /* every block moves in a single step */
        head->flags |= SCHEDULE_STRAIGHT;
    head->stored = (2 * (guint64)s->offsets->len + s->covers.first[s->offsets->len]) * sizeof(guint);
    return head;
}

static Schedule *by_offsets_make(const Problem *problem)
{
    return exchange_by_offsets(problem, offsets_parse("offsets", problem->offsets, problem_group(problem), NULL));
}

const Algorithm algorithm_offsets = {
    .name = "offsets",
    .pattern = &pattern_complete_exchange,
    .any_group = TRUE,
    .summary = "exchanges with x xor s_i for any offsets s_i; blocks go along by smallest sub-lists",
    .source = "models/OFFSETS.md; Standard, Direct and Multiphase are such lists",
    .unpublished = "no paper has exchanges by any offsets",
    .takes = TAKES_OFFSETS,
    .make = by_offsets_make,
};
