/* How a processor's data is dealt out over packets: a round takes an element for each destination that still gets one,
 * and every packet but the last has the same number of elements. In a round it is the turn of the first and the last,
 * the second and the last but one, ... Such pairs of 2^k numbers differ in all bits: so each bit is set in half of the
 * destinations of a packet. */
#pragma once

#include <glib.h>

typedef struct Deal Deal;

/* What is dealt out: the numbers of processor x's destinations, in ascending order (guint, freed by who asks), and the
 * elements that it sends to one of them, which may be 0. */
typedef struct {
    GArray *(*numbers)(gconstpointer user, guint x);
    guint (*count)(gconstpointer user, guint x, guint number);
    gconstpointer user;
} DealSource;

/* For processors 0 ... n_nodes - 1, and packets of at most `packet` > 0 elements. Free with deal_free(). */
Deal *deal_new(guint n_nodes, guint64 packet, const DealSource *source);
void deal_free(Deal *deal);

/* Bytes that it takes. */
guint64 deal_bytes(const Deal *deal);

/* The most packets that a processor has; 1 or more. */
guint deal_n_packets(const Deal *deal);

/* Elements for a destination that are in packets before number `packet` of processor x. */
guint deal_before(const Deal *deal, guint x, guint number, guint packet);
