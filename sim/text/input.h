/* Values that users type or write into files: parsing, checking, and errors about them.
 *
 * Every function that can fail sets a GError in ECUBE_ERROR whose message is one line: the origin, the key, the bad
 * value, what is allowed. */
#pragma once

#include <glib.h>

#define ECUBE_ERROR ecube_error_quark()
GQuark ecube_error_quark(void);

typedef enum {
    ECUBE_ERROR_INPUT,  /* a file, key, value or limit that the user can mend: exit code 2 */
    ECUBE_ERROR_MEMORY, /* too little memory is free now: exit code 2 */
    ECUBE_ERROR_RUN,    /* a run that could not come to its end: exit code 1 */
    ECUBE_ERROR_SYSTEM  /* a failed system call, with its name: exit code 1 */
} EcubeError;

/* Sets an ECUBE_ERROR_INPUT and returns FALSE. Values of '%s', in quotes, are cut to their first 60 characters and
 * "..."; blanks other than ' ' and invisible characters in them become escapes (\xc2\xa0). Other long words, as
 * paths, lose their middle. */
gboolean input_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Sets an ECUBE_ERROR_SYSTEM for the failed `call` with its name and the text of errno. Returns FALSE. */
gboolean input_call_failed(const char *call, GError **error);

/* Largest time a run can count, in picoseconds: 2^53, the last double up to which every integer is exact
 * (9.007e9 µs, 2.5 hours). */
#define INPUT_TIME_MAX_PS ((gint64)1 << 53)

/* Largest scenario or machine file that is read, in bytes. */
#define INPUT_FILE_MAX ((gsize)1 << 20)

/* Whether `text` has a zero before another digit, as 007. Numbers must not: 1,000 in a list is a mistake for 1000. */
gboolean input_is_padded(const char *text);

/* Parses a finite decimal number: digits, perhaps a point and an exponent: 82.5, .5, 1e-3. A sign in front, blanks,
 * leading zeros and hexadecimal digits are not allowed. FALSE if `text` is no such number. */
gboolean input_parse_decimal(const char *text, double *value);

/* Parses `text`, a decimal number of µs (or µs per byte), and rounds it once, to whole picoseconds. Allowed: finite,
 * 0 <= value < 2^53 ps. `where` names the origin ("tau", "file.ini: [machine] tau") in the error. */
gboolean input_parse_ps(const char *where, const char *text, gint64 *ps, GError **error);
/* Parses a price per byte in µs into whole femtoseconds, with the limit of input_parse_ps(). Refuses a price that this
 * rounding changes by more than 0.1 %. */
gboolean input_parse_fs(const char *where, const char *text, gint64 *fs, GError **error);

/* Parses a whole number in [min, max]: digits without leading zeros. A k behind them multiplies by 1024, an M by
 * 1024 x 1024. */
gboolean input_parse_count(const char *where, const char *text, gint64 min, gint64 max, gint64 *value, GError **error);

/* Appends a number, as "%d" does. */
void input_put_number(GString *out, gint64 number);

/* Parses true or false; also yes and no, on and off, 1 and 0. */
gboolean input_parse_bool(const char *where, const char *text, gboolean *value, GError **error);

/* Sets *index to the place of `text` among the NULL-terminated `names`. Error: as input_refuse_name(). */
gboolean input_parse_choice(const char *where, const char *text, const char *const *names, guint *index,
                            GError **error);

/* Refuses `text`, which is none of the NULL-terminated `names`. The error lists the names, as input_list_names() with
 * `all`, and suggests the nearest. Returns FALSE. */
gboolean input_refuse_name(const char *where, const char *text, const char *const *names, const char *all,
                           GError **error);

/* Refuses `key`, which is none of the NULL-terminated `names`. The error suggests the nearest. Returns FALSE. */
gboolean input_refuse_key(const char *where, const char *key, const char *const *names, GError **error);

/* Returns "a, b, c". Of more than 12 names the text has the first 10 and the number of the others. `all` says where
 * to find all, as "`ecube list machines`", or is NULL. Caller frees. */
char *input_list_names(const char *const *names, const char *all);

/* Returns the nearest of the NULL-terminated `names` to `word` by edit distance; NULL: none is near. Borrowed. */
const char *input_nearest(const char *word, const char *const *names);

/* Returns the end of an error message about an unknown word: "; did you mean 'x'?" or "". Caller frees. */
char *input_hint(const char *word, const char *const *names);

/* Returns `text` as one line that can be shown anywhere. Control characters, line ends, and bytes that are not UTF-8 or
 * not printable become \n, \t, \r or \x1b. Names of files may have any byte but 0. Caller frees. */
char *input_printable(const char *text);

/* Splits `text` at any of `separators`, strips blanks and drops empty parts. Caller frees with g_strfreev(). */
char **input_split(const char *text, const char *separators);

/* Compares two strings, for g_ptr_array_sort(). */
int input_compare_names(gconstpointer a, gconstpointer b);

/* Returns the sorted names of the .ini files in `folder`, without ".ini". NULL with an error if the folder cannot be
 * read; the error calls the files `what`. Caller frees with g_strfreev(). */
char **input_list_folder(const char *folder, const char *what, GError **error);

/* Appends the file `path` to `text`: at most `max` bytes and one buffer more, so that a device or a huge file can't
 * fill the memory. FALSE with errno. */
gboolean input_read_bounded(const char *path, gsize max, GString *text);

/* Reads the text file `path`: at most `max` bytes (whole MiB), not blank. A byte order mark is removed. `utf8`: the
 * text must be UTF-8; FALSE for files that hold file names, whose encoding is any. Errors: missing, unreadable, a
 * directory, too large, binary, blank. Caller frees. */
char *input_load_text(const char *path, gsize max, gboolean utf8, GError **error);

/* Parses `text` as an INI file. Refuses the first line that does not belong in an INI file, or repeats a section or
 * key of an earlier line. `where` names the file in the error. Caller frees. */
GKeyFile *input_parse_keyfile(const char *where, const char *text, GError **error);

/* Refuses the key `given`, the former name of `now`, if `section` has the key `now` as well. TRUE otherwise, also if
 * both are the same name. */
gboolean input_check_former(GKeyFile *file, const char *path, const char *section, const char *given, const char *now,
                            GError **error);

/* Reads the INI file `path`, a text in UTF-8 of at most INPUT_FILE_MAX bytes. Caller frees. */
GKeyFile *input_load_keyfile(const char *path, GError **error);
