#include "roots.h"
#include "waits.h"

/* --- the roots of a packet's waiting --- */

/* Interval in which a packet waits. The place (channel or port) is the root of its waiting. */
typedef struct {
    gint64 start_ps, end_ps;
    guint32 from, to;
} Span;

/* The part of a WaitPiece that a RootSearch keeps. */
typedef struct {
    const TraceInterval *wait, *holder;     /* the whole wait; interval of the holder, NULL: the root is the place for
                                             * which the wait is */
    gint64 start_ps, end_ps;
} RootPiece;

typedef struct {
    const Trace *trace;
    const Machine *machine;
    GArray *pieces;         /* RootPiece, sorted by packet, then by time */
    guint n_packets;
    guint *first;           /* [n_packets + 1]: index of each packet's first piece */
    GArray **spans;         /* [n_packets]: roots of the packet's waits (Span, sorted by time); NULL: not found yet */
    gboolean has_steps;     /* whether the trace has messages of several steps */
    GArray *roots;          /* Root elements found so far */
    guint room;             /* number of roots beyond which add_spans() merges those of one step and place */
} RootSearch;

static const RootPiece *roots_nth_piece(const RootSearch *search, guint i)
{
    return &g_array_index(search->pieces, RootPiece, i);
}

/* Appends a span, unless its length is 0. If the last span ends where this one starts and has the same root, lengthens
 * the last span instead. */
static void append_span(GArray *spans, gint64 start_ps, gint64 end_ps, guint32 from, guint32 to)
{
    Span *last = spans->len ? &g_array_index(spans, Span, spans->len - 1) : NULL;
    Span span = {start_ps, end_ps, from, to};
    if (start_ps >= end_ps)
        return;
    if (last && last->end_ps == start_ps && last->from == from && last->to == to)
        last->end_ps = end_ps;
    else
        g_array_append_val(spans, span);
}

/* Whether two messages have one receive port, which is the root if one waits for the other. Two circuits that share a
 * channel and end at one processor share all channels from there on. */
static gboolean share_receiver(const RootSearch *search, guint32 a, guint32 b)
{
    const Machine *machine = search->machine;
    return machine->ports == PORTS_ONE && machine->switching == SWITCHING_CIRCUIT && machine->duplex != DUPLEX_HALF &&
           trace_message(search->trace, a)->destination == trace_message(search->trace, b)->destination;
}

static const GArray *find_spans(RootSearch *search, guint packet);

/* Appends the roots of a piece of a wait, as spans of time. While the piece's holder waits, too, the roots are those of
 * the holder's wait. At other times the root is the place that the piece waits for, or share_receiver()'s port. */
static void append_piece(RootSearch *search, GArray *spans, const RootPiece *piece)
{
    guint32 from = piece->wait->from, to = piece->wait->to;
    gint64 at_ps = piece->start_ps;
    const TraceInterval *holder = piece->holder;
    if (holder && share_receiver(search, piece->wait->message, holder->message))
        from = to = trace_message(search->trace, holder->message)->destination;
    const GArray *behind = holder ? find_spans(search, holder->number) : NULL;
    for (guint i = 0; behind && i < behind->len; i++) {
        const Span *span = &g_array_index(behind, Span, i);
        gint64 start_ps = MAX(span->start_ps, piece->start_ps), end_ps = MIN(span->end_ps, piece->end_ps);
        if (start_ps >= end_ps)
            continue;
        append_span(spans, at_ps, start_ps, from, to);
        append_span(spans, start_ps, end_ps, span->from, span->to);
        at_ps = end_ps;
    }
    append_span(spans, at_ps, piece->end_ps, from, to);
}

/* Returns the roots of a packet's waits (Span), or NULL if search->pieces has none of them. The recursion ends,
 * because a holder always goes on before the packets that wait for it. */
static const GArray *find_spans(RootSearch *search, guint packet)
{
    if (packet >= search->n_packets || search->first[packet] == search->first[packet + 1])
        return NULL;
    if (search->spans[packet])
        return search->spans[packet];
    GArray *spans = g_array_new(FALSE, FALSE, sizeof(Span));
    for (guint i = search->first[packet]; i < search->first[packet + 1]; i++)
        append_piece(search, spans, roots_nth_piece(search, i));
    return search->spans[packet] = spans;
}

/* --- the roots of all waits --- */

static int by_packet(gconstpointer first, gconstpointer second)
{
    const RootPiece *a = first, *b = second;
    return trace_order(a->wait->number, b->wait->number) ?: trace_order(a->start_ps, b->start_ps);
}

static int by_end(gconstpointer first, gconstpointer second)
{
    const RootPiece *a = *(const RootPiece *const *)first, *b = *(const RootPiece *const *)second;
    return trace_order(a->end_ps, b->end_ps) ?: trace_order(a->wait->number, b->wait->number);
}

/* Whether the waiting packet holds nothing, because it waits for a send port. Such packets may be many, and block no
 * other. */
static gboolean holds_nothing(const WaitPiece *piece)
{
    return trace_place(piece->wait->from, piece->wait->to) == TRACE_PLACE_SEND_PORT;
}

/* Keeps a piece of a wait. If its holder got the place only after the piece began, keeps two pieces, of which the first
 * has no holder. Drops a piece of a wait for a send port (holds_nothing()). */
static void add_piece(const WaitPiece *piece, gpointer user)
{
    RootSearch *search = user;
    gint64 held_ps = MIN(piece->held_ps, piece->end_ps);
    RootPiece before = {piece->wait, NULL, piece->start_ps, held_ps};
    RootPiece held = {piece->wait, piece->holder, held_ps, piece->end_ps};
    if (holds_nothing(piece))
        return;
    if (before.start_ps < before.end_ps)
        g_array_append_val(search->pieces, before);
    if (held.start_ps < held.end_ps)
        g_array_append_val(search->pieces, held);
}

static void search_begin(RootSearch *search, guint n_nodes)
{
    search->pieces = g_array_new(FALSE, FALSE, sizeof(RootPiece));
    waits_each_piece(search->trace, search->machine, n_nodes, add_piece, search);
    g_array_sort(search->pieces, by_packet);
    guint n = search->pieces->len;
    search->n_packets = n ? roots_nth_piece(search, n - 1)->wait->number + 1 : 0;
    search->first = g_new(guint, search->n_packets + 1);
    search->spans = g_new0(GArray *, search->n_packets);
    for (guint packet = 0, i = 0; packet <= search->n_packets; packet++) {
        while (i < n && roots_nth_piece(search, i)->wait->number < packet)
            i++;
        search->first[packet] = i;
    }
}

static void search_end(RootSearch *search)
{
    for (guint packet = 0; packet < search->n_packets; packet++)
        if (search->spans[packet])
            g_array_unref(search->spans[packet]);
    g_array_unref(search->pieces);
    g_free(search->spans);
    g_free(search->first);
}

/* Finds the roots of all packets' waits. Takes the packets in the order in which their waits end: a packet's holders
 * then come before it, and the recursion of find_spans() stays short. */
static void search_all(RootSearch *search)
{
    g_autoptr(GPtrArray) last = g_ptr_array_new();
    for (guint packet = 0; packet < search->n_packets; packet++)
        if (search->first[packet] < search->first[packet + 1])
            g_ptr_array_add(last, (gpointer)roots_nth_piece(search, search->first[packet + 1] - 1));
    g_ptr_array_sort(last, by_end);
    for (guint i = 0; i < last->len; i++)
        find_spans(search, ((const RootPiece *)last->pdata[i])->wait->number);
}

static int by_root(gconstpointer first, gconstpointer second)
{
    const Root *a = first, *b = second;
    return trace_order(a->step, b->step) ?: trace_order(a->from, b->from) ?: trace_order(a->to, b->to);
}

static int roots_longest_first(gconstpointer first, gconstpointer second)
{
    const Root *a = first, *b = second;
    return trace_order(b->waited_ps, a->waited_ps) ?: by_root(a, b);
}

/* Adds up roots with the same step and place. Sorts the sums, the longest waiting first. */
static void roots_merge(GArray *roots)
{
    guint n = 0;
    g_array_sort(roots, by_root);
    for (guint i = 0; i < roots->len; i++) {
        Root next = g_array_index(roots, Root, i), *sum = &g_array_index(roots, Root, n);
        if (n > 0 && by_root(sum - 1, &next) == 0)
            sum[-1].waited_ps += next.waited_ps;
        else
            g_array_index(roots, Root, n++) = next;
    }
    g_array_set_size(roots, n);
    g_array_sort(roots, roots_longest_first);
}

static gboolean has_steps(const Trace *trace)
{
    for (guint i = 1; i < trace->messages->len; i++)
        if (trace_message(trace, i)->step != trace_message(trace, 0)->step)
            return TRUE;
    return FALSE;
}

#define ROOTS_AT_ONCE 4096     /* least number of roots that are added before the next merge */

/* Adds the roots in `spans`, with their times, to search->roots. The message of `wait` gives their step. */
static void add_spans(RootSearch *search, const TraceInterval *wait, const GArray *spans)
{
    guint32 step = search->has_steps ? trace_message(search->trace, wait->message)->step : TRACE_NONE;
    for (guint i = 0; i < spans->len; i++) {
        const Span *span = &g_array_index(spans, Span, i);
        Root root = {step, span->from, span->to, span->end_ps - span->start_ps};
        g_array_append_val(search->roots, root);
    }
    if (search->roots->len > search->room) {
        roots_merge(search->roots);
        search->room = 2 * search->roots->len + ROOTS_AT_ONCE;
    }
}

/* Adds the roots of a piece of a wait for a send port, which add_piece() drops; nothing for other pieces. */
static void add_passing(const WaitPiece *piece, gpointer user)
{
    if (!holds_nothing(piece))
        return;
    g_autoptr(GArray) spans = g_array_new(FALSE, FALSE, sizeof(Span));
    append_piece(user, spans, &(RootPiece){piece->wait, piece->holder, piece->start_ps, piece->end_ps});
    add_spans(user, piece->wait, spans);
}

GArray *roots_find(const Trace *trace, const Machine *machine, guint n_nodes)
{
    RootSearch search = {.trace = trace, .machine = machine, .has_steps = has_steps(trace),
                         .roots = g_array_new(FALSE, FALSE, sizeof(Root)), .room = ROOTS_AT_ONCE};
    search_begin(&search, n_nodes);
    search_all(&search);
    for (guint packet = 0; packet < search.n_packets; packet++)
        if (search.spans[packet])
            add_spans(&search, roots_nth_piece(&search, search.first[packet])->wait, search.spans[packet]);
    if (machine->switching == SWITCHING_STORE_AND_FORWARD)
        waits_each_piece(trace, machine, n_nodes, add_passing, &search);
    search_end(&search);
    roots_merge(search.roots);
    return search.roots;
}

/* --- causes in words --- */

/* Properties by which roots are added up, the most precise first. */
typedef enum { BY_STEP_AND_PLACE, BY_STEP, BY_PLACE, BY_KIND } View;

/* Returns the roots, added up by the properties in `view`, the longest waiting first. BY_KIND: one place stands for all
 * of its kind. Caller unrefs. */
static GArray *roots_seen(const GArray *roots, View view)
{
    GArray *seen = g_array_copy((GArray *)roots);
    for (guint i = 0; i < seen->len; i++) {
        Root *root = &g_array_index(seen, Root, i);
        TracePlace place = trace_place(root->from, root->to);
        if (view == BY_PLACE || view == BY_KIND)
            root->step = TRACE_NONE;
        if (view == BY_STEP)
            root->from = root->to = TRACE_NONE;
        else if (view == BY_KIND) {
            root->from = root->from < TRACE_NODE ? 0 : root->from;
            root->to = root->to < TRACE_NODE ? place == TRACE_PLACE_CHANNEL : root->to;
        }
    }
    roots_merge(seen);
    return seen;
}

GArray *roots_of_places(const GArray *roots)
{
    return roots_seen(roots, BY_PLACE);
}

/* Returns the place of a root as text, "the receive port of 0", or BY_KIND its kind, "receive ports". Caller frees. */
static char *root_text(const Root *root, View view)
{
    static const char *const kinds[] = {
        [TRACE_PLACE_CHANNEL] = "channels", [TRACE_PLACE_RECEIVE_PORT] = "receive ports",
        [TRACE_PLACE_SEND_PORT] = "send ports", [TRACE_PLACE_NODE_EXIT] = "ports out of nodes",
        [TRACE_PLACE_NODE_ENTRY] = "ports into nodes", [TRACE_PLACE_PORT] = "ports of processors",
        [TRACE_PLACE_OTHER_WAY] = "transmissions the other way"};
    TracePlace place = trace_place(root->from, root->to);
    if (view == BY_KIND || place == TRACE_PLACE_OTHER_WAY)
        return g_strdup(kinds[place]);
    g_autofree char *text = trace_place_text(root->from, root->to);
    return g_strconcat(place == TRACE_PLACE_CHANNEL ? "" : "the ", text, NULL);
}

static double root_share(const Root *root, gint64 all_ps)
{
    return 100.0 * (double)root->waited_ps / (double)all_ps;
}

/* Fills in where over half of the waiting has its root: a place in one step, or else a step, a place, or a kind of
 * place. If there is none, fills in the kind at the root of most waiting. */
static void cause_fill_where(Cause *cause, const GArray *roots, gint64 all_ps)
{
    for (View view = BY_STEP_AND_PLACE;; view++) {
        g_autoptr(GArray) seen = roots_seen(roots, view);
        const Root *most = &g_array_index(seen, Root, 0);
        gboolean has_step = most->step != TRACE_NONE, has_place = view != BY_STEP;
        if ((most->waited_ps <= all_ps - most->waited_ps && view != BY_KIND) || (!has_step && !has_place))
            continue;
        g_autofree char *step = has_step ? g_strdup_printf("is in step %u", most->step) : g_strdup("");
        g_autofree char *place = has_place ? root_text(most, view) : g_strdup("");
        gboolean other_way = trace_place(most->from, most->to) == TRACE_PLACE_OTHER_WAY;
        cause->is_kind = !has_step && (view == BY_KIND || other_way);
        cause->percent = root_share(most, all_ps);
        cause->where = g_strconcat(step, has_step && has_place ? " and " : "", has_place ? "goes back to " : "",
                                   view == BY_KIND && !other_way ? "busy " : "", place, NULL);
        return;
    }
}

static char *kinds_text(const GArray *roots, gint64 all_ps)
{
    g_autoptr(GArray) kinds = roots_seen(roots, BY_KIND);
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < kinds->len; i++) {
        const Root *kind = &g_array_index(kinds, Root, i);
        g_autofree char *text = root_text(kind, BY_KIND);
        g_string_append_printf(out, "%s%s %.1f %%", i ? ", " : "", text, root_share(kind, all_ps));
    }
    return g_string_free(out, FALSE);
}

Cause cause_of_roots(const GArray *roots)
{
    gint64 all_ps = 0;
    for (guint i = 0; i < roots->len; i++)
        all_ps += g_array_index(roots, Root, i).waited_ps;
    Cause cause = {0};
    if (all_ps > 0) {
        cause_fill_where(&cause, roots, all_ps);
        cause.kinds = kinds_text(roots, all_ps);
    }
    return cause;
}

Cause cause_of(const Trace *trace, const Machine *machine, guint n_nodes)
{
    g_autoptr(GArray) roots = roots_find(trace, machine, n_nodes);
    return cause_of_roots(roots);
}

void cause_clear(Cause *cause)
{
    g_free(cause->where);
    g_free(cause->kinds);
    *cause = (Cause){0};
}
