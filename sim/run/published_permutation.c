#include "published_permutation.h"

#include <string.h>

const ShuffleRow *published_permutation_row(const Algorithm *algorithm, const char **why)
{
    const ShuffleRow *row = shuffle_find(algorithm->name, algorithm->n_port ? PORTS_ALL : PORTS_ONE);
    *why = row                                      ? NULL
           : strcmp(algorithm->name, "router") == 0 ? "no paper predicts messages that contend for channels"
                                                    : "Table 2 has no such row";
    return row;
}

ShuffleCase published_permutation_case(const Run *run)
{
    return (ShuffleCase){.permutation = &run->schedule.permutation, .bytes = run->data.bytes,
                         .packet = run->machine->packet, .element = run->element, .idle = run->schedule.idle};
}

gint64 published_permutation_ps(const Run *run, const char **why)
{
    const ShuffleRow *row = published_permutation_row(run->schedule.algorithm, why);
    ShuffleCase c = published_permutation_case(run);
    if (!row)
        return 0;
    *why = shuffle_unpublished_reason(row, run->machine, &c);
    return shuffle_published_ps(row, run->machine, &c);
}

gint64 published_permutation_packet(const Run *run)
{
    const char *why;
    const ShuffleRow *row = published_permutation_row(run->schedule.algorithm, &why);
    ShuffleCase c = published_permutation_case(run);
    return row ? shuffle_optimal_packet(row, run->machine, &c) : run->machine->packet;
}
