/* The head of all algorithms' schedules: the problem, and where data lies. */
#pragma once

#include "algorithm.h"
#include "pattern_content.h"

typedef struct {
    Schedule head;
    Problem problem;
    Layout layout;
} Plan;

/* Allocates a plan without steps, with the content and the slots of problem->pattern in `layout` (NULL:
 * layout_of_problem()). `size` is the size of a Plan, or of a structure that begins with one. Never NULL. */
Plan *plan_new(gsize size, const ScheduleClass *class, const Problem *problem, const Layout *layout);

/* Allocates a Plan of n_steps with layout_of_problem(). Returns its head. */
Schedule *plan_make(const ScheduleClass *class, const Problem *problem, guint n_steps, guint flags);

static inline const Plan *plan_of(const Schedule *schedule)
{
    return (const Plan *)schedule;
}

static inline const Pieces *plan_pieces(const Plan *plan)
{
    return &plan->problem.data.pieces;
}

/* Returns the slot of piece 0 of an owner's data. */
static inline guint plan_slot(const Plan *plan, guint owner)
{
    return owner * plan->layout.n_pieces;
}

/* Returns the number of parts of the data (Algorithm.n_parts) for algorithms that use a tree or path for each dimension
 * at the same time: the dimension of the cube, at least 1. */
guint plan_parts_by_dimension(const Problem *problem);
/* Returns the number of parts of the data for algorithms that use all trees of GRAPH_CIRCUITS at the same time. */
guint plan_parts_by_circuit(const Problem *problem);

/* Initializers of members of Algorithm, for macros that define the algorithms of a family. */
#define ONE_PORT .n_port = FALSE
#define ALL_PORTS .n_port = TRUE
#define ANY_PORTS .n_port = N_PORT_IN_TURNS
#define WHOLE .n_parts = NULL
#define IN_PARTS .n_parts = plan_parts_by_dimension
