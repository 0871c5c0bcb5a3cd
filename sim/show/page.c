#include "page.h"
#include "explain.h"
#include "summary.h"
#include "sim/run/keys.h"
#include "sim/patterns/published.h"
#include "sim/text/input.h"
#include "sim/text/json.h"

#include <gio/gio.h>
#include <string.h>

/* --- tables of whole numbers --- */

static void put_difference(GByteArray *bytes, gint64 difference)
{
    guint64 rest = (guint64)ABS(difference);
    guint8 byte = (guint8)((rest & 0x3f) << 1 | (difference < 0));
    for (rest >>= 6; rest > 0; rest >>= 7) {
        byte |= 0x80;
        g_byte_array_append(bytes, &byte, 1);
        byte = rest & 0x7f;
    }
    g_byte_array_append(bytes, &byte, 1);
}

void page_add_table(GString *json, const char *name, const char *const *columns, const GArray *cells)
{
    guint n_columns = g_strv_length((char **)columns), n = cells->len / n_columns;
    json_begin(json, name, '{');
    json_add_number(json, "n", n);
    for (guint c = 0; c < n_columns; c++) {
        g_autoptr(GByteArray) bytes = g_byte_array_new();
        gint64 above = 0;
        for (guint i = 0; i < n; i++) {
            gint64 number = g_array_index(cells, gint64, i * n_columns + c);
            put_difference(bytes, number - above);
            above = number;
        }
        g_autofree char *text = g_base64_encode(bytes->data, bytes->len);
        json_add_text(json, columns[c], text);
    }
    json_end(json, '}');
}

#define USES_MAX 10         /* channels and ports that a page lists */
#define LINKS_MAX 5000      /* and links of a critical path */

/* --- what happened --- */

static gint64 number_or_none(guint32 number)
{
    return number == TRACE_NONE ? -1 : (gint64)number;
}

static void add_messages(GString *json, const Trace *trace)
{
    static const char *const columns[] = {"source", "destination", "step", "handshake", "issued", NULL};
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (guint i = 0; i < trace->messages->len; i++) {
        const TraceMessage *m = trace_message(trace, i);
        const gint64 row[] = {m->source, m->destination, m->step, m->handshake, m->issued_ps};
        g_array_append_vals(cells, row, G_N_ELEMENTS(row));
    }
    page_add_table(json, "messages", columns, cells);
}

/* The page's trace.js searches among what is of one processor, or one place, as if it ended in the order in which it is
 * listed: of what begins at one time, what is over at once comes first. */
static int compare_holds(gconstpointer first, gconstpointer second)
{
    const Hold *a = first, *b = second;
    return trace_order(a->start_ps, b->start_ps) ?: trace_order(a->end_ps, b->end_ps);
}

static int compare_intervals(gconstpointer first, gconstpointer second)
{
    const TraceInterval *a = *(const TraceInterval *const *)first, *b = *(const TraceInterval *const *)second;
    return trace_order(a->start_ps, b->start_ps) ?: trace_order(a->end_ps, b->end_ps);
}

/* All intervals but channels, which are among the holds. Borrowed. */
static GPtrArray *activities_of(const Trace *trace)
{
    GPtrArray *activities = g_ptr_array_new();
    for (guint i = 0; i < trace->intervals->len; i++)
        if (trace_nth(trace, i)->kind != TRACE_CHANNEL)
            g_ptr_array_add(activities, (gpointer)trace_nth(trace, i));
    g_ptr_array_sort(activities, compare_intervals);
    return activities;
}

static void add_holds(GString *json, const Trace *trace, const Run *run)
{
    static const char *const columns[] = {"from", "to", "start", "length", "message", "number", NULL};
    g_autoptr(GArray) holds = waits_holds(trace, run->machine);
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_array_sort(holds, compare_holds);
    for (guint i = 0; i < holds->len; i++) {
        const Hold *h = &g_array_index(holds, Hold, i);
        const gint64 row[] = {number_or_none(h->from), number_or_none(h->to), h->start_ps, h->end_ps - h->start_ps,
                              h->interval->message, h->interval->number};
        g_array_append_vals(cells, row, G_N_ELEMENTS(row));
    }
    page_add_table(json, "holds", columns, cells);
}

/* The page's trace.js knows the kinds by these numbers. */
G_STATIC_ASSERT(TRACE_STARTUP == 0 && TRACE_CHANNEL == 1 && TRACE_WAIT == 2 && TRACE_TRANSMIT == 3 &&
                TRACE_REARRANGE == 4 && TRACE_COMPUTE == 5 && TRACE_BARRIER == 6);

static void add_activities(GString *json, const Trace *trace)
{
    static const char *const columns[] = {"kind", "start", "length", "processor", "row", "number", "message", "bytes",
                                          "from", "to", "blocker", NULL};
    g_autofree guint8 *rows = trace_rows(trace);
    g_autoptr(GPtrArray) activities = activities_of(trace);
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (guint i = 0; i < activities->len; i++) {
        const TraceInterval *a = activities->pdata[i];
        guint8 at = rows[a - trace_nth(trace, 0)];
        const gint64 row[] = {a->kind, a->start_ps, a->end_ps - a->start_ps, a->processor,
                              at == TRACE_NO_ROW ? -1 : at, a->number, number_or_none(a->message), a->bytes,
                              number_or_none(a->from), number_or_none(a->to),
                              a->kind == TRACE_WAIT ? number_or_none(a->blocker) : -1};
        g_array_append_vals(cells, row, G_N_ELEMENTS(row));
    }
    page_add_table(json, "activities", columns, cells);
}

static int by_place(gconstpointer first, gconstpointer second)
{
    const Use *a = first, *b = second;
    return trace_order(a->from, b->from) ?: trace_order(a->to, b->to);
}

/* How long each channel and port was held and waited for. What more was waited is for transmissions the other way. */
static void add_totals(GString *json, const Trace *trace, const Record *record)
{
    static const char *const columns[] = {"from", "to", "held", "waited", NULL};
    g_autoptr(GArray) uses = waits_use(trace, record->run.machine, record->run.problem.dimension);
    g_autoptr(GArray) cells = g_array_new(FALSE, FALSE, sizeof(gint64));
    gint64 other_way[] = {-1, -1, 0, record->result.network.blocked_ps};
    g_array_sort(uses, by_place);
    for (guint i = 0; i < uses->len; i++) {
        const Use *use = &g_array_index(uses, Use, i);
        const gint64 row[] = {number_or_none(use->from), number_or_none(use->to), use->held_ps, use->waited_ps};
        g_array_append_vals(cells, row, G_N_ELEMENTS(row));
        other_way[3] -= use->waited_ps;
    }
    g_array_append_vals(cells, other_way, G_N_ELEMENTS(other_way));
    page_add_table(json, "totals", columns, cells);
}

/* --- sums --- */

static void add_uses(GString *json, const Trace *trace, const Run *run)
{
    g_autoptr(GArray) uses = waits_use(trace, run->machine, run->problem.dimension);
    json_add_number(json, "used", uses->len);
    json_begin(json, "uses", '[');
    for (guint i = 0; i < MIN(uses->len, USES_MAX); i++) {
        const Use *use = &g_array_index(uses, Use, i);
        g_autofree char *place = trace_place_text(use->from, use->to);
        json_begin(json, NULL, '{');
        json_add_text(json, "what", place);
        json_add_number(json, "from", number_or_none(use->from));
        json_add_number(json, "to", number_or_none(use->to));
        json_add_number(json, "uses", use->uses);
        json_add_number(json, "held", use->held_ps);
        json_add_number(json, "waits", use->waits);
        json_add_number(json, "waited", use->waited_ps);
        json_end(json, '}');
    }
    json_end(json, ']');
}

static void add_link(GString *json, const Trace *trace, const PathLink *link)
{
    g_autofree char *what = explain_link(trace, link), *why = explain_why(link);
    json_begin(json, NULL, '{');
    json_add_text(json, "what", what);
    json_add_text(json, "why", why);
    json_add_number(json, "processor", link->processor);
    json_add_number(json, "message", number_or_none(link->message));
    json_add_number(json, "start", link->start_ps);
    json_add_number(json, "end", link->end_ps);
    json_end(json, '}');
}

static void add_path(GString *json, const Trace *trace, gint64 time_ps)
{
    g_autoptr(GArray) path = critical_path(trace, time_ps);
    gint64 sums[N_PATH_PARTS] = {0};
    critical_path_sum(path, time_ps, sums);
    json_begin(json, "parts", '{');
    for (guint i = 0; i < N_PATH_PARTS; i++)
        json_add_number(json, path_part_names[i], sums[i]);
    json_end(json, '}');
    json_add_number(json, "links", path->len);
    json_begin(json, "path", '[');
    for (guint i = 0; i < MIN(path->len, LINKS_MAX); i++)
        add_link(json, trace, &g_array_index(path, PathLink, i));
    json_end(json, ']');
}

/* --- the record --- */

static void add_result(GString *json, const Record *record)
{
    const RunResult *result = &record->result;
    gint64 published_ps;
    if (published_time(&record->run, &published_ps, NULL))
        json_add_number(json, "published", published_ps);
    if (record->failed)
        return;
    json_add_number(json, "contentionFree", result->contention_free_ps);
    if (result->finished)
        json_add_number(json, "simulated", result->simulated_ps);
    json_add_number(json, "messageCount", (gint64)result->network.messages);
    json_add_number(json, "blocked", (gint64)result->network.blocked);
    json_add_number(json, "waiting", result->network.blocked_ps);
}

static void add_fault(GString *json, const Record *record, const char *failure)
{
    const RunResult *result = &record->result;
    if (failure)
        json_addf(json, "fault", "The run came to no result: %s.", failure);
    else if (!record->failed && !result->data_ok)
        json_addf(json, "fault", "%s: %s.", result->finished ? "The data is wrong" : "The run cannot finish",
                  result->fault);
}

static void add_inputs(GString *json, const Run *run)
{
    g_autofree char *name = run_describe(run), *size = key_shown(key_of_size(run), run);
    json_add_text(json, "name", name);
    json_add_text(json, "size", size);
    if (!run->problem.pattern->size_key)
        json_add_number(json, "bytes", run->problem.data.bytes);
}

char *page_run_json(const Record *record, const char *failure, const Trace *trace, gboolean whole)
{
    GString *json = g_string_new(NULL);
    json_begin(json, NULL, '{');
    add_inputs(json, &record->run);
    add_result(json, record);
    add_fault(json, record, failure);
    if (trace) {
        json_add_number(json, "intervals", trace->intervals->len);
        add_uses(json, trace, &record->run);
        if (record->result.finished)
            add_path(json, trace, record->result.simulated_ps);
    }
    if (trace && whole) {
        add_messages(json, trace);
        add_activities(json, trace);
        add_holds(json, trace, &record->run);
    } else if (trace)
        add_totals(json, trace, record);
    json_end(json, '}');
    return g_string_free(json, FALSE);
}

/* --- the machine --- */

typedef struct {
    GKeyFile *file;         /* the machine's, with its comments */
    const char *profile;    /* its section, or NULL */
    char **overrides;       /* "KEY=VALUE" */
} Origins;

/* The comment above a key; both NULL: the one at the top of the file. Caller frees; NULL if there is none. */
static char *comment_of(const Origins *origins, const char *section, const char *key)
{
    char *comment = g_key_file_get_comment(origins->file, section, key, NULL);
    return comment ? g_strstrip(g_strdelimit(comment, "\n", ' ')) : NULL;
}

/* What the runs set a key to, or NULL; borrowed. */
static const char *override_of(const Origins *origins, const char *key)
{
    g_autofree char *begins = g_strconcat(key, "=", NULL);
    for (char **one = origins->overrides; *one; one++)
        if (g_str_has_prefix(*one, begins))
            return *one + strlen(begins);
    return NULL;
}

/* Caller frees; NULL if nothing is said. */
static char *origin_of(const Origins *origins, const char *key)
{
    const char *section = origins->profile;
    if (override_of(origins, key))
        return g_strdup("set for these runs");
    if (!section || !g_key_file_has_key(origins->file, section, key, NULL))
        section = "machine";
    return g_key_file_has_key(origins->file, section, key, NULL) ? comment_of(origins, section, key) : NULL;
}

/* The value in the unit of the key. NULL if it says nothing: without short messages there are no constants of them, and
 * a time may be none, or the 0 that it is anyway. What is optimal may differ from run to run. Caller frees. */
static char *value_of(const Machine *machine, const Origins *origins, const MachineKey *key)
{
    gboolean unused = machine->short_limit < 0 && g_str_has_suffix(key->name, "_short");
    if (g_strcmp0(override_of(origins, key->name), "optimal") == 0)
        return g_strdup("optimal");
    if (key->kind == MACHINE_TEXT || unused)
        return NULL;
    gint64 number = machine_value(machine, key);
    if (key->kind == MACHINE_TIME)
        return number > 0 || (number == 0 && strcmp(key->fallback, "0") != 0) ? table_time(number) : NULL;
    if (key->kind == MACHINE_BYTES)
        return number > 0 ? g_strdup_printf("%" G_GINT64_FORMAT, number) : NULL;
    g_auto(GStrv) words = g_strsplit(key->unit, "|", -1);
    return g_strdup(words[key->kind == MACHINE_BOOL ? !number : number]);
}

/* What follows the unit, which many comments begin with. */
static const char *after_unit(const char *origin, const char *unit)
{
    gsize n = strlen(unit);
    return n > 0 && g_str_has_prefix(origin, unit) && g_str_has_prefix(origin + n, "; ") ? origin + n + 2 : origin;
}

static void add_constant(GString *json, const Origins *origins, const MachineKey *key, const char *value)
{
    gboolean number = g_ascii_isdigit(*value);
    g_autofree char *origin = origin_of(origins, key->name);
    json_begin(json, NULL, '{');
    json_add_text(json, "name", key->name);
    json_add_text(json, "value", value);
    json_add_text(json, "unit", number ? key->unit : "");
    json_add_text(json, "meaning", key->help);
    json_add_text(json, "source", origin ? after_unit(origin, key->unit) : "");
    json_end(json, '}');
}

/* Where a constant is from stands in the comment above it in the machine's file; what the runs override is from nowhere
 * else. Of a file that can no longer be read there is nothing. */
static void add_machine(GString *json, const Machine *machine, const char *overrides)
{
    const char *colon = strrchr(machine->spec, ':');
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autofree char *profile = colon ? g_strconcat("profile ", colon + 1, NULL) : NULL;
    g_auto(GStrv) pairs = g_strsplit(overrides, " ", -1);
    if (machine->path)
        g_key_file_load_from_file(file, machine->path, G_KEY_FILE_KEEP_COMMENTS, NULL);
    const Origins origins = {file, profile, pairs};
    g_autofree char *about = comment_of(&origins, NULL, NULL), *name = input_printable(machine->spec);
    json_begin(json, "machine", '{');
    json_add_text(json, "name", name);
    json_add_text(json, "title", machine->title);
    json_add_text(json, "about", about);
    json_begin(json, "constants", '[');
    for (const MachineKey *key = machine_keys; key->name; key++) {
        g_autofree char *value = value_of(machine, &origins, key);
        if (value)
            add_constant(json, &origins, key, value);
    }
    json_end(json, ']');
    json_end(json, '}');
}

/* --- the data --- */

static void add_hull(GString *json, const Hull *hull)
{
    json_begin(json, "hull", '[');
    for (guint i = 0; hull && i < hull->n_faces; i++) {
        const HullFace *face = &hull->faces[i];
        g_autofree char *partition = partition_format(&face->partition);
        json_begin(json, NULL, '{');
        json_add_text(json, "partition", partition);
        json_add_real(json, "from", face->from_bytes);
        json_add_real(json, "to", face->to_bytes);
        json_add_real(json, "slope", face->line.slope_ps_per_byte);
        json_add_real(json, "intercept", face->line.intercept_ps);
        json_end(json, '}');
    }
    json_end(json, ']');
}

/* Patterns in which data spreads from a source say which; others have null. */
static void add_source(GString *json, const Problem *problem)
{
    if (problem->pattern->rooted && !problem->pattern->reverse)
        json_add_number(json, "source", problem->source);
    else
        json_add_text(json, "source", NULL);
}

/* What the header of a circuit pays for each channel, short messages apart, as in machine.h. */
static void add_hops(GString *json, const Machine *machine)
{
    gboolean circuits = machine->switching == SWITCHING_CIRCUIT;
    json_add_number(json, "hop", circuits ? machine->terms.delta_hop_ps : 0);
    json_add_number(json, "hopShort", circuits ? machine->short_terms.delta_hop_ps : 0);
    json_add_number(json, "shortLimit", machine->short_limit);
}

/* All data of the page. Nothing in it can end the element that it stands in: '<' is written as JSON's escape. */
static char *data_text(const PageHead *head, const GPtrArray *runs)
{
    const Run *run = &head->records[0].run;
    g_autofree char *title = record_title(head->records, head->n_records);
    g_autofree char *words = summary_text(head->records, head->n_records);
    GString *json = g_string_new(NULL);
    json_begin(json, NULL, '{');
    json_add_text(json, "title", title);
    json_add_text(json, "words", words);
    json_add_text(json, "command", head->command);
    json_add_number(json, "dimension", run->problem.dimension);
    add_hops(json, run->machine);
    add_source(json, &run->problem);
    add_machine(json, run->machine, head->overrides);
    add_hull(json, head->hull);
    json_begin(json, "runs", '[');
    for (guint i = 0; i < runs->len; i++)
        json_add_json(json, NULL, runs->pdata[i]);
    json_end(json, ']');
    json_end(json, '}');
    g_string_replace(json, "<", "\\u003c", 0);
    return g_string_free(json, FALSE);
}

/* --- the page --- */

/* One of the files of page/, or page.js, which is its scripts. Caller frees. */
static char *part_of(const char *name)
{
    g_autofree char *path = g_strconcat("/ecube/", name, NULL);
    g_autoptr(GBytes) bytes = g_resources_lookup_data(path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    g_assert(bytes);
    return g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
}

/* "sha256-...": what a policy says of a text that it allows. */
static char *hash_of(const char *text)
{
    guint8 digest[32];
    gsize length = sizeof digest;
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(checksum, (const guchar *)text, -1);
    g_checksum_get_digest(checksum, digest, &length);
    g_autofree char *base64 = g_base64_encode(digest, length);
    return g_strconcat("sha256-", base64, NULL);
}

static char *policy_text(const char *script, const char *style)
{
    g_autofree char *script_hash = hash_of(script), *style_hash = hash_of(style);
    return g_strdup_printf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; "
                           "form-action 'none'", script_hash, style_hash);
}

/* The frame, with the parts, "NAME", TEXT, ..., where it says <!--{NAME}-->. What the parts say is not looked at. */
static char *fill(const char *frame, const char *const *parts)
{
    GString *page = g_string_new(NULL);
    g_auto(GStrv) pieces = g_strsplit(frame, "<!--{", -1);
    g_string_append(page, pieces[0]);
    for (char **piece = pieces + 1; *piece; piece++) {
        g_auto(GStrv) halves = g_strsplit(*piece, "}-->", 2);
        const char *const *part = parts;
        while (strcmp(*part, halves[0]) != 0)
            part += 2;
        g_string_append(page, part[1]);
        g_string_append(page, halves[1]);
    }
    return g_string_free(page, FALSE);
}

char *page_text(const PageHead *head, const GPtrArray *runs)
{
    g_autofree char *frame = part_of("page.html"), *style = part_of("page.css"), *script = part_of("page.js");
    g_autofree char *policy = policy_text(script, style), *data = data_text(head, runs);
    g_autofree char *title = record_title(head->records, head->n_records);
    g_autofree char *valid = g_utf8_make_valid(title, -1), *escaped = g_markup_escape_text(valid, -1);
    const char *const parts[] = {"policy", policy, "title", escaped, "style", style,
                                 "data", data, "script", script, NULL};
    return fill(frame, parts);
}
