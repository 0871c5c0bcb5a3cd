#include "breakdown.h"
#include "sim/patterns/problem.h"
#include "sim/replay/cost.h"
#include "sim/replay/price.h"

#include <string.h>

#define MESSAGES_MAX 524288     /* limit of messages in a run whose parts are known: it is priced again for each part */

const char *const breakdown_names[N_BREAKDOWN] = {"handshakes", "barriers", "reconfigurations", "transmission",
                                                  "circuits", "shuffles", "arithmetic", "late starts", "start-ups",
                                                  "all but contention", "contention"};

static Machine without(Machine machine, BreakdownPart part)
{
    if (part == BREAKDOWN_HANDSHAKES)
        machine.pairwise_sync = FALSE;
    if (part == BREAKDOWN_BARRIERS)
        machine.phase_barrier = BARRIER_NONE;
    if (part == BREAKDOWN_RECONFIGURATIONS)
        machine.reconfigure_ps = 0;
    if (part == BREAKDOWN_TRANSMISSION)
        machine.terms.tau_fs_per_byte = machine.short_terms.tau_fs_per_byte = machine.long_terms.tau_fs_per_byte = 0;
    if (part == BREAKDOWN_TRANSMISSION && machine.host)
        machine.host_tau_fs_per_byte = 0;
    if (part == BREAKDOWN_CIRCUITS)
        machine.delta_ps = machine.terms.delta_hop_ps = machine.short_terms.delta_hop_ps =
            machine.long_terms.delta_hop_ps = 0;
    if (part == BREAKDOWN_CIRCUITS && machine.host)
        machine.host_delta_ps = 0;
    if (part == BREAKDOWN_SHUFFLES)
        machine.rho_fs_per_byte = machine.gather_fs_per_byte = 0;
    if (part == BREAKDOWN_ARITHMETIC)
        machine.flop_ps = 0;
    if (part == BREAKDOWN_LATE_STARTS)
        machine.start_skew_ps = 0;
    return machine;
}

static void take_apart(TimeBreakdown *breakdown, const Record *record)
{
    gint64 left_ps = record->result.contention_free_ps, messages = (gint64)record->result.network.messages;
    Machine machine = *record->run.machine;
    g_autoptr(Schedule) schedule = schedule_make(&record->run.problem);
    for (BreakdownPart part = 0; part <= BREAKDOWN_LATE_STARTS; part++) {
        Machine less = without(machine, part);
        if (memcmp(&less, &machine, sizeof less) == 0)
            continue;
        Price rest = price_sizes(schedule, &less);
        gint64 fewer = messages - (gint64)rest.messages, n = schedule_n_nodes(schedule);
        breakdown->ps[part] = left_ps - rest.time_ps;
        /* handshakes are messages: without them each processor sends so many fewer; other parts save none */
        breakdown->count[part] = fewer % n ? 0 : fewer / n;
        if (part == BREAKDOWN_RECONFIGURATIONS && breakdown->ps[part] % machine.reconfigure_ps == 0)
            breakdown->count[part] = breakdown->ps[part] / machine.reconfigure_ps;
        left_ps = rest.time_ps;
        messages = (gint64)rest.messages;
        machine = less;
        price_clear(&rest);
    }
    gint64 lambda_ps = machine.terms.lambda_ps++;
    machine.short_terms.lambda_ps++;
    machine.long_terms.lambda_ps++;
    gint64 startups = price_time(schedule, &machine) - left_ps;
    breakdown->ps[BREAKDOWN_STARTUPS] = left_ps;
    breakdown->count[BREAKDOWN_STARTUPS] = time_times(lambda_ps, startups) == left_ps ? startups : 0;
}

gboolean breakdown_is_known(const Record *record)
{
    return record->result.network.messages <= MESSAGES_MAX;
}

TimeBreakdown breakdown_of(const Record *record, gboolean apart)
{
    const RunResult *result = &record->result;
    TimeBreakdown breakdown = {.ps[BREAKDOWN_CONTENTION] = result->simulated_ps - result->contention_free_ps};
    if (apart)
        take_apart(&breakdown, record);
    else
        breakdown.ps[BREAKDOWN_ALL_ELSE] = result->contention_free_ps;
    return breakdown;
}
