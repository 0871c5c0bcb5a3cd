/* Files: which of them a path means, and replacing one whole or not at all. */
#pragma once

#include <glib.h>

/* The path of the file that `path` means, without links, also if it does not exist yet. NULL with errno if its folder
 * does not. Caller frees. */
char *file_resolve(const char *path);

/* Whether two paths mean one file, by whatever links: one that exists, or the same name in the same folder. Devices and
 * pipes are never the same, as nothing in them is lost. */
gboolean file_is_same(const char *a, const char *b);

/* Writes `length` bytes to an open file, through interruptions. FALSE with errno. */
gboolean file_write_all(int fd, gconstpointer data, gsize length);

/* Writes `length` bytes to a new file beside `path`, which takes the place of the old one at the end; links to `path`
 * stay links. The new file has the name of the old one and ".ecube-" and six letters until then, and is locked; those
 * that a kill has left behind are removed. Error: ECUBE_ERROR_INPUT; then the old file is as it was. */
gboolean file_replace(const char *path, const char *data, gsize length, GError **error);

/* Removes what killed processes have left of file_replace(path): such files of this user that nobody has locked. */
void file_remove_left(const char *path);
