/* What slots hold in matrix multiplication: pieces of matrices, with their elements.
 *
 * Elements are 64-bit integers, and sums and products are modulo 2^64. A generator gives the elements of C, D and E,
 * and each processor has its own ones at first. A message carries what its sender holds. A processor forms products of
 * what lies in its own memory. At the end every element of A, in its place, must equal the product that is computed
 * from the generator alone, in another order of loops. Elements of C and D are never written, so copies share them;
 * sums have storage of their own. */
#pragma once

#include "tile.h"
#include "sim/schedule/algorithm.h"

/* The slots in which a matrix begins (in which A ends, too): slot ... slot + n_slots - 1 of every processor. */
typedef struct {
    guint slot, n_slots;        /* first slot, and number of slots */
    Piece (*piece)(gconstpointer user, MatrixName matrix, guint node, guint i);     /* returns the piece of slot slot +
                                                                                     * i */
    gconstpointer user;
} Home;

/* Returns the slots of `region` as a Home: where a matrix begins. `region` is borrowed. */
Home home_of_region(const Region *region);

/* Allocates a content without matrices; matrix_content_give() must add them before use. content_free() frees it. */
Content *matrix_content_new(const Multiplication *problem);

/* Makes `content` the content of `schedule`, and returns the schedule. `homes` (GArray of Home) has the slots in which
 * each matrix of each multiplication is at first, in the order of matrix_number(). schedule->n_slots grows to cover
 * these. Sets or clears SCHEDULE_CONTENDS; with `n_port` no messages contend. */
Schedule *matrix_content_give(Content *content, const GArray *homes, gboolean n_port, Schedule *schedule);

/* Makes the content own `data`, which homes or local work borrow; frees it with `destroy`. */
void matrix_content_keep(Content *content, gpointer data, GDestroyNotify destroy);

/* --- local work --- */

/* A piece of C in one slot times a piece of D in another, added to the patch `a` of A in a third, or to a part of it.
 * At most one piece is less than its patch. The columns of c are among the rows of d, or the rows of d among the
 * columns of c. */
typedef struct {
    guint c_slot, d_slot, a_slot;   /* slots of the factors and of the sum */
    Piece c, d;                     /* factors */
    Patch a;                        /* patch of A to which the product is added */
    gboolean c_is_done, d_is_done;  /* whether it is the last product with piece c, or d, which is then given up */
} Product;

/* Fills in product number i of processor `node` in step k; FALSE if it has fewer products. */
typedef gboolean ProductNth(gconstpointer user, guint node, guint k, guint i, Product *out);

typedef enum {
    WORK_RECUT,         /* the pieces of regions[0] become those of regions[1], the same elements; in no time */
    WORK_MULTIPLY,      /* all that a processor has of C in regions[0] times all of D in regions[1], added to what it
                         * has of A in regions[2], which is one slot */
    WORK_ADD,           /* the sums in regions[0] are added to regions[1], and are gone */
    WORK_PRODUCTS       /* several products: the caller sets `count` of the operation to their number, and `nth` returns
                         * each of them */
} MatrixWorkKind;

typedef struct {
    MatrixWorkKind kind;
    gboolean first;         /* whether products begin sums: the first term of each sum takes no addition */
    guint matrix;           /* matrix_number() of the sums; with `first` only */
    Region regions[3];      /* regions of the operands: the factors [0] and [1] and the sums [2] of WORK_MULTIPLY, the
                             * terms and the sums of WORK_ADD; see MatrixWorkKind. WORK_PRODUCTS with `first`: [0] all
                             * that a processor has of one factor, [2] the sums */
    gboolean by_rows;       /* whether regions[0] is of D, not of C; WORK_PRODUCTS only */
    ProductNth *nth;        /* function that lists the products; WORK_PRODUCTS only */
    gconstpointer user;     /* first argument of `nth`; borrowed */
} MatrixWork;

/* Adds `work`, which is copied, to the content. Returns the operation that does it. */
Operation matrix_work(Content *content, const MatrixWork *work);
