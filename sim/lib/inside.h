/* What the files of libecube share. */
#pragma once

#include "cover.h"
#include "ecube.h"

/* Keeps a text for ecube_error(). ECUBE_BAD_INPUT. */
__attribute__((format(printf, 1, 2))) int refuse(const char *format, ...);

/* The same of memory. ECUBE_NO_MEMORY. */
int refuse_memory(void);

struct ecube_list {
    Group group;
    char *text;
    unsigned n_steps;
    uint32_t *offsets;          /* [n_steps] */
    Covers covers;              /* of list_compile() */
    size_t from_bytes, to_bytes;
    double time_us, bound_us;
};

/* Reads a list, for `where` in messages; each process is reached, but there are no covers yet. */
int list_parse(const char *where, unsigned processes, const char *text, ecube_list **list);

/* Finds the covers, and leaves out steps that none needs. */
int list_compile(ecube_list *list);

/* Constants of a machine with one port, both ways at once, in µs and bytes. */
typedef struct {
    double lambda, tau, delta_hop;
} Terms;

typedef struct {
    Terms long_terms, short_terms;
    double short_limit;         /* -1: all messages are long */
    double lambda_zero, delta, copy, sync, sync_per_dimension;
    int pairwise_sync, phase_barrier, crossbar;
} Constants;

/* The list that takes least, of those that are known; compiled. */
int constants_best(const Constants *constants, unsigned processes, size_t bytes, ecube_list **list);
