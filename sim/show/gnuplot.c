#include "gnuplot.h"
#include "models/input.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static gboolean os_failure(const char *what, GError **error)
{
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "gnuplot: %s: %s", what, g_strerror(errno));
    return FALSE;
}

/* In the child, before gnuplot: it ends when ecube does. */
static void follow_parent(gpointer data)
{
    (void)data;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* Standard output and error go to memory, so that nobody waits for anybody to read. */
static gboolean start(int out, int err, GPid *pid, int *in, GError **error)
{
    const char *const argv[] = {"gnuplot", "-d", NULL};     /* -d: no start-up files */
    g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "LC_ALL", "C.UTF-8", TRUE);
    g_autoptr(GError) failure = NULL;
    if (g_spawn_async_with_pipes_and_fds(NULL, argv, (const char *const *)environment,
                                         G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, follow_parent, NULL, -1, out,
                                         err, NULL, NULL, 0, pid, in, NULL, NULL, &failure))
        return TRUE;
    if (g_error_matches(failure, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "gnuplot is not installed, and pictures need it; on Debian: apt-get install gnuplot-nox");
    else
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "gnuplot: cannot be started: %s", failure->message);
    return FALSE;
}

/* If gnuplot ends early, its own message and exit code say so. */
static void write_script(int in, const char *script)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before);
    size_t left = strlen(script);
    while (left > 0) {
        ssize_t written = write(in, script, left);
        if (written < 0 && errno != EINTR)
            break;
        if (written > 0) {
            script += written;
            left -= (size_t)written;
        }
    }
    close(in);
    sigaction(SIGPIPE, &before, NULL);
}

/* All that was written to the memory file. Caller frees. */
static char *contents(int fd, gsize *length)
{
    struct stat status;
    *length = 0;
    if (fstat(fd, &status) != 0)
        return g_strdup("");
    char *data = g_malloc((gsize)status.st_size + 1);
    while (*length < (gsize)status.st_size) {
        ssize_t got = pread(fd, data + *length, (gsize)status.st_size - *length, (off_t)*length);
        if (got <= 0 && errno != EINTR)
            break;
        *length += got > 0 ? (gsize)got : 0;
    }
    data[*length] = '\0';
    return data;
}

/* The line of gnuplot's complaint that says what is wrong: the last one. */
static gboolean complain(int err, int status, GError **error)
{
    gsize length;
    g_autofree char *said = contents(err, &length);
    g_strchomp(said);
    const char *line = strrchr(said, '\n');
    line = line ? line + 1 : said;
    line += strspn(line, " ");
    if (*line == '\0' && WIFSIGNALED(status))
        line = strsignal(WTERMSIG(status));
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "gnuplot failed: %s", *line ? line : "no picture was made");
    return FALSE;
}

static gboolean run(const char *script, int out, int err, GError **error)
{
    GPid pid;
    int in, status = 0;
    if (!start(out, err, &pid, &in, error))
        return FALSE;
    write_script(in, script);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    struct stat picture;
    return (status == 0 && fstat(out, &picture) == 0 && picture.st_size > 0) || complain(err, status, error);
}

GBytes *gnuplot_run(const char *script, GError **error)
{
    GBytes *bytes = NULL;
    int out = memfd_create("picture", MFD_CLOEXEC), err = memfd_create("messages", MFD_CLOEXEC);
    if (out < 0 || err < 0) {
        os_failure("cannot be prepared", error);
    } else if (run(script, out, err, error)) {
        gsize length;
        char *data = contents(out, &length);
        bytes = g_bytes_new_take(data, length);
    }
    if (out >= 0)
        close(out);
    if (err >= 0)
        close(err);
    return bytes;
}
