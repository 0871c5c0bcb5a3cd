/* What users type and write into files: reading it, judging it, and saying what is wrong with it.
 *
 * Every function that can fail sets a GError in ECUBE_ERROR whose message is one line: where it came from, the key,
 * the bad value, what is allowed. */
#pragma once

#include <glib.h>

#define ECUBE_ERROR ecube_error_quark()
GQuark ecube_error_quark(void);

typedef enum {
    ECUBE_ERROR_INPUT,  /* a file, key, value or limit that the user can mend: exit code 2 */
    ECUBE_ERROR_MEMORY, /* too little of it is free now: exit code 2 */
    ECUBE_ERROR_RUN,    /* a run that could not come to its end: exit code 1 */
    ECUBE_ERROR_SYSTEM  /* a system call that failed, by its name: exit code 1 */
} EcubeError;

/* Sets an ECUBE_ERROR_INPUT. FALSE, so that it can be returned. What `format` has as '%s', in quotes, is cut to 60
 * characters and "...", and what looks like a blank or nothing is shown as \xc2\xa0; of a longer word, as a path, the
 * middle is left out. */
gboolean input_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Sets the ECUBE_ERROR_SYSTEM of a call that has just failed: its name and what errno says. FALSE. */
gboolean input_call_failed(const char *call, GError **error);

/* Largest time a run can count, in picoseconds: 2^53, the last double up to which every integer is exact
 * (9.007e9 µs, 2.5 hours). */
#define INPUT_TIME_MAX_PS ((gint64)1 << 53)

/* Largest file that is read as a scenario or a machine, in bytes. */
#define INPUT_FILE_MAX ((gsize)1 << 20)

/* Whether `text` has a zero before another digit: 007. No number may, as lists have such parts by mistake: 1,000. */
gboolean input_is_padded(const char *text);

/* Parses a finite decimal number: digits, a point among or beside them, and an exponent: 82.5, .5, 1e3. It has no sign,
 * blanks, leading zeros or hexadecimal digits. FALSE: `text` is none. */
gboolean input_parse_decimal(const char *text, double *value);

/* Parses `text`, a decimal number of µs (or µs per byte), and rounds it to whole picoseconds, once.
 * Allowed: finite, 0 <= value < 2^53 ps. `where` names the origin ("tau", "file.ini: [machine] tau") in the error. */
gboolean input_parse_ps(const char *where, const char *text, gint64 *ps, GError **error);

/* Parses a whole number in [min, max]: decimal digits without leading zeros, behind which k stands for 1024 and
 * M for 1024 k. */
gboolean input_parse_count(const char *where, const char *text, gint64 min, gint64 max, gint64 *value, GError **error);

/* Appends a number, as "%d" does. */
void input_put_number(GString *out, gint64 number);

/* Parses true/false (also yes/no, on/off, 1/0). */
gboolean input_parse_bool(const char *where, const char *text, gboolean *value, GError **error);

/* Finds `text` in the NULL-terminated `names`; on failure the error is that of input_refuse_name(). */
gboolean input_parse_choice(const char *where, const char *text, const char *const *names, guint *index,
                            GError **error);

/* Refuses `text`, which is none of the NULL-terminated `names`. The error lists them, as input_list_names() does, and
 * suggests the nearest. FALSE. */
gboolean input_refuse_name(const char *where, const char *text, const char *const *names, const char *all,
                           GError **error);

/* Refuses `key`, which is none of the NULL-terminated `names`. The error suggests the nearest and lists none. FALSE. */
gboolean input_refuse_key(const char *where, const char *key, const char *const *names, GError **error);

/* "a, b, c". Of more than 12 names the first 10, how many more there are, and where `all` of them stand: "`ecube list
 * machines`", or NULL. Caller frees. */
char *input_list_names(const char *const *names, const char *all);

/* Nearest of the NULL-terminated `names` to `word` by edit distance, or NULL if none is near. Borrowed from `names`. */
const char *input_nearest(const char *word, const char *const *names);

/* Text for the end of an error message about an unknown word: "; did you mean 'x'?" or "". Caller frees. */
char *input_hint(const char *word, const char *const *names);

/* `text` as one line that can be shown anywhere: control characters and line ends become \n, \t or \x1b, and so do the
 * bytes of what is no UTF-8 or is not printed. Names of files are bytes, and any byte but 0 may be in them. Caller
 * frees. */
char *input_printable(const char *text);

/* Splits `text` at any of `separators`, strips blanks and drops empty parts. Caller frees with g_strfreev(). */
char **input_split(const char *text, const char *separators);

/* Orders strings, for g_ptr_array_sort(). */
int input_compare_names(gconstpointer a, gconstpointer b);

/* The names of the .ini files in `folder`, without that ending, sorted. `what` they are is for the error: the folder
 * cannot be read. Caller frees with g_strfreev(). */
char **input_list_folder(const char *folder, const char *what, GError **error);

/* Reads the file `path`, without a byte-order mark: at most `max` bytes (whole MiB) of text, not blank, and of `utf8`
 * unless names of files may be in it, which have any encoding. Errors: missing, unreadable, a directory, too large,
 * binary. Caller frees. */
char *input_load_text(const char *path, gsize max, gboolean utf8, GError **error);

/* Reads the text of an INI file, which `where` names in the error: the first line that is none, or whose section or key
 * stands on an earlier one. Caller frees. */
GKeyFile *input_parse_keyfile(const char *where, const char *text, GError **error);

/* Reads the INI file `path`, a text in UTF-8 of at most INPUT_FILE_MAX bytes. The caller owns the result. */
GKeyFile *input_load_keyfile(const char *path, GError **error);
