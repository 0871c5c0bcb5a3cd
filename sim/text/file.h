/* Files: which of them a path means, and replacing one whole or not at all. */
#pragma once

#include <glib.h>

/* The path of the file that `path` means, without links, also if it does not exist yet. NULL with errno if its folder
 * does not. Caller frees. */
char *file_resolve(const char *path);

/* Whether two paths mean one file, by whatever links: one that exists, or the same name in the same folder. Devices and
 * pipes are never the same, as nothing in them is lost. */
gboolean file_is_same(const char *a, const char *b);

/* Writes `length` bytes to an open file, or appends all that a file has to `text`, through interruptions. FALSE with
 * errno. */
gboolean file_write_all(int fd, gconstpointer data, gsize length);
gboolean file_read_all(int fd, GString *text);

/* Locks an open file for this process; children do not have the lock, and it dies with its process. FALSE with errno:
 * EAGAIN if another process has it, ENOLCK if the file system has no locks. */
gboolean file_lock(int fd);

/* What is written piece by piece. To a file, it is written whole or not at all: a new file beside `path` takes the
 * place of the old one at the end; links to `path` stay links. The new file has the name of the old one and ".ecube-"
 * and six letters until then, and is locked. It is removed when a signal ends the process; the next one removes those
 * that a kill has left behind. There is one such file at a time. Devices and pipes are written as they are. */
typedef struct Output Output;

/* `path` NULL or "-" is standard output. Error: ECUBE_ERROR_INPUT. */
Output *output_open(const char *path, GError **error);
gboolean output_is_stdout(const char *path);

/* An output that appends to `text`, which is borrowed. */
Output *output_gather(GString *text);

/* Writes a piece. FALSE if that, or one before it, has failed: nothing more is written. */
gboolean output_add(Output *out, gconstpointer data, gsize length);

/* Frees the output. `whole`: all of it has been added; else a file is as it was. FALSE if it is not whole, or not
 * written: then with an ECUBE_ERROR_INPUT. */
gboolean output_close(Output *out, gboolean whole, GError **error);

/* Writes `text` to the file `path`, whole or not at all (a new file takes the old one's place at the end), or to
 * standard output if `path` is NULL or "-". Error: ECUBE_ERROR_INPUT. */
gboolean output_write(const char *path, const char *text, GError **error);

/* The same for `length` bytes of any kind. */
gboolean output_write_data(const char *path, const char *data, gsize length, GError **error);

/* Whether `path` could be written, asked before a long run. Error as output_write(). */
gboolean output_check_path(const char *path, GError **error);

/* Finds the format of an output in the NULL-terminated `formats`: `name`, the value of --format, or else the format
 * that the end of `path` says, as .csv. `*format` stays if neither says one; both may be NULL. Refuses a `path` whose
 * end says another format; `hint` ends that error. Error: ECUBE_ERROR_INPUT. */
gboolean output_parse_format(const char *const *formats, const char *name, const char *path, const char *hint,
                             guint *format, GError **error);

/* Refuses the file `path`, the value of `option`, if it is the same (file_is_same()) as the file or standard output
 * `other`, which is read or written as well, as the `what`. Error: ECUBE_ERROR_INPUT. */
gboolean output_check_apart(const char *option, const char *path, const char *what, const char *other, GError **error);

/* Removes what killed processes have left of new files for `path`: such files of this user that nobody has locked. */
void file_remove_left(const char *path);
