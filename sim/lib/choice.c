/* The list that takes least on a machine: of those that were found, Direct, and their sums on a cube; on a crossbar
 * also of lists of one radix, the last one cut off. */
#include "inside.h"
#include "known.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what a list takes --- */

static double message_us(const Constants *c, double bytes, int hops)
{
    const Terms *terms = bytes <= c->short_limit ? &c->short_terms : &c->long_terms;
    return (bytes > 0 ? terms->lambda : c->lambda_zero) + c->delta + hops * terms->delta_hop + bytes * terms->tau;
}

/* What travels in step i of a compiled list, where every block is `bytes` bytes. `lower`: blocks that are neighbours
 * are not so in memory. */
static double step_us(const Constants *c, const ecube_list *list, unsigned i, double bytes, int lower)
{
    const unsigned *first = list->covers.first + i;
    double message = (first[1] - first[0]) * bytes;
    int hops = c->crossbar ? 1 : __builtin_popcount(list->offsets[i]);
    int apart = lower || covers_are_apart(&list->covers, i);
    return message_us(c, message, hops) + (apart ? 2 * c->copy * message : 0) +
           (c->pairwise_sync ? message_us(c, 0, hops) : 0);
}

static double list_us(const Constants *c, const ecube_list *list, double bytes, int lower)
{
    double time = 0;
    for (unsigned i = 0; i < list->n_steps; i++)
        time += step_us(c, list, i, bytes, lower);
    return time;
}

static double barrier_us(const Constants *c, unsigned dimension)
{
    return c->phase_barrier ? c->sync + dimension * c->sync_per_dimension : 0;
}

/* What no exchange in rounds takes less than (models/OFFSETS.md). From where on all blocks take one or two rounds, each
 * round more saves one block: all but the ends lie between. */
static double bound_us(const Constants *c, unsigned processes, double bytes)
{
    const Terms *a = &c->long_terms, *b = &c->short_terms;
    double round = fmin(a->lambda, b->lambda) + c->delta + fmin(a->delta_hop, b->delta_hop), least = INFINITY;
    uint64_t all = processes - 1;
    for (uint64_t k = 1; k <= all; k = k * (k + 1) / 2 < all || k == all ? k + 1 : all) {
        uint64_t traffic = offsets_bound(all, k, 1);
        if (traffic != UINT64_MAX)
            least = fmin(least, (double)k * round + fmin(a->tau, b->tau) * bytes * (double)traffic);
    }
    return least;
}

/* --- the search --- */

typedef struct {
    const Constants *constants;
    unsigned processes;
    double bytes;
    ecube_list *best;       /* so far */
} Search;

/* Takes the list of a text if it is better. */
static int offer(Search *s, const char *text)
{
    ecube_list *list;
    int code = ecube_list_parse(s->processes, text, &list);
    if (code != ECUBE_OK)
        return code;
    list->time_us = list_us(s->constants, list, s->bytes, 0) + barrier_us(s->constants, list->group.dimension);
    ecube_list *worse = s->best && s->best->time_us <= list->time_us ? list : s->best;
    s->best = worse == list ? s->best : list;
    ecube_list_free(worse);
    return ECUBE_OK;
}

static int offer_modulo(Search *s)
{
    char text[1024];
    int code = ECUBE_OK;
    for (unsigned i = 0; code == ECUBE_OK && i < n_known_modulo; i++)
        if (known_modulo[i].size == s->processes) {
            snprintf(text, sizeof text, "modulo %s", known_modulo[i].offsets);
            code = offer(s, text);
        }
    for (uint64_t radix = 2; code == ECUBE_OK && radix < s->processes; radix += radix < 16 ? 1 : radix) {
        size_t at = (size_t)snprintf(text, sizeof text, "radices");
        for (uint64_t stride = 1; stride < s->processes; stride *= radix) {
            uint64_t left = (s->processes + stride - 1) / stride;
            at += (size_t)snprintf(text + at, sizeof text - at, "%c%u", stride == 1 ? ' ' : ',',
                                   (unsigned)(left < radix ? left : radix));
        }
        code = offer(s, text);
    }
    return code;
}

/* --- sums of lists on a cube --- */

/* A list of some of the bits, and what it takes as that of the highest bits, and of others. */
typedef struct {
    unsigned part;
    const char *offsets;    /* NULL: Direct */
    double highest_us, lower_us;
} Member;

/* What the lowest bits take, and the member for the highest of them. */
typedef struct {
    double us;
    const Member *member;
} Sum;

static int make_member(const Search *s, unsigned dimension, unsigned part, const char *offsets, Member *member)
{
    char text[1024];
    ecube_list *list;
    snprintf(text, sizeof text, offsets ? "xor %s" : "direct", offsets);
    int code = ecube_list_parse(1u << part, text, &list);
    if (code != ECUBE_OK)
        return code;
    double bytes = ldexp(s->bytes, (int)(dimension - part));
    *member = (Member){part, offsets, list_us(s->constants, list, bytes, 0), list_us(s->constants, list, bytes, 1)};
    ecube_list_free(list);
    return ECUBE_OK;
}

/* The shortest path to all bits, part by part. sum[dimension + 1]. */
static void find_sums(unsigned dimension, const Member *members, unsigned n, Sum *sum)
{
    for (unsigned at = 1; at <= dimension; at++) {
        sum[at].us = INFINITY;
        for (const Member *m = members; m < members + n; m++) {
            double us = m->part > at ? INFINITY : sum[at - m->part].us + (at < dimension ? m->lower_us : m->highest_us);
            if (us < sum[at].us)
                sum[at] = (Sum){us, m};
        }
    }
}

/* Appends offsets, from text or all, as those of the bits from `low` on. */
static char *put_offsets(char *out, const Member *member, unsigned low)
{
    char *next = (char *)member->offsets;
    for (unsigned long s = 1; next ? *next : !(s >> member->part); s++) {
        unsigned long offset = next ? strtoul(next + (*next == ','), &next, 10) : s;
        out += sprintf(out, "%lu,", offset << low);
    }
    return out;
}

/* "partition 2,3" of Direct alone, or "xor 1,2,4,8,15"; `text` has room. */
static void put_sum(char *text, unsigned dimension, const Sum *sum)
{
    int direct = 1;
    for (unsigned at = dimension; at > 0; at -= sum[at].member->part)
        direct &= !sum[at].member->offsets;
    char *out = text + sprintf(text, direct ? "partition " : "xor ");
    for (unsigned at = dimension; at > 0; at -= sum[at].member->part)
        out = direct ? out + sprintf(out, "%u,", sum[at].member->part)
                     : put_offsets(out, sum[at].member, at - sum[at].member->part);
    out[-1] = '\0';
}

static int offer_sums(Search *s)
{
    unsigned dimension = (unsigned)__builtin_ctz(s->processes), n = 0;
    Sum sum[GROUP_FACTORS_MAX + 1] = {{0, NULL}};
    Member *members = malloc((n_known_of_cubes + dimension) * sizeof *members);
    char *text = malloc(16 + 8 * (size_t)s->processes);
    int code = members && text ? ECUBE_OK : refuse_memory();
    for (unsigned i = 0; code == ECUBE_OK && i < n_known_of_cubes; i++)
        if (known_of_cubes[i].size <= dimension)
            code = make_member(s, dimension, known_of_cubes[i].size, known_of_cubes[i].offsets, &members[n++]);
    for (unsigned part = 1; code == ECUBE_OK && part <= dimension; part++)
        code = make_member(s, dimension, part, NULL, &members[n++]);
    if (code == ECUBE_OK) {
        find_sums(dimension, members, n, sum);
        put_sum(text, dimension, sum);
        code = offer(s, text);
    }
    free(members);
    free(text);
    return code;
}

int constants_best(const Constants *constants, unsigned processes, size_t bytes, ecube_list **list)
{
    Search s = {constants, processes, (double)bytes, NULL};
    int cube = (processes & (processes - 1)) == 0, code = ECUBE_OK;
    if (processes > GROUP_SIZE_MAX || !(cube || constants->crossbar))
        return refuse("%u processes: allowed: up to %u; with topology = cube a power of two", processes,
                      GROUP_SIZE_MAX);
    if (cube)
        code = offer_sums(&s);
    else
        code = offer(&s, "direct");
    if (code == ECUBE_OK && constants->crossbar && !constants->pairwise_sync)
        code = offer_modulo(&s);
    if (code != ECUBE_OK) {
        ecube_list_free(s.best);
        return code;
    }
    s.best->from_bytes = s.best->to_bytes = bytes;
    s.best->bound_us = bound_us(constants, processes, (double)bytes);
    *list = s.best;
    return ECUBE_OK;
}
