#include "page.h"
#include "page_machine.h"
#include "page_words.h"
#include "sim/text/json.h"

#include <gio/gio.h>
#include <string.h>

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
    g_autofree char *title = report_title(head->records, head->n_records);
    g_autofree char *words = page_words(head->records, head->n_records);
    GString *json = g_string_new(NULL);
    json_begin(json, NULL, '{');
    json_add_text(json, "title", title);
    json_add_text(json, "words", words);
    json_add_text(json, "command", head->command);
    json_add_number(json, "dimension", run->problem.dimension);
    add_hops(json, run->machine);
    add_source(json, &run->problem);
    page_add_machine(json, run->machine, head->overrides);
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

/* This script and this style alone; nothing is loaded from anywhere. */
static char *policy_text(const char *script, const char *style)
{
    g_autofree char *script_hash = hash_of(script), *style_hash = hash_of(style);
    return g_strdup_printf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; "
                           "form-action 'none'", script_hash, style_hash);
}

/* What stands for {NAME} in the frame. */
typedef struct {
    const char *name, *text;
} Part;

static const char *part_named(const Part *parts, const char *name)
{
    while (strcmp(parts->name, name) != 0)
        parts++;
    return parts->text;
}

/* The frame, with the parts where it says <!--{NAME}-->. What the parts say is not looked at. */
static char *fill(const char *frame, const Part *parts)
{
    GString *page = g_string_new(NULL);
    g_auto(GStrv) pieces = g_strsplit(frame, "<!--{", -1);
    g_string_append(page, pieces[0]);
    for (char **piece = pieces + 1; *piece; piece++) {
        g_auto(GStrv) halves = g_strsplit(*piece, "}-->", 2);
        g_string_append(page, part_named(parts, halves[0]));
        g_string_append(page, halves[1]);
    }
    return g_string_free(page, FALSE);
}

char *page_text(const PageHead *head, const GPtrArray *runs)
{
    g_autofree char *frame = part_of("page.html"), *style = part_of("page.css"), *script = part_of("page.js");
    g_autofree char *policy = policy_text(script, style), *data = data_text(head, runs);
    g_autofree char *title = report_title(head->records, head->n_records);
    g_autofree char *valid = g_utf8_make_valid(title, -1), *escaped = g_markup_escape_text(valid, -1);
    const Part parts[] = {{"policy", policy}, {"title", escaped}, {"style", style}, {"data", data}, {"script", script}};
    return fill(frame, parts);
}
