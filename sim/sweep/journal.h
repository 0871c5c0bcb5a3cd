/* The journal of a sweep: its finished points, in a file beside the output, so that a sweep can go on after it was
 * killed at any moment.
 *
 * The journal is a text file to which whole lines are appended: a head that identifies the sweep, then one entry per
 * finished point. Every line ends with its checksum. Text behind the last whole line is dropped: the sweep was killed
 * while it wrote this. The open file is locked (file_lock()), so that two sweeps cannot share it, unless its file
 * system has no locks. */
#pragma once

#include <glib.h>

/* Returns the seal of a text: the first SEAL_DIGITS hexadecimal digits of its SHA-256. A seal that no longer fits shows
 * an accidental change; it does not prevent forgery. Caller frees. */
#define SEAL_DIGITS 16
char *seal_make(const char *text);

typedef struct Journal Journal;

/* The result of a point. Wrong data is a result: the journal has it, with its fault. */
typedef struct {
    char *row;          /* line of the output, without the line's end; NULL: the point is not finished */
    char *fault;        /* why the point failed, or what is wrong with its result, or "" */
    gboolean failed;    /* whether the point came to no result; then the journal has no entry of it: it runs again */
    gboolean refused;   /* whether the point failed because of its input, and so will fail again */
} JournalEntry;

/* Frees the texts of entries[n] and the array. */
void journal_entries_free(JournalEntry *entries, guint n);

/* Opens the journal `path`, or makes it, and fills entries[n_entries], which are empty, from it. `head` is the line
 * that identifies the sweep. With `restart` a new file replaces an old one. Errors, ECUBE_ERROR_INPUT: the file belongs
 * to another sweep, is no journal, is a link, is in use, or cannot be read or written. Caller frees the journal with
 * journal_close(), and also the texts of the entries. */
Journal *journal_open(const char *path, const char *head, gboolean restart, JournalEntry *entries, guint n_entries,
                      GError **error);

/* Whether the journal is locked; FALSE: its file system has no locks. */
gboolean journal_is_locked(const Journal *journal);

/* Appends the entry of point `index`. From then on the entry is safe, whatever process is killed. */
gboolean journal_add(Journal *journal, guint index, const JournalEntry *entry, GError **error);

/* Deletes the file at the end of the sweep. */
gboolean journal_remove(const Journal *journal, GError **error);

/* Closes and unlocks the file, and frees the journal. */
void journal_close(Journal *journal);
