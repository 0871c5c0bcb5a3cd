/* Tables of whole numbers in a page: a column is short text, base64 of a number of bytes for each row, of which the
 * page's trace.js makes numbers again.
 *
 * A number is told by its difference to the one above (the first by itself). The magnitude of the difference comes in
 * pieces, the low bits first: 6 bits in the first byte, above the sign (bit 0), and 7 in each byte after it. Bit 7 says
 * that another byte follows. So neighbours that are nearly the same take one byte. */
#pragma once

#include <glib.h>

/* Appends a table as a member of a JSON object: "n", its rows, and the `columns`, NULL-terminated. `cells` are gint64
 * of a magnitude up to 2^53, row by row. */
void page_add_table(GString *json, const char *name, const char *const *columns, const GArray *cells);
