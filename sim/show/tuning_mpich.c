#include "tuning_mpich.h"
#include "sim/text/input.h"

#include <string.h>

/* --- reading: objects of objects, and nothing else, is what MPICH takes --- */

#define DEPTH_MAX 32    /* as json-c has it, by which MPICH reads */

static gboolean skip_char(const char **at, char expected)
{
    *at += strspn(*at, " \t\r\n");
    gboolean found = **at == expected;
    *at += found;
    return found;
}

/* Goes to the last character of an escape, which is kept as it is. */
static gboolean skip_escape(const char **at, GString *key)
{
    gsize n = (*at)[1] == 'u' ? 5 : 1;
    gboolean ok = n == 5 ? strspn(*at + 2, "0123456789abcdefABCDEF") >= 4
                         : (*at)[1] != '\0' && strchr("\"\\/bfnrt", (*at)[1]);
    if (ok)
        g_string_append_len(key, *at, (gssize)n);
    *at += ok ? n : 0;
    return ok;
}

/* Goes past a string. Its text without blanks, which MPICH does not heed; NULL if there is no string. Caller frees. */
static char *skip_key(const char **at)
{
    if (!skip_char(at, '"'))
        return NULL;
    GString *key = g_string_new(NULL);
    for (; (guchar)**at >= ' ' && **at != '"'; ++*at) {
        if (**at == '\\' && !skip_escape(at, key))
            break;
        if (**at != ' ')
            g_string_append_c(key, **at);
    }
    gboolean closed = **at == '"';
    *at += closed;
    return g_string_free(key, !closed);
}

/* Goes past an object. If `wanted` is one of its keys, `value` becomes where its object begins. FALSE at what is no
 * such object. */
static gboolean skip_object(const char **at, guint depth, const char *wanted, const char **value)
{
    if (depth == 0 || !skip_char(at, '{'))
        return FALSE;
    if (skip_char(at, '}'))
        return TRUE;
    do {
        g_autofree char *key = skip_key(at);
        if (!key || !skip_char(at, ':'))
            return FALSE;
        if (wanted && strcmp(key, wanted) == 0)
            *value = *at + strspn(*at, " \t\r\n");
        if (!skip_object(at, depth - 1, NULL, NULL))
            return FALSE;
    } while (skip_char(at, ','));
    return skip_char(at, '}');
}

static gboolean check_tree(const char *path, const char *text, GError **error)
{
    const char *at = text;
    if (skip_object(&at, DEPTH_MAX, NULL, NULL) && skip_char(&at, '\0'))
        return TRUE;
    guint line = 1;
    for (const char *c = text; c < at; c++)
        line += *c == '\n';
    return input_refuse(error, "%s: line %u: this is no tuning tree of MPICH: objects in objects, of JSON", path, line);
}

/* The object that is to be patched: an exchange in place is another algorithm's. */
static const char *find_branch(const char *path, const char *text, GError **error)
{
    static const char *const keys[] = {"collective=alltoall", "comm_type=intra", "is_sendbuf_inplace=no"};
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        const char *at = text, *value = NULL;
        skip_object(&at, DEPTH_MAX, keys[i], &value);
        if (!value) {
            input_refuse(error, "%s: there is no '%s': not the tuning tree of MPICH's collectives", path, keys[i]);
            return NULL;
        }
        text = value;
    }
    return text;
}

/* --- writing --- */

/* The branch begins at this depth in MPICH's own file, at 4 blanks each. */
#define AT "                "

static void put_rule(GString *out, const TuningTable *table, guint i)
{
    const TuningRule *rule = tuning_rule(table, i);
    if (i + 1 < table->rules->len)
        g_string_append_printf(out, AT "        \"avg_msg_size<=%" G_GINT64_FORMAT "\": ", rule[1].from_bytes - 1);
    else
        g_string_append(out, AT "        \"avg_msg_size=any\": ");
    if (rule->part == table->dimension)
        g_string_append_printf(out, "{\"algorithm=MPIR_Alltoall_intra_%s\": {}}",
                               table->at_once ? "scattered" : "pairwise");
    else
        g_string_append_printf(out, "{\"algorithm=MPIR_Alltoall_intra_k_brucks\": {\"k=%u\": {}}}", 1u << rule->part);
    g_string_append(out, i + 1 < table->rules->len ? ",\n" : "\n");
}

static void put_table(GString *out, const TuningTable *table)
{
    g_string_append_printf(out, AT "    \"comm_size<=%u\": {\n", 1u << table->dimension);
    for (guint i = 0; i < table->rules->len; i++)
        put_rule(out, table, i);
    g_string_append(out, AT "    },\n");
}

/* Among powers of two, "at most 2^d" behind "at most 2^(d-1)" is 2^d. "comm_size<" would do, but below a test of the
 * buffer MPICH compares it as "<=" (MPIR_Csel_search() of csel.c, 4.1 to 5.0). */
static char *make_branch(const GPtrArray *tables, const char *old)
{
    GString *out = g_string_new("{\n" AT "\"comm_size=pow2\": {\n");
    guint open = 0;     /* fewer than 2^open processes are dealt with */
    for (guint i = 0; i < tables->len; i++) {
        const TuningTable *table = tables->pdata[i];
        if (table->dimension > open)
            g_string_append_printf(out, AT "    \"comm_size<=%u\": %s,\n", 1u << (table->dimension - 1), old);
        put_table(out, table);
        open = table->dimension + 1;
    }
    g_string_append_printf(out, AT "    \"comm_size=any\": %s\n" AT "},\n", old);
    g_string_append_printf(out, AT "\"comm_size=any\": %s\n            }", old);
    return g_string_free(out, FALSE);
}

char *tuning_mpich(const GPtrArray *tables, const char *base, GError **error)
{
    if (!base) {
        input_refuse(error, "--base is missing: MPICH reads whole trees only; "
                     "take maint/tuning/coll/mpir/generic.json of its sources, or your own");
        return NULL;
    }
    g_autofree char *text = input_load_text(base, INPUT_FILE_MAX, TRUE, error);
    const char *branch = text && check_tree(base, text, error) ? find_branch(base, text, error) : NULL, *end = branch;
    if (!branch)
        return NULL;
    skip_object(&end, DEPTH_MAX, NULL, NULL);
    g_autofree char *old = g_strndup(branch, (gsize)(end - branch)), *new = make_branch(tables, old);
    GString *out = g_string_new_len(text, branch - text);
    g_string_append(out, new);
    g_string_append(out, end);
    return g_string_free(out, FALSE);
}
