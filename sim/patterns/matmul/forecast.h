/* What is known of local work before anything moves. `works` are Work, in the order in which they are done. */
#pragma once

#include "local_work.h"

/* Bytes of pieces with so many elements in so many slots, at most; and of all that local work makes, or has there for a
 * while, on the processors of a cube. */
gsize forecast_bytes_of(guint64 elements, guint64 n_slots);
gsize forecast_storage(const GArray *works, guint dimension);

/* Appends what work number i does at `node`, in acts with semicolons between them: "multiplies slots 0-1 by slot 2,
 * into slot 3 of 8 elements". Nothing, if it does nothing there. `k` is for products. */
void forecast_tell(const GArray *works, guint i, guint node, guint k, GString *out);
