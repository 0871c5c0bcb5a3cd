/* All-broadcast along Gray codes (Johnsson & Ho 1987, sec. 4.2.1), and the hybrid with accumulation (sec. 5.1). Owner r
 * at processor x stands for the data of processor x xor r. */
#include "schedules.h"
#include "sim/cube/cube.h"

/* Cyclic Rotation Algorithm: the path as a conveyor belt. In step k a processor passes on what set out k places before
 * it. */
static void cra_step(const Schedule *schedule, guint node, guint k, Step *out)
{
    guint mask = cube_n_nodes(schedule->dimension) - 1;
    guint position = graph_gray_position(node);
    guint next = graph_gray((position + 1) & mask), origin = graph_gray((position - k) & mask);
    out->phase = k == 0;
    step_send_slots(out, next, schedule_slot(schedule, node ^ origin), 1, schedule_slot(schedule, next ^ origin));
    step_await(out, graph_gray((position - 1) & mask));
}

static void cra_init(Schedule *schedule)
{
    schedule->n_steps = cube_n_nodes(schedule->dimension) - 1;
}

/* Gray Code Exchange Algorithm over the dimensions from `low` on, with blocks of 2^low owners: all exchange across the
 * dimension of the Gray code's transition number k, part j across the dimension j places further. */
static void exchange_by_gray_code(const Schedule *schedule, guint node, guint low, guint k, Step *out)
{
    guint n = schedule->dimension - low;
    for (guint part = 0; part < schedule->pieces.n_parts; part++) {
        guint packets = pieces_of_part(&schedule->pieces, part), piece = pieces_first(&schedule->pieces, part);
        if (packets == 0)
            continue;
        guint came = cube_rotate_left(graph_gray(k), n, part) << low;
        guint dim = low + ((guint)__builtin_ctz(k + 1) + part) % n;
        step_send_slots(out, node ^ 1u << dim, schedule_slot(schedule, came) + piece, packets << low,
                        schedule_slot(schedule, came ^ 1u << dim) + piece);
        step_await(out, node ^ 1u << dim);
    }
}

static void gcea_step(const Schedule *schedule, guint node, guint k, Step *out)
{
    guint low = schedule->accumulate;
    out->phase = k == 0;
    out->exchange = !schedule->algorithm->n_port;
    if (k >= low) {
        exchange_by_gray_code(schedule, node, low, k - low, out);
        return;
    }
    step_send_slots(out, node ^ 1u << k, 0, 1u << k, 1u << k);      /* as the SBT */
    step_await(out, node ^ 1u << k);
}

static void gcea_init(Schedule *schedule)
{
    guint low = schedule->accumulate;
    schedule->n_steps = low + cube_n_nodes(schedule->dimension - low) - 1;
}

const Algorithm algorithm_cra_all_broadcast = {
    .name = "cra",
    .pattern = PATTERN_ALL_BROADCAST,
    .summary = "Cyclic Rotation Algorithm: round the ring of the Gray code",
    .source = "Johnsson & Ho 1987, sec. 4.2.1, CRA(1,N)",
    .init = cra_init,
    .step = cra_step,
};

const Algorithm algorithm_gcea_all_broadcast = {
    .name = "gcea",
    .pattern = PATTERN_ALL_BROADCAST,
    .summary = "Gray Code Exchange Algorithm: N translated Gray-code paths",
    .source = "Johnsson & Ho 1987, sec. 4.2.1, GCEA(1,N)",
    .translates = TRUE,
    .init = gcea_init,
    .step = gcea_step,
};

const Algorithm algorithm_gcea_all_broadcast_n = {
    .name = "gcea",
    .pattern = PATTERN_ALL_BROADCAST,
    .n_port = TRUE,
    .summary = "Gray Code Exchange Algorithm: n parts, each on N translated rotated paths",
    .source = "Johnsson & Ho 1987, sec. 4.2.1, GCEA(n,N)",
    .splits = TRUE,
    .translates = TRUE,
    .init = gcea_init,
    .step = gcea_step,
};

const Algorithm algorithm_hybrid_all_broadcast = {
    .name = "hybrid",
    .pattern = PATTERN_ALL_BROADCAST,
    .takes_accumulate = TRUE,
    .summary = "k steps as the SBT, accumulating, then GCEA: for limited buffers",
    .source = "Johnsson & Ho 1987, sec. 5.1",
    .translates = TRUE,
    .init = gcea_init,
    .step = gcea_step,
};
