/* A product of what lies in slots. */
#pragma once

#include "region.h"

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
