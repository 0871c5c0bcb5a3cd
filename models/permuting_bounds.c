#include "permuting_bounds.h"

static gint64 bytes_ps(Rational bytes, const MachineTerms *terms)
{
    return transfer_ps((TransferCount){bytes, {0, 1}}, terms);
}

gint64 permuting_lower_bound_ps(const Machine *machine, Ports ports, const PermutingCase *c)
{
    MachineTerms terms = transfer_least_terms(machine, c->bytes);
    gint64 order = permutation_real_order(c->permutation), distance = permutation_distance_max(c->permutation);
    gint64 used = ports == PORTS_ONE ? 1 : c->idle + order, ways = ports == PORTS_ONE ? order : 1;
    if (order == 0)
        return 0;
    /* sigma K/2 or K/2; with idle dimensions over 2^idle */
    gint64 transfers = bytes_ps((Rational){(__int128)ways * c->bytes, (gint64)2 << c->idle}, &terms);
    gint64 bound = MAX(transfers, transfer_ps((TransferCount){{0, 1}, {distance, 1}}, &terms));
    if (c->idle == 0 || c->bytes == 0)
        return bound;
    /* K + sigma - oJ - 1 elements, or K/(n - m_p + sigma) + sigma - oJ - 1 */
    __int128 last = (__int128)(distance - 1) * c->element * used;
    return MAX(bound, bytes_ps((Rational){c->bytes + last, used}, &terms));
}

Rational permuting_fixed_packet_bound(const Permutation *p, Ports ports, guint cycles, gint64 bytes)
{
    __int128 ways = ports == PORTS_ONE ? permutation_real_order(p) : 1;
    return (Rational){cycles * ways * bytes, 2 * ((gint64)cycles - 1)};
}

Rational permuting_startups_bound(const Permutation *p)
{
    return (Rational){2 * permutation_real_order(p), 3};
}

/* --- break-even points --- */

Rational permuting_break_even(PermutingEven pair, const Permutation *p)
{
    PermutingEntry e = permuting_entry(&(PermutingCase){.permutation = p}, NULL);
    switch (pair) {
    case EVEN_A1A_A2_ONE_PORT: return (Rational){e.sigma - e.beta, 2 * e.beta};
    case EVEN_A1A_A2_N_PORT: return (Rational){e.most - 1, 2 * e.beta * e.most};
    default: return (Rational){1, 6 * e.sigma - 4};
    }
}
