#include "exchange.h"

#include <math.h>

/* lambda and delta of the formulas, together: they always come as a sum. */
static double message_ps(const Machine *machine, const MachineTerms *terms, guint dimension)
{
    double average_hops = dimension / 2.0;
    double time = (double)terms->lambda_ps + (double)machine->delta_ps + (double)terms->delta_hop_ps * average_hops;
    if (machine->pairwise_sync)
        time += (double)machine->lambda_zero_ps + (double)machine->delta_ps +
                (double)machine_terms(machine, 0)->delta_hop_ps * average_hops;
    return time;
}

/* (2^part - 1)(lambda + tau m 2^(d - part) + delta) */
static double transmissions_ps(const Machine *machine, guint dimension, guint part, gint64 bytes)
{
    gint64 effective_block = bytes << (dimension - part);
    const MachineTerms *terms = machine_terms(machine, effective_block);
    return (ldexp(1, (int)part) - 1) *
           (message_ps(machine, terms, dimension) + (double)terms->tau_ps_per_byte * (double)effective_block);
}

/* rho m 2^d */
static double shuffle_ps(const Machine *machine, guint dimension, gint64 bytes)
{
    return (double)machine->rho_ps_per_byte * (double)(bytes << dimension);
}

/* Q(d) */
static double barrier_ps(const Machine *machine, guint dimension)
{
    return machine->phase_barrier ? (double)machine_barrier_ps(machine, dimension) : 0;
}

double exchange_phase_ps(const Machine *machine, guint dimension, guint part, gint64 bytes)
{
    return transmissions_ps(machine, dimension, part, bytes) + shuffle_ps(machine, dimension, bytes) +
           barrier_ps(machine, dimension);
}

double exchange_multiphase_ps(const Machine *machine, guint dimension, const Partition *partition, gint64 bytes)
{
    double time = 0;
    for (guint i = 0; i < partition->n_parts; i++)
        time += exchange_phase_ps(machine, dimension, partition->part[i], bytes);
    return time;
}

double exchange_standard_ps(const Machine *machine, guint dimension, gint64 bytes)
{
    return dimension ? dimension * exchange_phase_ps(machine, dimension, 1, bytes) : 0;
}

double exchange_direct_ps(const Machine *machine, guint dimension, gint64 bytes)
{
    return dimension ? transmissions_ps(machine, dimension, dimension, bytes) + barrier_ps(machine, dimension) : 0;
}

const char *exchange_unpublished_reason(const Machine *machine, gint64 largest)
{
    if (machine->packet && largest > machine->packet)
        return "Bokhari's and Nicol's formulas know no packets";
    return NULL;
}
