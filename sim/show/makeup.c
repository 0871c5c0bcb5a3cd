#include "makeup.h"
#include "sim/patterns/make.h"
#include "sim/replay/cost.h"
#include "sim/replay/price.h"

#include <string.h>

#define MESSAGES_MAX 524288     /* of runs that are priced again for each part; that takes tenths of a second */

const char *const makeup_names[N_MAKEUP] = {"handshakes", "barriers", "transmission", "circuits", "shuffles",
                                            "arithmetic", "late starts", "start-ups", "all but contention",
                                            "contention"};

static Machine without(Machine machine, MakeupPart part)
{
    if (part == MAKEUP_HANDSHAKES)
        machine.pairwise_sync = FALSE;
    if (part == MAKEUP_BARRIERS)
        machine.phase_barrier = BARRIER_NONE;
    if (part == MAKEUP_TRANSMISSION)
        machine.terms.tau_ps_per_byte = machine.short_terms.tau_ps_per_byte = 0;
    if (part == MAKEUP_TRANSMISSION && machine.node)
        machine.node_tau_ps_per_byte = 0;
    if (part == MAKEUP_CIRCUITS)
        machine.delta_ps = machine.terms.delta_hop_ps = machine.short_terms.delta_hop_ps = 0;
    if (part == MAKEUP_CIRCUITS && machine.node)
        machine.node_delta_ps = 0;
    if (part == MAKEUP_SHUFFLES)
        machine.rho_ps_per_byte = machine.copy_ps_per_byte = 0;
    if (part == MAKEUP_ARITHMETIC)
        machine.flop_ps = 0;
    if (part == MAKEUP_LATE_STARTS)
        machine.start_skew_ps = 0;
    return machine;
}

static void take_apart(Makeup *makeup, const Record *record)
{
    gint64 left_ps = record->result.contention_free_ps, messages = (gint64)record->result.network.messages;
    Machine machine = *record->run.machine;
    g_autoptr(Schedule) schedule = schedule_make(&record->run.problem);
    for (MakeupPart part = 0; part <= MAKEUP_LATE_STARTS; part++) {
        Machine less = without(machine, part);
        if (memcmp(&less, &machine, sizeof less) == 0)
            continue;
        Price rest = price(schedule, &less, REPLAY_SIZES);
        gint64 fewer = messages - (gint64)rest.messages, n = schedule_n_nodes(schedule);
        makeup->ps[part] = left_ps - rest.time_ps;
        makeup->count[part] = fewer % n ? 0 : fewer / n;        /* handshakes alone are messages */
        left_ps = rest.time_ps;
        messages = (gint64)rest.messages;
        machine = less;
        price_clear(&rest);
    }
    gint64 lambda_ps = machine.terms.lambda_ps++, startups = price_time(schedule, &machine) - left_ps;
    makeup->ps[MAKEUP_STARTUPS] = left_ps;
    makeup->count[MAKEUP_STARTUPS] = time_times(lambda_ps, startups) == left_ps ? startups : 0;
}

gboolean makeup_is_known(const Record *record)
{
    return record->result.network.messages <= MESSAGES_MAX;
}

Makeup makeup_of(const Record *record, gboolean apart)
{
    const RunResult *result = &record->result;
    Makeup makeup = {.ps[MAKEUP_CONTENTION] = result->simulated_ps - result->contention_free_ps};
    if (apart)
        take_apart(&makeup, record);
    else
        makeup.ps[MAKEUP_ALL_ELSE] = result->contention_free_ps;
    return makeup;
}
