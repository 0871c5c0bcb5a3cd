/* Files: which file a path means, and how a file is replaced wholly or not at all. */
#pragma once

#include <glib.h>

/* Returns the path, without links, of the file that `path` means. The file itself need not exist. NULL with errno, as
 * for a missing folder or a circle of links. Caller frees. */
char *file_resolve(const char *path);

/* Whether two paths mean one plain file, through whatever links: an existing one, or the same name in the same folder
 * if neither exists. FALSE for devices and pipes, as nothing in them can be lost. */
gboolean file_is_same(const char *a, const char *b);

/* Writes `length` bytes to an open file; goes on after interruptions. FALSE with errno. */
gboolean file_write_all(int fd, gconstpointer data, gsize length);
/* Appends the whole content of an open file to `text`; goes on after interruptions. FALSE with errno. */
gboolean file_read_all(int fd, GString *text);

/* Locks an open file for this process. Children do not inherit the lock; it ends with the process. FALSE with errno:
 * EAGAIN if another process holds the lock, ENOLCK if the file system has no locks. */
gboolean file_lock(int fd);

/* Output that is written piece by piece. A file is written whole or not at all: a new file beside the old one replaces
 * it at the end. If `path` is a symbolic link, its target is replaced. Until then the new file is locked, and has the
 * old name with ".ecube-" and six letters or digits. A signal that ends the process removes it; the next output to
 * `path` removes new files that a kill left behind. A program writes one such file at a time. Devices and pipes are
 * written directly. */
typedef struct Output Output;

/* Opens an output to the file `path`, or to standard output if `path` is NULL or "-". Error: ECUBE_ERROR_INPUT. */
Output *output_open(const char *path, GError **error);
gboolean output_is_stdout(const char *path);

/* Returns an output that appends to `text`, which is borrowed. */
Output *output_gather(GString *text);

/* Writes a piece. FALSE if this or an earlier piece failed; after a failure nothing more is written. */
gboolean output_add(Output *out, gconstpointer data, gsize length);

/* Closes and frees the output. `whole` says that all of it has been added; otherwise the old file stays. FALSE
 * without an error if not `whole`, FALSE with an ECUBE_ERROR_INPUT if writing failed. */
gboolean output_close(Output *out, gboolean whole, GError **error);

/* Writes `text` to the file `path`, whole or not at all: a new file takes the old one's place at the end. `path` NULL
 * or "-": to standard output, with sentences wrapped to a terminal's width. Error: ECUBE_ERROR_INPUT. */
gboolean output_write(const char *path, const char *text, GError **error);

/* Writes `length` bytes of any kind to `path` as output_write(), but unchanged. Error: ECUBE_ERROR_INPUT. */
gboolean output_write_data(const char *path, const char *data, gsize length, GError **error);

/* Checks that `path` can be written, for use before a long run. Error: ECUBE_ERROR_INPUT. */
gboolean output_check_path(const char *path, GError **error);

/* Sets `*format` to the index of `name`, the value of --format, in the NULL-terminated `formats`. Without `name` the
 * ending of `path`, as .csv, implies the format. `name` and `path` may be NULL; `*format` stays if neither gives one.
 * Refuses a `path` whose ending implies another format; `hint` ends that error. Error: ECUBE_ERROR_INPUT. */
gboolean output_parse_format(const char *const *formats, const char *name, const char *path, const char *hint,
                             guint *format, GError **error);

/* Refuses the file `path`, the value of `option`, if it is the same file as `other` (file_is_same()), which would be
 * lost. `other` is a path or "-", standard output; the error calls it `what`. Error: ECUBE_ERROR_INPUT. */
gboolean output_check_apart(const char *option, const char *path, const char *what, const char *other, GError **error);

/* Removes new files for `path` that killed processes left behind: files of this user that no process has locked. */
void file_remove_left(const char *path);
