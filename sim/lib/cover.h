/* Groups, and the covers of lists of offsets: what ecube and libecube share, in plain C. */
#pragma once

#include <stdint.h>

/* --- groups: the processors of a schedule, and how their addresses are added ---
 *
 * An address is a number in mixed radix, a digit for each factor, the last factor fastest; digits are added by
 * themselves, modulo their factors. A cube is the group whose factors are all 2: its addition is xor. A single factor P
 * is addition modulo P. What a schedule does alike at all processors is said of processor 0, and translated. */

/* Lists of offsets are known of cubes that are too large for a run. */
#define GROUP_FACTORS_MAX 20

/* Most processors; those of the largest cube. */
#define GROUP_SIZE_MAX (1u << 16)

typedef struct {
    unsigned n;             /* processors: the product of the factors */
    unsigned dimension;     /* the bits that addresses take; the dimension of a cube */
    int binary;             /* a cube */
    unsigned n_factors;
    unsigned factor[GROUP_FACTORS_MAX]; /* each at least 2 */
    char *name;             /* "12", "4x6"; not of libecube's */
} Group;

/* x + y and x - y where a factor is not 2. */
unsigned group_add_digits(const Group *group, unsigned x, unsigned y);
unsigned group_subtract_digits(const Group *group, unsigned x, unsigned y);

static inline unsigned group_add(const Group *group, unsigned x, unsigned y)
{
    return group->binary ? x ^ y : group_add_digits(group, x, y);
}

static inline unsigned group_subtract(const Group *group, unsigned x, unsigned y)
{
    return group->binary ? x ^ y : group_subtract_digits(group, x, y);
}

/* --- covers (offset_list.h) --- */

/* Offsets of a step of several messages, a round: all but its first are marked, and a cover has at most one of them. */
#define OFFSETS_MARK (1u << 31)

/* The first offset of the round after that of offset i, of k. */
static inline unsigned cover_next_round(const uint32_t *offsets, unsigned k, unsigned i)
{
    do
        i++;
    while (i < k && (offsets[i] & OFFSETS_MARK));
    return i;
}

/* weight[N]: the sizes of the covers; OFFSETS_UNREACHED: there is none, or it would be larger. k N operations. `before`
 * has room for N numbers. */
#define OFFSETS_UNREACHED 250
void cover_weigh(const uint32_t *offsets, unsigned k, const Group *group, uint8_t *weight, uint8_t *before);

/* The first number that no sum of offsets is, or N; `weight` has room for 2 N numbers. */
unsigned cover_unreached(const uint32_t *offsets, unsigned k, const Group *group, uint8_t *weight);

/* The covers. Between sets of equal size the one is taken that a walk through the steps finds first: a step shortens
 * the cover of g only if it makes it strictly shorter. */
typedef struct {
    unsigned n_steps;
    unsigned *first;        /* [n_steps + 1]: the blocks of step i are carried[first[i]] to carried[first[i + 1] - 1] */
    unsigned *carried;      /* [traffic]: numbers g, ascending within a step */
} Covers;

/* Whether the blocks of a step do not follow each other in number. */
static inline int covers_are_apart(const Covers *covers, unsigned step)
{
    unsigned first = covers->first[step], end = covers->first[step + 1];
    return covers->carried[end - 1] - covers->carried[first] != end - 1 - first;
}

/* Of a list that reaches all. 0: there is no memory. */
int covers_make(Covers *covers, const uint32_t *offsets, unsigned k, const Group *group);
void covers_clear(Covers *covers);

/* W_min(k): the least traffic that any algorithm of k rounds can have in which a processor sends at most `rails`
 * messages a round and passes blocks on as they are, where each has blocks for `others`. Of the blocks C(k, w) rails^w
 * can be sent w times. UINT64_MAX: none has so few rounds. others < 2^62. */
uint64_t offsets_bound(uint64_t others, uint64_t n_rounds, unsigned rails);
