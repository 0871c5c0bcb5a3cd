#include "hull_bound.h"
#include "sim/cube/mesh_rounds.h"
#include "sim/machine/transfer.h"

#include <math.h>

/* Returns the least time of a round without its bytes, lambda + delta + delta_hop. */
static double round_ps(const Machine *machine, const MachineTerms *terms)
{
    gint64 delta = MIN(machine->delta_ps, machine_delta(machine, machine->host > 1));
    return (double)(terms->lambda_ps + delta + terms->delta_hop_ps);
}

/* Least costs of any exchange, in ps: per circuit, per round, once per exchange, and per byte sent. `more` is added per
 * byte of the block size, for all blocks that leave the node. */
typedef struct {
    double circuit, round, once, byte, more;
    guint rails;
} BoundCosts;

/* Adds the bound for q circuits and k rounds that carry `traffic` blocks. */
static void add_bound(GArray *candidates, const BoundCosts *c, guint q, guint64 k, guint64 traffic)
{
    HullFace face = {.to_bytes = INFINITY, .n_steps = {(guint)k}, .n_circuits = q};
    face.line.intercept_ps = q * c->circuit + (double)k * c->round + c->once;
    face.line.slope_ps_per_byte = (c->byte * (double)traffic + c->more) / c->rails;
    g_array_append_val(candidates, face);
}

/* Adds the bounds for q circuits: for each number of rounds k from q on, as long as more rounds lower the traffic. */
static void add_circuits_bounds(GArray *candidates, const BoundCosts *costs, guint64 others, guint q)
{
    for (guint64 k = q, before = 0; k <= others; k++) {
        guint64 traffic = offsets_circuits_bound(others, q, k, costs->rails);
        if (traffic == G_MAXUINT64)
            continue;
        if (traffic == before && k % q == 0)
            break;
        before = traffic;
        add_bound(candidates, costs, q, k, traffic);
    }
}

/* Returns a lower bound on a mesh as a line: the time of one round, and of the bytes of mesh_rounds_bound() blocks.
 * These are N - 1 blocks or, if more, the blocks over each channel between the halves of the longest lines. */
static ExchangeLine bisection_line(const Topology *mesh, const BoundCosts *costs)
{
    return (ExchangeLine){costs->round, costs->byte * (double)mesh_rounds_bound(mesh->sides)};
}

/* Raises the hull to `floor` from the size on where `floor` is higher. The hull must be concave, and at 0 not lower
 * than `floor`. */
static void hull_raise(Hull *hull, ExchangeLine floor)
{
    for (guint i = 0; i < hull->n_faces; i++) {
        HullFace *face = &hull->faces[i];
        double steeper = floor.slope_ps_per_byte - face->line.slope_ps_per_byte;
        double from = fmax(face->from_bytes, (face->line.intercept_ps - floor.intercept_ps) / steeper);
        if (steeper <= 0 || from >= face->to_bytes)
            continue;
        gboolean whole = from <= face->from_bytes;
        HullFace last = *face;
        last.line = floor;
        last.from_bytes = from;
        last.to_bytes = INFINITY;
        face->to_bytes = from;
        hull->n_faces = i + (whole ? 1 : 2);
        hull->faces = g_renew(HullFace, hull->faces, hull->n_faces);
        hull->faces[hull->n_faces - 1] = last;
        return;
    }
}

Hull *hull_bound(const Machine *machine, const Group *group)
{
    if (machine->ports == PORTS_ALL || machine->overlaps)
        return NULL;
    Machine flat = *machine;
    flat.host = 0;
    const MachineTerms least = transfer_least_terms(machine, 1), outer = transfer_least_terms(&flat, 1);
    guint64 all = group->n - 1, n_outer = group->n - (guint64)CLAMP(machine->host, 1, (gint64)group->n);
    BoundCosts costs = {(double)machine->reconfigure_ps, round_ps(machine, &least), 0,
                        machine_byte_ps(least.tau_fs_per_byte),
                        (double)n_outer * machine_byte_ps(outer.tau_fs_per_byte - least.tau_fs_per_byte),
                        machine_rails(machine->ports)};
    costs.once = n_outer ? round_ps(&flat, &outer) - costs.round : 0;
    g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(HullFace));
    /* Once no block is sent three times, each further round but the last saves a block for each rail: the bounds lie on
     * a line, and its ends suffice. */
    const guint64 rails = costs.rails, most = (all + rails - 1) / rails, line_end = most - (rails > 1 && most > 0);
    for (guint64 k = 0, next; k <= most; k = next) {
        guint64 traffic = offsets_bound(all, k, costs.rails);
        if (traffic != G_MAXUINT64)
            add_bound(candidates, &costs, (guint)k, k, traffic);
        gboolean on_line = rails * k + rails * rails * k * (k - 1) / 2 >= all;
        next = on_line && k < line_end ? line_end : k + 1;
    }
    for (guint q = 1; machine->reconfigure_ps > 0 && (guint64)q * (q + 1) / 2 < all; q++)
        add_circuits_bounds(candidates, &costs, all, q);
    Hull *hull = hull_envelope(candidates);
    if (machine_is_mesh(machine) && all > 0) {
        const Topology mesh = machine_topology(machine, group->n);
        hull_raise(hull, bisection_line(&mesh, &costs));
    }
    return hull;
}
