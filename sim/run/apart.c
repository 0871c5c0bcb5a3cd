#include "apart.h"
#include "sim/text/input.h"
#include "sim/text/file.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CODE_WELL, CODE_BAD, CODE_UNWRITTEN };

pid_t apart_fork(GError **error)
{
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)    /* it died before it could be watched */
            _exit(CODE_UNWRITTEN);
    }
    if (child < 0)
        input_call_failed("fork", error);
    return child;
}

static void read_text(int fd, GString *out)
{
    char part[4096];
    gssize n;
    for (off_t at = 0; (n = pread(fd, part, sizeof part, at)) > 0 || (n < 0 && errno == EINTR); at += MAX(0, n))
        g_string_append_len(out, part, MAX(0, n));
}

static void child_main(ApartWork *work, gconstpointer data, int fd)
{
    GString *text = g_string_new(NULL);
    int code = work(data, text) ? CODE_WELL : CODE_BAD;
    gboolean written = file_write_all(fd, text->str, text->len);
    g_string_free(text, TRUE);
    _exit(written ? code : CODE_UNWRITTEN);
}

static gboolean judge(int status, GError **error)
{
    if (WIFSIGNALED(status))
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "was killed by signal %d (%s)", WTERMSIG(status),
                    strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) >= CODE_UNWRITTEN)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "its result was lost; memory may be short");
    return !WIFSIGNALED(status) && WEXITSTATUS(status) < CODE_UNWRITTEN;
}

gboolean apart_do(ApartWork *work, gconstpointer data, GString *out, gboolean *ok, GError **error)
{
    int fd = memfd_create("text", MFD_CLOEXEC), status = 0;
    if (fd < 0)
        return input_call_failed("memfd_create", error);
    pid_t child = apart_fork(error);
    if (child == 0)
        child_main(work, data, fd);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    gboolean done = child > 0 && judge(status, error);
    if (done)
        read_text(fd, out);
    *ok = done && WEXITSTATUS(status) == CODE_WELL;
    close(fd);
    return done;
}
