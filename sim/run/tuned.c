#include "tuned.h"
#include "sim/text/input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCH "# Launch "
#define LIBRARY "library"

static TunedSize *tuned_nth(const Tuned *tuned, guint i)
{
    return &g_array_index(tuned->sizes, TunedSize, i);
}

gboolean tuned_is_rule(const TunedSize *size)
{
    return strcmp(size->list, LIBRARY) != 0;
}

static void tuned_size_clear(gpointer data)
{
    TunedSize *size = data;
    g_free(size->list);
    g_string_free(size->findings, TRUE);
    g_array_unref(size->saved);
}

Tuned *tuned_new(guint n_ranks)
{
    Tuned *tuned = g_new0(Tuned, 1);
    *tuned = (Tuned){n_ranks, 0, g_string_new(NULL), g_array_new(FALSE, FALSE, sizeof(TunedSize))};
    g_array_set_clear_func(tuned->sizes, tuned_size_clear);
    return tuned;
}

void tuned_free(Tuned *tuned)
{
    g_string_free(tuned->launches, TRUE);
    g_array_unref(tuned->sizes);
    g_free(tuned);
}

/* --- a launch --- */

void tuned_add_launch(Tuned *tuned, const char *about)
{
    tuned->n_launches++;
    g_string_append_printf(tuned->launches, LAUNCH "%u: %s\n", tuned->n_launches, about);
}

void tuned_add_size(Tuned *tuned, gint64 bytes)
{
    guint at = tuned->sizes->len;
    while (at > 0 && tuned_nth(tuned, at - 1)->bytes > bytes)
        at--;
    if (at > 0 && tuned_nth(tuned, at - 1)->bytes == bytes)
        return;
    TunedSize size = {bytes, g_strdup(LIBRARY), g_string_new(NULL), g_array_new(FALSE, FALSE, sizeof(double))};
    g_array_insert_val(tuned->sizes, at, size);
}

/* Returns the per cent of the library's time that a gain saves. */
static double per_cent(double gain)
{
    return 100 * -expm1(-gain);
}

/* Appends what a launch found for a size, as a comment. */
static void put_finding(GString *out, gint64 bytes, const TuningChoice *choice, const char *const *lists)
{
    g_string_append_printf(out, "# %" G_GINT64_FORMAT " bytes, MPI_Alltoall %.1f µs: ", bytes, 1e6 * choice->seconds);
    if (choice->verdict == TUNING_LEFT_OUT)
        g_string_append(out, "left out, the time does not suffice\n");
    else if (choice->verdict == TUNING_UNDECIDED && choice->rounds == 0)
        g_string_append(out, "the time was over before a verdict\n");
    else if (choice->winner == 0)
        g_string_append_printf(out, "no list gains more than %.0f %%\n", per_cent(TUNING_MARGIN));
    else
        g_string_append_printf(out, "%s saves %.1f %% (%.1f to %.1f), %u rounds%s\n", lists[choice->winner - 1],
                               per_cent(choice->gain), per_cent(choice->low), per_cent(choice->high), choice->rounds,
                               choice->verdict == TUNING_UNDECIDED ? "; that decides nothing" : "");
}

void tuned_add_choice(Tuned *tuned, guint number, const TuningChoice *choice, const char *const *lists)
{
    TunedSize *size = tuned_nth(tuned, number);
    const char *list = choice->verdict == TUNING_RULE ? lists[choice->winner - 1] : LIBRARY;
    double saved = round(10 * per_cent(choice->gain)) / 10;     /* with the one decimal that put_finding() writes */
    put_finding(size->findings, size->bytes, choice, lists);
    if (tuned->n_launches == 1 || strcmp(list, size->list) != 0) {
        g_free(size->list);
        size->list = g_strdup(tuned->n_launches == 1 ? list : LIBRARY);
    }
    if (tuned_is_rule(size))
        g_array_append_val(size->saved, saved);
}

/* --- writing --- */

guint tuned_count_rules(const Tuned *tuned)
{
    guint n = 0;
    for (guint i = 0; i < tuned->sizes->len; i++)
        n += tuned_is_rule(tuned_nth(tuned, i));
    return n;
}

char *tuned_advice(const Tuned *tuned)
{
    guint n = tuned->n_launches;
    const char *plural = n == 1 ? "" : "es";
    if (tuned_count_rules(tuned) == 0)
        return g_strdup_printf("%u launch%s: no list is a rule", n, plural);
    if (n >= TUNED_LAUNCHES)
        return g_strdup_printf("%u launches: each of them has confirmed every rule", n);
    return g_strdup_printf("%u launch%s: a placement that is fixed for a process cannot be told; launch it again with "
                           "--again (%u more)", n, plural, TUNED_LAUNCHES - n);
}

static int compare_saved(gconstpointer a, gconstpointer b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Appends the median, the least and the largest of what a size's rule saved in its launches, as a comment. */
static void put_launches(GString *out, const TunedSize *size)
{
    guint n = size->saved->len;
    g_autofree double *saved = g_memdup2(size->saved->data, n * sizeof *saved);
    qsort(saved, n, sizeof *saved, compare_saved);
    g_string_append_printf(out, "# %" G_GINT64_FORMAT " bytes, %u launches: %s saves %.1f %% (%.1f to %.1f)\n",
                           size->bytes, n, size->list, (saved[(n - 1) / 2] + saved[n / 2]) / 2, saved[0], saved[n - 1]);
}

static void put_rules(GString *out, const Tuned *tuned)
{
    const char *last = NULL;
    for (guint i = 0; i < tuned->sizes->len; i++) {
        const TunedSize *size = tuned_nth(tuned, i), *next = i + 1 < tuned->sizes->len ? size + 1 : NULL;
        g_string_append(out, size->findings->str);
        if (tuned_is_rule(size) && tuned->n_launches >= TUNED_LAUNCHES)
            put_launches(out, size);
        if (g_strcmp0(size->list, last) != 0)
            g_string_append_printf(out, "%" G_GINT64_FORMAT " = %s\n", size->bytes, size->list);
        last = size->list;
        if (tuned_is_rule(size) && (!next || (strcmp(next->list, last) != 0 && next->bytes > size->bytes + 1))) {
            g_string_append_printf(out, "%" G_GINT64_FORMAT " = " LIBRARY "\n", size->bytes + 1);
            last = LIBRARY;
        }
    }
}

char *tuned_text(const Tuned *tuned)
{
    g_autofree char *advice = tuned_advice(tuned);
    GString *out = g_string_new("# Tuned by ecube-mpi.\n");
    g_string_append(out, tuned->launches->str);
    g_string_append_printf(out, "# %s.\n# What a list saves of the time of MPI_Alltoall, and its interval: all lower "
                           "ends hold with %.0f %%.\n", advice, 100 * (1 - TUNING_ERROR));
    if (tuned->n_launches >= TUNED_LAUNCHES && tuned_count_rules(tuned) > 0)
        g_string_append_printf(out, "# Over launches: the median, the least and the largest, between which the median "
                               "of all possible launches lies with %.3g %%.\n",
                               100 * (1 - exp2(1 - (double)tuned->n_launches)));
    g_string_append_printf(out, "\n[alltoall %u]\n", tuned->n_ranks);
    put_rules(out, tuned);
    return g_string_free(out, FALSE);
}

/* --- reading --- */

/* Reads a comment line with what a launch found for a size. Adds the size if it is larger than all so far. Returns
 * FALSE if the line is no such comment, or if its size is below the last. */
static gboolean read_finding(Tuned *tuned, const char *line)
{
    gint64 bytes;
    double saved;
    int end = 0;
    if (sscanf(line, "# %" G_GINT64_FORMAT " bytes, MPI_Alltoall %*f %*s %n", &bytes, &end) != 1 || end == 0)
        return FALSE;
    guint n = tuned->sizes->len;
    if (n == 0 || bytes > tuned_nth(tuned, n - 1)->bytes)
        tuned_add_size(tuned, bytes);
    else if (bytes != tuned_nth(tuned, n - 1)->bytes)
        return FALSE;
    TunedSize *size = tuned_nth(tuned, tuned->sizes->len - 1);
    g_string_append_printf(size->findings, "%s\n", line);
    const char *what = strstr(line + end, " saves ");
    if (what && sscanf(what, " saves %lf %%", &saved) == 1 && g_str_has_suffix(what, " rounds")) {
        g_free(size->list);
        size->list = g_strndup(line + end, (gsize)(what - line - end));
        g_array_append_val(size->saved, saved);
    }
    return TRUE;
}

/* Whether the line is blank, or a comment that every launch writes anew: reading may skip it. */
static gboolean is_written_anew(const char *line)
{
    gint64 bytes;
    guint n;
    int end = 0;
    if (sscanf(line, "# %" G_GINT64_FORMAT " bytes, %u launches:%n", &bytes, &n, &end) == 2 && end > 0)
        return TRUE;
    return *line == '\0' || g_str_has_prefix(line, "# Tuned by ") || g_str_has_prefix(line, "# What a list saves ") ||
           g_str_has_prefix(line, "# Over launches: ") ||
           (sscanf(line, "# %u launch%n", &n, &end) == 1 && end > 0);
}

/* Reads a line of the file. A rule, "SIZE = LIST", adds two texts to `rules`: the line, which begins with the size, and
 * the list in it. Returns FALSE if the line has no known form or stands in the wrong place. */
static gboolean read_line(Tuned *tuned, char *line, GPtrArray *rules)
{
    char end;
    gint64 bytes;
    int at = 0;
    if (g_str_has_prefix(line, LAUNCH)) {
        tuned->n_launches++;
        g_string_append_printf(tuned->launches, "%s\n", line);
        return TRUE;
    }
    if (sscanf(line, "[alltoall %u%c", &tuned->n_ranks, &end) == 2 && end == ']')
        return rules->len == 0;
    if (sscanf(line, "%" G_GINT64_FORMAT " = %n", &bytes, &at) == 1 && at > 0) {
        g_ptr_array_add(rules, line);
        g_ptr_array_add(rules, line + at);
        return TRUE;
    }
    return read_finding(tuned, line) || is_written_anew(line);
}

/* Returns the list that the rules of the file name for blocks of `bytes`. */
static const char *list_at(const GPtrArray *rules, gint64 bytes)
{
    const char *list = LIBRARY;
    for (guint i = 0; i < rules->len; i += 2)
        if (g_ascii_strtoll(rules->pdata[i], NULL, 10) <= bytes)
            list = rules->pdata[i + 1];
    return list;
}

/* Sets the list of each size to that of its rule. Returns FALSE if some launch has not confirmed a rule. */
static gboolean tuned_read_rules(Tuned *tuned, const GPtrArray *rules)
{
    for (guint i = 0; i < tuned->sizes->len; i++) {
        TunedSize *size = tuned_nth(tuned, i);
        const char *list = list_at(rules, size->bytes);
        gboolean stands = strcmp(list, LIBRARY) != 0;
        if (stands && (strcmp(list, size->list) != 0 || size->saved->len != tuned->n_launches))
            return FALSE;
        g_free(size->list);
        size->list = g_strdup(list);
        if (!stands)
            g_array_set_size(size->saved, 0);
    }
    return TRUE;
}

Tuned *tuned_parse(const char *where, const char *text, GError **error)
{
    g_autoptr(Tuned) tuned = tuned_new(0);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(GPtrArray) rules = g_ptr_array_new();
    for (guint i = 0; lines[i]; i++)
        if (!read_line(tuned, lines[i], rules)) {
            input_refuse(error, "%s: line %u: '%s' is not of --tuning", where, i + 1, lines[i]);
            return NULL;
        }
    if (tuned->n_ranks == 0 || tuned->n_launches == 0 || tuned->sizes->len == 0) {
        input_refuse(error, "%s: --tuning has not written this file", where);
        return NULL;
    }
    if (!tuned_read_rules(tuned, rules)) {
        input_refuse(error, "%s: not every launch has confirmed the rules", where);
        return NULL;
    }
    return g_steal_pointer(&tuned);
}
