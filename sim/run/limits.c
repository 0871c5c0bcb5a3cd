#include "limits.h"
#include "available.h"
#include "estimate.h"
#include "sim/patterns/matmul/program.h"
#include "sim/text/input.h"

#include <math.h>

/* --- what the clock counts --- */

/* Packets that follow each other take at least their start-ups. */
static gboolean packets_count(const Run *run, GError **error)
{
    gint64 packets = run->problem.data.pieces.long_packets, startups_ps;
    if (!run->machine || run->problem.dimension == 0)
        return TRUE;
    gint64 lambda_ps = MIN(run->machine->terms.lambda_ps, run->machine->short_terms.lambda_ps);
    if (!__builtin_mul_overflow(packets - 1, lambda_ps, &startups_ps) && startups_ps < INPUT_TIME_MAX_PS)
        return TRUE;
    return input_refuse(error, "packet: %" G_GINT64_FORMAT " packets take longer to start than the clock can count; "
                        "allowed: below 2^53 ps (2.5 hours)", packets);
}

#define PRODUCTS_MAX 1e12       /* of two elements: half an hour */

/* What a processor holds, sends and gets in one phase is never more than all matrices. */
static gboolean multiplication_counts(const Run *run, GError **error)
{
    const Multiplication *matmul = &run->problem.matmul;
    double p = matmul->shape.p, q = matmul->shape.q, r = matmul->shape.r, times = matmul->repeat;
    g_autofree char *shape = matmul_shape_format(&matmul->shape);
    if (p * q * r * times > PRODUCTS_MAX)
        return input_refuse(error, "shape: '%s'%s takes %.6g multiplications of elements; allowed: at most 10^12",
                            shape, times > 1 ? " repeated" : "", p * q * r * times);
    double most = floor((double)INPUT_TIME_MAX_PS / (2 * times * (p * q + q * r + p * r)));
    if ((double)matmul->element > most)
        return input_refuse(error, "element: '%" G_GINT64_FORMAT "' makes more bytes of matrices than the clock can "
                            "count; allowed: at most %.0f", matmul->element, most);
    return available_check(run, program_slots_at_least(matmul) * sizeof(Block), available_bytes(), error);
}

gboolean run_check_clock(const Run *run, GError **error)
{
    if (run->refused)
        return input_refuse(error, "%s", run->refused);
    if (run->problem.pattern->multiplies)
        return multiplication_counts(run, error);
    if (run->problem.data.bytes <= INPUT_TIME_MAX_PS >> run->problem.dimension)
        return packets_count(run, error);
    return input_refuse(error, "bytes: '%" G_GINT64_FORMAT "' is more than the clock can count; allowed: at most %"
                        G_GINT64_FORMAT " at d = %u", run->problem.data.bytes,
                        INPUT_TIME_MAX_PS >> run->problem.dimension, run->problem.dimension);
}

/* --- what fits into memory --- */

gboolean run_check(const Run *run, GError **error)
{
    return run_check_clock(run, error) && available_check(run, estimate_run(run), available_bytes(), error);
}

#define LIBRARIES 24000000  /* bytes that this process has of them, beyond those of a run's */

gsize run_room_beside(const Run *run, gsize least, GError **error)
{
    Run data = *run;
    data.machine = NULL;
    gsize needed = estimate_run(&data) + LIBRARIES;
    gsize available = available_bytes();
    if (!run_check_clock(run, error) || !available_check(run, needed + least, available, error))
        return 0;
    return available - needed;
}

gboolean run_check_schedule(const Run *run, GError **error)
{
    return run_check_clock(run, error) && available_check(run, estimate_schedule(run), available_bytes(), error);
}

gboolean run_check_traced(const Run *run, double text, GError **error)
{
    if (run->machine->switching == SWITCHING_FLUID)
        return input_refuse(error, "switching: 'fluid' has no circuits to trace; allowed: circuit, store-and-forward");
    return run_check_clock(run, error) && available_check(run, estimate_traced(run, text), available_bytes(), error);
}
