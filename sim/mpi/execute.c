#include "execute.h"

typedef enum {
    STAGE_IDLE, STAGE_READY, STAGE_JOIN, STAGE_BARRIER, STAGE_HANDSHAKE, STAGE_MESSAGES, STAGE_FINISHED
} Stage;

/* A strand, and its requests: the step's receives, or those of all steps if they are posted at first; then those of a
 * handshake, and when that is over the step's sends. */
typedef struct {
    const AgendaStrand *agenda;
    guint number;
    guint k;                    /* steps begun */
    const AgendaStep *step;       /* the present one */
    Stage stage;
    MPI_Request *requests;      /* [agenda->most_requests], and as many as are posted at first */
    guint posted;               /* of them */
    guint left;                 /* messages that have not arrived or left, without handshakes */
    guint hands_left;           /* messages of a handshake */
} Strand;

struct Executor {
    const Agenda *agenda;
    MPI_Comm comm;
    char *memory, *stage;
    Strand *strands;            /* [agenda->n_strands] */
    MPI_Request *requests;      /* of all strands */
    int *completed;             /* [n_requests] */
    guint n_requests;
    char **fault;
};

static guint n_early(const Agenda *agenda, guint strand)
{
    return agenda->early ? agenda->strands[strand].receives->len : 0;
}

Executor *executor_new(const Agenda *agenda, MPI_Comm comm, char *memory, char *stage)
{
    Executor *e = g_new0(Executor, 1);
    *e = (Executor){.agenda = agenda, .comm = comm, .memory = memory, .stage = stage};
    for (guint i = 0; i < agenda->n_strands; i++)
        e->n_requests += agenda->strands[i].most_requests + n_early(agenda, i);
    e->requests = g_new(MPI_Request, e->n_requests);
    e->completed = g_new(int, e->n_requests);
    e->strands = g_new0(Strand, agenda->n_strands);
    MPI_Request *next = e->requests;
    for (guint i = 0; i < agenda->n_strands; i++) {
        e->strands[i] = (Strand){.agenda = &agenda->strands[i], .number = i, .requests = next};
        next += agenda->strands[i].most_requests + n_early(agenda, i);
    }
    return e;
}

void executor_free(Executor *e)
{
    g_free(e->requests);
    g_free(e->completed);
    g_free(e->strands);
    g_free(e);
}

/* --- messages --- */

static void post_receive(const Executor *e, Strand *s, const AgendaMessage *message)
{
    char *to = agenda_buffer(e->agenda, message, e->memory, e->stage);
    MPI_Irecv(to, (int)message->bytes, MPI_BYTE, (int)message->peer, (int)s->number, e->comm,
              &s->requests[s->posted++]);
    s->left++;
}

static void post_send(const Executor *e, Strand *s, const AgendaMessage *message)
{
    const char *from = agenda_buffer(e->agenda, message, e->memory, e->stage);
    MPI_Isend(from, (int)message->bytes, MPI_BYTE, (int)message->peer, (int)s->number, e->comm,
              &s->requests[s->posted++]);
    s->left++;
}

/* Messages of a handshake have a tag of their own: receives of data are posted already. */
static void post_handshake(const Executor *e, Strand *s)
{
    int tag = (int)(e->agenda->n_strands + s->number), partner = (int)s->step->partner;
    s->stage = STAGE_HANDSHAKE;
    s->hands_left = 2;
    MPI_Irecv(NULL, 0, MPI_BYTE, partner, tag, e->comm, &s->requests[s->posted++]);
    MPI_Isend(NULL, 0, MPI_BYTE, partner, tag, e->comm, &s->requests[s->posted++]);
}

/* Number of the first request behind the receives. */
static guint behind_receives(const Executor *e, const Strand *s)
{
    return e->agenda->early ? s->agenda->receives->len : s->step->n_receives;
}

static void post_sends(const Executor *e, Strand *s)
{
    s->stage = STAGE_MESSAGES;
    s->posted = behind_receives(e, s);
    for (guint i = 0; i < s->step->n_sends; i++)
        post_send(e, s, agenda_send(s->agenda, s->step, i));
}

/* --- steps --- */

static void enter(const Executor *e, Strand *s)
{
    s->posted = n_early(e->agenda, s->number);
    for (guint i = 0; i < s->step->n_sends; i++) {
        const AgendaMessage *message = agenda_send(s->agenda, s->step, i);
        if (message->staged)
            agenda_pack(e->agenda, message, e->memory, e->stage);
    }
    for (guint i = 0; i < s->step->n_receives && !e->agenda->early; i++)
        post_receive(e, s, agenda_receive(s->agenda, s->step, i));
    if (s->step->handshake)
        post_handshake(e, s);
    else
        post_sends(e, s);
}

static void check(const Executor *e, const AgendaMessage *message)
{
    if (e->fault && !*e->fault)
        *e->fault = agenda_check_message(e->agenda, message, agenda_buffer(e->agenda, message, e->memory, e->stage));
}

/* The step's messages are through. */
static void end_step(const Executor *e, Strand *s)
{
    for (guint i = 0; i < s->step->n_receives; i++) {
        const AgendaMessage *message = agenda_receive(s->agenda, s->step, i);
        check(e, message);
        if (message->staged)
            agenda_land(e->agenda, message, e->memory, e->stage);
    }
    agenda_end_step(e->agenda, s->step, e->memory);
    s->stage = STAGE_IDLE;
}

/* Takes the next step of an idle strand. */
static void begin(Strand *s)
{
    if (s->k == s->agenda->steps->len) {
        s->stage = STAGE_FINISHED;
        return;
    }
    s->step = agenda_step(s->agenda, s->k++);
    s->stage = s->step->join ? STAGE_JOIN : s->step->barrier ? STAGE_BARRIER : STAGE_READY;
}

/* --- one strand --- */

static void wait_for(const Strand *s, guint first, guint n)
{
    if (n > 0)
        MPI_Waitall((int)n, s->requests + first, MPI_STATUSES_IGNORE);
}

/* For the sends, or a handshake. */
static void wait_behind_receives(const Executor *e, const Strand *s)
{
    guint first = behind_receives(e, s);
    wait_for(s, first, s->posted - first);
}

/* For all of the step. */
static void wait_for_step(const Executor *e, const Strand *s)
{
    if (e->agenda->early) {
        wait_behind_receives(e, s);
        wait_for(s, s->step->first_receive, s->step->n_receives);
    } else {
        wait_for(s, 0, s->posted);
    }
}

static void post_early(const Executor *e, Strand *s)
{
    for (guint i = 0; i < n_early(e->agenda, s->number); i++)
        post_receive(e, s, &g_array_index(s->agenda->receives, AgendaMessage, i));
}

static void run_alone(const Executor *e, Strand *s)
{
    s->posted = 0;
    post_early(e, s);
    for (begin(s); s->stage != STAGE_FINISHED; begin(s)) {
        if (s->step->barrier)
            MPI_Barrier(e->comm);
        enter(e, s);
        if (s->stage == STAGE_HANDSHAKE) {
            wait_behind_receives(e, s);
            post_sends(e, s);
        }
        wait_for_step(e, s);
        s->left = s->hands_left = 0;
        end_step(e, s);
    }
}

/* --- several strands --- */

/* A step without messages is over before other strands begin theirs, as in a replay: work that a model says goes on
 * while messages are under way is done before they leave. */
static void go(const Executor *e, Strand *s)
{
    enter(e, s);
    if (s->stage == STAGE_MESSAGES && s->left == 0)
        end_step(e, s);
}

/* What a strand some of whose requests are over does next. */
static void proceed(const Executor *e, Strand *s)
{
    if (s->stage == STAGE_HANDSHAKE && s->hands_left == 0)
        post_sends(e, s);
    if (s->stage == STAGE_MESSAGES && s->left == 0)
        end_step(e, s);
}

static gboolean is_joined(const Executor *e, guint32 strands)
{
    for (guint i = 0; i < e->agenda->n_strands; i++) {
        const Strand *s = &e->strands[i];
        if (strands >> i & 1 && (s->stage != STAGE_JOIN || s->step->join != strands))
            return FALSE;
    }
    return TRUE;
}

/* In the order of their numbers. */
static void pass_join(const Executor *e, guint32 strands)
{
    for (guint i = 0; i < e->agenda->n_strands; i++)
        if (strands >> i & 1) {
            Strand *s = &e->strands[i];
            if (s->step->barrier)
                s->stage = STAGE_BARRIER;
            else
                go(e, s);
        }
}

/* Takes strands as far as they get without waiting. TRUE if anything has happened. */
static gboolean advance(const Executor *e)
{
    gboolean any = FALSE;
    for (guint i = 0; i < e->agenda->n_strands; i++) {
        Strand *s = &e->strands[i];
        Stage before = s->stage;
        guint k = s->k;
        proceed(e, s);
        if (s->stage == STAGE_IDLE)
            begin(s);
        else if (s->stage == STAGE_READY)
            go(e, s);
        else if (s->stage == STAGE_JOIN && is_joined(e, s->step->join))
            pass_join(e, s->step->join);
        any |= s->stage != before || s->k != k;
    }
    return any;
}

/* A barrier is for all strands that don't wait in a join, or are at their ends. */
static gboolean pass_barrier(const Executor *e)
{
    gboolean any = FALSE;
    for (guint i = 0; i < e->agenda->n_strands; i++) {
        Stage stage = e->strands[i].stage;
        if (stage == STAGE_HANDSHAKE || stage == STAGE_MESSAGES)
            return FALSE;
        any |= stage == STAGE_BARRIER;
    }
    if (!any)
        return FALSE;
    MPI_Barrier(e->comm);
    for (guint i = 0; i < e->agenda->n_strands; i++)
        if (e->strands[i].stage == STAGE_BARRIER)
            go(e, &e->strands[i]);
    return TRUE;
}

static Strand *owner_of(const Executor *e, guint request)
{
    Strand *s = e->strands + e->agenda->n_strands - 1;
    while (request < (guint)(s->requests - e->requests))
        s--;
    return s;
}

/* Waits until at least one request is over. FALSE if there is none. */
static gboolean wait_some(const Executor *e)
{
    int n;
    MPI_Waitsome((int)e->n_requests, e->requests, &n, e->completed, MPI_STATUSES_IGNORE);
    if (n == MPI_UNDEFINED)
        return FALSE;
    for (int i = 0; i < n; i++) {
        guint request = (guint)e->completed[i];
        Strand *s = owner_of(e, request);
        guint number = request - (guint)(s->requests - e->requests);
        if (s->stage == STAGE_HANDSHAKE && number >= s->step->n_receives)
            s->hands_left--;
        else
            s->left--;
    }
    return TRUE;
}

static void run_several(const Executor *e)
{
    for (guint i = 0; i < e->n_requests; i++)
        e->requests[i] = MPI_REQUEST_NULL;
    do {
        while (advance(e))
            ;
    } while (pass_barrier(e) || wait_some(e));
}

void executor_run(Executor *e, char **fault)
{
    e->fault = fault;
    for (guint i = 0; i < e->agenda->n_strands; i++) {
        Strand *s = &e->strands[i];
        s->k = s->left = s->hands_left = 0;
        s->stage = STAGE_IDLE;
    }
    if (e->agenda->n_strands == 1)
        run_alone(e, e->strands);
    else
        run_several(e);
}
