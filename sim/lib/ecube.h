/* libecube: schedules of complete exchanges (MPI_Alltoall), for programs that carry them out themselves.
 *
 *     ecube *rules;
 *     ecube_list *list;
 *     if (ecube_load("rules.ini", &rules) == ECUBE_OK && ecube_best(rules, 12, 512, &list) == ECUBE_OK)
 *         ...ecube_list_step()...
 *
 * Each of P processes has a block for each other one. A schedule is a list of offsets s: in step i each process x sends
 * one message to x + s_i, and receives one from x - s_i. Blocks are numbered by their distance: before the exchange,
 * block g of process x is for process x + g; after it, block g of process x is from process x - g. A block keeps its
 * number on its way. Each list has its own addition: of numbers modulo P, of bits (xor), or of digits.
 *
 * Any number of threads may call these functions. No thread may use an object that another one frees. The functions
 * print nothing. Functions that can fail return a code, and leave a text on the error in ecube_error(). Without memory
 * the program ends, as GLib, on which libecube is built, ends it. */
#ifndef ECUBE_H
#define ECUBE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ECUBE_OK,
    ECUBE_LIBRARY,      /* no failure: no list is known to be better than the MPI library's own algorithm */
    ECUBE_BAD_INPUT     /* a file or an argument that is not allowed */
};

/* Returns the text of the last error in this thread: file, key, value, and what is allowed; "" before any error.
 * Valid until the thread's next error. */
const char *ecube_error(void);

/* Machine or rules, as loaded; read-only. */
typedef struct ecube ecube;

/* Reads a machine file, or a file of rules. Checks every line. Caller frees with ecube_free(). */
int ecube_load(const char *path, ecube **loaded);
/* Reads a machine or rules from a text. Errors name `path` as the file. Caller frees with ecube_free(). */
int ecube_read(const char *path, const char *text, ecube **loaded);
void ecube_free(ecube *loaded);

/* List of offsets on a number of processes. */
typedef struct ecube_list ecube_list;
#define ECUBE_PROCESSES_MAX 262144

/* Finds the list to use for `processes`, 2 to ECUBE_PROCESSES_MAX, and blocks of `bytes` bytes: the list that the rules
 * name, or the fastest list by the machine's constants. ECUBE_LIBRARY: the rules name "library", or no list for this
 * number or size; *list is then "library", without steps. ECUBE_BAD_INPUT, with *list NULL: the number of processes is
 * out of range, or the machine's network or nodes do not allow it. Caller frees with ecube_list_free(). */
int ecube_best(const ecube *loaded, unsigned processes, size_t bytes, ecube_list **list);
/* Finds the list that rules name for `processes` and blocks of different sizes (MPI_Alltoallv). ECUBE_LIBRARY: rules
 * name "library" or no list, or `loaded` is a machine; *list is then "library". ECUBE_BAD_INPUT, with *list NULL: the
 * number of processes is out of range. Caller frees with ecube_list_free(). */
int ecube_best_unequal(const ecube *loaded, unsigned processes, ecube_list **list);

/* Parses a list as rules have it: "direct", "partition 3,3", "radices 2,2,3", "xor 1,2,4,8,15", "modulo 5,8,10,11",
 * "4x3 1,3,4,8", "library". Caller frees with ecube_list_free(). */
int ecube_list_parse(unsigned processes, const char *text, ecube_list **list);
void ecube_list_free(ecube_list *list);

/* Returns the text of a list. Borrowed. */
const char *ecube_list_text(const ecube_list *list);

/* Reports the block sizes, in bytes, for which to use the list: from *from_bytes to *to_bytes. A list of
 * ecube_list_parse() has no limits: 0 and SIZE_MAX. */
void ecube_list_span(const ecube_list *list, size_t *from_bytes, size_t *to_bytes);

/* Returns the time of the exchange without contention, in µs, for the block size that ecube_best() was given. NAN if no
 * machine chose the list. */
double ecube_list_time(const ecube_list *list);
/* Returns a lower bound, in µs, on the time of any exchange in rounds on the machine that chose the list, for the same
 * block size. NAN if no machine chose the list. */
double ecube_list_bound(const ecube_list *list);

unsigned ecube_list_steps(const ecube_list *list);

/* Step of one process. It sends one message, with the blocks `blocks` in this order, to process `to`. It receives one
 * message, with blocks of the same numbers, from process `from`. */
typedef struct {
    unsigned to, from;
    unsigned n_blocks;
    const unsigned *blocks;     /* numbers of the blocks [n_blocks], ascending, 1 to P - 1; borrowed from the list */
} ecube_step;

/* Fills in step i of process `rank`, both counted from 0. ECUBE_BAD_INPUT if there is no such step or process. */
int ecube_list_step(const ecube_list *list, unsigned rank, unsigned i, ecube_step *step);

/* Returns the process that gets block g of process `rank`: the block's destination. */
unsigned ecube_list_to(const ecube_list *list, unsigned rank, unsigned g);
/* Returns the process that sent the block that is block g of process `rank` after the exchange. */
unsigned ecube_list_from(const ecube_list *list, unsigned rank, unsigned g);

#ifdef __cplusplus
}
#endif
#endif
