#include "reader_matrices.h"
#include "words.h"

/* --- the head --- */

static void read_cycles(Reading *r, const char *cycles)
{
    g_auto(GStrv) each = g_strsplit(cycles, "/", -1);
    for (guint c = 0; each[c]; c++) {
        g_auto(GStrv) bits = g_strsplit(each[c], ",", -1);
        guint n = g_strv_length(bits);
        for (guint i = 0; i < n; i++)
            r->to[g_ascii_strtoll(bits[i], NULL, 10)] = (guint)g_ascii_strtoll(bits[(i + 1) % n], NULL, 10);
    }
}

static void read_title(Reading *r, const char *line)
{
    g_auto(GStrv) halves = g_strsplit(line, ": ", 2), words = g_strsplit(halves[0], ", ", -1);
    r->pattern = g_strndup(words[0], strcspn(words[0], " "));
    for (guint bit = 0; bit < G_N_ELEMENTS(r->to); bit++)
        r->to[bit] = bit;
    for (guint i = 1; words[i]; i++) {
        const char *at = words[i];
        if (accept(&at, "d = "))
            r->d = (guint)number(&at);
        else if (accept(&at, "source "))
            r->source = (guint)number(&at);
        else if (accept(&at, "idle "))
            r->idle = (guint)number(&at);
        else if (accept(&at, "cycles "))
            read_cycles(r, at);
    }
    const char *at = halves[1];
    r->n_nodes = (guint)count(&at, "processor");
    ck_assert_uint_eq(r->n_nodes, 1u << r->d);
    ck_assert_uint_le(r->d, READER_DIMENSION_MAX);
    expect(&at, ", ");
    r->n_strands = strstr(at, "strand") ? (guint)count(&at, "strand") : 1;
    if (r->n_strands > 1)
        expect(&at, " of up to ");
    r->n_steps = (guint)count(&at, "step");
    expect(&at, ", ");
    r->n_slots = (guint)count(&at, "slot");
    ck_assert_str_eq(at, " each");
}

static void cut_part(Reading *r, gint64 bytes, gint64 packet)
{
    for (gint64 left = bytes, piece; left > 0; left -= piece) {
        piece = packet ? MIN(packet, left) : left;
        g_array_append_val(r->pieces, piece);
    }
}

static void read_data(Reading *r, const char *at)
{
    if (accept(&at, "elements of ")) {
        r->element = count(&at, "byte");
        return;
    }
    gint64 element = 1, n_parts = 1, n_long = 1, long_bytes, short_bytes = 0, packet = 0;
    expect(&at, "M = ");
    gint64 bytes = long_bytes = count(&at, "byte");
    if (accept(&at, " in elements of "))
        element = number(&at);
    if (strstr(at, "part")) {
        expect(&at, "; ");
        n_long = n_parts = count(&at, "part");
        if (accept(&at, ": "))
            n_long = number(&at);
        expect(&at, " of ");
        long_bytes = count(&at, "byte");
        if (n_long < n_parts) {
            expect(&at, ", ");
            ck_assert_int_eq(n_long + number(&at), n_parts);
            expect(&at, " of ");
            short_bytes = number(&at);
            ck_assert_int_eq(long_bytes - short_bytes, element);
        }
    }
    if (accept(&at, "; packets of at most "))
        packet = count(&at, "byte");
    gboolean empty_too = accept(&at, ", sent as well");
    for (gint64 i = 0; i < n_parts && empty_too; i++)
        g_array_append_vals(r->pieces, i < n_long ? &long_bytes : &short_bytes, 1);
    for (gint64 i = 0; i < n_parts && !empty_too; i++)
        cut_part(r, i < n_long ? long_bytes : short_bytes, packet);
    if (bytes == 0 && !empty_too)
        g_array_append_val(r->pieces, bytes);
    if (packet) {
        expect(&at, ": ");
        ck_assert_int_eq(count(&at, "piece"), r->pieces->len);
    }
    ck_assert_str_eq(at, "");
    ck_assert_int_eq(n_long * long_bytes + (n_parts - n_long) * short_bytes, bytes);
    ck_assert_int_eq(bytes % element, 0);
}

static Term term(const char **at)
{
    Term t = {0};
    do {
        if (accept(at, "x"))
            t.x = TRUE;
        else if (accept(at, "y"))
            t.y = TRUE;
        else if (accept(at, "p"))
            t.p = TRUE;
        else if (accept(at, "i"))
            t.times = 1;
        else
            t.base = (guint)number(at);
        t.xor_i |= accept(at, " xor i");
        t.xor_power |= accept(at, " xor 2^i");
        if (accept(at, " i")) {
            t.times = t.base;
            t.base = 0;
        }
    } while (accept(at, " + "));
    return t;
}

static Rule read_rule(const char *at, const char *when, guint n_nodes)
{
    Rule rule = {.limit = n_nodes};
    expect(&at, when);
    expect(&at, ", slot ");
    rule.slot = term(&at);
    expect(&at, " of processor ");
    rule.owner = term(&at);
    if (accept(&at, " < "))
        rule.limit = (guint)number(&at);
    expect(&at, " holds ");
    accept(&at, "piece p of ");
    if (accept(&at, "the data of "))
        rule.holding = HOLDS_DATA;
    else if (accept(&at, "the sum of all blocks to "))
        rule.holding = HOLDS_SUM;
    else if (accept(&at, "the sum of all data"))
        rule.holding = HOLDS_SUM_OF_DATA;
    else
        expect(&at, "the block from ");
    if (rule.holding == HOLDS_BLOCK || rule.holding == HOLDS_DATA)
        rule.from = term(&at);
    if (rule.holding == HOLDS_BLOCK)
        expect(&at, " to ");
    if (rule.holding == HOLDS_BLOCK || rule.holding == HOLDS_SUM)
        rule.to = term(&at);
    rule.own_in_x = accept(&at, " (slot x if i = x)");
    accept(&at, "; y is x with each bit moved to the next place in its cycle");
    ck_assert_str_eq(at, "");
    return rule;
}

static char **read_rules(Reading *r, char **line)
{
    if (r->element)
        return reader_matrices(r, line);
    r->at_first = read_rule(*line++, "at first", r->n_nodes);
    r->at_last = read_rule(*line++, "at last", r->n_nodes);
    r->at_last.limit = r->at_first.limit;
    return line;
}

/* --- the steps --- */

static Turn *turn_new(void)
{
    Turn *turn = g_new0(Turn, 1);
    turn->messages = g_array_new(FALSE, FALSE, sizeof(Message));
    turn->awaits = numbers_new();
    turn->old = numbers_new();
    turn->new = numbers_new();
    turn->works = g_array_new(FALSE, FALSE, sizeof(Work));
    return turn;
}

static void turn_free(gpointer data)
{
    Turn *turn = data;
    for (guint i = 0; i < turn->works->len; i++)
        reader_work_clear(&g_array_index(turn->works, Work, i));
    g_array_unref(turn->works);
    for (guint i = 0; i < turn->messages->len; i++) {
        g_array_unref(g_array_index(turn->messages, Message, i).from);
        g_array_unref(g_array_index(turn->messages, Message, i).to);
    }
    g_array_unref(turn->messages);
    g_array_unref(turn->awaits);
    g_array_unref(turn->old);
    g_array_unref(turn->new);
    g_free(turn);
}

/* What stands behind a step's number, or in brackets behind a processor's. */
static void read_flags(const char **at, guint strand, Turn *turn)
{
    do {
        if (accept(at, "begins a phase")) {
            turn->phase = TRUE;
        } else if (accept(at, "pairwise exchange")) {
            turn->exchange = TRUE;
        } else {
            expect(at, "together with strand");
            accept(at, "s");
            expect(at, " ");
            turn->strands = 1u << strand;
            do
                turn->strands |= 1u << number(at);
            while (another(at));
        }
    } while (accept(at, ", "));
}

static void read_message(const char **at, Verb verb, Turn *turn)
{
    Message message = {.verb = verb, .from = numbers_new(), .to = numbers_new()};
    slots(at, message.from);
    expect(at, " to ");
    message.peer = (guint)number(at);
    expect(at, ", ");
    message.adds = accept(at, "added to ");
    if (!message.adds)
        expect(at, "into ");
    slots(at, message.to);
    ck_assert_uint_eq(message.from->len, message.to->len);
    g_array_append_val(turn->messages, message);
}

static void read_renumbering(const char **at, Turn *turn)
{
    do {
        range(at, turn->old);
        expect(at, " as ");
        range(at, turn->new);
    } while (another(at));
    ck_assert_uint_eq(turn->old->len, turn->new->len);
}

static void read_work(const char **at, Turn *turn)
{
    g_autoptr(GArray) worked = numbers_new();
    slots(at, worked);
    expect(at, ", operation ");
    ck_assert_int_gt(number(at), 0);
    expect(at, ", moving ");
    turn->bytes = count(at, "byte");
}

static void read_act(const char **at, Turn *turn)
{
    if (reader_matrix_work(at, turn))
        return;
    if (accept(at, "sends ")) {
        read_message(at, VERB_MOVE, turn);
    } else if (accept(at, "copies ")) {
        read_message(at, VERB_COPY, turn);
    } else if (accept(at, "awaits ")) {
        do
            add(turn->awaits, (guint)number(at));
        while (another(at));
    } else if (accept(at, "shuffles by ")) {
        turn->shuffle = (guint)number(at);
    } else if (accept(at, "renumbers slots ")) {
        read_renumbering(at, turn);
    } else if (accept(at, "takes ")) {
        turn->operations = count(at, "operation");
    } else if (accept(at, "works on ")) {
        read_work(at, turn);
    } else {
        expect(at, "does nothing");
    }
}

/* A processor's line. */
static Turn *read_turn(const char *at, guint node, guint strand, const Turn *common)
{
    Turn *turn = turn_new();
    turn->phase = common->phase;
    turn->strands = common->strands;
    expect(&at, "  ");
    ck_assert_int_eq(number(&at), node);
    expect(&at, " ");
    if (accept(&at, "(")) {
        read_flags(&at, strand, turn);
        expect(&at, ") ");
    }
    do
        read_act(&at, turn);
    while (accept(&at, "; "));
    ck_assert_str_eq(at, "");
    turn->exchange |= common->exchange && turn->messages->len + turn->awaits->len > 0;
    ck_assert(!turn->exchange || (turn->messages->len == 1 && turn->awaits->len == 1));
    return turn;
}

/* The steps of all strands, from lines[0] on. */
static void read_steps(Reading *r, char **lines)
{
    while (*lines && **lines) {
        const char *at = *lines++;
        Turn common = {0};
        expect(&at, "step ");
        guint k = (guint)number(&at);
        guint strand = accept(&at, " of strand ") ? (guint)number(&at) : 0;
        ck_assert_uint_lt(strand, r->n_strands);
        ck_assert_uint_eq(r->turns[strand]->len, k * r->n_nodes);
        if (accept(&at, ", "))
            read_flags(&at, strand, &common);
        ck_assert_str_eq(at, "");
        for (guint node = 0; node < r->n_nodes; node++)
            g_ptr_array_add(r->turns[strand], read_turn(*lines++, node, strand, &common));
        if (*lines && !**lines)
            lines++;
    }
}

Reading *reading_new(const char *text)
{
    Reading *r = g_new0(Reading, 1);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    char **line = lines;
    r->pieces = g_array_new(FALSE, FALSE, sizeof(gint64));
    r->homes = g_array_new(FALSE, FALSE, sizeof(Home));
    ck_assert_uint_gt(g_strv_length(lines), 4);
    read_title(r, *line++);
    read_data(r, *line++);
    line = read_rules(r, line);
    r->turns = g_new(GPtrArray *, r->n_strands);
    for (guint i = 0; i < r->n_strands; i++)
        r->turns[i] = g_ptr_array_new_with_free_func(turn_free);
    if (g_str_has_prefix(*line, "to shuffle by s: "))
        line++;
    ck_assert_str_eq(*line, "");
    read_steps(r, line + 1);
    guint longest = 0;
    for (guint i = 0; i < r->n_strands; i++)
        longest = MAX(longest, r->turns[i]->len);
    ck_assert_uint_eq(longest, r->n_steps * r->n_nodes);
    return r;
}

void reading_free(Reading *r)
{
    for (guint i = 0; i < r->n_strands; i++)
        g_ptr_array_unref(r->turns[i]);
    g_free(r->turns);
    g_array_unref(r->pieces);
    g_array_unref(r->homes);
    g_free(r->pattern);
    g_free(r);
}
