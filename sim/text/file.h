/* Files: which of them a path means, and replacing one whole or not at all. */
#pragma once

#include <glib.h>

/* Returns the path, without links, of the file that `path` means. The file itself need not exist. NULL with errno if
 * its folder does not exist. Caller frees. */
char *file_resolve(const char *path);

/* Whether two paths mean one file, through whatever links: an existing file, or the same name in the same folder.
 * Always FALSE for devices and pipes, as nothing in them is lost. */
gboolean file_is_same(const char *a, const char *b);

/* Writes `length` bytes to an open file; goes on after interruptions. FALSE with errno. */
gboolean file_write_all(int fd, gconstpointer data, gsize length);
/* Appends the whole content of an open file to `text`; goes on after interruptions. FALSE with errno. */
gboolean file_read_all(int fd, GString *text);

/* Locks an open file for this process. Children do not inherit the lock; it ends with the process. FALSE with errno:
 * EAGAIN if another process holds the lock, ENOLCK if the file system has no locks. */
gboolean file_lock(int fd);

/* Output that is written piece by piece. A file is written whole or not at all: a new file beside `path` replaces the
 * old one at the end; links to `path` stay links. Until then the new file has the old one's name, ".ecube-" and six
 * letters, and is locked. A signal that ends the process removes it; the next output to `path` removes those that a
 * kill left behind. At most one such file exists at a time. Devices and pipes are written as they are. */
typedef struct Output Output;

/* Opens an output to the file `path`, or to standard output if `path` is NULL or "-". Error: ECUBE_ERROR_INPUT. */
Output *output_open(const char *path, GError **error);
gboolean output_is_stdout(const char *path);

/* Returns an output that appends to `text`, which is borrowed. */
Output *output_gather(GString *text);

/* Writes a piece. FALSE if this piece or one before it failed; then nothing more is written. */
gboolean output_add(Output *out, gconstpointer data, gsize length);

/* Frees the output. `whole`: all of it has been added; otherwise the old file stays as it was. FALSE without an error
 * if not `whole`; FALSE with an ECUBE_ERROR_INPUT if writing failed. */
gboolean output_close(Output *out, gboolean whole, GError **error);

/* Writes `text` to the file `path`, or to standard output if `path` is NULL or "-". A file is written whole or not at
 * all: a new file takes the old one's place at the end. Error: ECUBE_ERROR_INPUT. */
gboolean output_write(const char *path, const char *text, GError **error);

/* Writes `length` bytes of any kind as output_write() writes a text. Error: ECUBE_ERROR_INPUT. */
gboolean output_write_data(const char *path, const char *data, gsize length, GError **error);

/* Checks, before a long run, that `path` can be written. Error as output_write(). */
gboolean output_check_path(const char *path, GError **error);

/* Finds the format of an output in the NULL-terminated `formats`: `name`, the value of --format, or else the format
 * that the end of `path` implies, as .csv. `*format` stays if neither gives one; both may be NULL. Refuses a `path`
 * whose end implies another format; `hint` ends that error. Error: ECUBE_ERROR_INPUT. */
gboolean output_parse_format(const char *const *formats, const char *name, const char *path, const char *hint,
                             guint *format, GError **error);

/* Refuses the file `path`, the value of `option`, if it is the same file (file_is_same()) as `other`, a path or
 * standard output, which is read or written as well. The error calls it the `what`. Error: ECUBE_ERROR_INPUT. */
gboolean output_check_apart(const char *option, const char *path, const char *what, const char *other, GError **error);

/* Removes new files for `path` that killed processes left behind: files of this user that no process has locked. */
void file_remove_left(const char *path);
