#include "engine.h"
#include "circuits.h"
#include "fluid.h"
#include "sim/text/input.h"
#include "sim/cube/cube.h"

#include <simgrid/forward.h> /* version.h does not include what it needs */
#include <simgrid/version.h>

gboolean engine_run(const Schedule *schedule, const Machine *machine, volatile guint64 *delivered,
                    Trace *trace, EngineResult *result, GError **error)
{
    guint64 unwatched = 0;
    volatile guint64 *watched = delivered ? delivered : &unwatched;
    g_assert(!trace || machine->switching != SWITCHING_FLUID);
    gboolean counts = machine->switching == SWITCHING_FLUID
                          ? fluid_run(schedule, machine, watched, result)
                          : circuits_run(schedule, machine, watched, trace, result);
    if (!counts)
        input_refuse(error, "the simulated time passes 2^53 ps (2.5 hours), beyond which the clock cannot count");
    return counts;
}

void engine_result_clear(EngineResult *result)
{
    g_clear_pointer(&result->fault, g_free);
    g_clear_pointer(&result->stuck, g_free);
}

/* Of flows, every strand and every send port has an actor. */
gsize engine_estimate(const Machine *machine, guint dimension, guint n_strands)
{
    const gsize bytes_per_processor = 40000, bytes_per_link = 1500, bytes_per_actor = 39000;
    gsize ports = machine->ports == PORTS_ALL ? dimension : 1;
    gsize actors = machine->switching == SWITCHING_FLUID ? ports + n_strands - 1 : 0;
    return cube_n_nodes(dimension) * (bytes_per_processor + dimension * bytes_per_link + actors * bytes_per_actor);
}

const char engine_simgrid_version[] = SIMGRID_VERSION_STRING;

/* SimGrid would end the program. */
static gboolean check_contexts(GError **error)
{
    static const char *const names[] = {"raw", "thread", NULL};
    const char *contexts = g_getenv("ECUBE_CONTEXTS");
    return !contexts || input_parse_choice("ECUBE_CONTEXTS", contexts, names, &(guint){0}, error);
}

gboolean engine_check(GError **error)
{
    int major, minor, patch;
    sg_version_get(&major, &minor, &patch);
    if (major == SIMGRID_VERSION_MAJOR && minor == SIMGRID_VERSION_MINOR && patch == SIMGRID_VERSION_PATCH)
        return check_contexts(error);
    return input_refuse(error, "the SimGrid library that was loaded is release %d.%d.%d, but ecube was compiled with "
                        "%d.%d.%d; compile it again, with `make clean all`", major, minor, patch, SIMGRID_VERSION_MAJOR,
                        SIMGRID_VERSION_MINOR, SIMGRID_VERSION_PATCH);
}
