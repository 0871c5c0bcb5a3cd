/* One use of an algorithm of Ho & Johnsson 1988, and the symbols that Table 2 has for it, in bytes (permuting.h). */
#pragma once

#include "permutation.h"
#include "transfer.h"

typedef struct {
    const Permutation *permutation; /* borrowed; its dimension n, at most MACHINE_DIMENSION_MAX */
    gint64 bytes;       /* K, 0 to INPUT_TIME_MAX_PS; of those processors that hold data */
    gint64 packet;      /* B, up to INPUT_TIME_MAX_PS; 0: unlimited */
    gint64 element;     /* bytes of one element, at least 1; divides `bytes` */
    guint idle;         /* dimensions that tell processors with data from those without: n - m_p of an extended-cube
                         * permutation (sec. 4.5), which the permutation leaves as they are; 0: all hold data */
} PermutingCase;

typedef struct {
    const PermutingCase *c;     /* borrowed, as is the machine */
    const Machine *machine;     /* NULL: neither tau_per_t_c nor steps are asked for */
    guint n;                    /* without the idle dimensions */
    guint sigma, beta, least, most;     /* orders of cycles; least and most are 1 for the identity */
    gint64 split;               /* K is c->bytes/split: 2^idle */
    gint64 order;               /* of the first cycle, or of that which an entry with a maximum over cycles is about */
    double K, tau_per_t_c;      /* tau in units of t_c per byte */
} PermutingEntry;

PermutingEntry permuting_entry(const PermutingCase *c, const Machine *machine);

/* K a/b */
Rational permuting_share(const PermutingEntry *e, gint64 a, gint64 b);
