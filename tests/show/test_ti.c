/* The traces for SMPI are read back and executed by SMPI's rules as the documentation has them: all schedules of the
 * registry that a trace can say take their contention-free time. */
#include "exported.h"
#include "tests/support/tests.h"

#include <stdio.h>

typedef struct {
    guint source, destination, tag;
    gint64 bytes, arrival_ps;
} Message;

typedef struct {
    GArray *posted, *sent;      /* Message: receives; messages that are on their way or there */
    char **lines;
    guint *place;               /* [rank] of the line that is next */
    gint64 *now_ps;             /* [rank] */
    const Machine *machine;
} Execution;

/* Takes the first message of these ends and this tag out of a list; FALSE if there is none. */
static gboolean take(GArray *messages, Message *message)
{
    for (guint i = 0; i < messages->len; i++) {
        Message other = g_array_index(messages, Message, i);
        if (other.source != message->source || other.destination != message->destination || other.tag != message->tag)
            continue;
        *message = other;
        g_array_remove_index(messages, i);
        return TRUE;
    }
    return FALSE;
}

/* A message takes its links, and its receive, of as many bytes, is there before it. */
static void execute_send(Execution *execution, guint rank, Message message)
{
    Message receive = message;
    guint hops = cube_distance(rank, message.destination);
    ck_assert(take(execution->posted, &receive) && receive.bytes == message.bytes);
    const Machine *machine = execution->machine;
    gboolean is_long = machine->long_limit > 0;     /* then links are as fast as for the faster messages */
    gint64 hop_ps = MIN(machine->terms.delta_hop_ps, is_long ? machine->long_terms.delta_hop_ps : G_MAXINT64);
    gint64 tau_fs = MIN(machine->terms.tau_fs_per_byte, is_long ? machine->long_terms.tau_fs_per_byte : G_MAXINT64);
    execution->now_ps[rank] += hop_ps * hops + (gint64)machine_bytes_ps(tau_fs, message.bytes + 16);
    message.arrival_ps = execution->now_ps[rank];
    g_array_append_val(execution->sent, message);
}

/* FALSE: it has to wait. */
static gboolean execute_line(Execution *execution, guint rank, const char *line)
{
    Message message = {0};
    guint64 s, ps;
    char end;
    if (sscanf(line, "%*u sleep %" G_GUINT64_FORMAT ".%12" G_GUINT64_FORMAT "%c", &s, &ps, &end) == 2) {
        ck_assert(strlen(strchr(line, '.')) == 13);
        execution->now_ps[rank] += (gint64)(s * G_GUINT64_CONSTANT(1000000000000) + ps);
    } else if (sscanf(line, "%*u send %u %u %" G_GINT64_FORMAT "%c", &message.destination, &message.tag, &message.bytes,
                      &end) == 3) {
        message.source = rank;
        execute_send(execution, rank, message);
    } else if (sscanf(line, "%*u wait %u %u %u%c", &message.source, &message.destination, &message.tag, &end) == 3) {
        ck_assert_uint_eq(message.destination, rank);
        if (!take(execution->sent, &message))
            return FALSE;
        execution->now_ps[rank] = MAX(execution->now_ps[rank], message.arrival_ps);
    } else {
        ck_abort_msg("not in a trace: %s", line);
    }
    return TRUE;
}

static void post_receives(Execution *execution)
{
    for (guint i = 0; execution->lines[i]; i++) {
        Message message;
        if (sscanf(execution->lines[i], "%u irecv %u %u %" G_GINT64_FORMAT, &message.destination, &message.source,
                   &message.tag, &message.bytes) == 4)
            g_array_append_val(execution->posted, message);
    }
}

/* Goes on to the rank's next line; FALSE at its end. Receives are posted already: that takes no time. */
static gboolean find_line(Execution *execution, guint rank)
{
    g_autofree char *mine = g_strdup_printf("%u ", rank);
    for (;; execution->place[rank]++) {
        const char *line = execution->lines[execution->place[rank]];
        if (!line)
            return FALSE;
        if (g_str_has_prefix(line, mine) && !strstr(line, " irecv ") && !strstr(line, " init") &&
            !strstr(line, " finalize"))
            return TRUE;
    }
}

static gboolean execute_rank(Execution *execution, guint rank)
{
    gboolean moved = FALSE;
    while (find_line(execution, rank) &&
           execute_line(execution, rank, execution->lines[execution->place[rank]])) {
        execution->place[rank]++;
        moved = TRUE;
    }
    return moved;
}

/* When the last rank has come to its end; all must. */
static gint64 trace_time(const char *text, guint n, const Machine *machine)
{
    Execution execution = {g_array_new(FALSE, FALSE, sizeof(Message)), g_array_new(FALSE, FALSE, sizeof(Message)),
                           g_strsplit(text, "\n", -1), g_new0(guint, n), g_new0(gint64, n), machine};
    gint64 last_ps = 0;
    post_receives(&execution);
    for (gboolean moves = TRUE; moves;) {
        moves = FALSE;
        for (guint rank = 0; rank < n; rank++)
            moves |= execute_rank(&execution, rank);
    }
    for (guint rank = 0; rank < n; rank++) {
        ck_assert(!find_line(&execution, rank));
        last_ps = MAX(last_ps, execution.now_ps[rank]);
    }
    ck_assert_uint_eq(execution.posted->len + execution.sent->len, 0);
    g_array_unref(execution.posted);
    g_array_unref(execution.sent);
    g_strfreev(execution.lines);
    g_free(execution.place);
    g_free(execution.now_ps);
    return last_ps;
}

static void check_trace(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    Machine machine = test_machine_for(user, problem->algorithm);
    g_autofree char *what = test_describe(problem);
    g_autofree char *text = exported_ti(problem, 1, &machine, NULL);
    if (!text) {
        ck_assert_msg(schedule->n_strands > 1 || machine.ports == PORTS_ALL, "%s", what);
        return;
    }
    g_auto(Price) priced = price(schedule, &machine, REPLAY_DATA);
    gint64 time_ps = trace_time(text, cube_n_nodes(schedule->dimension), &machine);
    ck_assert_msg(time_ps == priced.time_ps, "%s: %" G_GINT64_FORMAT " and not %" G_GINT64_FORMAT " ps", what, time_ps,
                  priced.time_ps);
}

TEST_LOOP(registry, 0, test_upto(3, 5))
{
    static const char *const overrides[][12] = {
        {"duplex=full", "flop=0.1", NULL},
        {"duplex=full", "pairwise_sync=false", "packet=16", "delta=2.5", "start_skew=1000", NULL},
        {"duplex=full", "phase_barrier=false", "unposted=wait", "short_limit=20", "lambda_short=90", "tau_short=0.5",
         "delta_hop_short=9", "long_limit=50", "lambda_long=90", "tau_long=0.2", "delta_hop_long=9", NULL}};
    for (guint i = 0; i < G_N_ELEMENTS(overrides); i++) {
        g_autoptr(Machine) machine = test_machine("ipsc860", overrides[i]);
        test_each_schedule((guint)_i, check_trace, machine);
    }
}

TESTS(ti, registry)
