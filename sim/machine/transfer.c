#include "transfer.h"
#include "sim/text/input.h"

#include <math.h>

__int128 transfer_packets(Rational bytes, gint64 packet)
{
    __int128 unit = (__int128)packet * bytes.denominator;
    return unit == 0 || bytes.numerator == 0 ? 1 : (bytes.numerator + unit - 1) / unit;
}

/* Whether count x each_ps certainly reaches INPUT_TIME_MAX_PS. If it does not, numerator x each_ps is less than (2^53 +
 * each_ps) x denominator, which an __int128 holds. */
static gboolean is_too_long(Rational count, gint64 each_ps)
{
    return each_ps > 0 && count.numerator / count.denominator > INPUT_TIME_MAX_PS / each_ps;
}

gint64 transfer_ps_and(TransferCount count, const MachineTerms *terms, long double more_ps)
{
    Rational a = count.bytes, b = count.startups;
    if (is_too_long(a, terms->tau_ps_per_byte) || is_too_long(b, terms->lambda_ps) || more_ps > INPUT_TIME_MAX_PS)
        return INPUT_TIME_MAX_PS;
    __int128 x = a.numerator * terms->tau_ps_per_byte, y = b.numerator * terms->lambda_ps;
    __int128 one = (__int128)a.denominator * b.denominator;
    __int128 rest = x % a.denominator * b.denominator + y % b.denominator * a.denominator;
    __int128 broken = more_ps > 0 ? (__int128)ceill(more_ps + (long double)rest / one) : (rest > 0) + (rest > one);
    return (gint64)MIN(x / a.denominator + y / b.denominator + broken, INPUT_TIME_MAX_PS);
}

gint64 transfer_ps(TransferCount count, const MachineTerms *terms)
{
    return transfer_ps_and(count, terms, 0);
}

MachineTerms transfer_least_terms(const Machine *machine, gint64 bytes)
{
    const MachineTerms *a = &machine->terms, *b = machine->short_limit < 0 ? a : &machine->short_terms;
    MachineTerms least = {.lambda_ps = bytes ? MIN(a->lambda_ps, b->lambda_ps) : machine->lambda_zero_ps,
                          .tau_ps_per_byte = MIN(a->tau_ps_per_byte, b->tau_ps_per_byte),
                          .delta_hop_ps = MIN(a->delta_hop_ps, b->delta_hop_ps)};
    gboolean follow = machine->packet || machine->switching == SWITCHING_STORE_AND_FORWARD;
    if (follow && machine->packet_lambda_ps != MACHINE_UNSET)
        least.lambda_ps = MIN(least.lambda_ps, machine->packet_lambda_ps);
    if (machine->host <= 1)
        return least;
    const MachineTerms within = machine_within(machine, &least);
    return (MachineTerms){.lambda_ps = MIN(least.lambda_ps, within.lambda_ps),
                          .tau_ps_per_byte = MIN(least.tau_ps_per_byte, within.tau_ps_per_byte)};
}

gint64 transfer_allowed_packet(const Machine *machine, gint64 packet, gint64 element)
{
    gint64 limit = machine->packet;
    if (limit == 0 || packet <= limit)
        return packet;
    return limit < element ? limit : limit / element * element;
}
