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

/* --- all messages of a phase at once --- */

/* The last messages of a phase, which follow each other without a break. */
typedef struct {
    double value;       /* count x excess - delta_hop x zeros, to be made large */
    double count;
    double zeros;       /* bits that are 0 in their numbers: channels that they save */
} Run;

/* The best of the runs that begin among the last 2^bits - 1 messages, where `excess` is what the last message, which
 * goes over all `bits` channels of the subcube, takes longer than a gap. Counted from the end, message i saves as many
 * channels as i has bits; so those after the last 2^b are as the last ones themselves, with a channel less.
 * O(bits^2). */
static Run longest_run(guint bits, double excess, double hop)
{
    Run best[PARTITION_DIMENSION_MAX + 1] = {{0, 0, 0}};    /* [channels less], of the last 2^b - 1 */
    for (guint b = 0; b < bits; b++)
        for (guint less = 0; less < bits - b; less++) {
            Run rest = best[less + 1];
            double half = ldexp(1, (int)b), zeros = half * b / 2;
            double value = half * (excess - less * hop) - hop * zeros + rest.value;
            if (value >= best[less].value)
                best[less] = (Run){value, half + rest.count, zeros + rest.zeros + rest.count};
        }
    return best[0].count ? best[0] : (Run){excess, 1, 0};
}

ExchangeLine exchange_overlapped_line(const Machine *machine, const MachineTerms *terms, guint dimension, guint part,
                                      gboolean rearranges, ExchangeDistance distance, double bytes)
{
    double n = ldexp(1, (int)part) - 1, hop = (double)terms->delta_hop_ps, gap = (double)machine->gap_ps;
    double tau = ldexp((double)terms->tau_ps_per_byte, (int)(dimension - part));
    gboolean average = distance == EXCHANGE_AVERAGE_DISTANCE;
    double channels = average ? dimension / 2.0 : part;
    double excess = (double)machine->delta_ps + channels * hop + (tau > 0 ? tau * bytes : 0) - gap;
    Run run = machine->switching == SWITCHING_FLUID ? (Run){excess, 1, 0}
                                                    : longest_run(part, excess, average ? 0 : hop);
    double barrier = machine->phase_barrier ? (double)machine_barrier_ps(machine, dimension) : 0;
    double moving = rearranges ? ldexp((double)machine->rho_ps_per_byte, (int)dimension) : 0;
    double hops = run.count * channels - (average ? 0 : run.zeros);
    double intercept = (n - run.count) * gap + (double)terms->lambda_ps + run.count * (double)machine->delta_ps;
    return (ExchangeLine){intercept + hops * hop + barrier, run.count * tau + moving};
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

double exchange_use_ps(const ExchangeUse *use, const Machine *machine, guint dimension, gint64 bytes,
                       double exchange_ps)
{
    double copying = (double)machine->rho_ps_per_byte * (double)use_copied_bytes(dimension, bytes);
    double computing = (double)machine->flop_ps * (double)use_operations(use, dimension, bytes);
    return use->n_exchanges * (exchange_ps + copying) + 2 * computing;
}

const char *exchange_unpublished_reason(const Machine *machine, gint64 largest)
{
    if (machine->switching == SWITCHING_STORE_AND_FORWARD)
        return "Bokhari's and Nicol's formulas are about circuits";
    if (machine->packet && largest > machine->packet)
        return "Bokhari's and Nicol's formulas know no packets";
    return NULL;
}
