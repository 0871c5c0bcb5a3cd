/* Elements of HTML and SVG. */
#pragma once

#include <glib.h>

/* Appends `format` as printf() does, with &, <, > and quotes escaped in the arguments. */
void html_put(GString *out, const char *format, ...) G_GNUC_PRINTF(2, 3);
