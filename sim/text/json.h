/* JSON, written piece by piece. Numbers do not depend on the locale. What stands behind something else in the same
 * array or object gets its comma. `name` is a member's name, or NULL for what is in an array or stands alone. */
#pragma once

#include <glib.h>

/* Appends `bytes` in quotes; what is no UTF-8 becomes U+FFFD. */
void json_put_string(GString *out, const char *bytes);

/* Begins and ends an object, '{' and '}', or an array, '[' and ']'. */
void json_begin(GString *out, const char *name, char bracket);
void json_end(GString *out, char bracket);

/* NULL becomes null. */
void json_add_text(GString *out, const char *name, const char *text);
void json_add_number(GString *out, const char *name, gint64 number);
/* What is JSON already. */
void json_add_json(GString *out, const char *name, const char *json);
