#include "deal.h"

/* The data of one processor: its destinations that get something, in order. */
typedef struct {
    GArray *numbers, *counts;   /* guint */
    guint64 total;
} Hand;

struct Deal {
    guint n_nodes, n_packets;
    guint64 packet;
    Hand *hands;                /* [n_nodes] */
};

static Hand hand_new(const DealSource *source, guint x)
{
    Hand hand = {g_array_new(FALSE, FALSE, sizeof(guint)), g_array_new(FALSE, FALSE, sizeof(guint)), 0};
    g_autoptr(GArray) numbers = source->numbers(source->user, x);
    for (guint i = 0; i < numbers->len; i++) {
        guint number = g_array_index(numbers, guint, i), n = source->count(source->user, x, number);
        if (n == 0)
            continue;
        g_array_append_val(hand.numbers, number);
        g_array_append_val(hand.counts, n);
        hand.total += n;
    }
    return hand;
}

Deal *deal_new(guint n_nodes, guint64 packet, const DealSource *source)
{
    Deal *deal = g_new0(Deal, 1);
    deal->n_nodes = n_nodes;
    deal->packet = packet;
    deal->n_packets = 1;
    deal->hands = g_new(Hand, n_nodes);
    for (guint x = 0; x < n_nodes; x++) {
        deal->hands[x] = hand_new(source, x);
        guint64 n = (deal->hands[x].total + packet - 1) / packet;
        deal->n_packets = MAX(deal->n_packets, (guint)n);
    }
    return deal;
}

void deal_free(Deal *deal)
{
    for (guint x = 0; deal && x < deal->n_nodes; x++) {
        g_array_unref(deal->hands[x].numbers);
        g_array_unref(deal->hands[x].counts);
    }
    if (deal)
        g_free(deal->hands);
    g_free(deal);
}

guint64 deal_bytes(const Deal *deal)
{
    guint64 bytes = deal->n_nodes * (sizeof(Hand) + 2 * sizeof(GArray));
    for (guint x = 0; x < deal->n_nodes; x++)
        bytes += 2 * deal->hands[x].numbers->len * sizeof(guint);
    return bytes;
}

guint deal_n_packets(const Deal *deal)
{
    return deal->n_packets;
}

static guint count_of(const Hand *hand, guint i)
{
    return g_array_index(hand->counts, guint, i);
}

/* Elements of a hand that so many rounds take. */
static guint64 taken(const Hand *hand, guint rounds)
{
    guint64 n = 0;
    for (guint i = 0; i < hand->counts->len; i++)
        n += MIN(count_of(hand, i), rounds);
    return n;
}

/* The most rounds that take at most `limit` elements, which is less than all. */
static guint whole_rounds(const Hand *hand, guint64 limit)
{
    guint low = 0, high = (guint)(limit + 1);
    while (high - low > 1) {
        guint middle = low + (high - low) / 2;
        if (taken(hand, middle) <= limit)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* When in a round it is the turn of a destination: the first, the last, the second, the last but one, ... */
static guint turn_of(const Hand *hand, guint at)
{
    guint from_end = hand->numbers->len - 1 - at;
    return at <= from_end ? 2 * at : 2 * from_end + 1;
}

/* Of the first `limit` elements, those for destination number `at` of the hand. */
static guint share_of(const Hand *hand, guint at, guint64 limit)
{
    if (limit >= hand->total)
        return count_of(hand, at);
    guint rounds = whole_rounds(hand, limit);
    guint64 left = limit - taken(hand, rounds);
    for (guint i = 0; i < hand->counts->len; i++)
        left -= left > 0 && count_of(hand, i) > rounds && turn_of(hand, i) < turn_of(hand, at);
    return MIN(count_of(hand, at), rounds + (left > 0));
}

static gint compare(gconstpointer a, gconstpointer b)
{
    guint x = *(const guint *)a, y = *(const guint *)b;
    return (x > y) - (x < y);
}

guint deal_before(const Deal *deal, guint x, guint number, guint packet)
{
    const Hand *hand = &deal->hands[x];
    guint at;
    return g_array_binary_search(hand->numbers, &number, compare, &at) ? share_of(hand, at, packet * deal->packet) : 0;
}
