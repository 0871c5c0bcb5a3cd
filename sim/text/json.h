/* JSON, written piece by piece. Numbers do not depend on the locale. A comma goes before each value that follows
 * another in its array or object. `name` is the name of a member of an object; NULL for any other value. */
#pragma once

#include <glib.h>

/* Appends `bytes` in quotes; invalid UTF-8 becomes U+FFFD. */
void json_put_string(GString *out, const char *bytes);

/* Begins an object, '{', or an array, '['. */
void json_begin(GString *out, const char *name, char bracket);
void json_end(GString *out, char bracket);

/* Appends a text in quotes, or null if `text` is NULL. */
void json_add_text(GString *out, const char *name, const char *text);
void json_add_number(GString *out, const char *name, gint64 number);
/* Appends `json` as it is. */
void json_add_json(GString *out, const char *name, const char *json);
