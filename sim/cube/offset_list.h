/* Lists of offsets. In step i of an exchange every processor x sends to x + s_i, where s_i is the offset, in any
 * group (group.h). On a cube the receiver is x xor s_i, which also sends to x.
 *
 * The block from x to x + g goes along in the steps of g's cover: a smallest set of steps whose offsets have the sum
 * g. All processors use the same covers. The traffic of a list is the number of blocks that a processor sends in all:
 * the sum of the sizes of all covers (models/OFFSETS.md). In words of coding theory offsets are the columns of a
 * parity-check matrix, the distances g are syndromes, and covers are coset leaders. */
#pragma once

#include "partition.h"

/* Offsets, guint32, in the order of the steps. A round, which is a step of several messages, has several offsets: all
 * but its first are marked with OFFSETS_MARK. A block goes along with at most one message of a round. */
typedef GArray Offsets;
#define OFFSETS_MARK (1u << 31)

static inline guint32 offsets_nth(const Offsets *offsets, guint i)
{
    return g_array_index(offsets, guint32, i) & ~OFFSETS_MARK;
}

/* Whether offset i is in the same round as offset i - 1. */
static inline gboolean offsets_is_marked(const Offsets *offsets, guint i)
{
    return (g_array_index(offsets, guint32, i) & OFFSETS_MARK) != 0;
}

/* Returns the index of the first offset behind the round of offset i. */
static inline guint offsets_next_round(const Offsets *offsets, guint i)
{
    do
        i++;
    while (i < offsets->len && offsets_is_marked(offsets, i));
    return i;
}

/* Returns the number of offsets in the longest round of the list; 0 if the list is empty. */
guint offsets_longest_round(const Offsets *offsets);

/* Groups the offsets from index `from` to the end of the list into rounds of `rails` consecutive offsets: sets
 * OFFSETS_MARK in all but the first of each round. The last round may be shorter. */
void offsets_join(Offsets *offsets, guint from, guint rails);

/* Returns an empty list. Caller frees with offsets_free(). */
Offsets *offsets_new(void);
void offsets_free(Offsets *offsets);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Offsets, offsets_free)

/* Parses "1,2,4,8,15", with rounds "1+2,3+6", or with runs of equal rounds "1x3,4x3", "(1+8)x4": numbers from 1 to
 * N - 1 whose sums reach all processors; "" only for N = 1. `where` begins the error message. NULL with an error.
 * Caller frees. */
Offsets *offsets_parse(const char *where, const char *text, const Group *group, GError **error);

/* Returns the list of phases (partition.h), in which phase i has the offsets j r_1 ... r_{i-1} for 0 < j < r_i, as
 * far as they are below N (Bruck et al. 1997). Each `rails` offsets of a phase form a round. Caller frees. */
Offsets *offsets_of_radices(const Phases *partition, const Group *group, guint rails);

/* Returns the rings of the radices: for radix r_i the offset r_1 ... r_{i-1}, r_i - 1 times, the last offset only
 * as often as it has multiples below N. If N is the product of the radices, no list with runs of these lengths has less
 * traffic (models/CIRCUITS.md). Caller frees. */
Offsets *offsets_of_rings(const Phases *radices, const Group *group);

#define RADICES_LISTS_MAX 10000
/* Returns all lists of radices that reach all processors of a group that is no cube (GArray of Phases). Each has
 * the smallest last radix. NULL if there are more than RADICES_LISTS_MAX: if the group has one factor, from 397
 * processors on. Caller unrefs. */
GArray *offsets_all_radices(const Group *group);

/* Checks that sums of the offsets reach all processors. The error begins with `where` and quotes `text`. */
gboolean offsets_check(const char *where, const char *text, const Offsets *offsets, const Group *group, GError **error);

/* Returns the list 1, 2, ..., N - 1, the Direct exchange. Caller frees. */
Offsets *offsets_direct(const Group *group);

/* Returns the list as offsets_parse() reads it: "1,2,4,8,15", "1+2,3+6", "1x3,4x3". Caller frees. */
char *offsets_format(const Offsets *offsets);

/* Returns the number of runs of equal rounds: if rounds have one message, how often each port sets up a circuit. */
guint offsets_n_circuits(const Offsets *offsets);

/* Returns the number of channels that a processor's messages cross in all, if each step has one message: on a cube
 * the one bits of all offsets together, in other groups one channel for each message. */
guint64 offsets_hops(const Offsets *offsets, const Group *group);

#define OFFSETS_UNREACHED 250
/* Sets weight[x], for all N sums x, to the least number of offsets that add up to x, at most one from each round. If no
 * number below OFFSETS_UNREACHED does, weight[x] is OFFSETS_UNREACHED. Takes k N operations for k offsets. */
void offsets_weigh(const Offsets *offsets, const Group *group, guint8 *weight);

/* Returns the traffic of the list, W: the sum of all weights. */
guint64 offsets_traffic(const Offsets *offsets, const Group *group);

/* Blocks that each step sends; here each offset of a round is a step. A block at distance g goes along in the steps of
 * g's cover, a smallest set of steps whose offsets add up to g. Of several such sets the cover is the first that is
 * found: a step replaces the cover of g only by a strictly smaller one. */
typedef struct {
    guint n_steps;
    guint *first;           /* [n_steps + 1]: step i sends the blocks carried[first[i]] to carried[first[i + 1] - 1] */
    guint *carried;         /* [first[n_steps]]: distances g of blocks sent, step by step, ascending within a step */
} Covers;

/* Allocates and fills in `covers`. The sums of `offsets` must reach all processors. Free with covers_clear(). */
void covers_init(Covers *covers, const Offsets *offsets, const Group *group);
void covers_clear(Covers *covers);

/* Whether the distances of the blocks of a step are not consecutive numbers. The step must send at least one block. */
static inline gboolean covers_are_apart(const Covers *covers, guint step)
{
    guint first = covers->first[step], end = covers->first[step + 1];
    return covers->carried[end - 1] - covers->carried[first] != end - 1 - first;
}

/* Returns W_min(k), a lower bound on the blocks that a processor sends in an algorithm with k = `n_rounds` rounds. The
 * processor has a block for each of `others` < 2^62 processors, sends at most `rails` messages a round, and passes
 * blocks on undivided. At most C(k, w) rails^w blocks can be sent w times. G_MAXUINT64: no algorithm has so few
 * rounds. */
guint64 offsets_bound(guint64 others, guint64 n_rounds, guint rails);

/* Returns W_min(q, k), the bound of offsets_bound() on switches that keep circuits (models/CIRCUITS.md). The k =
 * `n_rounds` rounds form q = `n_circuits` runs, 1 <= q <= k, and circuits change only between runs. A block that moves
 * a times in one run can get to rails^a places; runs whose lengths differ by at most 1 reach most places. G_MAXUINT64:
 * no algorithm has so few rounds and circuits. */
guint64 offsets_circuits_bound(guint64 others, guint n_circuits, guint64 n_rounds, guint rails);
