/* libecube: schedules of complete exchanges (MPI_Alltoall), for programs that carry them out themselves.
 *
 *     ecube *rules;
 *     ecube_list *list;
 *     if (ecube_load("rules.ini", &rules) == ECUBE_OK && ecube_best(rules, 12, 512, &list) == ECUBE_OK)
 *         ...ecube_list_step()...
 *
 * Each of P processes has a block for each other one. A schedule is a list of offsets s: in step i each process x sends
 * one message to x + s_i, and receives one from x - s_i. Blocks are numbered by the way they go: block g of process x
 * is at first the one for process x + g, and at last the one from process x - g. It keeps its number on its way. How
 * addresses are added is the list's: as numbers modulo P, or as bits (xor), or digit by digit.
 *
 * Any number of threads may call these functions; what one of them frees no other may use. Nothing is printed.
 * Functions that can fail return a code, and leave what is wrong as a text in ecube_error(). Without memory the program
 * ends, as GLib, which is inside, has it. */
#ifndef ECUBE_H
#define ECUBE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ECUBE_OK,
    ECUBE_LIBRARY,      /* no failure: nothing is known to be better than what the MPI library does */
    ECUBE_BAD_INPUT     /* a file or an argument that is not allowed */
};

/* What failed last in this thread: file, key, value, and what is allowed. "" before. Valid until the next call that
 * fails. */
const char *ecube_error(void);

/* A machine or rules, as loaded; it does not change. */
typedef struct ecube ecube;

/* Reads a machine file, or rules. Every line is checked. Caller frees with ecube_free(). */
int ecube_load(const char *path, ecube **loaded);
void ecube_free(ecube *loaded);

/* A list of offsets on a number of processes. */
typedef struct ecube_list ecube_list;
#define ECUBE_PROCESSES_MAX 65536

/* The list to use for so many processes, from 2 on, and blocks of so many bytes: by rules the one that they say, by a
 * machine's constants the one that takes least time. ECUBE_LIBRARY: rules say so, or say nothing of this number or
 * size; the list is "library", which has no steps. ECUBE_BAD_INPUT, and *list is NULL: a machine's network does not
 * have this number of processors. Caller frees with ecube_list_free(). */
int ecube_best(const ecube *loaded, unsigned processes, size_t bytes, ecube_list **list);

/* The list of a text as rules have it: "direct", "partition 3,3", "radices 2,2,3", "xor 1,2,4,8,15",
 * "modulo 5,8,10,11", "4x3 1,3,4,8", "library". Caller frees. */
int ecube_list_parse(unsigned processes, const char *text, ecube_list **list);
void ecube_list_free(ecube_list *list);

/* The text of a list. Borrowed. */
const char *ecube_list_text(const ecube_list *list);

/* From how many bytes a block on, and up to how many, it is the list to use. */
void ecube_list_span(const ecube_list *list, size_t *from_bytes, size_t *to_bytes);

/* What the exchange takes by a machine's constants, without contention, and what no exchange in rounds takes less than,
 * in microseconds; not a number where there is no machine. */
double ecube_list_time(const ecube_list *list);
double ecube_list_bound(const ecube_list *list);

unsigned ecube_list_steps(const ecube_list *list);

/* What a process does in a step: it sends one message to `to`, which consists of the blocks named, in this order, and
 * receives one of as many blocks, of the same numbers, from `from`. */
typedef struct {
    unsigned to, from;
    unsigned n_blocks;
    const unsigned *blocks;     /* [n_blocks], ascending, 1 to P - 1; the list's */
} ecube_step;

/* Step i of process `rank`, both from 0 on. */
int ecube_list_step(const ecube_list *list, unsigned rank, unsigned i, ecube_step *step);

/* For which process block g of process `rank` is at first, and from which the block g is that it has at last. */
unsigned ecube_list_to(const ecube_list *list, unsigned rank, unsigned g);
unsigned ecube_list_from(const ecube_list *list, unsigned rank, unsigned g);

#ifdef __cplusplus
}
#endif
#endif
