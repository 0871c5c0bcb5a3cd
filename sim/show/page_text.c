#include "page_text.h"
#include "chart.h"
#include "summary.h"
#include "sim/run/keys.h"
#include "sim/text/html.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

/* --- the glossary, and its words in texts --- */

static const char *const glossary[][2] = {
    {"published", "the time of the run by the formula in the paper; a dash where there is none."},
    {"contention-free", "the time that the run would take if no message ever met another: nothing waits for a "
                        "channel or a port."},
    {"simulated", "the time that the run takes on the simulated machine, where messages wait for channels and "
                  "ports that others hold."},
    {"contention", "simulated less contention-free: by how much waiting makes the run longer."},
    {"blocked", "how many messages waited for a channel or a port that another message held."},
    {"waiting", "how long the blocked messages waited, summed over messages: many wait at the same time, so the "
                "sum may be longer than the run."},
    {"root cause", "a message may wait behind one that waits itself, and so on. The message at the end of this chain "
                   "does not wait: it, and the channel or port that it holds, are the root cause of all waits of the "
                   "chain, and the waiting goes back to them. If it and the message behind it go to one processor, the "
                   "place is the receive port there, whichever channel they meet in."},
    {"critical path", "what ended last, what let that begin, and so on back to the beginning of the run: its parts "
                      "add up to the simulated time. Where a message waited, the path goes on with the message "
                      "that held what it waited for."},
    {"channel", "the wire from a processor to its neighbour, for one message at a time."},
    {"circuit", "all channels from sender to receiver: a message claims them one by one, keeps those that it has "
                "while it waits for the next, and holds all until it has been transmitted."},
    {"receive port", "where a processor takes messages in, one at a time. A message that waits for it keeps all "
                     "channels that it has."},
    {"transmissions the other way", "a processor sends and receives at the same time only if both begin together "
                                    "(synchronized duplex). Otherwise the message that is ready later waits for the "
                                    "other transmission to end, though its channels are free."},
    {"partition", "the dimensions of the subcubes in which a multiphase exchange works, phase by phase: 3,3 stands for "
                  "two phases, each within subcubes of eight processors."},
    {"offset", "how far a message goes: at offset 5 processor x sends to x xor 5 in a cube, and to x + 5 elsewhere."},
    {"handshake", "a message without data in both directions before two processors exchange their data."},
    {"complete exchange", "each processor sends a block to each other processor."},
    {"block", "the data that one processor has for one other."},
    {"step", "what a processor sends, and then awaits, before it goes on. Steps are counted from 0."},
    {"start-up", "what a message costs before its first byte, whatever its size."},
    {"barrier", "where each processor waits until all have come."},
    {"naive", "each processor sends to 0, 1, 2, ... in this order, so in step 0 all send to processor 0."},
    {"hull", "which partition has the least contention-free time, for each block size."},
};

/* --- elements of HTML --- */

/* Returns the index of the word of the glossary with which `text` begins; G_N_ELEMENTS(glossary) if it begins with
 * none. */
static guint glossary_find(const char *text)
{
    guint i = 0;
    while (i < G_N_ELEMENTS(glossary) && !g_str_has_prefix(text, glossary[i][0]))
        i++;
    return i;
}

/* Appends `text`. Where a word of the glossary first occurs in it, also in the plural, the word gets its
 * explanation. */
static void page_put_explained(GString *out, const char *text)
{
    gboolean known[G_N_ELEMENTS(glossary) + 1] = {[G_N_ELEMENTS(glossary)] = TRUE};
    const char *begin = text;
    for (const char *at = text; *at; at++) {
        guint i = at == text || at[-1] == ' ' ? glossary_find(at) : G_N_ELEMENTS(glossary);
        if (known[i])
            continue;
        known[i] = TRUE;
        g_autofree char *before = g_strndup(begin, (gsize)(at - begin));
        begin = at + strlen(glossary[i][0]);
        begin += *begin == 's';
        g_autofree char *word = g_strndup(at, (gsize)(begin - at));
        html_put(out, "%s<abbr title=\"%s\">%s</abbr>", before, glossary[i][1], word);
    }
    html_put(out, "%s", begin);
}

static double percent_of(gint64 ps, gint64 of_ps)
{
    return of_ps ? 100.0 * (double)ps / (double)of_ps : 0;
}

/* Adds the glossary's explanations to headings of tables that are words of the glossary. */
static void explain_heads(GString *out)
{
    for (guint i = 0; i < G_N_ELEMENTS(glossary); i++) {
        const char *word = glossary[i][0];
        g_autofree char *head = g_strdup_printf(">%s</th>", word);
        g_autofree char *explained = g_strdup_printf("><abbr title=\"%s\">%s</abbr></th>", glossary[i][1], word);
        g_string_replace(out, head, explained, 0);
    }
}

/* Frees `out` and returns its text as valid UTF-8. Puts a fixed space between a number and its unit, and an arrow for
 * "->" between processors. Caller frees. */
static char *page_done(GString *out)
{
    static const char *const kept[][2] = {{"(?<=\\d) (?=(%|µs|ms|s|bytes?)(?!\\w))", "\u00a0"},
                                          {"(?<=\\d)-&gt;(?=\\d)", "\u2192"}};
    g_autofree char *bytes = g_string_free(out, FALSE);
    char *text = g_utf8_make_valid(bytes, -1);
    for (guint i = 0; i < G_N_ELEMENTS(kept); i++) {
        g_autoptr(GRegex) pattern = g_regex_new(kept[i][0], 0, 0, NULL);
        g_autofree char *before = text;
        text = g_regex_replace_literal(pattern, before, -1, 0, kept[i][1], 0, NULL);
    }
    return text;
}

char *page_escaped(const char *text)
{
    GString *out = g_string_new(NULL);
    html_put(out, "%s", text);
    return page_done(out);
}

/* --- the bars --- */

/* Parts of a run's time in the order of a bar, with their colours. `ink` is the colour of the text on a part. */
static const struct {
    BreakdownPart part;
    const char *fill, *ink;
} parts[] = {
    {BREAKDOWN_STARTUPS, "var(--startup)", "#000"},      {BREAKDOWN_HANDSHAKES, "var(--handshake)", "#000"},
    {BREAKDOWN_RECONFIGURATIONS, "var(--reconfigure)", "#000"},
    {BREAKDOWN_CIRCUITS, "var(--circuit)", "#000"},      {BREAKDOWN_TRANSMISSION, "var(--transmit)", "#fff"},
    {BREAKDOWN_SHUFFLES, "var(--shuffle)", "#000"},      {BREAKDOWN_BARRIERS, "var(--barrier)", "var(--text)"},
    {BREAKDOWN_ARITHMETIC, "var(--compute)", "var(--back)"}, {BREAKDOWN_LATE_STARTS, "var(--line)", "var(--text)"},
    {BREAKDOWN_ALL_ELSE, "var(--bar)", "var(--back)"},   {BREAKDOWN_CONTENTION, "url(#waits)", "var(--text)"},
};

#define NAME_SHARE 20       /* percent of the scale from which on a part shows its name */
#define PERCENT_SHARE 28    /* percent of the scale from which on a part also shows its percentage of the run's time */

/* Returns `ps` as a percentage of the scale, for SVG. Caller frees. */
static char *length_text(gint64 ps, gint64 scale_ps)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strconcat(g_ascii_formatd(text, sizeof text, "%.4f", percent_of(ps, scale_ps)), "%", NULL);
}

static void put_piece(GString *out, guint i, gint64 before_ps, gint64 ps, gint64 time_ps, gint64 scale_ps)
{
    const char *name = breakdown_names[parts[i].part];
    g_autofree char *x = length_text(before_ps, scale_ps), *width = length_text(ps, scale_ps);
    g_autofree char *time = table_time_shown(ps), *share = g_strdup_printf(" %.0f %%", percent_of(ps, time_ps));
    html_put(out, "<svg x=\"%s\" width=\"%s\" data-tip=\"%s: %s µs,%s of the run\">"
             "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>", x, width, name, time, share, parts[i].fill);
    if (percent_of(ps, scale_ps) >= NAME_SHARE)
        html_put(out, "<text x=\"5\" y=\"14\" fill=\"%s\" class=\"%s\">%s%s</text>", parts[i].ink,
                 parts[i].part == BREAKDOWN_CONTENTION ? "over" : "", name,
                 percent_of(ps, scale_ps) >= PERCENT_SHARE ? share : "");
    g_string_append(out, "</svg>");
}

/* Appends the bar of a run: the parts of its time side by side. The bar is as long as its simulated time on the
 * scale. */
static void put_bar(GString *out, const Record *record, const TimeBreakdown *breakdown, gint64 scale_ps)
{
    gint64 before_ps = 0;
    g_string_append(out, "<svg class=\"bar\" aria-hidden=\"true\">");
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        gint64 ps = breakdown->ps[parts[i].part];
        if (ps > 0)
            put_piece(out, i, before_ps, ps, record->result.simulated_ps, scale_ps);
        before_ps += ps;
    }
    g_string_append(out, "</svg>\n");
}

static void put_row(GString *out, const Record *record, const TimeBreakdown *breakdown, const RunPair *pair)
{
    gint64 ps = record->result.simulated_ps, least_ps = pair->fast ? pair->fast->result.simulated_ps : 0;
    g_autofree char *name = summary_name(record), *time = table_time_shown(ps);
    html_put(out, "<span>%s</span>", name);
    if (!summary_has_result(record)) {
        g_string_append(out, "<span class=\"fault\">FAILED</span><span></span><span></span>\n");
        return;
    }
    html_put(out, "<span>%s µs</span>", time);
    double times = least_ps > 0 ? (double)ps / (double)least_ps : 1;
    if (times > 1)
        html_put(out, times < 1.005 ? "<span>%.6f times</span>" : "<span>%.2f times</span>", times);
    else
        html_put(out, "<span>%s</span>", pair->slow->result.simulated_ps > least_ps ? "fastest" : "");
    put_bar(out, record, breakdown, pair->slow->result.simulated_ps);
}

/* Appends the bars of the two runs that the page compares, then of all other runs of the same size, failed ones
 * included. */
static void page_put_bars(GString *out, const PageHead *head, const TimeBreakdown *breakdowns)
{
    RunPair pair = summary_pair(head->records, head->n_records);
    for (gboolean after = FALSE; after <= TRUE; after++)
        for (guint i = 0; i < head->n_records; i++) {
            const Record *record = &head->records[i];
            gboolean is_compared = record == pair.slow || record == pair.fast;
            if (is_compared != after && (!pair.slow || summary_is_same_size(pair.slow, record)))
                put_row(out, record, &breakdowns[i], &pair);
        }
}

static gboolean is_used(const TimeBreakdown *breakdowns, guint n, BreakdownPart part)
{
    for (guint i = 0; i < n; i++)
        if (breakdowns[i].ps[part])
            return TRUE;
    return FALSE;
}

TimeBreakdown *page_breakdowns(const PageHead *head)
{
    TimeBreakdown *breakdowns = g_new0(TimeBreakdown, head->n_records);
    for (guint i = 0; i < head->n_records; i++)
        if (summary_has_result(&head->records[i]))
            breakdowns[i] = breakdown_of(&head->records[i], breakdown_is_known(&head->records[i]));
    return breakdowns;
}

static void page_put_sample(GString *out, const char *fill, const char *what)
{
    html_put(out, "<li><svg class=\"sample\"><rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/></svg>%s</li>", fill,
             what);
}

char *page_settings(const PageHead *head)
{
    GString *out = g_string_new(NULL);
    g_auto(GStrv) pairs = g_strsplit(head->overrides, " ", -1);
    g_autofree char *with = g_strjoinv(", ", pairs);
    if (*with)
        html_put(out, "With %s. ", with);
    if (*head->sentence)
        html_put(out, "%s.", head->sentence);
    return page_done(out);
}

/* Appends descriptions of the algorithms of the two runs that the page compares. */
static void page_put_algorithms(GString *out, const PageHead *head)
{
    RunPair pair = summary_pair(head->records, head->n_records);
    const Record *const compared[] = {pair.slow, pair.fast};
    const Algorithm *before = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(compared); i++) {
        const Algorithm *algorithm = compared[i] ? compared[i]->run.problem.algorithm : NULL;
        if (algorithm && algorithm != before)
            html_put(out, "%s<b>%s</b>: %s", before ? "; " : "", algorithm->name, algorithm->summary);
        before = algorithm ?: before;
    }
}

char *page_answer(const PageHead *head, const char *dead, const Cause *causes, const TimeBreakdown *breakdowns)
{
    GString *out = g_string_new(NULL);
    g_autofree char *reason = summary_reason(head->records, head->n_records, causes);
    g_string_append(out, "<div>\n<p id=\"words\">");
    page_put_explained(out, reason);
    html_put(out, "</p>\n<p id=\"dead\">%s</p>\n<p class=\"hint\">", dead);
    page_put_algorithms(out, head);
    g_string_append(out, "</p>\n</div><div>\n");
    g_string_append(out, "<div class=\"answer\" tabindex=\"0\" role=\"region\" aria-label=\"The time of each run\">\n");
    page_put_bars(out, head, breakdowns);
    g_string_append(out, "</div><ul class=\"key\">");
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (is_used(breakdowns, head->n_records, parts[i].part))
            page_put_sample(out, parts[i].fill, breakdown_names[parts[i].part]);
    g_string_append(out, "</ul></div>");
    return page_done(out);
}

/* --- the key of colours, and the glossary --- */

/* Appends the meanings of the shapes in the picture that shows the processors at one time. */
static void page_put_shapes(GString *out, const PageHead *head)
{
    static const struct {
        const char *shape, *what;
        gboolean of_waits;      /* whether the shape occurs only if a message waits */
    } shapes[] = {
        {"<line x2=\"24\" y1=\"5.5\" y2=\"5.5\" stroke=\"var(--wait)\" stroke-width=\"3.4\" stroke-dasharray=\"6 3\"/>",
         "held by a message that waits", TRUE},
        {"<line x2=\"24\" y1=\"5.5\" y2=\"5.5\" stroke=\"var(--wait)\" stroke-width=\"6\" stroke-dasharray=\"2 4\"/>",
         "waited for", TRUE},
        {"<circle cx=\"12\" cy=\"5.5\" r=\"6\" stroke=\"var(--wait)\" stroke-width=\"3\" stroke-dasharray=\"3 3\"/>",
         "its port is waited for", TRUE},
        {"<circle cx=\"12\" cy=\"5.5\" r=\"5\" stroke=\"var(--receive)\" stroke-width=\"3\"/>", "receives", FALSE},
        {"<line x2=\"24\" y1=\"5.5\" y2=\"5.5\" stroke=\"var(--select)\" stroke-width=\"9\"/>",
         "route of the chosen message, and of those that it waits for", FALSE},
    };
    gboolean waits = FALSE;
    for (guint r = 0; r < head->n_records; r++)
        waits |= head->records[r].result.network.blocked > 0;
    if (problem_n_nodes(&head->records[0].run.problem) > PAGE_GRAPH_MAX) {
        html_put(out, "<li>%s</li>", waits ? "full cells are held, half cells waited for" : "full cells are held");
        return;
    }
    for (guint i = 0; i < G_N_ELEMENTS(shapes); i++)
        if (waits || !shapes[i].of_waits)
            g_string_append_printf(out, "<li><svg class=\"sample shape\">%s</svg>%s</li>", shapes[i].shape,
                                   shapes[i].what);
}

char *page_key(const PageHead *head, const TimeBreakdown *breakdowns)
{
    static const struct {
        const char *fill, *what;
        BreakdownPart part;     /* part of the time that has the colour; BREAKDOWN_ALL_ELSE: it is always shown */
    } kinds[] = {
        {"var(--startup)", "start-up", BREAKDOWN_ALL_ELSE},
        {"var(--handshake)", "handshake", BREAKDOWN_HANDSHAKES},
        {"var(--reconfigure)", "reconfiguration", BREAKDOWN_RECONFIGURATIONS},
        {"var(--circuit)", "setting up a circuit", BREAKDOWN_ALL_ELSE},
        {"url(#waits)", "waiting", BREAKDOWN_ALL_ELSE},
        {"var(--transmit)", "transmission", BREAKDOWN_ALL_ELSE},
        {"var(--receive)", "reception", BREAKDOWN_ALL_ELSE},
        {"var(--shuffle)", "shuffle", BREAKDOWN_SHUFFLES},
        {"var(--compute)", "arithmetic", BREAKDOWN_ARITHMETIC},
        {"var(--barrier)", "barrier", BREAKDOWN_BARRIERS},
    };
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        gboolean is_shown = kinds[i].part == BREAKDOWN_ALL_ELSE;
        for (guint r = 0; r < head->n_records; r++)
            is_shown |= !summary_has_result(&head->records[r]) || breakdowns[r].ps[BREAKDOWN_ALL_ELSE] ||
                        breakdowns[r].ps[kinds[i].part] || breakdowns[r].count[kinds[i].part];
        if (is_shown)
            page_put_sample(out, kinds[i].fill, kinds[i].what);
    }
    page_put_shapes(out, head);
    if (page_has_source(&head->records[0].run.problem))
        page_put_sample(out, "var(--grown)", "where the data has been, a colour for each tree");
    return page_done(out);
}

char *page_glossary(void)
{
    GString *out = g_string_new("<dl>\n");
    for (guint i = 0; i < G_N_ELEMENTS(glossary); i++)
        html_put(out, "<dt>%s</dt><dd>%s</dd>\n", glossary[i][0], glossary[i][1]);
    g_string_append(out, "</dl>");
    return page_done(out);
}

/* --- the tables of all runs --- */

static void put_breakdowns(GString *out, const PageHead *head, const TimeBreakdown *breakdowns)
{
    Column columns[G_N_ELEMENTS(parts) + 2] = {{.heading = "run", .text = TRUE}};
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        columns[i + 1] = (Column){.heading = breakdown_names[parts[i].part], .optional = TRUE};
    columns[G_N_ELEMENTS(parts) + 1] = (Column){.heading = "simulated"};
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    for (guint r = 0; r < head->n_records; r++) {
        g_autofree char *name = summary_label(&head->records[r]);
        gboolean known = summary_has_result(&head->records[r]);
        table_add(table, name);
        for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
            table_add_time_if(table, breakdowns[r].ps[parts[i].part] != 0, breakdowns[r].ps[parts[i].part]);
        table_add_time_if(table, known, head->records[r].result.simulated_ps);
    }
    g_autofree char *rows = table_text(table, FORMAT_HTML);
    g_string_append(out, rows);
}

#define OPEN_MAX 16         /* largest number of runs whose tables are not folded */

char *page_tables(const PageHead *head, const Cause *causes, const TimeBreakdown *breakdowns)
{
    GString *out = g_string_new(NULL);
    g_autofree char *waiting = summary_waiting(head->records, head->n_records, causes);
    g_string_append(out, "<p id=\"waiting\">");
    page_put_explained(out, waiting);
    g_string_append(out, "</p>\n");
    g_autofree char *rows = record_text(FORMAT_HTML, head->records, head->n_records, head->overrides);
    if (head->n_records > OPEN_MAX)
        html_put(out, "<details id=\"runs\"><summary>All %u runs</summary>\n", head->n_records);
    g_string_append(out, rows);
    put_breakdowns(out, head, breakdowns);
    g_string_append(out, head->n_records > OPEN_MAX ? "</details>\n" : "");
    explain_heads(out);
    return page_done(out);
}

/* --- one run --- */

char *page_activity(const Record *record, const Trace *trace)
{
    g_autofree char *name = summary_label(record);
    g_autofree char *chart = chart_activity(trace, record->result.simulated_ps, name);
    GString *out = g_string_new("<figure class=\"facts\"><h2>What packets do, against time</h2>\n");
    g_string_append_printf(out, "%s<ul class=\"key\">", chart);
    page_put_sample(out, "var(--startup)", "start up");
    page_put_sample(out, "var(--transmit)", "transmit");
    page_put_sample(out, "var(--wait)", "wait");
    g_string_append(out, "</ul></figure>\n");
    return page_done(out);
}

char *page_card(const Record *record, const char *why, const Trace *trace, gboolean is_left_out)
{
    const Run *run = &record->run;
    g_autofree char *name = summary_label(record);
    GString *out = g_string_new(NULL);
    html_put(out, "<h3>%s</h3>\n", name);
    if (why)
        html_put(out, "<p class=\"fault\">%s</p>\n", why);
    if (is_left_out)
        html_put(out, "<p>This run has %u intervals, more than this page has room for. They are left out here; "
                 "<code>ecube run --trace</code> writes them for Perfetto.</p>\n", trace->intervals->len);
    if (!trace)
        g_string_append(out, "<p>There is no trace of it.</p>\n");
    else if (record->result.finished) {
        g_autofree char *story = explain_text(trace, run->machine, problem_n_nodes(&run->problem),
                                              record->result.simulated_ps, FORMAT_HTML);
        g_string_append(out, story);
    }
    g_string_append(out, "</section>\n");
    explain_heads(out);
    return page_done(out);
}

/* --- the hull --- */

gboolean page_has_partition(const PageHead *head)
{
    for (guint i = 0; i < head->n_records; i++)
        if (head->records[i].run.problem.algorithm->takes & TAKES_PARTITION)
            return TRUE;
    return FALSE;
}

char *page_corners(const PageHead *head)
{
    return g_strdup(!head->hull || head->records[0].run.problem.dimension == 0 || !page_has_partition(head) ? "" :
                    " Upright lines are corners of the hull of optimality: up to there this partition is the best of "
                    "all, run here or not. A partition lists its phases: 2,3 exchanges within subcubes of dimension 2, "
                    "then 3.");
}

char *page_hull(const PageHead *head)
{
    GString *out = g_string_new(NULL);
    const Hull *hull = head->hull;
    if (!hull || head->records[0].run.problem.dimension == 0)
        return page_done(out);
    g_string_append(out, "<p>The hull of optimality says which partition is best without contention:");
    for (guint i = 0; i < hull->n_faces; i++) {
        const HullFace *face = &hull->faces[i];
        g_autofree char *partition = partition_format(&face->partition);
        g_autofree char *next = i + 1 < hull->n_faces ? partition_format(&face[1].partition) : NULL;
        if (g_strcmp0(partition, next) == 0)    /* the next face has the same partition, which is listed once */
            continue;
        html_put(out, " (%s) ", partition);
        if (isinf(face->to_bytes))
            html_put(out, "%s", face->from_bytes > 0 ? "beyond." : "at all sizes.");
        else
            html_put(out, "up to %.3f bytes,", face->to_bytes);
    }
    html_put(out, " This draws it: <code>%s</code></p>", head->hull_command);
    return page_done(out);
}

/* --- the machine --- */

typedef struct {
    GKeyFile *file;         /* the machine's file with its comments; empty if it cannot be read */
    const char *profile;    /* name of the section of the machine's profile; NULL: it has no profile */
    char **overrides;       /* "KEY=VALUE" of keys that the runs override */
} Origins;

/* Returns the comment above a key of a section, or NULL. `section` and `key` NULL: the comment at the top of the file.
 * Caller frees. */
static char *comment_of(const Origins *origins, const char *section, const char *key)
{
    char *comment = g_key_file_get_comment(origins->file, section, key, NULL);
    return comment ? g_strstrip(g_strdelimit(comment, "\n", ' ')) : NULL;
}

/* Returns the value by which the runs override a key, or NULL. Borrowed. */
static const char *override_of(const Origins *origins, const char *key)
{
    g_autofree char *begins = g_strconcat(key, "=", NULL);
    for (char **one = origins->overrides; *one; one++)
        if (g_str_has_prefix(*one, begins))
            return *one + strlen(begins);
    return NULL;
}

/* Returns the origin of a key's value: an override, or the comment in the file; NULL if the file has none. Caller
 * frees. */
static char *page_origin(const Origins *origins, const char *key)
{
    const char *section = origins->profile;
    if (override_of(origins, key))
        return g_strdup("set for these runs");
    if (!section || !g_key_file_has_key(origins->file, section, key, NULL))
        section = "machine";
    return g_key_file_has_key(origins->file, section, key, NULL) ? comment_of(origins, section, key) : NULL;
}

/* Returns the machine's value of the key, in the key's unit. "optimal" if that is the override: its value may differ by
 * run. NULL if the key is a text, needs short or long messages that the machine lacks, or is not set. Caller frees. */
static char *page_value(const Machine *machine, const Origins *origins, const MachineKey *key)
{
    gboolean unused = key->flags & (MACHINE_WITH_SHORT | MACHINE_WITH_LONG) && !machine_key_applies(machine, key);
    if (g_strcmp0(override_of(origins, key->name), "optimal") == 0)
        return g_strdup("optimal");
    if (key->kind == MACHINE_TEXT || unused)
        return NULL;
    gint64 number = machine_value(machine, key);
    gint64 none = g_ascii_strtoll(key->fallback, NULL, 10);
    gboolean is_none = (key->kind == MACHINE_BYTES && (none ? number == none : number <= 0)) ||
                       (machine_key_is_decimal(key) &&
                        (number < 0 || (number == 0 && strcmp(key->fallback, "0") == 0)));
    return is_none ? NULL : machine_value_text(key, number);
}

/* Returns `origin`, the comment of a key, without the unit with which it may begin. */
static const char *after_unit(const char *origin, const char *unit)
{
    gsize n = strlen(unit);
    return n > 0 && g_str_has_prefix(origin, unit) && g_str_has_prefix(origin + n, "; ") ? origin + n + 2 : origin;
}

static void page_add_constant(Table *table, const Origins *origins, const MachineKey *key, const char *value)
{
    g_autofree char *origin = page_origin(origins, key->name);
    const char *cells[] = {key->name, value, g_ascii_isdigit(*value) ? key->unit : "", key->help,
                           origin ? after_unit(origin, key->unit) : ""};
    for (guint i = 0; i < G_N_ELEMENTS(cells); i++)
        table_add_shown(table, cells[i], cells[i]);
}

char *page_machine(const PageHead *head)
{
    static const Column columns[] = {{.heading = "key", .text = TRUE}, {.heading = "value"},
                                     {.heading = "unit", .text = TRUE}, {.heading = "meaning", .text = TRUE},
                                     {.heading = "where it is from", .text = TRUE}};
    const Machine *machine = head->records[0].run.machine;
    const char *colon = strrchr(machine->spec, ':');
    g_autoptr(GKeyFile) file = machine->path ? input_load_keyfile(machine->path, NULL) : NULL;
    g_autoptr(Table) table = table_new(columns, G_N_ELEMENTS(columns));
    g_autofree char *profile = colon ? g_strconcat("profile ", colon + 1, NULL) : NULL;
    g_auto(GStrv) pairs = g_strsplit(head->overrides, " ", -1);
    if (!file)
        file = g_key_file_new();
    const Origins origins = {file, profile, pairs};
    for (const MachineKey *key = machine_keys; key->name; key++) {
        g_autofree char *value = page_value(machine, &origins, key);
        if (value)
            page_add_constant(table, &origins, key, value);
    }
    g_autofree char *about = comment_of(&origins, NULL, NULL), *name = input_printable(machine->spec);
    g_autofree char *rows = table_text(table, FORMAT_HTML);
    GString *out = g_string_new(NULL);
    html_put(out, "<summary>The machine: %s%s%s</summary>\n", name, machine->title ? ", " : "", machine->title ?: "");
    g_string_append(out, rows);
    html_put(out, "<p>%s</p>", about ?: "");
    return page_done(out);
}
