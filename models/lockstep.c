#include "lockstep.h"
#include "sim/cube/cube.h"
#include "sim/machine/transfer.h"

#define N_STEPS_MAX (2 * MACHINE_DIMENSION_MAX)

gint64 lockstep_part(const SpanningCase *c, guint j)
{
    gint64 elements = c->bytes / c->element, n = c->dimension;
    return (elements / n + ((gint64)j < elements % n)) * c->element;
}

/* part 0 is empty only if there is no data at all, and then it is what is sent */
static gboolean part_is_sent(const SpanningCase *c, guint j)
{
    return j == 0 || lockstep_part(c, j) > 0;
}

gint64 lockstep_packet(const SpanningCase *c, gint64 part)
{
    return c->packet ? MIN(c->packet, part) : part;
}

__int128 lockstep_packets(const SpanningCase *c, __int128 bytes, gint64 divisor)
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

/* Burnside: the mean, over the n rotations, of the words that the rotation leaves as they are. A rotation by i falls
 * into gcd(n, i) cycles, each all ones or all zeros. */
gint64 lockstep_necklaces(guint n, guint ones)
{
    gint64 words = 0;
    for (guint i = 1; i <= n; i++) {
        guint cycles = (guint)common_divisor(n, i), length = n / cycles;
        if (ones % length == 0)
            words += lockstep_binomial(cycles, ones / length);
    }
    return words / n;
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

void lockstep_add(LockstepCount *count, const SpanningCase *c, gint64 times, __int128 bytes)
{
    if (times == 0)
        return;
    if (bytes == 0) {
        count->empty += times;
        return;
    }
    count->bytes += times * bytes;
    count->startups += times * lockstep_packets(c, bytes, 1);
    count->largest_message = MAX(count->largest_message, bytes);
    gboolean whole = c->packet == 0 || bytes <= c->packet;
    note_packet(count, (gint64)(whole ? MIN(bytes, G_MAXINT64) : c->packet));
    if (!whole && bytes % c->packet)
        note_packet(count, (gint64)(bytes % c->packet));
}

/* `part` bytes in P packets, the last of which arrives at the last processor in cycle P + delay. In every cycle but
 * that one somebody sends a full packet. */
static LockstepCount pipeline(const SpanningCase *c, gint64 part, gint64 delay)
{
    LockstepCount count = {0};
    if (c->dimension == 0)
        return count;
    gint64 packet = lockstep_packet(c, part), n_packets = (gint64)lockstep_packets(c, part, 1);
    gint64 last = part - (n_packets - 1) * packet;
    lockstep_add(&count, c, n_packets - 1 + delay, packet);
    lockstep_add(&count, c, 1, last);
    count.largest_message = part;
    return count;
}

static LockstepCount equal_steps(const SpanningCase *c, gint64 n_steps, __int128 bytes)
{
    LockstepCount count = {0};
    lockstep_add(&count, c, n_steps, bytes);
    return count;
}

static gint64 largest_part(const SpanningCase *c)
{
    return c->dimension ? lockstep_part(c, 0) : 0;
}

#define LOCKSTEP(name, count) \
    LockstepCount lockstep_##name(const SpanningCase *c) { return count; }

/* --- one-to-all broadcast --- */

/* N - 1 hops; a packet follows the one before it by a cycle. */
LOCKSTEP(path, pipeline(c, c->bytes, (gint64)nodes(c) - 2))
/* In step s, path j crosses the s-th dimension of the Gray code rotated by j: no two share a port. */
LOCKSTEP(path_parts, equal_steps(c, (gint64)nodes(c) - 1, largest_part(c)))
LOCKSTEP(sbt, equal_steps(c, c->dimension, c->bytes))
LOCKSTEP(sbt_pipeline, pipeline(c, c->bytes, (gint64)c->dimension - 1))

/* Packet p goes out in cycle p and comes back into the source's half in cycle p + n; there is nobody there if n = 1. */
static gint64 nesbt_delay(const SpanningCase *c)
{
    return c->dimension == 1 ? 0 : c->dimension;
}

LOCKSTEP(nesbt, pipeline(c, c->bytes, nesbt_delay(c)))
/* The trees share no channel. The largest part ends last: a part one element smaller has as many packets and a last one
 * that is shorter, or one packet less. */
LOCKSTEP(nesbt_parts, pipeline(c, largest_part(c), nesbt_delay(c)))

/* A message of the parts first ... last, if one of them is sent. */
static void add_parts(LockstepCount *count, const SpanningCase *c, guint first, guint last)
{
    __int128 bytes = 0;
    for (guint j = first; j <= last; j++)
        bytes += lockstep_part(c, j);
    lockstep_add(count, c, part_is_sent(c, first), bytes);
}

/* Step k crosses dimension k mod n; tree j, with part j, takes the steps j ... j+n-1. The source sends in each. */
LockstepCount lockstep_nrsbt(const SpanningCase *c)
{
    LockstepCount count = {0};
    for (guint k = 0; k < c->dimension; k++)
        add_parts(&count, c, 0, k);
    for (guint k = 1; k < c->dimension; k++)
        add_parts(&count, c, k, c->dimension - 1);
    return count;
}

/* Tree j crosses dimension j+s in step s. */
LOCKSTEP(nrsbt_parts, equal_steps(c, c->dimension, largest_part(c)))

/* --- all-to-all broadcast --- */

/* k steps with doubling messages, then a ring among 2^(n-k) processors. */
static LockstepCount accumulated(const SpanningCase *c, guint k)
{
    LockstepCount count = {0};
    g_assert(k <= c->dimension);
    for (guint i = 0; i < k; i++)
        lockstep_add(&count, c, 1, (__int128)c->bytes << i);
    lockstep_add(&count, c, ((gint64)1 << (c->dimension - k)) - 1, (__int128)c->bytes << k);
    return count;
}

LOCKSTEP(ring, accumulated(c, 0))
LOCKSTEP(doubling, accumulated(c, c->dimension))
LOCKSTEP(hybrid, accumulated(c, c->accumulate))

/* The path to r sets its ones in ascending cyclic order from base(r) on, and the hop over bit b is in step b, or n + b
 * if b < base(r). A step's message has all r whose last hop it is. */
LockstepCount lockstep_sbnt_broadcast(const SpanningCase *c)
{
    gint64 blocks[N_STEPS_MAX] = {0};
    for (guint r = 1; r < nodes(c); r++) {
        guint start = cube_base(r, c->dimension);
        blocks[start + g_bit_storage(cube_rotate_right(r, c->dimension, start)) - 1]++;
    }
    LockstepCount count = {0};
    for (guint k = 0; k < N_STEPS_MAX; k++)
        lockstep_add(&count, c, blocks[k] > 0, blocks[k] * (__int128)c->bytes);
    return count;
}

/* The same from j on in tree j: of part j, 2^i blocks make their last hop i steps after step j. */
LockstepCount lockstep_nrsbt_broadcast(const SpanningCase *c)
{
    guint n = c->dimension;
    LockstepCount count = {0};
    for (guint k = 0; n && k < 2 * n - 1; k++) {
        __int128 bytes = 0;
        gboolean sent = FALSE;
        for (guint j = k < n ? 0 : k - n + 1; j < n && j <= k; j++) {
            bytes += (__int128)lockstep_part(c, j) << (k - j);
            sent = sent || part_is_sent(c, j);
        }
        lockstep_add(&count, c, sent, bytes);
    }
    return count;
}

/* Port n-1 has the most: the last one of C(n-1, i) nodes at distance i+1 is bit n-1. As a scatter, farthest level
 * first: port 0, as the first one of as many is bit 0. */
LockstepCount lockstep_sbt_levels(const SpanningCase *c)
{
    LockstepCount count = {0};
    for (guint i = 0; i < c->dimension; i++)
        lockstep_add(&count, c, 1, lockstep_binomial(c->dimension - 1, i) * (__int128)c->bytes);
    return count;
}

/* Rotations of a node go to different ports; a node of period q < n only has q of them, on the ports 0 ... q-1 as a
 * scatter, on ports that end with n-1 as a broadcast. So one port has one node of each necklace. */
LockstepCount lockstep_sbnt_levels(const SpanningCase *c)
{
    LockstepCount count = {0};
    for (guint ones = 1; ones <= c->dimension; ones++)
        lockstep_add(&count, c, 1, lockstep_necklaces(c->dimension, ones) * (__int128)c->bytes);
    return count;
}

/* The largest load of a port when dimension j+s of tree j has `blocks`[s] times part j. */
static __int128 rotated_load(const SpanningCase *c, const gint64 *blocks)
{
    guint n = c->dimension;
    __int128 largest = 0;
    for (guint port = 0; port < n; port++) {
        __int128 bytes = 0;
        for (guint j = 0; j < n; j++)
            bytes += blocks[(port + n - j) % n] * (__int128)lockstep_part(c, j);
        largest = MAX(largest, bytes);
    }
    return largest;
}

/* C(s, i) nodes at distance i+1 have their last one s places after the first place of the tree. As a scatter, as many
 * have their first one s places before its last place: the same loads in reverse, and, as the larger parts are
 * neighbours, the same largest sum. */
LockstepCount lockstep_nrsbt_levels(const SpanningCase *c)
{
    LockstepCount count = {0};
    for (guint i = 0; i < c->dimension; i++) {
        gint64 blocks[MACHINE_DIMENSION_MAX];
        for (guint s = 0; s < c->dimension; s++)
            blocks[s] = lockstep_binomial(s, i);
        lockstep_add(&count, c, 1, rotated_load(c, blocks));
    }
    return count;
}

/* --- all-to-all personalized --- */

LOCKSTEP(sbt_exchange, equal_steps(c, c->dimension, nodes(c) * c->bytes / 2))
/* In each step every port carries one tree's part of half the blocks. */
LOCKSTEP(nrsbt_exchange, equal_steps(c, c->dimension, nodes(c) / 2 * largest_part(c)))

/* In step i every block of distance >= i makes its i-th hop. */
LockstepCount lockstep_sbnt_exchange(const SpanningCase *c)
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
        lockstep_add(&count, c, 1, largest * (__int128)c->bytes);
    }
    return count;
}
