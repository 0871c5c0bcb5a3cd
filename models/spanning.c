#include "spanning.h"
#include "sim/cube/cube.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

/* --- the right counts --- */

#define N_STEPS_MAX (2 * MACHINE_DIMENSION_MAX)

/* Returns the bytes of part `j` < n, if the data is cut into n parts of whole elements. */
static gint64 part_bytes(const SpanningCase *c, guint j)
{
    gint64 elements = c->bytes / c->element, n = c->dimension;
    return (elements / n + ((gint64)j < elements % n)) * c->element;
}

/* Whether part `j` is sent: part 0 always, even without data, and all others unless they are empty. */
static gboolean part_is_sent(const SpanningCase *c, guint j)
{
    return j == 0 || part_bytes(c, j) > 0;
}

/* Returns the packet in use, in bytes, if `part` bytes are pipelined: the case's packet, but no more than `part`. */
static gint64 packet_in_use(const SpanningCase *c, gint64 part)
{
    return c->packet ? MIN(c->packet, part) : part;
}

/* Returns the number of packets of a message of `bytes`/`divisor` bytes, a fraction as in the tables. */
static __int128 spanning_packets(const SpanningCase *c, __int128 bytes, gint64 divisor)
{
    return transfer_packets((Rational){bytes, divisor}, c->packet);
}

gint64 lockstep_binomial(guint n, guint k)
{
    gint64 value = k <= n;
    for (guint i = 0; i < k && value; i++)
        value = value * (n - i) / (i + 1);
    return value;
}

static __int128 nodes(const SpanningCase *c)
{
    return (__int128)1 << c->dimension;
}

static void note_packet(LockstepCount *count, gint64 bytes)
{
    count->largest_packet = MAX(count->largest_packet, bytes);
    count->smallest_packet = count->smallest_packet ? MIN(count->smallest_packet, bytes) : bytes;
}

void lockstep_add(LockstepCount *count, gint64 packet, gint64 times, __int128 bytes)
{
    if (times == 0)
        return;
    if (bytes == 0) {
        count->empty += times;
        return;
    }
    count->bytes += times * bytes;
    count->startups += times * transfer_packets((Rational){bytes, 1}, packet);
    count->largest_message = MAX(count->largest_message, bytes);
    gboolean whole = packet == 0 || bytes <= packet;
    note_packet(count, (gint64)(whole ? MIN(bytes, G_MAXINT64) : packet));
    if (!whole && bytes % packet)
        note_packet(count, (gint64)(bytes % packet));
}

/* Counts a pipeline of `part` bytes in P packets. The last packet gets to the last processor in cycle P + delay. In
 * every cycle before, some processor sends a full packet. */
static LockstepCount spanning_pipeline(const SpanningCase *c, gint64 part, gint64 delay)
{
    LockstepCount count = {0};
    if (c->dimension == 0)
        return count;
    gint64 packet = packet_in_use(c, part), n_packets = (gint64)spanning_packets(c, part, 1);
    gint64 last = part - (n_packets - 1) * packet;
    lockstep_add(&count, c->packet, n_packets - 1 + delay, packet);
    lockstep_add(&count, c->packet, 1, last);
    count.largest_message = part;
    return count;
}

static LockstepCount spanning_equal_steps(const SpanningCase *c, gint64 n_steps, __int128 bytes)
{
    LockstepCount count = {0};
    lockstep_add(&count, c->packet, n_steps, bytes);
    return count;
}

static gint64 largest_part(const SpanningCase *c)
{
    return c->dimension ? part_bytes(c, 0) : 0;
}

#define LOCKSTEP(name, count) \
    static LockstepCount lockstep_##name(const SpanningCase *c) { return count; }

/* --- one-to-all broadcast --- */

/* Counts a pipeline over N - 1 hops, in which each packet follows the packet before it by a cycle. */
LOCKSTEP(path, spanning_pipeline(c, c->bytes, (gint64)nodes(c) - 2))
/* Counts N - 1 steps. In step s, path j crosses dimension s of the Gray code rotated by j: no two share a port. */
LOCKSTEP(path_parts, spanning_equal_steps(c, (gint64)nodes(c) - 1, largest_part(c)))
LOCKSTEP(sbt, spanning_equal_steps(c, c->dimension, c->bytes))
LOCKSTEP(sbt_pipeline, spanning_pipeline(c, c->bytes, (gint64)c->dimension - 1))

/* Returns the delay of the nESBT's pipeline: packet p leaves the source in cycle p, and its last hop, back into the
 * source's half of the cube, is in cycle p + n. If n = 1, there is no other processor in that half. */
static gint64 nesbt_delay(const SpanningCase *c)
{
    return c->dimension == 1 ? 0 : c->dimension;
}

LOCKSTEP(nesbt, spanning_pipeline(c, c->bytes, nesbt_delay(c)))
/* Counts the pipeline of the largest part alone, as the trees share no channel. A part that is one element smaller
 * ends no later: its last packet is shorter, or it has one packet less. */
LOCKSTEP(nesbt_parts, spanning_pipeline(c, largest_part(c), nesbt_delay(c)))

/* Adds a message of the parts first ... last, if one of them is sent. */
static void add_parts(LockstepCount *count, const SpanningCase *c, guint first, guint last)
{
    __int128 bytes = 0;
    for (guint j = first; j <= last; j++)
        bytes += part_bytes(c, j);
    lockstep_add(count, c->packet, part_is_sent(c, first), bytes);
}

/* Counts the nRSBT's broadcast: step k crosses dimension k mod n, and tree j takes the steps j ... j+n-1. The source
 * sends in every step. */
static LockstepCount lockstep_nrsbt(const SpanningCase *c)
{
    LockstepCount count = {0};
    for (guint k = 0; k < c->dimension; k++)
        add_parts(&count, c, 0, k);
    for (guint k = 1; k < c->dimension; k++)
        add_parts(&count, c, k, c->dimension - 1);
    return count;
}

/* Counts n steps: tree j crosses dimension j+s in step s. */
LOCKSTEP(nrsbt_parts, spanning_equal_steps(c, c->dimension, largest_part(c)))

/* --- all-to-all broadcast --- */

/* Counts k steps in which messages double, then the steps of a ring of 2^(n-k) processors. */
static LockstepCount accumulated(const SpanningCase *c, guint k)
{
    LockstepCount count = {0};
    g_assert(k <= c->dimension);
    for (guint i = 0; i < k; i++)
        lockstep_add(&count, c->packet, 1, (__int128)c->bytes << i);
    lockstep_add(&count, c->packet, ((gint64)1 << (c->dimension - k)) - 1, (__int128)c->bytes << k);
    return count;
}

LOCKSTEP(ring, accumulated(c, 0))
LOCKSTEP(doubling, accumulated(c, c->dimension))
LOCKSTEP(hybrid, accumulated(c, c->accumulate))

/* Counts the SBnT's all-to-all broadcast. The path to r sets the ones of r in ascending cyclic order from base(r) on,
 * bit b in step b, or n + b if b < base(r). A step's message has the blocks of all r whose last hop is in that step. */
static LockstepCount lockstep_sbnt_broadcast(const SpanningCase *c)
{
    gint64 blocks[N_STEPS_MAX] = {0};
    for (guint r = 1; r < nodes(c); r++) {
        guint start = cube_base(r, c->dimension);
        blocks[start + g_bit_storage(cube_rotate_right(r, c->dimension, start)) - 1]++;
    }
    LockstepCount count = {0};
    for (guint k = 0; k < N_STEPS_MAX; k++)
        lockstep_add(&count, c->packet, blocks[k] > 0, blocks[k] * (__int128)c->bytes);
    return count;
}

/* Counts the nRSBT's all-to-all broadcast. Part j of each block takes tree j, which sets ones in ascending cyclic order
 * from bit j on. In step j + i, part j of each of 2^i blocks makes its last hop. */
static LockstepCount lockstep_nrsbt_broadcast(const SpanningCase *c)
{
    guint n = c->dimension;
    LockstepCount count = {0};
    for (guint k = 0; n && k < 2 * n - 1; k++) {
        __int128 bytes = 0;
        gboolean sent = FALSE;
        for (guint j = k < n ? 0 : k - n + 1; j < n && j <= k; j++) {
            bytes += (__int128)part_bytes(c, j) << (k - j);
            sent = sent || part_is_sent(c, j);
        }
        lockstep_add(&count, c->packet, sent, bytes);
    }
    return count;
}

/* Counts the steps of the SBT, level by level. In a broadcast port n-1 has the most bytes: the highest one bit of
 * C(n-1, i) nodes at distance i+1 is bit n-1. In a scatter, farthest level first, port 0 has as many: the lowest one
 * bit of as many nodes is bit 0. */
static LockstepCount lockstep_sbt_levels(const SpanningCase *c)
{
    LockstepCount count = {0};
    for (guint i = 0; i < c->dimension; i++)
        lockstep_add(&count, c->packet, 1, lockstep_binomial(c->dimension - 1, i) * (__int128)c->bytes);
    return count;
}

/* Counts the steps of the SBnT. In each step the root sends to all nodes of one level, by all ports. Different
 * rotations of a node are behind different ports; a node of period q < n has only q rotations. So the busiest port
 * leads to one node of each necklace (class of rotations): the node with base 0. */
static LockstepCount lockstep_sbnt_levels(const SpanningCase *c)
{
    gint64 blocks[MACHINE_DIMENSION_MAX + 1] = {0};
    LockstepCount count = {0};
    for (guint r = 1; r < nodes(c); r++)
        blocks[__builtin_popcount(r)] += cube_base(r, c->dimension) == 0;
    for (guint ones = 1; ones <= c->dimension; ones++)
        lockstep_add(&count, c->packet, 1, blocks[ones] * (__int128)c->bytes);
    return count;
}

/* Returns the bytes over the busiest port if tree j sends part j of blocks[s] blocks across dimension (j + s) mod
 * n. */
static __int128 rotated_load(const SpanningCase *c, const gint64 *blocks)
{
    guint n = c->dimension;
    __int128 largest = 0;
    for (guint port = 0; port < n; port++) {
        __int128 bytes = 0;
        for (guint j = 0; j < n; j++)
            bytes += blocks[(port + n - j) % n] * (__int128)part_bytes(c, j);
        largest = MAX(largest, bytes);
    }
    return largest;
}

/* Counts the steps of the nRSBT. In tree 0 the highest one bit of C(s, i) nodes at distance i+1 is bit s; other trees
 * are rotations of tree 0. In a scatter lowest one bits count, and a level's loads are in reverse order. The largest
 * load does not change, as the trees whose parts have an element more are adjacent. */
static LockstepCount lockstep_nrsbt_levels(const SpanningCase *c)
{
    LockstepCount count = {0};
    for (guint i = 0; i < c->dimension; i++) {
        gint64 blocks[MACHINE_DIMENSION_MAX];
        for (guint s = 0; s < c->dimension; s++)
            blocks[s] = lockstep_binomial(s, i);
        lockstep_add(&count, c->packet, 1, rotated_load(c, blocks));
    }
    return count;
}

/* --- all-to-all personalized --- */

LOCKSTEP(sbt_exchange, spanning_equal_steps(c, c->dimension, nodes(c) * c->bytes / 2))
/* Counts n steps: in each every port carries one tree's part of half the blocks. */
LOCKSTEP(nrsbt_exchange, spanning_equal_steps(c, c->dimension, nodes(c) / 2 * largest_part(c)))

/* Counts the SBnT's exchange. In step i every block of distance >= i makes its i-th hop. */
static LockstepCount lockstep_sbnt_exchange(const SpanningCase *c)
{
    guint n = c->dimension;
    gint64 blocks[MACHINE_DIMENSION_MAX][MACHINE_DIMENSION_MAX] = {{0}};
    for (guint r = 1; r < nodes(c); r++) {
        guint start = cube_base(r, n), step = 0;
        for (guint s = 0; s < n; s++)
            if (cube_rotate_right(r, n, start) >> s & 1)
                blocks[step++][(start + s) % n]++;
    }
    LockstepCount count = {0};
    for (guint step = 0; step < n; step++) {
        gint64 largest = 0;
        for (guint port = 0; port < n; port++)
            largest = MAX(largest, blocks[step][port]);
        lockstep_add(&count, c->packet, 1, largest * (__int128)c->bytes);
    }
    return count;
}

/* --- the printed entries --- */

/* The symbols of the tables for one case: n dimensions, N = 2^n processors, M and B in bytes. */
typedef struct SpanningEntry {
    const SpanningCase *c;
    guint n;
    __int128 N, M, B;   /* B: spanning_packet(); 0: unlimited */
} SpanningEntry;

typedef struct SpanningReal {
    double n, N, M, lambda, tau;    /* M in bytes, lambda in ps, tau in ps per byte */
    guint k;
} Real;

static TransferCount spanning_counts(__int128 bytes, gint64 divisor, __int128 startups)
{
    return (TransferCount){{bytes, divisor}, {startups, 1}};
}

/* Returns ceil(bytes/(divisor B)). */
static __int128 entry_packets(const SpanningEntry *e, __int128 bytes, gint64 divisor)
{
    return spanning_packets(e->c, bytes, divisor);
}

/* Defines name(), which returns an entry of a table: transfers/divisor in bytes, and the number of start-ups. Comments
 * on entries have their printed name, transfers and start-ups. */
#define PRINTED(name, transfers, divisor, startups) \
    static TransferCount name(const SpanningEntry *e) { return spanning_counts(transfers, divisor, startups); }

/* --- Table 1 --- */

/* Returns nESBT-b(1,1): transfers M + nB, start-ups ceil(M/B) + n. */
PRINTED(nesbt, e->M + e->n * e->B, 1, entry_packets(e, e->M, 1) + e->n)

/* Returns nRSBT-b(1,1): transfers Mn, start-ups 2 sum_{i=0}^{n-1} ceil(Mi/(nB)) + ceil(M/B). The term i = 0 is no
 * message. */
static TransferCount nrsbt(const SpanningEntry *e)
{
    __int128 startups = entry_packets(e, e->M, 1);
    for (guint i = 1; i < e->n; i++)
        startups += 2 * entry_packets(e, e->M * i, e->n);
    return spanning_counts(e->M * e->n, 1, startups);
}

/* Returns GC(n,1): transfers (M/n)(N-1), start-ups ceil(M/(nB))(N-1). */
PRINTED(path_parts, e->M * (e->N - 1), e->n, entry_packets(e, e->M, e->n) * (e->N - 1))
/* Returns nESBT-b(n,1): transfers M/n + nB, start-ups ceil(M/(nB)) + n. */
PRINTED(nesbt_parts, e->M + (__int128)e->n * e->n * e->B, e->n, entry_packets(e, e->M, e->n) + e->n)
/* Returns nRSBT-b(n,1): transfers M, start-ups ceil(M/(nB))n. */
PRINTED(nrsbt_parts, e->M, 1, entry_packets(e, e->M, e->n) * e->n)

/* --- Table 2 --- */

/* Returns SBnT-b(1,N) and nRSBT-b(1,N): transfers (N-1)M, start-ups max(2n-1, (N-1)M/B). */
static TransferCount spanning_balanced(const SpanningEntry *e)
{
    TransferCount count = spanning_counts((e->N - 1) * e->M, 1, 2 * e->n - 1);
    gint64 packet = e->c->packet;
    if (packet && (e->N - 1) * e->M > (__int128)(2 * e->n - 1) * packet)
        count.startups = (Rational){(e->N - 1) * e->M, packet};
    return count;
}

/* Returns SBnT-b(n,N), nRSBT-b(n,N), and SBnT-p(n,1), nRSBT-p(n,1) of Table 3:
 * transfers (N-1)M/n, start-ups sum_{i=1}^n ceil(C(n,i) M/(nB)). */
static TransferCount balanced_levels(const SpanningEntry *e)
{
    __int128 startups = 0;
    for (guint i = 1; i <= e->n; i++)
        startups += entry_packets(e, lockstep_binomial(e->n, i) * e->M, e->n);
    return spanning_counts((e->N - 1) * e->M, e->n, startups);
}

/* --- Table 4 --- */

/* Returns SBnT-p(n,N): transfers NM/2, start-ups sum_{i=1}^n ceil(sum_{j=i}^n C(n,j) M/(nB)). */
static TransferCount sbnt_exchange(const SpanningEntry *e)
{
    __int128 startups = 0, blocks = 0;
    for (guint i = e->n; i > 0; i--) {
        blocks += lockstep_binomial(e->n, i);
        startups += entry_packets(e, blocks * e->M, e->n);
    }
    return spanning_counts(e->N * e->M, 2, startups);
}

/* Returns nRSBT-p(n,N): transfers NM/2, start-ups ceil(NM/(2nB))n. */
PRINTED(nrsbt_exchange, e->N * e->M, 2, entry_packets(e, e->N * e->M, 2 * e->n) * e->n)

/* --- B_opt and "min start-ups", real numbers --- */

/* Returns a/b; 0 for 0/0, which occurs only without data or without costs. */
static double quotient(double a, double b)
{
    return a == 0 ? 0 : a / b;
}

/* Returns sqrt(M lambda/(hops tau)), with tau per byte. */
static double spanning_pipeline_packet(const Real *x, double hops)
{
    return sqrt(quotient(x->M * x->lambda, hops * x->tau));
}

/* Returns hops + 2 sqrt(hops M tau/lambda), in start-ups; `hops` is printed as N-2, n or n-1. */
static double min_pipeline(const Real *x, double hops)
{
    return hops + 2 * sqrt(quotient(hops * x->M * x->tau, x->lambda));
}

#define REAL(name, formula) \
    static double name(const Real *x) { return formula; }

REAL(whole, x->M)
REAL(part, x->M / x->n)
REAL(path_packet, spanning_pipeline_packet(x, x->N - 2))
REAL(nesbt_packet, spanning_pipeline_packet(x, x->n))
REAL(sbt_packet, spanning_pipeline_packet(x, x->n - 1))
REAL(nesbt_part_packet, sqrt(quotient(x->M * x->lambda, x->tau)) / x->n)
REAL(half, x->N * x->M / 2)
REAL(all_part, (x->N - 1) * x->M / x->n)
REAL(half_part, x->N * x->M / (2 * x->n))
REAL(sbt_level, quotient(x->N * x->M, sqrt(2 * G_PI * (x->n - 1))))         /* largest level: C(n-1,(n-1)/2) M, about */
REAL(balanced_level, sqrt(2 / G_PI) * x->N * x->M / pow(x->n, 1.5))         /* largest level: C(n,n/2) M/n, about */
REAL(hybrid_packet, ldexp(x->M, (int)x->k))                                 /* sec. 5.1: 2^k PQ/N, with M = PQ/N */

REAL(min_n, x->n)
REAL(min_nodes, x->N - 1)
REAL(min_double, 2 * x->n - 1)
REAL(min_path, min_pipeline(x, x->N - 2))
REAL(min_nesbt, min_pipeline(x, x->n))
REAL(min_sbt, min_pipeline(x, x->n - 1))
REAL(min_nesbt_parts, x->n + 2 * sqrt(quotient(x->M * x->tau, x->lambda)))
/* start-ups with packets of hybrid_packet(); no table has them */
REAL(min_hybrid, x->k + x->N / ldexp(1, (int)x->k) - 1)

/* --- the rows --- */

#define EXACT "exact"          /* note of a row whose printed count is the right one: `printed` is NULL */
#define TRANSFERS_IF_DIVIDES "exact if n divides M, else transfers too low"
#define IF_DIVIDES "exact if n divides M, else too low"
#define NECKLACES "too low from n = 2 on: necklaces, not C(n,i)/n"

const SpanningRow spanning_rows[] = {
    {"broadcast", "gc", PORTS_ONE, "GC(1,1)", 1, EXACT, NULL, lockstep_path, path_packet, min_path, PIPELINED},
    {"broadcast", "sbt", PORTS_ONE, "SBT-b(1,1)", 1, EXACT, NULL, lockstep_sbt, whole, min_n, WHOLE},
    {"broadcast", "nesbt", PORTS_ONE, "nESBT-b(1,1)", 1, "exact from n = 2 on; n = 1 needs no last cycle",
     nesbt, lockstep_nesbt, nesbt_packet, min_nesbt, PIPELINED},
    {"broadcast", "nrsbt", PORTS_ONE, "nRSBT-b(1,1)", 1, "exact if n divides M, else start-ups approximate",
     nrsbt, lockstep_nrsbt, whole, min_double, WHOLE},
    {"broadcast", "gc", PORTS_ALL, "GC(n,1)", 1, TRANSFERS_IF_DIVIDES,
     path_parts, lockstep_path_parts, part, min_nodes, WHOLE},
    {"broadcast", "sbt", PORTS_ALL, "SBT-b(n,1)", 1, EXACT,
     NULL, lockstep_sbt_pipeline, sbt_packet, min_sbt, PIPELINED},
    {"broadcast", "nesbt", PORTS_ALL, "nESBT-b(n,1)", 1, "exact if n divides M (and n > 1), else transfers too low",
     nesbt_parts, lockstep_nesbt_parts, nesbt_part_packet, min_nesbt_parts, PIPELINED_PARTS},
    {"broadcast", "nrsbt", PORTS_ALL, "nRSBT-b(n,1)", 1, TRANSFERS_IF_DIVIDES,
     nrsbt_parts, lockstep_nrsbt_parts, part, min_n, WHOLE},

    {"all-broadcast", "cra", PORTS_ONE, "CRA(1,N)", 2, EXACT, NULL, lockstep_ring, whole, min_nodes, WHOLE},
    {"all-broadcast", "gcea", PORTS_ONE, "GCEA(1,N)", 2, EXACT, NULL, lockstep_ring, whole, min_nodes, WHOLE},
    {"all-broadcast", "sbt", PORTS_ONE, "SBT-b(1,N)", 2, EXACT, NULL, lockstep_doubling, half, min_n, WHOLE},
    {"all-broadcast", "sbnt", PORTS_ONE, "SBnT-b(1,N)", 2, "start-ups approximate, transfers exact",
     spanning_balanced, lockstep_sbnt_broadcast, all_part, min_double, WHOLE},
    {"all-broadcast", "nrsbt", PORTS_ONE, "nRSBT-b(1,N)", 2, "start-ups approximate, transfers exact",
     spanning_balanced, lockstep_nrsbt_broadcast, all_part, min_double, WHOLE},
    {"all-broadcast", "gcea", PORTS_ALL, "GCEA(n,N)", 2, TRANSFERS_IF_DIVIDES,
     path_parts, lockstep_path_parts, part, min_nodes, WHOLE},
    {"all-broadcast", "sbt", PORTS_ALL, "SBT-b(n,N)", 2, EXACT,
     NULL, lockstep_sbt_levels, sbt_level, min_n, WHOLE},
    {"all-broadcast", "sbnt", PORTS_ALL, "SBnT-b(n,N)", 2, NECKLACES,
     balanced_levels, lockstep_sbnt_levels, balanced_level, min_n, WHOLE},
    {"all-broadcast", "nrsbt", PORTS_ALL, "nRSBT-b(n,N)", 2, IF_DIVIDES,
     balanced_levels, lockstep_nrsbt_levels, balanced_level, min_n, WHOLE},

    {"all-broadcast", "hybrid", PORTS_ONE, "hybrid(1,N)", 0, EXACT,
     NULL, lockstep_hybrid, hybrid_packet, min_hybrid, WHOLE},

    {"scatter", "sbt", PORTS_ONE, "SBT-p(1,1)", 3, EXACT, NULL, lockstep_doubling, half, min_n, WHOLE},
    {"scatter", "sbt", PORTS_ALL, "SBT-p(n,1)", 3, EXACT, NULL, lockstep_sbt_levels, sbt_level, min_n, WHOLE},
    {"scatter", "sbnt", PORTS_ALL, "SBnT-p(n,1)", 3, NECKLACES,
     balanced_levels, lockstep_sbnt_levels, balanced_level, min_n, WHOLE},
    {"scatter", "nrsbt", PORTS_ALL, "nRSBT-p(n,1)", 3, IF_DIVIDES,
     balanced_levels, lockstep_nrsbt_levels, balanced_level, min_n, WHOLE},

    {"complete-exchange", "sbt", PORTS_ONE, "SBT-p(1,N)", 4, EXACT,
     NULL, lockstep_sbt_exchange, half, min_n, WHOLE},
    {"complete-exchange", "sbnt", PORTS_ALL, "SBnT-p(n,N)", 4, NECKLACES,
     sbnt_exchange, lockstep_sbnt_exchange, all_part, min_n, WHOLE},
    {"complete-exchange", "nrsbt", PORTS_ALL, "nRSBT-p(n,N)", 4, IF_DIVIDES,
     nrsbt_exchange, lockstep_nrsbt_exchange, half_part, min_n, WHOLE},
};
const guint spanning_n_rows = G_N_ELEMENTS(spanning_rows);

const SpanningRow *spanning_find(const char *pattern, const char *algorithm, Ports ports)
{
    for (const SpanningRow *row = spanning_rows; row < spanning_rows + spanning_n_rows; row++)
        if (row->ports == ports && g_str_equal(row->pattern, pattern) && g_str_equal(row->algorithm, algorithm))
            return row;
    return NULL;
}

/* --- counts --- */

gint64 spanning_packet(const SpanningRow *row, const SpanningCase *c)
{
    if (row->kind == WHOLE || c->dimension == 0)
        return c->packet;
    return packet_in_use(c, row->kind == PIPELINED ? c->bytes : part_bytes(c, 0));
}

TransferCount spanning_printed(const SpanningRow *row, const SpanningCase *c)
{
    if (c->dimension == 0)
        return spanning_counts(0, 1, 0);
    SpanningEntry e = {c, c->dimension, (__int128)1 << c->dimension, c->bytes, spanning_packet(row, c)};
    LockstepCount exact = row->exact(c);
    return row->printed ? row->printed(&e) : spanning_counts(exact.bytes, 1, exact.startups + exact.empty);
}

/* --- times --- */

const char *lockstep_unpublished_reason(const LockstepCount *count, const Machine *machine)
{
    if (machine_terms(machine, count->smallest_packet) == machine_terms(machine, count->largest_packet))
        return NULL;
    return "Johnsson & Ho's tables have one start-up time; here are short and long packets, which differ";
}

const char *spanning_unpublished_reason(const SpanningRow *row, const Machine *machine, const SpanningCase *c)
{
    LockstepCount count = row->exact(c);
    return lockstep_unpublished_reason(&count, machine);
}

gint64 spanning_published_ps(const SpanningRow *row, const Machine *machine, const SpanningCase *c)
{
    return transfer_ps(spanning_printed(row, c), machine_terms(machine, row->exact(c).largest_packet));
}

gint64 spanning_exact_ps(const SpanningRow *row, const Machine *machine, const SpanningCase *c)
{
    LockstepCount count = row->exact(c);
    if (count.empty)
        return transfer_ps(spanning_counts(0, 1, count.empty), &(MachineTerms){.lambda_ps = machine->lambda_zero_ps});
    return transfer_ps(spanning_counts(count.bytes, 1, count.startups), machine_terms(machine, count.largest_packet));
}

/* Sets `bytes` to the bytes that some port must carry. FALSE if the paper has no bound for `pattern`. Printed:
 * broadcast, M (sec. 4.1.2) and M/n (4.1.3); scatter, (N-1)M and (N-1)M/n (4.3); complete exchange with n ports, NM/2
 * (4.4). Inferred: complete exchange with one port, n times as much, as the paper says that n ports divide the bound by
 * n; all-broadcast, (N-1)M, as each processor sends and receives that much, and (N-1)M/n, the "lower bound for the data
 * transfer time" (4.2.2). */
static gboolean bound_bytes(const char *pattern, Ports ports, const SpanningCase *c, Rational *bytes)
{
    gint64 n = MAX(1, c->dimension), divisor = ports == PORTS_ALL ? n : 1;
    __int128 N = (__int128)1 << c->dimension, M = c->bytes;
    if (strcmp(pattern, "broadcast") == 0)
        *bytes = (Rational){M, divisor};
    else if (strcmp(pattern, "all-broadcast") == 0 || strcmp(pattern, "scatter") == 0)
        *bytes = (Rational){(N - 1) * M, divisor};
    else if (strcmp(pattern, "complete-exchange") == 0)
        *bytes = (Rational){n * N * M, 2 * divisor};
    else
        return FALSE;
    return TRUE;
}

/* Returns max(bytes x tau, n lambda). Sec. 4.1 to 4.4 print n start-ups with each bound except all-broadcast's. Its n
 * start-ups are inferred: the paper says that T_min, which has n of them, is at most twice the bound (4.2.3). */
gint64 spanning_lower_bound_ps(const char *pattern, Ports ports, const Machine *machine, const SpanningCase *c)
{
    Rational bytes;
    if (!bound_bytes(pattern, ports, c, &bytes))
        return -1;
    if (c->dimension == 0)
        return 0;
    MachineTerms least = transfer_least_terms(machine, c->bytes);
    gint64 transmission = transfer_ps((TransferCount){bytes, {0, 1}}, &least);
    return MAX(transmission, transfer_ps(spanning_counts(0, 1, c->dimension), &least));
}

/* --- the best packet --- */

static Real real(const Machine *machine, const SpanningCase *c)
{
    const MachineTerms *terms = machine_terms(machine, c->bytes);
    return (Real){c->dimension, ldexp(1, (int)c->dimension), (double)c->bytes, (double)terms->lambda_ps,
                  machine_byte_ps(terms->tau_fs_per_byte), c->accumulate};
}

double spanning_optimal_bytes(const SpanningRow *row, const Machine *machine, const SpanningCase *c)
{
    Real x = real(machine, c);
    return c->dimension ? row->optimal(&x) : 0;
}

double spanning_min_startups(const SpanningRow *row, const Machine *machine, const SpanningCase *c)
{
    Real x = real(machine, c);
    return c->dimension ? row->min_startups(&x) : 0;
}

static gint64 published_with(const SpanningRow *row, const Machine *machine, const SpanningCase *c, gint64 packet)
{
    SpanningCase with = *c;
    with.packet = packet;
    return spanning_published_ps(row, machine, &with);
}

gint64 spanning_optimal_packet(const SpanningRow *row, const Machine *machine, const SpanningCase *c)
{
    SpanningCase unlimited = *c;
    unlimited.packet = 0;
    __int128 largest = row->exact(&unlimited).largest_message;
    gint64 limit = MAX(1, (gint64)MIN(largest, INPUT_TIME_MAX_PS) / c->element);
    double elements = CLAMP(spanning_optimal_bytes(row, machine, c) / (double)c->element, 1, (double)limit);
    gint64 below = (gint64)floor(elements) * c->element, above = (gint64)ceil(elements) * c->element;
    gint64 best = published_with(row, machine, c, above) <= published_with(row, machine, c, below) ? above : below;
    return transfer_allowed_packet(machine, best, c->element);
}
