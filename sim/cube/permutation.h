/* Permutations of the bits of an address: stable dimension permutations (Ho & Johnsson 1988, sec. 2).
 *
 * The address of an element has n processor dimensions, 0 to n-1, and above them dimensions of the local memory, n to
 * n_bits-1. The paper calls them real and virtual dimensions. Bit i of an element's address becomes bit to[i] of its
 * new address: `to` is the paper's delta, on machine dimensions. A cycle (a0, a1, ..., a_{s-1}) takes bit a_i to bit
 * a_{i+1}, and the last bit to a0; so the shuffle, a left shift, is (0, 1, ..., n-1). A cycle is real if all its
 * dimensions are a processor's, virtual if all are local ones, otherwise mixed. A permutation without mixed cycles is
 * separable.
 *
 * A Permutation is a plain value: nothing is allocated, it is copied by assignment. */
#pragma once

#include <glib.h>

/* Largest number of address bits, processor and local together. */
#define PERMUTATION_BITS_MAX 32

typedef struct {
    guint dimension;                            /* n, the number of processor dimensions */
    guint n_bits;                               /* number of address bits, n <= n_bits <= PERMUTATION_BITS_MAX */
    guint8 to[PERMUTATION_BITS_MAX];            /* new place of each bit [n_bits]; bits from n_bits on stay */
    guint n_cycles;                             /* beta: the number of cycles of two dimensions or more */
    guint8 cycle_start[PERMUTATION_BITS_MAX / 2 + 2];   /* [n_cycles + 1]: index in cycle_bits where each begins */
    guint8 cycle_bits[PERMUTATION_BITS_MAX];
} Permutation;

typedef enum { CYCLE_REAL, CYCLE_VIRTUAL, CYCLE_MIXED } CycleKind;

/* Permutation of n processors as a file gives it; it need not be a permutation of address bits. */
typedef struct {
    guint n;
    guint32 *to, *from;         /* [n]: processor to which x sends; processor from which x receives */
    gboolean moves;             /* whether any data moves */
} PermutationMap;

/* Reads a permutation of n processors from a file of n lines: line x, counted from 0, has the number to[x]. Equal
 * permutations share one map, which is never freed. Returns NULL with an error, which begins with `where` and quotes
 * `value`, the text that names the file. Errors: the file is unreadable or too large, or has a wrong number of lines;
 * a line is no number, is out of range or is there twice. */
const PermutationMap *permutation_map_read(const char *where, const char *value, const char *path, guint n,
                                           GError **error);

/* --- making --- */

/* Returns the permutation that moves nothing; `dimension` <= PERMUTATION_BITS_MAX, as in all functions below. */
Permutation permutation_identity(guint dimension);

/* Returns the permutation that takes bit i to bit to[i], i < n_bits; `to` must be a permutation of 0 to n_bits-1.
 * Cycles are in canonical order: each begins with its smallest dimension, and they are ordered by it. */
Permutation permutation_from_mapping(guint dimension, guint n_bits, const guint8 *to);

/* Parses a permutation of the addresses of an n-cube:
 *   identity
 *   bit-reversal             bit i to bit n-1-i
 *   transpose                of a matrix of 2^h x 2^h blocks, h = n/2 rounded down: bits 0 to h-1 trade places with
 *                            bits h to 2h-1; if n is odd the highest bit stays: one matrix in each half of the cube
 *   shuffle:K, unshuffle:K   bit i to bit (i + K) mod n, (i - K) mod n; 0 <= K <= PERMUTATION_BITS_MAX; ":1" may be
 *                            left out
 *   exchange:I,J             bits I and J trade places
 *   cycles:0,1,2,3/4,5,6     index cycles; the order of the cycles and the first of each are kept. "cycles:" may be
 *                            left out. Dimensions not named, or alone in a cycle, stay
 *   mapping:1,2,0            bit 0 to bit 1, bit 1 to bit 2, bit 2 to bit 0; dimensions beyond the last stay
 * Cycles, mappings and exchanges may name local dimensions, n to PERMUTATION_BITS_MAX-1. `where` begins the error
 * message. */
gboolean permutation_parse(const char *where, const char *text, guint dimension, Permutation *permutation,
                           GError **error);

/* Parses cycles as permutation_parse() does behind "cycles:"; refuses an empty cycle, and so "". */
gboolean permutation_parse_cycles(const char *where, const char *text, guint dimension, Permutation *permutation,
                                  GError **error);

/* Names of permutations, NULL-terminated; static. permutation_parse() reads all but "file", which it refuses. */
extern const char *const permutation_names[];

/* Returns the permutation of those cycles whose bit is set in `cycles`, in their order. Other dimensions stay. */
Permutation permutation_keep(const Permutation *permutation, guint32 cycles);

/* Returns the permutation of the real cycles alone. Table 2 counts only these if the permutation is separable. */
Permutation permutation_real_part(const Permutation *permutation);

/* --- using --- */

/* Returns dp(x), the new address of the element at x = `address`. If all cycles are real, x may be a processor. */
guint permutation_apply(const Permutation *permutation, guint address);

/* Returns the address from which an element goes to `address`. */
guint permutation_origin(const Permutation *permutation, guint address);

/* Whether two permutations of the same dimension take every address to the same place, whatever the order of cycles. */
gboolean permutation_equal(const Permutation *a, const Permutation *b);

/* --- looking --- */

/* Returns the dimensions of cycle i < n_cycles, a0 first. Sets *length to their number, at least 2. Borrowed. */
const guint8 *permutation_cycle(const Permutation *permutation, guint i, guint *length);
guint permutation_cycle_length(const Permutation *permutation, guint i);
CycleKind permutation_cycle_kind(const Permutation *permutation, guint i);

/* Returns sigma of Definitions 4 and 11, the number of dimensions that do not stay. */
guint permutation_order(const Permutation *permutation);
/* Returns sigma_p of Definitions 4 and 11, the number of processor dimensions that do not stay. */
guint permutation_real_order(const Permutation *permutation);
/* Returns sigma_s of Definitions 4 and 11, the number of local dimensions that do not stay. */
guint permutation_virtual_order(const Permutation *permutation);

/* Returns the number of local dimensions n, n+1, ... up to the highest that does not stay; 0 if all stay. */
guint permutation_local_dimensions(const Permutation *permutation);

/* Whether no cycle is mixed (Definition 10). */
gboolean permutation_is_separable(const Permutation *permutation);

/* Returns the largest distance between processors x and dp(x) of any element: sigma_p - oJ, where oJ is the number of
 * real cycles of odd order (Lemmas 3 and 4, Theorem 1). */
guint permutation_distance_max(const Permutation *permutation);

/* Returns "0,1,2,3/4,5,6", or "identity"; permutation_parse() reads it again. Caller frees. */
char *permutation_format(const Permutation *permutation);
