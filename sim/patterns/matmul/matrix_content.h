/* Contents of slots in matrix multiplication: pieces of matrices, with their elements.
 *
 * Elements are 64-bit integers, and sums and products are modulo 2^64. A generator gives the elements of C, D and E,
 * and each processor has its part of them at first. A message carries what its sender holds. A processor forms
 * products of what lies in its own memory. At the end every element of A, in its place, must equal the product that
 * is computed from the generator alone, in another order of loops. Elements of C and D are never written, so copies
 * share them; sums have storage of their own. */
#pragma once

#include "tile.h"
#include "sim/schedule/algorithm.h"

/* Home of a matrix: the slots of every processor in which the matrix lies at the beginning, and A at the end as
 * well. */
typedef struct {
    guint slot, n_slots;        /* first slot; number of slots, the same at every processor */
    Piece (*piece)(gconstpointer user, MatrixName matrix, guint node, guint i);     /* returns the piece in slot
                                                                                     * `slot` + i of `node` */
    gconstpointer user;
} Home;

/* Returns the home whose slots and pieces are those of `region`, which is borrowed. */
Home home_of_region(const Region *region);

/* Allocates a content without matrices; matrix_content_give() must add them before use. content_free() frees it. */
Content *matrix_content_new(const Multiplication *problem);

/* Makes `content` the content of `schedule`, and returns the schedule. `homes` (GArray of Home) are the homes of the
 * matrices of all multiplications, in the order of matrix_number(). schedule->n_slots grows to cover them. Sets
 * SCHEDULE_CONTENDS if some processors have more to do than others; `n_port` clears the flag in any case. */
Schedule *matrix_content_give(Content *content, const GArray *homes, gboolean n_port, Schedule *schedule);

/* Makes the content own `data`, which homes or local work borrow; frees it with `destroy`. */
void matrix_content_keep(Content *content, gpointer data, GDestroyNotify destroy);

/* --- local work --- */

/* Product of a piece c of C and a piece d of D. It is added to the patch `a` of A, or to a part of that patch. At most
 * one of the pieces has fewer elements than its patch. Of the column indices of c and the row indices of d, one set
 * contains the other. */
typedef struct {
    guint c_slot, d_slot, a_slot;   /* slots of the factors c and d, and of the sums */
    Piece c, d;                     /* factors */
    Patch a;                        /* patch of A to which the product is added */
    gboolean c_is_done, d_is_done;  /* whether this product is the last one with piece c, or with piece d; the slot of
                                     * that piece is then emptied */
} Product;

/* Fills in product number i that processor `node` forms in the operation whose Operation.count is k. FALSE if the
 * processor forms at most i products. */
typedef gboolean ProductNth(gconstpointer user, guint node, guint k, guint i, Product *out);

typedef enum {
    WORK_RECUT,         /* moves the elements in regions[0] to regions[1], cut into its pieces; this takes no time */
    WORK_MULTIPLY,      /* multiplies all elements of C in regions[0] by all of D in regions[1], and adds the products
                         * to the sums in regions[2], which is one slot */
    WORK_ADD,           /* adds the sums in regions[0] to those in regions[1], and empties regions[0] */
    WORK_PRODUCTS       /* forms the products that `nth` lists; Operation.count, which the caller sets, is the
                         * argument k of `nth` */
} MatrixWorkKind;

typedef struct {
    MatrixWorkKind kind;
    gboolean first;         /* whether products begin new sums, so that the first term of each sum takes no addition */
    guint matrix;           /* matrix_number() of the new sums; only used with `first` */
    Region regions[3];      /* regions of the operands, as MatrixWorkKind says. WORK_PRODUCTS: unused if `first` is
                             * FALSE; else [0] has all elements of one factor at a processor, [2] has the sums */
    gboolean by_rows;       /* WORK_PRODUCTS with `first`: whether regions[0] has elements of D; FALSE: of C */
    ProductNth *nth;        /* function that lists the products; WORK_PRODUCTS only */
    gconstpointer user;     /* first argument of `nth`; borrowed */
} MatrixWork;

/* Adds a copy of `work` to the content, and returns the operation that does this work. */
Operation matrix_work(Content *content, const MatrixWork *work);
