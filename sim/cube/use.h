/* Programs whose communication is the complete exchange: the uses of it that Bokhari 1993 (sec. 2) and Nicol & Bokhari
 * 1994 (sec. 1) name.
 *
 * An array of n x n elements lies on N = 2^d processors, each of which has k = n/N rows of it. A block is the part of a
 * processor's rows in the columns with the numbers of another processor's rows: k x k elements, m = 8 k^2 bytes. The
 * processors work on their rows. Then a complete exchange of the blocks, and a transposition of each block within its
 * processor, transpose the array: processors have columns. Then they work again. */
#pragma once

#include <glib.h>

#define USE_ELEMENT_BYTES 8

typedef enum { USE_TRANSPOSITION, USE_FFT, USE_ADI } UseKind;

typedef struct {
    UseKind kind;
    const char *name;           /* name of the pattern that simulates this use */
    guint n_exchanges;
    gboolean halves_rows;       /* whether the work halves rows repeatedly: k must be 0 or a power of 2 */
    gint64 (*row_operations)(gint64 n);     /* operations of arithmetic for one row of n >= 1 elements; NULL: none */
} ExchangeUse;

/* Uses, indexed by UseKind. */
extern const ExchangeUse exchange_uses[];

/* Returns the largest k for which k x k elements fit into a block of `bytes`. */
gint64 use_side(gint64 bytes);

/* Returns NULL if blocks of `bytes` are allowed, else a text for people with the sizes that are. Static. */
const char *use_sizes(const ExchangeUse *use, gint64 bytes);

/* Returns the operations of arithmetic of each processor on all its rows, once; at most INPUT_TIME_MAX_PS. */
gint64 use_operations(const ExchangeUse *use, guint dimension, gint64 bytes);

/* Returns the bytes that each processor moves within its memory to transpose its blocks: all, or none if a block is a
 * single element. The exchange's own rearrangements do not count. */
gint64 use_copied_bytes(guint dimension, gint64 bytes);
