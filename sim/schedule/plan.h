/* What the schedules of all algorithms begin with: the problem, and where data lies. */
#pragma once

#include "algorithm.h"
#include "pattern_content.h"

typedef struct {
    Schedule head;
    Problem problem;
    Layout layout;
} Plan;

/* A plan without steps, with the content and the slots of problem->pattern in `layout`, or in the usual one if that is
 * NULL. `size` is the size of a Plan, or of a structure that begins with one. Never NULL. */
Plan *plan_new(gsize size, const ScheduleClass *class, const Problem *problem, const Layout *layout);

/* A plan of n_steps in the usual layout, as a schedule. */
Schedule *plan_make(const ScheduleClass *class, const Problem *problem, guint n_steps, guint flags);

static inline const Plan *plan_of(const Schedule *schedule)
{
    return (const Plan *)schedule;
}

static inline const Pieces *plan_pieces(const Plan *plan)
{
    return &plan->problem.data.pieces;
}

/* The slot of piece 0 of an owner's data. */
static inline guint plan_slot(const Plan *plan, guint owner)
{
    return owner * plan->layout.n_pieces;
}

/* As many parts as dimensions: Algorithm.n_parts of what uses all trees or paths at a time. */
guint plan_parts_by_dimension(const Problem *problem);
guint plan_parts_by_circuit(const Problem *problem);     /* of GRAPH_CIRCUITS */

/* What families say of their members, in macros. */
#define ONE_PORT .n_port = FALSE
#define ALL_PORTS .n_port = TRUE
#define WHOLE .n_parts = NULL
#define IN_PARTS .n_parts = plan_parts_by_dimension
