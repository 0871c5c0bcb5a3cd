#include "cubicle.h"
#include "sim/cube/cube.h"

#include <string.h>

typedef struct {
    guint step;
    gsize bytes;
    char *data;
} Letter;

typedef struct {
    Schedule *schedule;     /* its own, whose blocks have elements of its own */
    Agenda *agenda;
    char *memory;           /* and the stage */
    guint *k;               /* [n_strands]: steps begun */
    gboolean *inside;       /* [n_strands]: in a step, whose messages have been sent */
} Desk;

typedef struct {
    guint n, n_strands;
    Desk *desks;
    GQueue *letters;        /* [n][n][n_strands]: from, to */
    Spoil *spoil;
    char *fault;
} Cubicle;

static GQueue *letters_of(const Cubicle *c, guint from, guint to, guint strand)
{
    return &c->letters[((gsize)from * c->n + to) * c->n_strands + strand];
}

static void send_all(Cubicle *c, guint node, guint strand, const AgendaStep *step)
{
    const Desk *desk = &c->desks[node];
    for (guint i = 0; i < step->n_sends; i++) {
        const AgendaMessage *message = agenda_send(&desk->agenda->strands[strand], step, i);
        agenda_pack(desk->agenda, message);
        const char *bytes = agenda_buffer(desk->agenda, message);
        Letter letter = {message->step, message->bytes, g_memdup2(bytes, message->bytes)};
        if (c->spoil)
            c->spoil(node, message->peer, message->step, letter.data, letter.bytes);
        g_queue_push_tail(letters_of(c, node, message->peer, strand), g_memdup2(&letter, sizeof letter));
    }
}

/* Whether all that the step awaits is there. */
static gboolean is_there(const Cubicle *c, guint node, guint strand, const AgendaStep *step)
{
    g_autofree guint *needed = g_new0(guint, c->n);
    for (guint i = 0; i < step->n_receives; i++) {
        guint peer = agenda_receive(&c->desks[node].agenda->strands[strand], step, i)->peer;
        if (letters_of(c, peer, node, strand)->length < ++needed[peer])
            return FALSE;
    }
    return TRUE;
}

static void take(Cubicle *c, guint node, guint strand, const AgendaMessage *message)
{
    const Desk *desk = &c->desks[node];
    Letter *letter = g_queue_pop_head(letters_of(c, message->peer, node, strand));
    char *buffer = agenda_buffer(desk->agenda, message);
    if (letter->bytes != message->bytes || letter->step != message->step)
        c->fault = g_strdup_printf("from %u to %u came %u bytes of step %u, not %u of step %u", message->peer, node,
                                   (guint)letter->bytes, letter->step, (guint)message->bytes, message->step);
    else if (letter->bytes > 0)
        memcpy(buffer, letter->data, letter->bytes);
    if (!c->fault)
        c->fault = agenda_check_message(desk->agenda, message);
    agenda_land(desk->agenda, message);
    g_free(letter->data);
    g_free(letter);
}

static const AgendaStep *next_step(const Desk *desk, guint strand)
{
    const AgendaStrand *s = &desk->agenda->strands[strand];
    return desk->k[strand] < s->steps->len ? agenda_step(s, desk->k[strand]) : NULL;
}

/* Whether all strands that a step waits for have come to it. */
static gboolean is_joined(const Desk *desk, guint32 strands)
{
    for (guint i = 0; i < desk->agenda->n_strands; i++) {
        const AgendaStep *step = next_step(desk, i);
        if (strands >> i & 1 && (!step || desk->inside[i] || step->join != strands))
            return FALSE;
    }
    return TRUE;
}

/* Lets all strands of a join into their steps, or one alone. */
static void enter(Cubicle *c, guint node, guint strand)
{
    Desk *desk = &c->desks[node];
    guint32 strands = next_step(desk, strand)->join;
    for (guint i = 0; i < c->n_strands; i++) {
        const AgendaStep *step = i == strand || strands >> i & 1 ? next_step(desk, i) : NULL;
        if (!step)
            continue;
        send_all(c, node, i, step);
        desk->inside[i] = step->n_sends + step->n_receives > 0;
        if (!desk->inside[i]) {     /* it is over at once */
            agenda_end_step(desk->agenda, step);
            desk->k[i]++;
        }
    }
}

/* Takes a strand on if it can. */
static gboolean go_on(Cubicle *c, guint node, guint strand)
{
    Desk *desk = &c->desks[node];
    const AgendaStep *step = next_step(desk, strand);
    if (!step || (!desk->inside[strand] && step->join && !is_joined(desk, step->join)))
        return FALSE;
    if (!desk->inside[strand]) {
        enter(c, node, strand);
        return TRUE;
    }
    if (!is_there(c, node, strand, step))
        return FALSE;
    for (guint i = 0; i < step->n_receives; i++)
        take(c, node, strand, agenda_receive(&desk->agenda->strands[strand], step, i));
    agenda_end_step(desk->agenda, step);
    desk->inside[strand] = FALSE;
    desk->k[strand]++;
    return TRUE;
}

static void work(Cubicle *c, gboolean backwards)
{
    guint all = c->n * c->n_strands;
    gboolean any = TRUE;
    while (any && !c->fault) {
        any = FALSE;
        for (guint i = 0; i < all && !c->fault; i++) {
            guint at = backwards ? all - 1 - i : i;
            any |= go_on(c, at / c->n_strands, at % c->n_strands);
        }
    }
}

static void check_end(Cubicle *c)
{
    for (guint node = 0; node < c->n && !c->fault; node++) {
        const Desk *desk = &c->desks[node];
        for (guint strand = 0; strand < c->n_strands; strand++)
            if (next_step(desk, strand))
                c->fault = g_strdup_printf("processor %u does not come to its end", node);
        if (!c->fault)
            c->fault = agenda_check_memory(desk->agenda);
    }
}

static void free_letter(gpointer data)
{
    g_free(((Letter *)data)->data);
    g_free(data);
}

static void clear(Cubicle *c)
{
    for (guint node = 0; node < c->n; node++) {
        Desk *desk = &c->desks[node];
        g_clear_pointer(&desk->agenda, agenda_free);
        schedule_free(desk->schedule);
        g_free(desk->memory);
        g_free(desk->k);
        g_free(desk->inside);
    }
    for (gsize i = 0; i < (gsize)c->n * c->n * c->n_strands; i++)
        g_queue_clear_full(&c->letters[i], free_letter);
    g_free(c->desks);
    g_free(c->letters);
}

static void open_desk(Cubicle *c, guint node, const Problem *problem, gboolean pairwise_sync)
{
    Desk *desk = &c->desks[node];
    desk->schedule = schedule_make(problem);
    desk->agenda = agenda_compile(desk->schedule, node, pairwise_sync, BARRIER_NONE, FALSE, &c->fault);
    if (c->fault)
        return;
    desk->memory = g_malloc(desk->agenda->memory_bytes + desk->agenda->stage_bytes + 1);
    memset(desk->memory, 0xa5, desk->agenda->memory_bytes);
    agenda_place(desk->agenda, desk->memory);
    desk->k = g_new0(guint, c->n_strands);
    desk->inside = g_new0(gboolean, c->n_strands);
    agenda_fill(desk->agenda);
}

char *cubicle_run(const Problem *problem, gboolean pairwise_sync, Spoil *spoil, gboolean backwards)
{
    g_autoptr(Schedule) schedule = schedule_make(problem);
    guint n = cube_n_nodes(problem->dimension), n_strands = schedule->n_strands;
    Cubicle c = {.n = n, .n_strands = n_strands, .desks = g_new0(Desk, n), .spoil = spoil,
                 .letters = g_new0(GQueue, (gsize)n * n * n_strands)};
    for (guint node = 0; node < n && !c.fault; node++)
        open_desk(&c, node, problem, pairwise_sync);
    work(&c, backwards);
    check_end(&c);
    clear(&c);
    return c.fault;
}
