/* What shows that a text has been changed since it was written: the beginning of its SHA-256, in hexadecimal. It tells
 * accidents, not forgeries. */
#pragma once

#include <glib.h>

#define SEAL_DIGITS 16

/* The seal of a text, SEAL_DIGITS long. Caller frees. */
char *seal_make(const char *text);
