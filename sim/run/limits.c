#include "limits.h"
#include "available.h"
#include "estimate.h"
#include "sim/schedule/content.h"
#include "sim/text/input.h"

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

gboolean run_check_clock(const Run *run, GError **error)
{
    if (run->refused)
        return input_refuse(error, "%s", run->refused);
    const Pattern *pattern = run->problem.pattern;
    guint64 slots = pattern->least_slots ? pattern->least_slots(&run->problem) : 0;
    if (pattern->check_clock)
        return pattern->check_clock(run, error) &&
               available_check(run, slots * sizeof(Block), available_bytes(), error);
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
