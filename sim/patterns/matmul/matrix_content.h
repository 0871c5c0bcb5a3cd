/* What slots hold in matrix multiplication: pieces of matrices, with their elements.
 *
 * Elements are 64-bit integers, and sums and products are modulo 2^64. Those of C, D and E come from a generator, and
 * each processor has its own ones at first. What a message carries is what its sender holds; a product is formed of
 * what lies in the memory of the processor that forms it. At the end every element of A, in its place, must equal the
 * product that is computed from the generator alone, in another order of loops. Elements of C and D are never
 * written, so copies share them; sums have storage of their own. */
#pragma once

#include "tile.h"
#include "sim/schedule/algorithm.h"

/* Where a matrix is at first, and A at the end: slots slot ... slot + n_slots - 1. */
typedef struct {
    guint slot, n_slots;
    Piece (*piece)(gconstpointer user, MatrixName matrix, guint node, guint i);     /* of slot number i */
    gconstpointer user;
} Home;

/* The home that is a region, which is borrowed. */
Home home_of_region(const Region *region);

/* Freed by content_free(). matrix_content_give() must say where matrices are before it is used. */
Content *matrix_content_new(const Multiplication *problem);

/* Gives the content to a schedule, which gets room for what the matrices are in at first: homes[] (Home) of the
 * matrices of all multiplications, in the order of matrix_number(). With `n_port` nothing contends. Returns the
 * schedule. */
Schedule *matrix_content_give(Content *content, const GArray *homes, gboolean n_port, Schedule *schedule);

/* Keeps what homes and local work borrow, and frees it at the end. */
void matrix_content_keep(Content *content, gpointer data, GDestroyNotify destroy);

/* --- local work --- */

/* A piece of C in one slot times a piece of D in another, added to the patch of A in a third, or to a part of it. One
 * piece at most is less than a patch. The columns of C's are rows of D's, or the rows of D's columns of C's. */
typedef struct {
    guint c_slot, d_slot, a_slot;
    Piece c, d;
    Patch a;
    gboolean c_is_done, d_is_done;  /* it was the piece's last product: it is given up */
} Product;

/* Fills in product number i of a processor in step k; FALSE: there are fewer. */
typedef gboolean ProductNth(gconstpointer user, guint node, guint k, guint i, Product *out);

typedef enum {
    WORK_RECUT,         /* the pieces of regions[0] become those of regions[1], which has the same elements; for
                         * nothing */
    WORK_MULTIPLY,      /* all that a processor has of C in regions[0] times all of D in regions[1], added to what it
                         * has of A in regions[2], which is one slot */
    WORK_ADD,           /* what a processor has of sums in regions[0] is added to regions[1]; the sums are gone */
    WORK_PRODUCTS       /* several products, as `nth` says; k is the operation's `count`, to be set */
} MatrixWorkKind;

typedef struct {
    MatrixWorkKind kind;
    gboolean first;         /* products begin sums: of each, the first term takes no addition */
    guint matrix;           /* then, the number of these, */
    Region regions[3];      /* of several products the third, where the sums belong, and the first, all that a processor
                             * has of C, */
    gboolean by_rows;       /* or of D */
    ProductNth *nth;
    gconstpointer user;     /* borrowed */
} MatrixWork;

Operation matrix_work(Content *content, const MatrixWork *work);
