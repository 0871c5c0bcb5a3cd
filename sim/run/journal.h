/* The journal of a sweep: what has been finished, in a file beside the output, so that a sweep that was killed at any
 * moment can go on.
 *
 * A text file to which whole lines are appended: a head that says which sweep it is, then one entry per finished point.
 * Every line ends with a checksum of itself; what follows the last whole line is what was being written when the sweep
 * was killed, and is dropped. The file is locked (file_lock()) as long as it is open, so that two sweeps cannot share
 * it, unless its file system has no locks. */
#pragma once

#include <glib.h>

/* What shows that a text has been changed since it was written: the beginning of its SHA-256, in hexadecimal,
 * SEAL_DIGITS long. It shows accidents, not forgeries. Caller frees. */
#define SEAL_DIGITS 16
char *seal_make(const char *text);

typedef struct Journal Journal;

/* What has come of a point. */
typedef struct {
    char *row;          /* its line of the output, without the line's end; NULL: not finished */
    char *fault;        /* what is wrong with its result, or "" */
    gboolean failed;    /* it came to no result; such a point is not in the journal */
    gboolean refused;   /* because of its input: it will be again */
} JournalEntry;

/* Frees the texts of entries[n] and the array. */
void journal_entries_free(JournalEntry *entries, guint n);

/* Opens the journal `path`, making it if there is none, and fills entries[n_entries], all empty so far, with what is in
 * it. `head` identifies the sweep, one line. With `restart` a new file takes the place of what is there. Errors,
 * ECUBE_ERROR_INPUT: the file belongs to another sweep, is no journal, is a link, is in use, cannot be read or written.
 * Caller frees with journal_close(), and the entries' texts. */
Journal *journal_open(const char *path, const char *head, gboolean restart, JournalEntry *entries, guint n_entries,
                      GError **error);

/* Whether it is locked; FALSE: the file system has no locks. */
gboolean journal_is_locked(const Journal *journal);

/* Appends the entry of point `index`; it is safe from then on, whatever is killed. */
gboolean journal_add(Journal *journal, guint index, const JournalEntry *entry, GError **error);

/* Deletes the file, whose sweep has come to its end. */
gboolean journal_remove(const Journal *journal, GError **error);

/* Closes the file and unlocks it. */
void journal_close(Journal *journal);
