#include "rehearsal.h"
#include "holdings.h"

/* --- what a message takes --- */

static gint64 packet_ps(const Machine *m, gint64 bytes, guint hops, gboolean internal)
{
    const MachineTerms *longer = m->long_limit && bytes > m->long_limit ? &m->long_terms : &m->terms;
    const MachineTerms *terms = bytes <= m->short_limit ? &m->short_terms : longer;
    gint64 startup = bytes ? terms->lambda_ps : m->lambda_zero_ps;
    if (internal && m->packet_lambda_ps != MACHINE_UNSET)
        startup = m->packet_lambda_ps;
    gint64 circuit = m->switching == SWITCHING_STORE_AND_FORWARD ? 0 : m->delta_ps + terms->delta_hop_ps * hops;
    return startup + circuit + (gint64)machine_bytes_ps(terms->tau_fs_per_byte, bytes);
}

/* Packets go one after another; where processors forward them, the slowest keeps those behind it waiting. */
static Cost cost_of(const Machine *m, gint64 bytes, guint hops)
{
    gint64 left = bytes, sent = 0, slowest = 0;
    do {
        gint64 packet = m->packet ? MIN(m->packet, left) : left;
        sent += packet_ps(m, packet, hops, left < bytes);
        slowest = MAX(slowest, packet_ps(m, packet, hops, TRUE));
        left -= packet;
    } while (left > 0);
    return (Cost){sent, m->switching == SWITCHING_STORE_AND_FORWARD ? sent + (hops - 1) * slowest : sent};
}

Cost rehearse_message(const Machine *m, PortTimes ports, guint source, guint destination, gint64 bytes, gint64 start)
{
    guint across = source ^ destination, dim = m->ports == PORTS_ALL ? (guint)__builtin_ctz(across) : 0;
    Cost cost = cost_of(m, bytes, (guint)__builtin_popcount(across));
    start = MAX(start, ports[source][dim]);
    ports[source][dim] = start + cost.sent_ps;
    return (Cost){start + cost.sent_ps, start + cost.delivered_ps};
}

/* --- the rehearsal --- */

typedef enum { AT_BEGIN, AT_JOIN, AT_BARRIER, AT_HANDSHAKE, AT_MESSAGES, AT_END } Stage;

typedef struct {
    guint node, strand, k;
    Stage stage;
    gint64 clock;
    gint64 turn;            /* its next message does not begin before */
    gint64 added;           /* elements of sums that came in the present step */
} Actor;

typedef struct {
    guint source;
    gint64 arrival;
    const Message *message; /* NULL: a handshake */
    Block *blocks;
} Letter;

typedef struct {
    const Reading *r;
    const Machine *m;
    Block *slots;           /* [node][n_slots] */
    Actor *actors;          /* [node][n_strands] */
    GQueue *mail;           /* [node][n_strands], of Letter */
    PortTimes ports;
    Rehearsed result;
} Stagehand;

static Actor *actor_of(const Stagehand *s, guint node, guint strand)
{
    return &s->actors[node * s->r->n_strands + strand];
}

static GQueue *mail_of(const Stagehand *s, guint node, guint strand)
{
    return &s->mail[node * s->r->n_strands + strand];
}

static const Turn *turn_of(const Stagehand *s, const Actor *a)
{
    const GPtrArray *turns = s->r->turns[a->strand];
    guint i = a->k * s->r->n_nodes + a->node;
    return i < turns->len ? g_ptr_array_index(turns, i) : NULL;
}

static Block *slot_of(const Stagehand *s, guint node, guint slot)
{
    ck_assert_uint_lt(slot, s->r->n_slots);
    return &s->slots[node * s->r->n_slots + slot];
}

/* Sends; returns when it has left. */
static gint64 post(Stagehand *s, Actor *a, guint peer, Letter letter, gint64 bytes)
{
    ck_assert_uint_lt(peer, s->r->n_nodes);
    ck_assert_uint_ne(peer, a->node);
    Cost alone = cost_of(s->m, bytes, (guint)__builtin_popcount(a->node ^ peer));
    gint64 turn = MAX(a->clock, a->turn);
    Cost cost = rehearse_message(s->m, s->ports, a->node, peer, bytes, turn);
    a->turn = s->m->ports == PORTS_ONE ? 0 : turn + alone.sent_ps * (100 - s->m->ports_overlap) / 100;
    letter.source = a->node;
    letter.arrival = cost.delivered_ps;
    g_queue_push_tail(mail_of(s, peer, a->strand), g_memdup2(&letter, sizeof letter));
    return cost.sent_ps;
}

static gint64 send(Stagehand *s, Actor *a, const Message *message)
{
    guint n = message->from->len;
    Letter letter = {.message = message, .blocks = g_new(Block, n)};
    gint64 bytes = 0;
    for (guint i = 0; i < n; i++) {
        Block *from = slot_of(s, a->node, g_array_index(message->from, guint, i));
        ck_assert_msg(from->from, "processor %u sends an empty slot", a->node);
        bytes += holdings_bytes(s->r, from);
        letter.blocks[i] = *from;
        if (message->verb != VERB_COPY)
            from->from = 0;
    }
    s->result.messages++;
    s->result.blocks += n;
    return post(s, a, message->peer, letter, bytes);
}

/* The first letter from `source`, a handshake or not; NULL: it has not come. */
static GList *find_letter(GQueue *mail, guint source, guint nth)
{
    for (GList *link = mail->head; link; link = link->next)
        if (((Letter *)link->data)->source == source && nth-- == 0)
            return link;
    return NULL;
}

/* Whether all of sources[n] have sent what is awaited of them. */
static gboolean all_there(GQueue *mail, const guint *sources, guint n)
{
    for (guint i = 0; i < n; i++) {
        guint before = 0;
        for (guint j = 0; j < i; j++)
            before += sources[j] == sources[i];
        if (!find_letter(mail, sources[i], before))
            return FALSE;
    }
    return TRUE;
}

/* Returns the elements that were added. */
static gint64 land(Stagehand *s, guint node, const Letter *letter)
{
    gint64 added = 0;
    for (guint i = 0; i < letter->message->to->len; i++) {
        Block *to = slot_of(s, node, g_array_index(letter->message->to, guint, i)), *arriving = &letter->blocks[i];
        if (to->from && s->r->element && letter->message->adds) {
            ck_assert(holdings_add(to, arriving));
            added += arriving->piece;
            continue;
        }
        if (to->from && letter->message->adds) {
            ck_assert(to->to == arriving->to && to->piece == arriving->piece && !(to->from & arriving->from));
            arriving->from |= to->from;
        } else {
            ck_assert_msg(!to->from, "processor %u gets a block into a slot that is not empty", node);
        }
        *to = *arriving;
    }
    return added;
}

/* Takes a letter out; when it came. */
static gint64 receive(Stagehand *s, Actor *a, guint source, gboolean handshake)
{
    GQueue *mail = mail_of(s, a->node, a->strand);
    GList *link = find_letter(mail, source, 0);
    Letter *letter = link->data;
    gint64 arrival = letter->arrival;
    ck_assert_int_eq(handshake, letter->message == NULL);
    if (letter->message)
        a->added += land(s, a->node, letter);
    g_free(letter->blocks);
    g_free(letter);
    g_queue_delete_link(mail, link);
    return arrival;
}

static void shuffle(Stagehand *s, guint node, guint by)
{
    const Reading *r = s->r;
    g_autofree Block *old = g_memdup2(slot_of(s, node, 0), r->n_slots * sizeof *old);
    for (guint i = 0; i < r->n_nodes; i++)
        *slot_of(s, node, (i << by | i >> (r->d - by)) & (r->n_nodes - 1)) = old[i];
}

static void renumber(Stagehand *s, guint node, const Turn *turn)
{
    if (turn->old->len == 0)
        return;
    g_autofree Block *old = g_memdup2(slot_of(s, node, 0), s->r->n_slots * sizeof *old);
    for (guint i = 0; i < turn->old->len; i++)
        slot_of(s, node, g_array_index(turn->old, guint, i))->from = 0;
    for (guint i = 0; i < turn->new->len; i++) {
        Block *to = slot_of(s, node, g_array_index(turn->new, guint, i));
        ck_assert_uint_eq(to->from, 0);
        *to = old[g_array_index(turn->old, guint, i)];
    }
}

/* Bytes in the slots that a shuffle moves. */
static gint64 shuffled_bytes(const Stagehand *s, guint node)
{
    gint64 bytes = 0;
    for (guint i = 0; i < s->r->n_nodes; i++)
        if (slot_of(s, node, i)->from)
            bytes += holdings_bytes(s->r, slot_of(s, node, i));
    return bytes;
}

static void finish_turn(Stagehand *s, Actor *a, const Turn *turn)
{
    gint64 bytes = turn->bytes;
    if (turn->shuffle) {
        bytes += shuffled_bytes(s, a->node);
        shuffle(s, a->node, turn->shuffle);
    }
    renumber(s, a->node, turn);
    holdings_work(turn, slot_of(s, a->node, 0));
    a->clock += (gint64)machine_bytes_ps(s->m->rho_fs_per_byte, bytes) + s->m->flop_ps * (turn->operations + a->added);
    a->added = 0;
    a->stage = AT_BEGIN;
    a->k++;
}

static void enter_messages(Stagehand *s, Actor *a, const Turn *turn)
{
    gint64 latest = a->clock;
    for (guint i = 0; i < turn->messages->len; i++) {
        gint64 sent = send(s, a, &g_array_index(turn->messages, Message, i));
        latest = MAX(latest, sent);
    }
    a->clock = latest;
    a->stage = AT_MESSAGES;
}

static void enter_handshake(Stagehand *s, Actor *a, const Turn *turn)
{
    if (!turn->exchange || !s->m->pairwise_sync) {
        enter_messages(s, a, turn);
        return;
    }
    s->result.handshakes++;
    a->clock = post(s, a, g_array_index(turn->messages, Message, 0).peer, (Letter){0}, 0);
    a->stage = AT_HANDSHAKE;
}

static void pass_join(Stagehand *s, Actor *a, const Turn *turn)
{
    if (turn->phase && s->m->phase_barrier)
        a->stage = AT_BARRIER;
    else
        enter_handshake(s, a, turn);
}

/* Lets all strands of the join go on, if they are there. */
static gboolean try_join(Stagehand *s, const Actor *a, guint32 strands)
{
    gint64 latest = 0;
    for (guint i = 0; i < s->r->n_strands; i++) {
        const Actor *other = actor_of(s, a->node, i);
        if (!(strands >> i & 1))
            continue;
        if (other->stage != AT_JOIN || turn_of(s, other)->strands != strands)
            return FALSE;
        latest = MAX(latest, other->clock);
    }
    for (guint i = 0; i < s->r->n_strands; i++)
        if (strands >> i & 1) {
            Actor *other = actor_of(s, a->node, i);
            other->clock = latest;
            pass_join(s, other, turn_of(s, other));
        }
    return TRUE;
}

static gboolean try_receive(Stagehand *s, Actor *a, const Turn *turn)
{
    gboolean handshake = a->stage == AT_HANDSHAKE;
    const guint *sources = (const guint *)(gconstpointer)turn->awaits->data;
    guint n = handshake ? 1 : turn->awaits->len;
    if (!all_there(mail_of(s, a->node, a->strand), sources, n))
        return FALSE;
    for (guint i = 0; i < n; i++) {
        gint64 arrival = receive(s, a, sources[i], handshake);
        a->clock = MAX(a->clock, arrival);
    }
    if (handshake)
        enter_messages(s, a, turn);
    else
        finish_turn(s, a, turn);
    return TRUE;
}

/* FALSE if it has to wait. */
static gboolean go_on(Stagehand *s, Actor *a)
{
    const Turn *turn = turn_of(s, a);
    switch (a->stage) {
    case AT_BEGIN:
        if (!turn)
            a->stage = AT_END;
        else if (turn->strands)
            a->stage = AT_JOIN;
        else
            pass_join(s, a, turn);
        return TRUE;
    case AT_JOIN:
        return try_join(s, a, turn->strands);
    case AT_HANDSHAKE:
    case AT_MESSAGES:
        return try_receive(s, a, turn);
    case AT_BARRIER:
    case AT_END:
        return FALSE;
    }
    g_assert_not_reached();
}

/* When nobody can go on: everybody is at a barrier, or in a join for a strand that is. FALSE: nobody is. */
static gboolean try_barrier(Stagehand *s)
{
    gint64 latest = 0;
    guint n = s->r->n_nodes * s->r->n_strands, n_here = 0, n_joining = 0;
    for (guint i = 0; i < n; i++) {
        n_here += s->actors[i].stage == AT_BARRIER;
        n_joining += s->actors[i].stage == AT_JOIN;
        latest = MAX(latest, s->actors[i].clock);
    }
    if (n_here == 0 || n_here + n_joining < n)
        return FALSE;
    for (guint i = 0; i < n; i++) {
        Actor *a = &s->actors[i];
        a->clock = latest + s->m->sync_ps + s->m->sync_per_dimension_ps * s->r->d;
        if (a->stage == AT_BARRIER)
            enter_handshake(s, a, turn_of(s, a));
    }
    return TRUE;
}

static void play(Stagehand *s)
{
    guint n = s->r->n_nodes * s->r->n_strands;
    gboolean moves;
    do {
        moves = FALSE;
        for (guint i = 0; i < n; i++)
            while (go_on(s, &s->actors[i]))
                moves = TRUE;
        moves |= !moves && try_barrier(s);
    } while (moves);
    for (guint i = 0; i < n; i++) {
        ck_assert_msg(s->actors[i].stage == AT_END, "processor %u does not come to its end", s->actors[i].node);
        ck_assert_ptr_null(s->mail[i].head);
        s->result.time_ps = MAX(s->result.time_ps, s->actors[i].clock);
    }
}

static void set_up(Stagehand *s)
{
    const Reading *r = s->r;
    for (guint i = 0; i < r->n_nodes * r->n_strands; i++) {
        guint node = i / r->n_strands;
        gint64 late = r->n_nodes > 1 ? s->m->start_skew_ps * node / (r->n_nodes - 1) : 0;
        s->actors[i] = (Actor){.node = node, .strand = i % r->n_strands, .clock = late};
        g_queue_init(&s->mail[i]);
    }
}

Rehearsed rehearse(const Reading *r, const Machine *machine)
{
    guint n = r->n_nodes * r->n_strands;
    g_autofree Block *slots = holdings_at_first(r);
    g_autofree Actor *actors = g_new0(Actor, n);
    g_autofree GQueue *mail = g_new0(GQueue, n);
    Stagehand s = {.r = r, .m = machine, .slots = slots, .actors = actors, .mail = mail};
    set_up(&s);
    play(&s);
    holdings_check_last(r, slots);
    return s.result;
}
