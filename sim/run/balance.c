#include "balance.h"

#include <stdlib.h>

typedef struct {
    guint64 weight;
    guint number;
} Item;

static int lightest_first(const Item *a, const Item *b)
{
    int order = (a->weight > b->weight) - (a->weight < b->weight);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

static int heaviest_first(const void *one, const void *other)
{
    const Item *a = one, *b = other;
    return a->weight != b->weight ? lightest_first(b, a) : lightest_first(a, b);
}

guint *balance_order(const guint64 *weights, guint n)
{
    g_autofree Item *items = g_new(Item, MAX(1, n));
    guint *order = g_new(guint, MAX(1, n));
    for (guint i = 0; i < n; i++)
        items[i] = (Item){weights[i], i};
    qsort(items, n, sizeof *items, heaviest_first);
    for (guint i = 0; i < n; i++)
        order[i] = items[i].number;
    return order;
}

/* Heaps are the nodes of a binary tree in which none is lighter than the one above it. Puts the first where it belongs
 * after it has gained weight. */
static void sink(Item *heaps, guint n)
{
    for (guint at = 0, child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && lightest_first(&heaps[child + 1], &heaps[child]) < 0;
        if (lightest_first(&heaps[at], &heaps[child]) < 0)
            return;
        Item kept = heaps[at];
        heaps[at] = heaps[child];
        heaps[child] = kept;
    }
}

guint *balance(const guint64 *weights, guint n, guint n_heaps)
{
    g_autofree guint *order = balance_order(weights, n);
    g_autofree Item *heaps = g_new(Item, n_heaps);
    guint *heap_of = g_new(guint, MAX(1, n));
    for (guint i = 0; i < n_heaps; i++)
        heaps[i] = (Item){0, i};
    for (guint i = 0; i < n; i++) {
        heap_of[order[i]] = heaps[0].number;
        heaps[0].weight += weights[order[i]];
        sink(heaps, n_heaps);
    }
    return heap_of;
}
