#include "limits.h"
#include "available.h"
#include "clock.h"
#include "estimate.h"
#include "sim/text/input.h"

gboolean run_check_memory(const Run *run, gsize reserved, GError **error)
{
    return available_check(run, estimate_run(run), reserved, error);
}

gboolean run_check(const Run *run, GError **error)
{
    return run_check_clock(run, error) && run_check_memory(run, 0, error);
}

#define LIBRARIES 24000000  /* bytes that this process has of them, beyond those of a run's */

gsize run_room_beside(const Run *run, gsize least, GError **error)
{
    Run data = *run;
    data.machine = NULL;
    gsize needed = estimate_run(&data) + LIBRARIES;
    if (!run_check_clock(run, error) || !available_check(run, needed + least, 0, error))
        return 0;
    gsize available = available_bytes();
    return MAX(least, available - MIN(available, needed));
}

gboolean run_check_schedule(const Run *run, GError **error)
{
    return run_check_clock(run, error) && available_check(run, estimate_schedule(run), 0, error);
}

gboolean run_check_traced(const Run *run, double text, GError **error)
{
    if (run->machine->switching == SWITCHING_FLUID)
        return input_refuse(error, "switching: 'fluid' has no circuits to trace; allowed: circuit, store-and-forward");
    return run_check_clock(run, error) && available_check(run, estimate_traced(run, text), 0, error);
}
