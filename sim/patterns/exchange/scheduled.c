/* Complete exchange on a mesh in rounds without contention (cube/mesh_rounds.h). */
#include "sim/cube/mesh_rounds.h"
#include "sim/patterns/registry.h"
#include "sim/schedule/plan.h"

/* Returns the mesh of the problem's machine. Without a machine returns the mesh that a machine of this size would
 * have by default. */
static Topology scheduled_mesh(const Problem *problem)
{
    const Group *group = problem_group(problem);
    Topology mesh = problem->gathering.topology;
    if (mesh.class != &topology_mesh)
        topology_init(&mesh, &topology_mesh, group->n, group->n_factors > 1 && !group->binary ? group : NULL,
                      TOPOLOGY_ROW);
    return mesh;
}

/* Sends a processor's block of round k, and awaits another block. Blocks leave one half of the memory and arrive in the
 * other. Each round is a phase, so that barriers or clocks can keep rounds apart. */
static void scheduled_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Plan *plan = plan_of(self);
    const Topology mesh = scheduled_mesh(&plan->problem);
    const MeshRounds *rounds = mesh_rounds(mesh.sides);
    guint place = topology_place(&mesh, node);
    guint to = topology_address(&mesh, mesh_rounds_to(rounds, place, k));
    guint from = topology_address(&mesh, mesh_rounds_from(rounds, place, k));
    out->phase = TRUE;
    if (to != node)
        step_send_slots(out, to, plan->layout.outgoing + to, 1, node);
    if (from != node)
        step_await(out, from);
}

static Schedule *scheduled_make(const Problem *problem)
{
    static const ScheduleClass class = {.step = scheduled_step};
    const Topology mesh = scheduled_mesh(problem);
    guint n = mesh.n_nodes;
    Layout layout = layout_of_problem(problem);
    layout.outgoing = n;
    layout.n_owners = 2 * n;
    Schedule *schedule = &plan_new(sizeof(Plan), &class, problem, &layout)->head;
    schedule->n_steps = mesh_rounds_count(mesh_rounds(mesh.sides));
    schedule->flags = SCHEDULE_CONTENDS | SCHEDULE_STRAIGHT;
    return schedule;
}

static const char *scheduled_refuses(const Problem *problem)
{
    const Topology *network = &problem->gathering.topology;
    if (network->class && network->class != &topology_mesh)
        return "it needs topology = mesh";
    return mesh_rounds(scheduled_mesh(problem).sides) ? NULL
                                                      : "it needs a mesh of at most 1024 processors, or of 256 with "
                                                        "several sides above 4";
}

static guint scheduled_bound(const Problem *problem)
{
    return mesh_rounds_bound(scheduled_mesh(problem).sides);
}

const Algorithm algorithm_scheduled = {
    .name = "scheduled",
    .any_group = TRUE,
    .on_mesh = TRUE,
    .pattern = &pattern_complete_exchange,
    .summary = "on a mesh, rounds in which no two messages want one channel, as few as can be",
    .source = "after Scott 1991, for meshes of any sides",
    .unpublished = "no paper predicts an exchange whose processors may get ahead of each other",
    .refuses = scheduled_refuses,
    .bound = scheduled_bound,
    .make = scheduled_make,
};
