#include "published_permutation.h"

#include <string.h>

const PermutingRow *published_permutation_row(const Algorithm *algorithm, const char **why)
{
    const PermutingRow *row = permuting_find(algorithm->name, algorithm->n_port ? PORTS_ALL : PORTS_ONE);
    *why = row                                      ? NULL
           : strcmp(algorithm->name, "router") == 0 ? "no paper predicts messages that contend for channels"
                                                    : "Table 2 has no such row";
    return row;
}

PermutingCase published_permutation_case(const Run *run)
{
    return (PermutingCase){.permutation = &run->schedule.permutation, .bytes = run->data.bytes,
                         .packet = run->machine->packet, .element = run->element, .idle = run->schedule.idle};
}

gint64 published_permutation_ps(const Run *run, const char **why)
{
    const PermutingRow *row = published_permutation_row(run->schedule.algorithm, why);
    PermutingCase c = published_permutation_case(run);
    if (!row)
        return 0;
    *why = permuting_unpublished_reason(row, run->machine, &c);
    return permuting_published_ps(row, run->machine, &c);
}

gint64 published_permutation_packet(const Run *run)
{
    const char *why;
    const PermutingRow *row = published_permutation_row(run->schedule.algorithm, &why);
    PermutingCase c = published_permutation_case(run);
    return row ? permuting_optimal_packet(row, run->machine, &c) : run->machine->packet;
}
