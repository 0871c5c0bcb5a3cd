/* Lists of offsets: exchanges in which, in step i, every processor x sends to x + s_i, in whatever group (group.h). On
 * a cube that is x xor s_i, from which it also receives.
 *
 * The block from x to x + g goes along in the steps of g's cover: a smallest set of steps whose offsets have the sum
 * g. All processors use the same covers. The traffic of a list is the blocks that a processor sends in all, the sum of
 * the sizes of all covers (models/OFFSETS.md). In words of coding theory offsets are the columns of a parity-check
 * matrix, the g are syndromes, and covers are coset leaders. */
#pragma once

#include "partition.h"

/* Largest cube that lists are searched and weighed on. */
#define OFFSETS_DIMENSION_MAX 16

/* Offsets as numbers, guint32, in the order of the steps. A step of several messages, a round, has several offsets: all
 * but its first are marked, and a cover has at most one of them. */
typedef GArray Offsets;
#define OFFSETS_MARK (1u << 31)

static inline guint32 offsets_nth(const Offsets *offsets, guint i)
{
    return g_array_index(offsets, guint32, i) & ~OFFSETS_MARK;
}

/* Whether offset i is in the round of the one before. */
static inline gboolean offsets_is_marked(const Offsets *offsets, guint i)
{
    return (g_array_index(offsets, guint32, i) & OFFSETS_MARK) != 0;
}

/* The first offset of the round after the round of offset i. */
static inline guint offsets_next_round(const Offsets *offsets, guint i)
{
    do
        i++;
    while (i < offsets->len && offsets_is_marked(offsets, i));
    return i;
}

/* Offsets of the longest round. */
guint offsets_longest_round(const Offsets *offsets);

/* Joins the offsets from number `from` on to rounds of `rails`; the last may be shorter. */
void offsets_join(Offsets *offsets, guint from, guint rails);

/* An empty list. Caller frees with offsets_free(). */
Offsets *offsets_new(void);
void offsets_free(Offsets *offsets);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Offsets, offsets_free)

/* Reads "1,2,4,8,15", or with rounds "1+2,3+6": numbers from 1 to N - 1 that reach all processors, by sums of some of
 * them; "" only for N = 1. `where` begins the error message. NULL with an error. Caller frees. */
Offsets *offsets_parse(const char *where, const char *text, const Group *group, GError **error);

/* The list of phases (partition.h): j r_1 ... r_{i-1} for j < r_i, as far as they are below N (Bruck et al. 1997);
 * those of a radix in rounds of `rails`. Caller frees. */
Offsets *offsets_of_radices(const Partition *partition, const Group *group, guint rails);

/* All lists of radices whose last one is no larger than it must be, and whose offsets reach all processors of a group
 * that is no cube: Partition. NULL: there are more than RADICES_LISTS_MAX, from 397 processors on. Caller unrefs. */
#define RADICES_LISTS_MAX 10000
GArray *offsets_all_radices(const Group *group);

/* Whether sums of the offsets are all processors. If not, the error begins with `where`, about `text`. */
gboolean offsets_check(const char *where, const char *text, const Offsets *offsets, const Group *group, GError **error);

/* 1, 2, ..., N - 1: Direct. Caller frees. */
Offsets *offsets_direct(const Group *group);

/* "1,2,4,8,15". Caller frees. */
char *offsets_format(const Offsets *offsets);

/* Channels that a processor's messages cross in all, where every step has one: the sum of |s_i|. Where numbers are
   added, every processor is as far: one for each step. */
guint64 offsets_hops(const Offsets *offsets, const Group *group);

/* The sizes of the covers, weight[N]; OFFSETS_UNREACHED: there is none, or it would be larger. k N operations. */
#define OFFSETS_UNREACHED 250
void offsets_weigh(const Offsets *offsets, const Group *group, guint8 *weight);

/* The traffic of the list, W: the sum of all weights. */
guint64 offsets_traffic(const Offsets *offsets, const Group *group);

/* The covers. Between sets of equal size the one is taken that a walk through the steps finds first: a step shortens
 * the cover of g only if it makes it strictly shorter. */
typedef struct {
    guint n_steps;
    guint *first;           /* [n_steps + 1]: the blocks of step i are carried[first[i]] to carried[first[i + 1] - 1] */
    guint *carried;         /* [traffic]: numbers g, ascending within a step */
} Covers;

/* Of a list that reaches all. Caller frees with covers_clear(). */
void covers_init(Covers *covers, const Offsets *offsets, const Group *group);
void covers_clear(Covers *covers);

/* Whether the blocks of a step do not follow each other in number. */
static inline gboolean covers_are_apart(const Covers *covers, guint step)
{
    guint first = covers->first[step], end = covers->first[step + 1];
    return covers->carried[end - 1] - covers->carried[first] != end - 1 - first;
}

/* W_min(k): the least traffic that any algorithm of k rounds can have in which a processor sends at most `rails`
 * messages a round and passes blocks on as they are, where each has blocks for `others`. Of the blocks C(k, w) rails^w
 * can be sent w times. G_MAXUINT64: none has so few rounds. others < 2^62. */
guint64 offsets_bound(guint64 others, guint64 n_rounds, guint rails);
