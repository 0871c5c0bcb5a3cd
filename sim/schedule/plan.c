#include "plan.h"
#include "sim/cube/graph.h"

Plan *plan_new(gsize size, const ScheduleClass *class, const Problem *problem, const Layout *layout)
{
    Plan *plan = (Plan *)schedule_new(size, class, problem->dimension);
    schedule_set_group(&plan->head, problem_group(problem));
    plan->problem = *problem;
    plan->layout = layout ? *layout : layout_of_problem(problem);
    plan->head.n_slots = layout_n_slots(&plan->layout);
    plan->head.root = problem->pattern->rooted ? problem->source : NO_ROOT;
    plan->head.content = pattern_content_new(problem, &plan->layout);
    return plan;
}

Schedule *plan_make(const ScheduleClass *class, const Problem *problem, guint n_steps, guint flags)
{
    Schedule *schedule = &plan_new(sizeof(Plan), class, problem, NULL)->head;
    schedule->n_steps = n_steps;
    schedule->flags = flags;
    return schedule;
}

guint plan_parts_by_dimension(const Problem *problem)
{
    return MAX(1, problem->dimension);
}

guint plan_parts_by_circuit(const Problem *problem)
{
    return graph_n_trees(GRAPH_CIRCUITS, problem->dimension);
}
