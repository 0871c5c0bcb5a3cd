#include "cover.h"

#include <stdlib.h>
#include <string.h>

/* --- groups --- */

/* x + y, or x - y, digit by digit from the last factor on. */
static unsigned combine(const Group *group, unsigned x, unsigned y, int minus)
{
    unsigned sum = 0, place = 1;
    for (unsigned i = group->n_factors; i-- > 0; place *= group->factor[i]) {
        unsigned factor = group->factor[i], a = x % factor, b = y % factor;
        sum += place * ((minus ? a + factor - b : a + b) % factor);
        x /= factor;
        y /= factor;
    }
    return sum;
}

unsigned group_add_digits(const Group *group, unsigned x, unsigned y)
{
    if (group->n_factors > 1)
        return combine(group, x, y, 0);
    return x + y < group->n ? x + y : x + y - group->n;
}

unsigned group_subtract_digits(const Group *group, unsigned x, unsigned y)
{
    if (group->n_factors > 1)
        return combine(group, x, y, 1);
    return x >= y ? x - y : x + group->n - y;
}

/* --- covers --- */

/* The step by which the cover of g came to have w steps: step[w][g], as it ever did. */
typedef unsigned *History;

/* Step `i` shortens the covers of g and g xor s that are longer than the other's by two or more. */
static void shorten_in_cube(uint8_t *weight, uint32_t s, unsigned n_nodes, unsigned i, History step)
{
    uint32_t top = 1u << (31 - __builtin_clz(s));
    for (uint32_t block = 0; block < n_nodes; block += 2 * top)
        for (uint32_t g = block; g < block + top; g++) {
            uint8_t *a = &weight[g], *b = &weight[g ^ s];
            uint8_t to_a = (uint8_t)(*b + 1), to_b = (uint8_t)(*a + 1);
            if (to_a >= *a && to_b >= *b)
                continue;
            uint32_t shorter = to_a < *a ? g : g ^ s;
            weight[shorter] = to_a < *a ? to_a : to_b;
            if (step)
                step[(size_t)weight[shorter] * n_nodes + shorter] = i;
        }
}

/* Offset `i` shortens the cover of g + s where that of g was shorter by two or more before its round. */
static void shorten(uint8_t *weight, const uint8_t *before, uint32_t s, const Group *group, unsigned i, History step)
{
    for (uint32_t g = 0; g < group->n; g++) {
        uint32_t to = group_add(group, g, s);
        if (before[g] + 1 >= weight[to])
            continue;
        weight[to] = (uint8_t)(before[g] + 1);
        if (step)
            step[(size_t)weight[to] * group->n + to] = i;
    }
}

static void weigh(const uint32_t *offsets, unsigned k, const Group *group, uint8_t *weight, uint8_t *before,
                  History step)
{
    memset(weight, OFFSETS_UNREACHED, group->n);
    weight[0] = 0;
    for (unsigned i = 0, next; i < k; i = next) {
        next = cover_next_round(offsets, k, i);
        if (group->binary && next == i + 1) {
            shorten_in_cube(weight, offsets[i], group->n, i, step);
            continue;
        }
        memcpy(before, weight, group->n);
        for (unsigned j = i; j < next; j++)
            shorten(weight, before, offsets[j] & ~OFFSETS_MARK, group, j, step);
    }
}

void cover_weigh(const uint32_t *offsets, unsigned k, const Group *group, uint8_t *weight, uint8_t *before)
{
    weigh(offsets, k, group, weight, before, NULL);
}

unsigned cover_unreached(const uint32_t *offsets, unsigned k, const Group *group, uint8_t *weight)
{
    unsigned g = 0;
    cover_weigh(offsets, k, group, weight, weight + group->n);
    while (g < group->n && weight[g] < OFFSETS_UNREACHED)
        g++;
    return g;
}

/* The last step of the cover that the walk had found for g before step `before`, the first of a round. */
static unsigned last_step(const unsigned *step, unsigned n_nodes, unsigned g, unsigned before)
{
    unsigned w = 1;
    while (step[(size_t)w * n_nodes + g] >= before)
        w++;
    return step[(size_t)w * n_nodes + g];
}

/* Whether every offset is there once, so that each carries its own block; `seen` has room for N. */
static int is_direct(const uint32_t *offsets, unsigned k, unsigned n_nodes, uint8_t *seen)
{
    memset(seen, 0, n_nodes);
    int direct = k == n_nodes - 1;
    for (unsigned i = 0; direct && i < k; i++) {
        direct = !seen[offsets[i] & ~OFFSETS_MARK];
        seen[offsets[i] & ~OFFSETS_MARK] = 1;
    }
    return direct;
}

static void fill_direct(Covers *covers, const uint32_t *offsets, unsigned k)
{
    for (unsigned i = 0; i <= k; i++)
        covers->first[i] = i;
    for (unsigned i = 0; i < k; i++)
        covers->carried[i] = offsets[i] & ~OFFSETS_MARK;
}

/* Counted two places on, summed, and then each step's place moves on while it is filled. */
static void fill(Covers *covers, const uint32_t *offsets, const Group *group, const unsigned *step)
{
    for (unsigned filling = 0; filling < 2; filling++) {
        for (unsigned g = 1; g < group->n; g++)
            for (unsigned rest = g, i, before = covers->n_steps; rest;
                 rest = group_subtract(group, rest, offsets[i] & ~OFFSETS_MARK)) {
                i = last_step(step, group->n, rest, before);
                for (before = i; offsets[before] & OFFSETS_MARK;)
                    before--;
                if (filling)
                    covers->carried[covers->first[i + 1]++] = g;
                else
                    covers->first[i + 2]++;
            }
        for (unsigned i = 1; i < covers->n_steps && !filling; i++)
            covers->first[i + 1] += covers->first[i];
    }
}

/* Makes room for so much traffic. */
static int make_room(Covers *covers, unsigned k, size_t traffic)
{
    *covers = (Covers){k, calloc((size_t)k + 2, sizeof(unsigned)), malloc((traffic + 1) * sizeof(unsigned))};
    return covers->first && covers->carried;
}

/* `weight` has room for 2 N numbers. */
static int make_walked(Covers *covers, const uint32_t *offsets, unsigned k, const Group *group, uint8_t *weight)
{
    /* the largest weight that any sum ever has while the list is walked, and one more */
    unsigned most = k < OFFSETS_UNREACHED ? k : OFFSETS_UNREACHED, marked = 0;
    for (unsigned i = 0; i < k; i++)
        marked |= offsets[i] & OFFSETS_MARK;
    size_t n_history = (size_t)((group->binary && !marked ? group->dimension : most) + 1) * group->n, traffic = 0;
    History step = malloc(n_history * sizeof *step);
    if (!step)
        return 0;
    memset(step, 0xff, n_history * sizeof *step); /* the largest number: never */
    weigh(offsets, k, group, weight, weight + group->n, step);
    for (unsigned g = 0; g < group->n; g++)
        traffic += weight[g];
    int made = make_room(covers, k, traffic);
    if (made)
        fill(covers, offsets, group, step);
    free(step);
    return made;
}

int covers_make(Covers *covers, const uint32_t *offsets, unsigned k, const Group *group)
{
    uint8_t *weight = malloc(2 * (size_t)group->n);
    int direct = weight && is_direct(offsets, k, group->n, weight), made = 0;
    *covers = (Covers){0, NULL, NULL};
    if (direct && (made = make_room(covers, k, k)))
        fill_direct(covers, offsets, k);
    else if (weight && !direct)
        made = make_walked(covers, offsets, k, group, weight);
    free(weight);
    if (!made)
        covers_clear(covers);
    return made;
}

void covers_clear(Covers *covers)
{
    free(covers->first);
    free(covers->carried);
    *covers = (Covers){0, NULL, NULL};
}

/* --- the bound --- */

uint64_t offsets_bound(uint64_t others, uint64_t n_rounds, unsigned rails)
{
    uint64_t traffic = 0;
    __int128 reached = 1; /* C(k, w) rails^w */
    for (unsigned w = 1; others > 0; w++) {
        if (w > n_rounds)
            return UINT64_MAX;
        reached = reached * rails * (n_rounds - w + 1) / w;
        uint64_t served = reached < (__int128)others ? (uint64_t)reached : others;
        traffic += w * served;
        others -= served;
    }
    return traffic;
}
