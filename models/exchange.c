#include "exchange.h"

#include <math.h>

/* 2^part - 1 messages, lambda and delta each, over `hops` channels in all */
static double messages_ps(const Machine *machine, const MachineTerms *terms, double n, double hops)
{
    double time = n * (double)(terms->lambda_ps + machine->delta_ps) + hops * (double)terms->delta_hop_ps;
    if (machine->pairwise_sync)
        time += n * (double)(machine->lambda_zero_ps + machine->delta_ps) +
                hops * (double)machine_terms(machine, 0)->delta_hop_ps;
    return time;
}

double exchange_message_ps(const Machine *machine, const MachineTerms *terms, guint dimension)
{
    return messages_ps(machine, terms, 1, dimension / 2.0);
}

/* (2^a - 1)(lambda + tau m 2^(d-a) + delta) + rho m 2^d + Q(d), with a = part */
ExchangeLine exchange_phase_line(const Machine *machine, const MachineTerms *terms, guint dimension, guint part,
                                 gboolean rearranges, ExchangeDistance distance)
{
    double n = ldexp(1, (int)part) - 1;
    double hops = distance == EXCHANGE_AVERAGE_DISTANCE ? n * dimension / 2.0 : ldexp(part, (int)part - 1);
    double barrier = machine->phase_barrier ? (double)machine_barrier_ps(machine, dimension) : 0;
    double transmission = n * ldexp((double)terms->tau_ps_per_byte, (int)(dimension - part));
    double moving = rearranges ? ldexp((double)machine->rho_ps_per_byte, (int)dimension) : 0;
    return (ExchangeLine){messages_ps(machine, terms, n, hops) + barrier, transmission + moving};
}

double exchange_phase_ps(const Machine *machine, guint dimension, guint part, gint64 bytes, gboolean rearranges)
{
    const MachineTerms *terms = machine_terms(machine, bytes << (dimension - part));
    return exchange_line_at(
        exchange_phase_line(machine, terms, dimension, part, rearranges, EXCHANGE_AVERAGE_DISTANCE), (double)bytes);
}

double exchange_multiphase_ps(const Machine *machine, guint dimension, const Partition *partition, gint64 bytes)
{
    double time = 0;
    for (guint i = 0; i < partition->n_parts; i++)
        time += exchange_phase_ps(machine, dimension, partition->part[i], bytes, TRUE);
    return time;
}

double exchange_standard_ps(const Machine *machine, guint dimension, gint64 bytes)
{
    return dimension ? dimension * exchange_phase_ps(machine, dimension, 1, bytes, TRUE) : 0;
}

double exchange_direct_ps(const Machine *machine, guint dimension, gint64 bytes)
{
    return dimension ? exchange_phase_ps(machine, dimension, dimension, bytes, FALSE) : 0;
}

const char *exchange_unpublished_reason(const Machine *machine, gint64 largest)
{
    if (machine->switching == SWITCHING_STORE_AND_FORWARD)
        return "Bokhari's and Nicol's formulas are about circuits";
    if (machine->packet && largest > machine->packet)
        return "Bokhari's and Nicol's formulas know no packets";
    return NULL;
}
