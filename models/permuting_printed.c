#include "permuting_printed.h"
#include "sequence.h"

#include <math.h>

/* ceil(K a/(b B)) */
static __int128 packets(const PermutingEntry *e, gint64 a, gint64 b)
{
    return transfer_packets(permuting_share(e, a, b), e->c->packet);
}

static TransferCount counts(Rational bytes, __int128 startups)
{
    return (TransferCount){bytes, {startups, 1}};
}

/* times (K/parts; ceil(K/(parts B))) */
static TransferCount equal_steps(const PermutingEntry *e, gint64 times, gint64 parts)
{
    return counts(permuting_share(e, times, parts), times * packets(e, 1, parts));
}

/* 2(sigma - beta)K; 2(sigma - beta) ceil(K/B) */
TransferCount printed_a0(const PermutingEntry *e)
{
    return equal_steps(e, 2 * (e->sigma - e->beta), 1);
}

/* 2(sigma - beta)K; (sigma - 2 beta) ceil(2K/B) + 2 beta ceil(K/B) */
TransferCount printed_a1(const PermutingEntry *e)
{
    __int128 startups = (e->sigma - 2 * e->beta) * packets(e, 2, 1) + 2 * e->beta * packets(e, 1, 1);
    return counts(permuting_share(e, 2 * (e->sigma - e->beta), 1), startups);
}

/* sigma K; sigma ceil(K/B). Also SPT (sec. 4.4.2). */
TransferCount printed_a1a(const PermutingEntry *e)
{
    return equal_steps(e, e->sigma, 1);
}

/* (sigma + beta)K/2; (sigma + beta) ceil(K/(2B)) */
TransferCount printed_a2(const PermutingEntry *e)
{
    return equal_steps(e, e->sigma + e->beta, 2);
}

/* nK; 2n ceil(K/(2B)) */
TransferCount printed_a3(const PermutingEntry *e)
{
    return equal_steps(e, 2 * e->n, 2);
}

/* ceil(log2 sigma_max) */
static guint levels_of(const PermutingEntry *e)
{
    return g_bit_storage(e->most - 1);
}

/* ceil(log2 sigma_max)(sigma K; sigma ceil(K/B)) */
TransferCount printed_a4(const PermutingEntry *e)
{
    return equal_steps(e, levels_of(e) * e->sigma, 1);
}

/* K; beta sigma_max ceil(K/(sigma_max beta B)). Also DPT: with cycles of order two beta sigma_max is sigma. */
TransferCount printed_a1a_ports(const PermutingEntry *e)
{
    return equal_steps(e, e->beta * e->most, e->beta * e->most);
}

/* beta max_i ((sigma_i + 1)K/(2 sigma_i beta); (sigma_i + 1) ceil(K/(2 sigma_i beta B))) */
TransferCount printed_a2_ports(const PermutingEntry *e)
{
    return equal_steps(e, e->beta * (e->order + 1), 2 * e->order * e->beta);
}

/* K; 2n ceil(K/(2nB)) */
TransferCount printed_a3_ports(const PermutingEntry *e)
{
    return equal_steps(e, 2 * e->n, 2 * e->n);
}

/* ceil(log2 sigma_max)(K/(2B) + 1)(B; 1), for sigma <= K/(2B) */
TransferCount printed_a4_ports(const PermutingEntry *e)
{
    gint64 levels = levels_of(e), packet = e->c->packet;
    __int128 twice = 2 * (__int128)packet * e->split;
    if (packet == 0 || twice * e->sigma >= e->c->bytes)     /* B is K/(2 sigma) */
        return counts(permuting_share(e, levels * (e->sigma + 1), 2 * e->sigma), levels * (e->sigma + 1));
    return (TransferCount){{levels * (e->c->bytes + twice), 2 * e->split},
                           {levels * (e->c->bytes + twice), 2 * packet * e->split}};
}

/* P = sigma + beta + sigma_min - 1: (sigma + beta)K/P; (sigma + beta) ceil(K/(PB)) */
TransferCount printed_a5(const PermutingEntry *e)
{
    return equal_steps(e, e->sigma + e->beta, sequence_count(e->c->permutation));
}

/* Start-ups of A6 by the proof of Theorem 2, for K/divisor of the data: k x max over the k groups; a single cycle takes
 * (sigma_i + 1) ceil(K/(2 sigma_i B)). */
static __int128 recursion_startups(const PermutingEntry *e, const Grouping *g, guint mask, gint64 divisor)
{
    guint k = g->n_groups[mask];
    if (k == 1)
        return g->f[mask] * packets(e, 1, 2 * (g->f[mask] - 1) * divisor);
    __int128 most = 0;
    for (guint i = 0; i < k; i++)
        most = MAX(most, recursion_startups(e, g, g->group[mask][i], divisor * k));
    return k * most;
}

/* (1/2 + 1/(2 sigma_min))K; 2 sigma + 2 beta - 1, the bound on f(S), "with B = B_opt". With a smaller B, what the
 * recursion in the proof of Theorem 2 has, if that is more. */
TransferCount printed_a6(const PermutingEntry *e)
{
    Grouping g = grouping_of_permutation(e->c->permutation);
    __int128 recursion = recursion_startups(e, &g, (1u << g.n) - 1, 1), printed = 2 * (e->sigma + e->beta) - 1;
    return counts(permuting_share(e, e->least + 1, 2 * e->least), MAX(recursion, printed));
}

/* Each K(1 - 1/2^r); r with one port, K/r(1 - 1/2^r); r with n, r being the idle dimensions. K here is c->bytes. */
TransferCount printed_expansion(const PermutingEntry *e, Ports ports)
{
    guint r = e->c->idle;
    gint64 ways = ports == PORTS_ALL ? r : 1;
    __int128 startups = 0;
    for (guint k = 1; k <= r; k++)
        startups += packets(e, (gint64)1 << (k - 1), ways);
    return counts((Rational){2 * (__int128)e->c->bytes * (e->split - 1), e->split * ways}, 2 * startups);
}

/* --- B_opt --- */

#define OPTIMUM(name, formula) \
    double optimum_##name(const PermutingEntry *e) { return formula; }

OPTIMUM(whole, e->K)
OPTIMUM(double, 2 * e->K)
OPTIMUM(half, e->K / 2)
OPTIMUM(a1a_ports, e->K / (e->least * e->beta))         /* printed with sigma_max */
OPTIMUM(a2_ports, optimum_a1a_ports(e) / 2)
OPTIMUM(a3_ports, e->K / (2 * e->n))
OPTIMUM(a4_ports, e->K > 0 ? sqrt(e->K * e->tau_per_t_c / 2) : 0)
OPTIMUM(a5, e->K / sequence_count(e->c->permutation))
OPTIMUM(a6, MAX(e->K / (2 * e->sigma), e->K / 8))
