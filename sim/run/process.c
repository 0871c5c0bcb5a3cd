#include "process.h"
#include "available.h"
#include "estimate.h"
#include "keys.h"
#include "sim/text/file.h"
#include "sim/text/input.h"
#include "sim/engine/engine.h"
#include "sim/replay/price.h"
#include "sim/patterns/problem.h"
#include "sim/text/message.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- any work --- */

enum { CODE_WELL, CODE_BAD, CODE_UNWRITTEN };

/* Forks a process that dies with its parent. Returns its number, 0 in the new process, or -1 with an
 * ECUBE_ERROR_SYSTEM. */
static pid_t fork_apart(GError **error)
{
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)    /* the parent died before the death signal was set */
            _exit(CODE_UNWRITTEN);
    }
    if (child < 0)
        input_call_failed("fork", error);
    return child;
}

static void apart_main(ApartWork *work, gconstpointer data, int fd)
{
    GString *text = g_string_new(NULL);
    int code = work(data, text) ? CODE_WELL : CODE_BAD;
    gboolean written = file_write_all(fd, text->str, text->len);
    g_string_free(text, TRUE);
    _exit(written ? code : CODE_UNWRITTEN);
}

static gboolean apart_judge(int status, GError **error)
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
    pid_t child = fork_apart(error);
    if (child == 0)
        apart_main(work, data, fd);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    gboolean done = child > 0 && apart_judge(status, error);
    if (done)
        file_read_all(fd, out);
    *ok = done && WEXITSTATUS(status) == CODE_WELL;
    close(fd);
    return done;
}

/* --- a run --- */

/* Memory that the parent shares with the process of the run. */
typedef struct {
    RunResult result;
    gboolean ended;             /* whether the process reached its end */
    gboolean refused;           /* whether the run is refused with an error, whose text is result.fault */
    gboolean outgrown;          /* whether an allocation of memory failed in the process */
    EcubeError code;            /* code of the error if `refused` */
    volatile guint64 expected;  /* number of messages of the whole run; 0: not known yet */
    volatile guint64 delivered; /* number of messages delivered so far */
} Shared;

struct RunProcess {
    Run run;
    gsize room;             /* bytes of memory that the process may take */
    Shared *shared;
    pid_t pid;
    int pipe;               /* end to read from; nothing comes but the end of file, when the process has ended */
    gint64 start_us;
};

/* --- in the process of the run --- */

static void process_refuse(Shared *shared, EcubeError code, const char *why)
{
    shared->refused = TRUE;
    shared->code = code;
    g_strlcpy(shared->result.fault, why, RUN_FAULT_MAX);
}

static gboolean takes_too_long(const Run *run, const Price *priced, Shared *shared)
{
    const Key *key = key_of_size(run);
    g_autofree char *why = NULL, *size = key_shown(key, run);
    if (priced->time_ps >= INPUT_TIME_MAX_PS)
        why = g_strdup_printf("%s: '%s' or the machine's constants make the run longer than the clock can count; "
                              "allowed: below 2^53 ps (2.5 hours)", key->name, size);
    else if (priced->events > RUN_EVENTS_MAX)
        why = g_strdup_printf("packet: '%" G_GINT64_FORMAT "' makes the run take %" G_GUINT64_FORMAT " events, the "
                              "start-ups, channels and transmissions of packets; allowed: at most %" G_GUINT64_FORMAT,
                              run->machine->packet, priced->events, RUN_EVENTS_MAX);
    if (why)
        process_refuse(shared, ECUBE_ERROR_INPUT, why);
    return why != NULL;
}

/* Refuses phase barriers that the schedule cannot meet: BARRIER_EXCHANGE requires all processors to exchange in the
 * same steps, BARRIER_CLOCK requires processors with one strand. Returns TRUE if it refuses. */
static gboolean cannot_meet(const Run *run, const Schedule *schedule, const Price *priced, Shared *shared)
{
    PhaseBarrier barrier = run->machine->phase_barrier;
    gboolean clock = schedule->n_strands == 1 && run->machine->switching != SWITCHING_FLUID;
    g_autofree char *unlike = g_strconcat("phase_barrier = exchange requires an algorithm in which all processors "
                                          "exchange in the same steps; allowed here: false, true",
                                          clock ? ", clock" : "", NULL);
    if (barrier == BARRIER_EXCHANGE && priced->stuck)
        process_refuse(shared, ECUBE_ERROR_INPUT, unlike);
    if (barrier == BARRIER_CLOCK && schedule->n_strands > 1)
        process_refuse(shared, ECUBE_ERROR_INPUT, "phase_barrier = clock requires processors with one "
                       "strand; here they have several; allowed: false, true");
    return shared->refused;
}

/* Prices the schedule. Returns FALSE if the run must not be simulated. */
static gboolean do_price(const Run *run, const Schedule *schedule, Shared *shared)
{
    Price priced = price_sizes(schedule, run->machine);
    shared->result.contention_free_ps = priced.time_ps;
    shared->expected = priced.messages;
    if (priced.fault)
        g_strlcpy(shared->result.fault, priced.fault, RUN_FAULT_MAX);
    gboolean ok = !cannot_meet(run, schedule, &priced, shared) && !takes_too_long(run, &priced, shared);
    price_clear(&priced);
    return ok;
}

/* Simulates the run and writes its trace into the file trace_fd, unless that is RUN_NO_TRACE. */
static void do_simulate(const Run *run, const Schedule *schedule, Shared *shared, int trace_fd)
{
    g_autoptr(GError) error = NULL;
    EngineResult simulated;
    g_autoptr(Trace) trace = trace_fd == RUN_NO_TRACE ? NULL : trace_new();
    if (!engine_run(schedule, run->machine, &shared->delivered, trace, &simulated, &error)) {
        process_refuse(shared, ECUBE_ERROR_INPUT, error->message);
        return;
    }
    RunResult *result = &shared->result;
    result->simulated_ps = simulated.time_ps;
    result->network = simulated.network;
    result->operations = simulated.operations;
    result->peak_bytes = simulated.peak_bytes;
    result->largest = simulated.largest;
    result->proof = simulated.proof;
    result->finished = simulated.stuck == NULL;
    const char *wrong = simulated.fault ? simulated.fault : simulated.stuck; /* a fault may be why the run is stuck */
    if (wrong)
        g_strlcpy(result->fault, wrong, RUN_FAULT_MAX);
    result->data_ok = *result->fault == '\0';
    engine_result_clear(&simulated);
    if (!trace)
        return;
    trace_sort(trace);
    signal(SIGXFSZ, SIG_IGN);   /* a limit on file sizes is an error, not a signal */
    if (!trace_write(trace, trace_fd)) {
        input_call_failed("write", &error);
        process_refuse(shared, ECUBE_ERROR_SYSTEM, error->message);
    }
}

/* Ends the process as outgrown if GLib reports a failed allocation; else handles the message as usual. */
static void note_error(const char *domain, GLogLevelFlags level, const char *text, gpointer shared)
{
    if (!(level & G_LOG_LEVEL_ERROR) || !strstr(text, "failed to allocate"))
        g_log_default_handler(domain, level, text, NULL);
    else {
        ((Shared *)shared)->outgrown = TRUE;
        _exit(1);
    }
}

static void child_main(const Run *run, const Schedule *schedule, gsize room, Shared *shared, int trace_fd)
{
    g_log_set_default_handler(note_error, shared);
    available_limit(room);
    if (do_price(run, schedule, shared))
        do_simulate(run, schedule, shared, trace_fd);
    shared->ended = TRUE;
}

/* --- in the parent --- */

#define PROGRESS_EVERY_MS 200

static void process_show_progress(const Run *run, const Shared *shared, gint64 start_us)
{
    g_autofree char *what = run_describe(run);
    double elapsed_s = (double)(g_get_monotonic_time() - start_us) / 1e6;
    double share = shared->expected ? (double)shared->delivered / (double)shared->expected : 0;
    g_autofree char *left =
        share > 0.01 ? g_strdup_printf(", %.0f s left", elapsed_s * (1 - share) / share) : g_strdup("");
    message_progress("%s: %3.0f %%, %.0f s%s", what, 100 * share, elapsed_s, left);
}

/* Waits until the process has closed its end of the pipe, and shows progress. Returns FALSE with an error if that
 * fails. */
static gboolean watch(const Run *run, const Shared *shared, int pipe_end, gint64 start_us, GError **error)
{
    struct pollfd end = {.fd = pipe_end, .events = POLLIN};
    int ready = 0;
    while (ready == 0 || (ready < 0 && errno == EINTR)) {
        process_show_progress(run, shared, start_us);
        ready = poll(&end, 1, message_columns() > 0 ? PROGRESS_EVERY_MS : -1);
    }
    if (ready < 0)
        input_call_failed("poll", error);
    message_progress(NULL);
    return ready > 0;
}

static gboolean process_judge(const RunProcess *process, int status, GError **error)
{
    const Run *run = &process->run;
    const Shared *shared = process->shared;
    if (shared->refused) {
        g_set_error(error, ECUBE_ERROR, shared->code, "%s", shared->result.fault);
        return FALSE;
    }
    if (shared->ended && status == 0)
        return TRUE;
    /* Libraries other than GLib abort when there is no memory, or exit, as SimGrid's parser does. The system may kill
     * the process. So any early end means lack of memory if the process had taken a third of its room. */
    if (shared->outgrown || (status != 0 && shared->result.peak > process->room / 3))
        return available_refuse(run, estimate_run(run), process->room, error);
    g_autofree char *what = run_describe(run);
    if (WIFSIGNALED(status))
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "%s: the simulation was killed by signal %d (%s)", what,
                    WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_RUN, "%s: the simulation ended early with exit code %d", what,
                    WEXITSTATUS(status));
    return FALSE;
}

int run_pipe(const RunProcess *process)
{
    return process->pipe;
}

static void process_free(RunProcess *process)
{
    close(process->pipe);
    munmap(process->shared, sizeof *process->shared);
    g_free(process);
}

static gboolean process_wait(RunProcess *process, int *status, GError **error)
{
    pid_t pid;
    struct rusage usage = {0};
    do
        pid = wait4(process->pid, status, 0, &usage);
    while (pid < 0 && errno == EINTR);
    process->shared->result.peak = (gsize)usage.ru_maxrss * 1024;
    return pid > 0 || input_call_failed("wait4", error);
}

/* The most files that the process of a run opens itself, beside those inherited. */
#define FILES_OF_A_RUN 8

/* Makes a pipe. Fails with EMFILE if the process could then open fewer than FILES_OF_A_RUN files, and would crash.
 * The numbers of the pipe's ends show how many files are open, since files get the lowest free numbers. */
static gboolean make_pipe(int ends[2])
{
    struct rlimit limit;
    if (pipe(ends) != 0)
        return FALSE;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > (rlim_t)MAX(ends[0], ends[1]) + FILES_OF_A_RUN)
        return TRUE;
    close(ends[0]);
    close(ends[1]);
    errno = EMFILE;
    return FALSE;
}

RunProcess *run_start(const Run *run, const Schedule *schedule, gsize room, int trace_fd, GError **error)
{
    if (!engine_load(error))
        return NULL;
    gint64 start_us = g_get_monotonic_time();
    Shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int ends[2];
    if (shared == MAP_FAILED || !make_pipe(ends)) {
        input_call_failed(shared == MAP_FAILED ? "mmap" : "pipe", error);
        if (shared != MAP_FAILED)
            munmap(shared, sizeof *shared);
        return NULL;
    }
    RunProcess process = {*run, room, shared, fork_apart(error), ends[0], start_us};
    if (process.pid == 0) {
        close(ends[0]);
        child_main(run, schedule, room, shared, trace_fd);
        _exit(0);
    }
    close(ends[1]);
    RunProcess *kept = g_memdup2(&process, sizeof process);
    if (process.pid < 0)
        g_clear_pointer(&kept, process_free);
    return kept;
}

gboolean run_finish(RunProcess *process, RunResult *result, GError **error)
{
    int status;
    gboolean ok = process_wait(process, &status, error) && process_judge(process, status, error);
    *result = process->shared->result;
    result->wall_s = (double)(g_get_monotonic_time() - process->start_us) / 1e6;
    process_free(process);
    return ok;
}

void run_abandon(RunProcess *process)
{
    kill(process->pid, SIGKILL);
    process_wait(process, &(int){0}, NULL);
    process_free(process);
}

static gboolean process_execute(const Run *run, RunResult *result, int trace_fd, GError **error)
{
    *result = (RunResult){0};
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    RunProcess *process = run_start(run, schedule, available_bytes(), trace_fd, error);
    if (process && watch(run, process->shared, process->pipe, process->start_us, error))
        return run_finish(process, result, error);
    if (process)
        run_abandon(process);
    return FALSE;
}

gboolean run_report_failure(const Run *run, const RunResult *result)
{
    g_autofree char *what = run_describe(run);
    if (!result->data_ok)
        message_print("%s: %s: %s", what, result->finished ? "the data is wrong" : "the run cannot finish",
                      result->fault);
    return result->data_ok;
}

gboolean run_execute(const Run *run, RunResult *result, Trace **trace, GError **error)
{
    int fd = trace ? memfd_create("trace", MFD_CLOEXEC) : RUN_NO_TRACE;
    if (trace && fd < 0)
        return input_call_failed("memfd_create", error);
    gboolean ok = process_execute(run, result, fd, error);
    if (ok && trace) {
        *trace = trace_read(fd);
        ok = *trace || input_call_failed("mmap", error);
    }
    if (trace)
        close(fd);
    return ok;
}
