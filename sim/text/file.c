#include "file.h"
#include "message.h"
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- which file --- */

#define LINKS_MAX 40

char *file_resolve(const char *path)
{
    g_autofree char *at = g_strdup(path);
    for (guint links = 0; links < LINKS_MAX; links++) {
        g_autofree char *folder = g_path_get_dirname(at), *name = g_path_get_basename(at);
        g_autofree char *real = realpath(folder, NULL);
        if (!real)
            return NULL;
        g_autofree char *whole = g_build_filename(real, name, NULL);
        g_autofree char *target = g_file_read_link(whole, NULL);
        if (!target)
            return g_steal_pointer(&whole);
        g_free(at);
        at = g_path_is_absolute(target) ? g_steal_pointer(&target) : g_build_filename(real, target, NULL);
    }
    errno = ELOOP;
    return NULL;
}

gboolean file_is_same(const char *a, const char *b)
{
    struct stat one, other;
    gboolean has_one = stat(a, &one) == 0, has_other = stat(b, &other) == 0;
    if (has_one && has_other)
        return S_ISREG(one.st_mode) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
    g_autofree char *place = file_resolve(a), *place_of_other = file_resolve(b);
    return !has_one && !has_other && place && g_strcmp0(place, place_of_other) == 0;
}

/* --- files that become others --- */

#define MARK ".ecube-"
#define LETTERS "XXXXXX"    /* letters that g_mkstemp_full() replaces */

/* Returns the pattern "/folder/name.ecube-XXXXXX" for new files for `target`; cuts a long name. Caller frees. */
static char *new_name(const char *target)
{
    g_autofree char *folder = g_path_get_dirname(target), *name = g_path_get_basename(target);
    int kept = NAME_MAX - (int)strlen(MARK LETTERS);
    g_autofree char *marked = g_strdup_printf("%.*s" MARK LETTERS, kept, name);
    return g_build_filename(folder, marked, NULL);
}

gboolean file_lock(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_SETLK, &whole) == 0)
        return TRUE;
    if (errno == EACCES)
        errno = EAGAIN;
    if (errno == ENOSYS || errno == EOPNOTSUPP)
        errno = ENOLCK;
    return FALSE;
}

/* Locks the open file if its file system has locks. FALSE if another process has locked the file, or if the file has
 * been removed. */
static gboolean file_is_own(int fd)
{
    struct stat status;
    gboolean taken = !file_lock(fd) && errno == EAGAIN;
    return !taken && fstat(fd, &status) == 0 && status.st_nlink > 0;
}

/* Creates and locks a new file beside `target`; sets *path to its path. Returns its descriptor, or -1 with errno. */
static int create_new(const char *target, int mode, char **path)
{
    for (;;) {
        *path = new_name(target);
        int fd = g_mkstemp_full(*path, O_RDWR | O_CLOEXEC, mode);
        if (fd < 0 || file_is_own(fd))
            return fd;
        close(fd);
        g_free(*path);
    }
}

/* Whether `name` is a name that new_name() makes for the same target as `pattern`. */
static gboolean is_new_name(const char *name, const char *pattern)
{
    gsize length = strlen(pattern) - strlen(LETTERS);
    return strncmp(name, pattern, length) == 0 && strlen(name + length) == strlen(LETTERS) &&
           strspn(name + length, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS) == strlen(LETTERS);
}

static void remove_unlocked(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    struct stat status;
    if (fd < 0)
        return;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() && file_lock(fd))
        unlink(path);
    close(fd);
}

void file_remove_left(const char *path)
{
    g_autofree char *target = file_resolve(path);
    if (!target)
        return;
    g_autofree char *folder = g_path_get_dirname(target), *whole = new_name(target);
    g_autofree char *pattern = g_path_get_basename(whole);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    for (const char *name = dir ? g_dir_read_name(dir) : NULL; name; name = g_dir_read_name(dir)) {
        g_autofree char *left = g_build_filename(folder, name, NULL);
        if (is_new_name(name, pattern))
            remove_unlocked(left);
    }
}

/* --- writing --- */

gboolean file_write_all(int fd, gconstpointer data, gsize length)
{
    for (const char *at = data; length > 0;) {
        ssize_t wrote = write(fd, at, length);
        if (wrote < 0 && errno != EINTR)
            return FALSE;
        at += MAX(0, wrote);
        length -= (gsize)MAX(0, wrote);
    }
    return TRUE;
}

gboolean file_read_all(int fd, GString *text)
{
    char part[65536];
    gssize n;
    for (off_t at = 0; (n = pread(fd, part, sizeof part, at)) > 0 || (n < 0 && errno == EINTR); at += MAX(0, n))
        g_string_append_len(text, part, MAX(0, n));
    return n == 0;
}

struct Output {
    char *path;             /* path as given; NULL: standard output, or `text` is set */
    char *target, *new;     /* paths of the file that is replaced and of the new file; NULL unless `path` is a plain
                             * file */
    GString *text;          /* text to append to instead of writing to a file; borrowed, or NULL */
    int fd;
    char *failure;          /* error of the first call that failed, or NULL */
};

/* Path of the new file, which remove_and_die() removes when a signal ends the process; "" while there is none. */
static char being_written[PATH_MAX];

static void remove_and_die(int number)
{
    unlink(being_written);
    /* the signal is blocked here, and its handler reset (SA_RESETHAND): it ends the process on return */
    raise(number);
}

/* Replaces the handler `from` by `to` for signals that end a process by default. Faults, as SIGSEGV, are not among
 * them. */
static void set_handlers(void (*from)(int), void (*to)(int))
{
    static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGTRAP, SIGABRT, SIGALRM, SIGTERM, SIGPIPE, SIGXCPU,
                                 SIGUSR1, SIGUSR2};
    for (guint i = 0; i < G_N_ELEMENTS(deadly); i++) {
        struct sigaction now, next = {.sa_handler = to, .sa_flags = (int)SA_RESETHAND};
        if (sigaction(deadly[i], NULL, &now) == 0 && now.sa_handler == from)
            sigaction(deadly[i], &next, NULL);
    }
}

static sigset_t block_signals(void)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    return before;
}

/* Notes `call` ("fsync: " or "") and the text of errno as the failure, unless an earlier call has failed. */
static void output_fail(Output *out, const char *call)
{
    if (!out->failure)
        out->failure = g_strconcat(call, g_strerror(errno), NULL);
}

static void open_new(Output *out)
{
    struct stat status;
    sigset_t before = block_signals();
    file_remove_left(out->path);
    out->target = file_resolve(out->path);
    /* mode before create_new() subtracts the umask */
    int mode = out->target && stat(out->target, &status) == 0 ? (int)(status.st_mode & 0777) : 0666;
    out->fd = out->target ? create_new(out->target, mode, &out->new) : -1;
    if (out->fd >= 0) {
        g_assert(*being_written == '\0' && strlen(out->new) < sizeof being_written);
        strcpy(being_written, out->new);
        set_handlers(SIG_DFL, remove_and_die);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Replaces the old file by the new one; removes the new one if it is not `whole` or a call has failed. */
static void close_new(Output *out, gboolean whole)
{
    while (whole && !out->failure && fsync(out->fd) != 0)
        if (errno != EINTR)
            output_fail(out, "fsync: ");
    sigset_t before = block_signals();
    if (whole && !out->failure && rename(out->new, out->target) != 0)
        output_fail(out, "rename: ");
    if (!whole || out->failure)
        unlink(out->new);
    *being_written = '\0';
    set_handlers(remove_and_die, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

gboolean output_is_stdout(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

/* Whether `path` is a device or a pipe. These are written directly, as only a plain file can be replaced. */
static gboolean is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

Output *output_open(const char *path, GError **error)
{
    Output *out = g_new0(Output, 1);
    signal(SIGXFSZ, SIG_IGN);   /* a limit on file sizes is an error, not a signal */
    out->path = output_is_stdout(path) ? NULL : g_strdup(path);
    if (!out->path)
        out->fd = STDOUT_FILENO;
    else if (is_special(path))
        out->fd = open(path, O_WRONLY | O_CLOEXEC);
    else
        open_new(out);
    if (out->fd >= 0)
        return out;
    output_fail(out, "");
    output_close(out, TRUE, error);
    return NULL;
}

Output *output_gather(GString *text)
{
    Output *out = g_new0(Output, 1);
    out->text = text;
    out->fd = -1;
    return out;
}

gboolean output_add(Output *out, gconstpointer data, gsize length)
{
    if (out->text)
        g_string_append_len(out->text, data, (gssize)length);
    else if (!out->failure && !file_write_all(out->fd, data, length))
        output_fail(out, "");
    return out->failure == NULL;
}

gboolean output_close(Output *out, gboolean whole, GError **error)
{
    if (out->new && out->fd >= 0)
        close_new(out, whole);
    if (out->path && out->fd >= 0 && close(out->fd) != 0)
        output_fail(out, "");
    gboolean ok = whole && !out->failure;
    if (whole && !ok)
        input_refuse(error, "%s: cannot be written: %s", out->path ? out->path : "standard output", out->failure);
    g_free(out->failure);
    g_free(out->path);
    g_free(out->target);
    g_free(out->new);
    g_free(out);
    return ok;
}

/* --- outputs of commands --- */

static gboolean unwritable(const char *path, int failure, GError **error)
{
    return input_refuse(error, "%s: cannot be written: %s", path, g_strerror(failure));
}

gboolean output_write_data(const char *path, const char *data, gsize length, GError **error)
{
    Output *out = output_open(path, error);
    if (!out)
        return FALSE;
    output_add(out, data, length);
    return output_close(out, TRUE, error);
}

gboolean output_write(const char *path, const char *text, GError **error)
{
    guint columns = output_is_stdout(path) ? message_output_columns() : 0;
    /* only for a terminal: the text of a file may be too large for a copy */
    g_autofree char *wrapped = columns ? message_wrap(text, columns) : NULL;
    const char *shown = wrapped ? wrapped : text;
    return output_write_data(path, shown, strlen(shown), error);
}

gboolean output_check_path(const char *path, GError **error)
{
    if (output_is_stdout(path))
        return TRUE;
    if (*path == '\0')
        return unwritable("''", ENOENT, error);
    struct stat status;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return unwritable(path, EISDIR, error);
        if (access(path, W_OK) != 0 || !S_ISREG(status.st_mode))
            return access(path, W_OK) == 0 || unwritable(path, errno, error);
    }
    g_autofree char *target = file_resolve(path);
    if (!target)
        return unwritable(path, errno, error);
    g_autofree char *folder = g_path_get_dirname(target);   /* where the new file is made, also to replace an old one */
    if (stat(folder, &status) == 0 && !S_ISDIR(status.st_mode))
        return unwritable(path, ENOTDIR, error);
    return access(folder, W_OK | X_OK) == 0 || unwritable(path, errno, error);
}

/* Endings of file names that imply a format. */
static const char *const known_ends[] = {"csv", "json", "html", "svg", "png", "pdf", "dot", "goal", "ti", "xml",
                                         NULL};

/* Returns the ending, without its dot, of the names of files in `format`. */
static const char *end_of_format(const char *format)
{
    static const struct {
        const char *format, *end;
    } others[] = {{"table", "txt"}, {"text", "txt"}, {"mpich", "json"}, {"ompi", "txt"}, {"ompi-json", "json"},
                  {"ucc", "txt"}, {"ecube", "ini"}};
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        if (strcmp(others[i].format, format) == 0)
            return others[i].end;
    return format;
}

static void append_end(GString *list, const char *end, gboolean last)
{
    g_string_append_printf(list, "%s.%s", list->len == 0 ? "" : last ? " or " : ", ", end);
}

static gboolean refuse_end(const char *const *formats, const char *name, const char *path, const char *hint,
                           GError **error)
{
    const char *const named[] = {name, NULL};
    g_autoptr(GString) allowed = g_string_new(NULL);
    g_autoptr(GPtrArray) ends = g_ptr_array_new();
    for (const char *const *format = name ? named : formats; *format; format++)
        if (!g_ptr_array_find_with_equal_func(ends, end_of_format(*format), g_str_equal, NULL))
            g_ptr_array_add(ends, (gpointer)end_of_format(*format));
    for (guint i = 0; i < ends->len; i++)
        append_end(allowed, ends->pdata[i], i + 1 == ends->len);
    return input_refuse(error, "--output: '%s' is not allowed%s%s; allowed: a name that ends in %s%s", path,
                        name ? " with --format " : "", name ? name : "", allowed->str, hint);
}

gboolean output_parse_format(const char *const *formats, const char *name, const char *path, const char *hint,
                             guint *format, GError **error)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    g_autofree char *end = g_ascii_strdown(dot ? dot + 1 : "", -1);
    if (name && !input_parse_choice("--format", name, formats, format, error))
        return FALSE;
    if (!g_strv_contains(known_ends, end))
        return TRUE;
    for (guint i = 0; formats[i]; i++)
        if ((!name || i == *format) && strcmp(end_of_format(formats[i]), end) == 0) {
            *format = i;
            return TRUE;
        }
    return refuse_end(formats, name, path, hint, error);
}

gboolean output_check_apart(const char *option, const char *path, const char *what, const char *other, GError **error)
{
    if (output_is_stdout(path) || !file_is_same(path, output_is_stdout(other) ? "/dev/stdout" : other))
        return TRUE;
    return input_refuse(error, "%s: '%s' is the same file as the %s, '%s', which would be lost", option, path, what,
                        output_is_stdout(other) ? "standard output" : other);
}
