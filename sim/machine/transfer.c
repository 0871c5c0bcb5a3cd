#include "transfer.h"
#include "sim/text/input.h"

#include <math.h>

__int128 transfer_packets(Rational bytes, gint64 packet)
{
    __int128 unit = (__int128)packet * bytes.denominator;
    return unit == 0 || bytes.numerator == 0 ? 1 : (bytes.numerator + unit - 1) / unit;
}

/* TRUE: count x each exceeds `limit`. FALSE: numerator x each is less than (limit + each) x denominator. An __int128
 * holds this, as `limit` is at most 2^53 x 1000. */
static gboolean is_too_long(Rational count, gint64 each, gint64 limit)
{
    return each > 0 && count.numerator / count.denominator > limit / each;
}

/* Whether (fs + x)/1000 + y > 1, where 0 <= fs < 1000, and x and y are fractions below 1. */
static gboolean exceeds_one(gint64 fs, Rational x, Rational y)
{
    __int128 missing = MACHINE_FS_PER_PS * ((__int128)y.denominator - y.numerator);
    gint64 whole = (gint64)(missing / y.denominator);
    return fs != whole ? fs > whole : x.numerator * y.denominator > missing % y.denominator * x.denominator;
}

/* Returns (fs + x)/1000 + y. */
static long double sum_of_parts(gint64 fs, Rational x, Rational y)
{
    long double one = (long double)x.denominator * y.denominator * MACHINE_FS_PER_PS;
    return (((long double)fs * x.denominator + (long double)x.numerator) * y.denominator +
            (long double)y.numerator * x.denominator * MACHINE_FS_PER_PS) / one;
}

gint64 transfer_ps_and(TransferCount count, const MachineTerms *terms, long double more_ps)
{
    Rational a = count.bytes, b = count.startups;
    if (is_too_long(a, terms->tau_fs_per_byte, INPUT_TIME_MAX_PS * MACHINE_FS_PER_PS) ||
        is_too_long(b, terms->lambda_ps, INPUT_TIME_MAX_PS) || more_ps > INPUT_TIME_MAX_PS)
        return INPUT_TIME_MAX_PS;
    __int128 x = a.numerator * terms->tau_fs_per_byte, y = b.numerator * terms->lambda_ps, x_fs = x / a.denominator;
    Rational x_rest = {x % a.denominator, a.denominator}, y_rest = {y % b.denominator, b.denominator};
    gint64 fs = (gint64)(x_fs % MACHINE_FS_PER_PS);
    gboolean rest = fs > 0 || x_rest.numerator > 0 || y_rest.numerator > 0;
    __int128 broken = more_ps > 0 ? (__int128)ceill(more_ps + sum_of_parts(fs, x_rest, y_rest))
                                  : rest + exceeds_one(fs, x_rest, y_rest);
    return (gint64)MIN(x_fs / MACHINE_FS_PER_PS + y / b.denominator + broken, INPUT_TIME_MAX_PS);
}

gint64 transfer_ps(TransferCount count, const MachineTerms *terms)
{
    return transfer_ps_and(count, terms, 0);
}

MachineTerms transfer_least_terms(const Machine *machine, gint64 bytes)
{
    MachineTerms least = machine_least_terms(machine);
    if (bytes == 0)
        least.lambda_ps = machine->lambda_zero_ps;
    gboolean follow = machine->packet || machine->switching == SWITCHING_STORE_AND_FORWARD;
    if (follow && machine->packet_lambda_ps != MACHINE_UNSET)
        least.lambda_ps = MIN(least.lambda_ps, machine->packet_lambda_ps);
    if (machine->host <= 1)
        return least;
    const MachineTerms within = machine_within(machine, &least);
    return (MachineTerms){.lambda_ps = MIN(least.lambda_ps, within.lambda_ps),
                          .tau_fs_per_byte = MIN(least.tau_fs_per_byte, within.tau_fs_per_byte)};
}

gint64 transfer_allowed_packet(const Machine *machine, gint64 packet, gint64 element)
{
    gint64 limit = machine->packet;
    if (limit == 0 || packet <= limit)
        return packet;
    return limit < element ? limit : limit / element * element;
}
