#include "journal.h"
#include "sim/text/input.h"
#include "sim/text/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIELDS 3        /* number of fields of an entry: index, row, fault */

struct Journal {
    char *path;
    int fd;
    gboolean is_locked;
};

static gboolean journal_fail(const char *path, const char *what, GError **error)
{
    return input_refuse(error, "%s: %s: %s", path, what, g_strerror(errno));
}

/* --- lines --- */

char *seal_make(const char *text)
{
    g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    return g_strndup(sum, SEAL_DIGITS);
}

/* Returns the line "text<TAB>checksum\n". Caller frees. */
static char *sealed(const char *text)
{
    g_autofree char *sum = seal_make(text);
    return g_strdup_printf("%s\t%s\n", text, sum);
}

/* Whether `line`, of `length` characters without its end of line, ends with its right seal. Cuts the seal off. */
static gboolean unseal(char *line, gsize length)
{
    if (strlen(line) != length || length <= SEAL_DIGITS || line[length - SEAL_DIGITS - 1] != '\t')
        return FALSE;
    char *sum = line + length - SEAL_DIGITS;
    sum[-1] = '\0';
    g_autofree char *right = seal_make(line);
    return strcmp(sum, right) == 0;
}

static gboolean journal_append(Journal *journal, const char *text, GError **error)
{
    g_autofree char *line = sealed(text);
    return file_write_all(journal->fd, line, strlen(line)) || journal_fail(journal->path, "cannot be written", error);
}

gboolean journal_add(Journal *journal, guint index, const JournalEntry *entry, GError **error)
{
    g_autofree char *row = g_strescape(entry->row, "\"");
    g_autofree char *fault = g_strescape(entry->fault, "\"");
    g_autofree char *text = g_strdup_printf("%u\t%s\t%s", index, row, fault);
    return journal_append(journal, text, error);
}

/* Whether a character follows every backslash of the field, as g_strcompress() requires. */
static gboolean is_escaped(const char *field)
{
    for (; *field; field++)
        if (*field == '\\' && *++field == '\0')
            return FALSE;
    return TRUE;
}

/* Reads an entry into entries[index]. FALSE if the text is no entry or its index is not below n_entries. */
static gboolean read_entry(const char *text, JournalEntry *entries, guint n_entries)
{
    g_auto(GStrv) fields = g_strsplit(text, "\t", -1);
    gint64 index;
    if (g_strv_length(fields) != FIELDS || !is_escaped(fields[1]) || !is_escaped(fields[2]) ||
        !input_parse_count("", fields[0], 0, (gint64)n_entries - 1, &index, NULL))
        return FALSE;
    g_free(entries[index].row);
    g_free(entries[index].fault);
    entries[index] = (JournalEntry){.row = g_strcompress(fields[1]), .fault = g_strcompress(fields[2])};
    return TRUE;
}

/* --- opening --- */

/* Locks the file. Sets `is_locked` to FALSE without an error if its file system has no locks. Errors: another process
 * has the lock; the lock failed for another reason, and then an empty file is also removed. */
static gboolean lock(const char *path, int fd, gboolean is_empty, gboolean *is_locked, GError **error)
{
    *is_locked = file_lock(fd);
    if (*is_locked || errno == ENOLCK)
        return TRUE;
    if (errno == EAGAIN)
        return input_refuse(error, "%s: is in use: another sweep writes this output", path);
    journal_fail(path, "cannot be locked", error);
    if (is_empty)
        unlink(path);
    return FALSE;
}

/* Refuses symbolic links and files that are not regular: writing through a link changes another file. */
static gboolean check_regular(const char *path, const struct stat *status, GError **error)
{
    const char *what = S_ISLNK(status->st_mode) ? "a symbolic link" : "not a regular file";
    return S_ISREG(status->st_mode) ||
           input_refuse(error, "%s: is %s; remove it, or choose another output", path, what);
}

/* Opens the file without following a link, and makes it if it is missing. Returns -1 with an error. */
static int open_own(const char *path, GError **error)
{
    struct stat status;
    if (lstat(path, &status) == 0 && !check_regular(path, &status, error))
        return -1;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0666);
    if (fd < 0)
        journal_fail(path, "cannot be opened", error);
    return fd;
}

/* Opens and locks the file. `restart` replaces a file that is not empty by a new one: truncation would change the
 * file's other hard links, too. Tries again if another sweep has removed the file before the lock was set. Returns -1
 * with an error. */
static int open_locked(const char *path, gboolean restart, gboolean *is_locked, GError **error)
{
    for (;;) {
        int fd = open_own(path, error);
        struct stat opened, there;
        if (fd < 0)
            return -1;
        gboolean ok = (fstat(fd, &opened) == 0 || journal_fail(path, "cannot be read", error)) &&
                      check_regular(path, &opened, error) && lock(path, fd, opened.st_size == 0, is_locked, error);
        if (ok && lstat(path, &there) == 0 && opened.st_ino == there.st_ino && opened.st_dev == there.st_dev) {
            if (!restart || opened.st_size == 0)
                return fd;
            ok = unlink(path) == 0 || journal_fail(path, "cannot be removed", error);
        }
        close(fd);
        if (!ok)
            return -1;
    }
}

/* Returns the length of the line that begins at text->str[at], with its end of line; 0 if it has no end of line. */
static gsize line_length(const GString *text, gsize at)
{
    const char *end = memchr(text->str + at, '\n', text->len - at);
    return end ? (gsize)(end - text->str) + 1 - at : 0;
}

/* Refuses a text that does not begin with the sealed `head`. Sets `used` to the length of the head, or to 0 if the text
 * is only a part of it: the sweep was killed while it wrote the head. */
static gboolean read_head(const Journal *journal, GString *text, const char *head, gsize *used, GError **error)
{
    g_autofree char *right = sealed(head);
    gsize length = strlen(right);
    *used = text->len >= length ? length : 0;
    if (strncmp(text->str, right, MIN(text->len, length)) == 0)
        return TRUE;
    gsize line = line_length(text, 0);
    if (line > 0)
        text->str[line - 1] = '\0';
    gboolean other = line > 0 && unseal(text->str, line - 1);
    return input_refuse(error, "%s: %s", journal->path,
                        other ? "is the journal of another sweep; finish that one, choose another output, or throw its "
                                "results away with --restart"
                              : "is not the journal of a sweep; choose another output, or --restart to replace it");
}

/* Reads entries from `at` on, up to the first that is not whole. Returns the number of bytes read. */
static gsize read_entries(GString *text, gsize at, JournalEntry *entries, guint n_entries)
{
    gsize start = at;
    for (gsize length = line_length(text, at); length > 0; length = line_length(text, at)) {
        char *line = text->str + at;
        line[length - 1] = '\0';
        if (!unseal(line, length - 1) || !read_entry(line, entries, n_entries))
            break;
        at += length;
    }
    return at - start;
}

static gboolean journal_load(Journal *journal, const char *head, JournalEntry *entries, guint n_entries, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    gsize whole = 0;
    if (!file_read_all(journal->fd, text))
        return journal_fail(journal->path, "cannot be read", error);
    if (!read_head(journal, text, head, &whole, error))
        return FALSE;
    if (whole > 0)
        whole += read_entries(text, whole, entries, n_entries);
    if (ftruncate(journal->fd, (off_t)whole) != 0 || lseek(journal->fd, 0, SEEK_END) < 0)
        return journal_fail(journal->path, "cannot be written", error);
    return whole > 0 || journal_append(journal, head, error);
}

Journal *journal_open(const char *path, const char *head, gboolean restart, JournalEntry *entries, guint n_entries,
                      GError **error)
{
    signal(SIGXFSZ, SIG_IGN);   /* a limit on file sizes is an error, not a signal */
    gboolean is_locked;
    int fd = open_locked(path, restart, &is_locked, error);
    if (fd < 0)
        return NULL;
    Journal *journal = g_new(Journal, 1);
    *journal = (Journal){g_strdup(path), fd, is_locked};
    if (journal_load(journal, head, entries, n_entries, error))
        return journal;
    journal_close(journal);
    return NULL;
}

gboolean journal_is_locked(const Journal *journal)
{
    return journal->is_locked;
}

gboolean journal_remove(const Journal *journal, GError **error)
{
    return unlink(journal->path) == 0 || journal_fail(journal->path, "cannot be removed", error);
}

void journal_close(Journal *journal)
{
    close(journal->fd);
    g_free(journal->path);
    g_free(journal);
}

void journal_entries_free(JournalEntry *entries, guint n)
{
    for (guint i = 0; i < n; i++) {
        g_free(entries[i].row);
        g_free(entries[i].fault);
    }
    g_free(entries);
}
