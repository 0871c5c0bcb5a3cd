#include "permuting_entry.h"

PermutingEntry permuting_entry(const PermutingCase *c, const Machine *machine)
{
    const Permutation *p = c->permutation;
    PermutingEntry e = {.c = c, .machine = machine, .n = p->dimension - c->idle, .sigma = permutation_order(p),
                        .beta = p->n_cycles, .least = 1, .most = 1, .split = (gint64)1 << c->idle};
    for (guint i = 0; i < p->n_cycles; i++) {
        guint length = permutation_cycle_length(p, i);
        e.least = i ? MIN(e.least, length) : length;
        e.most = MAX(e.most, length);
    }
    e.order = e.beta ? permutation_cycle_length(p, 0) : 0;
    e.K = (double)c->bytes / (double)e.split;
    const MachineTerms *terms = machine ? machine_terms(machine, c->bytes) : NULL;
    if (terms && terms->lambda_ps > 0)
        e.tau_per_t_c = (double)terms->lambda_ps / (double)terms->tau_ps_per_byte;
    return e;
}

Rational permuting_share(const PermutingEntry *e, gint64 a, gint64 b)
{
    return (Rational){(__int128)e->c->bytes * a, b * e->split};
}
