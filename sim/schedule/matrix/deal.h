/* How a processor's data is dealt out over packets: a round takes an element for each destination that still gets one,
 * in the order of their numbers, and every packet but the last has the same number of elements. So where all
 * destinations get the same, every packet has the same for each. */
#pragma once

#include <glib.h>

typedef struct Deal Deal;

/* Elements that processor x sends to the destination with a number. */
typedef guint DealCount(gconstpointer user, guint x, guint number);

/* For processors 0 ... n_nodes - 1, with destinations 0 ... n_numbers - 1 each, and packets of at most `packet` > 0
 * elements. Free with deal_free(). */
Deal *deal_new(guint n_nodes, guint n_numbers, guint64 packet, DealCount *count, gconstpointer user);
void deal_free(Deal *deal);

/* Bytes that it takes. */
guint64 deal_bytes(const Deal *deal);

/* The most packets that a processor has; 1 or more. */
guint deal_n_packets(const Deal *deal);

/* Elements for a destination that are in packets before number `packet` of processor x. */
guint deal_before(const Deal *deal, guint x, guint number, guint packet);
