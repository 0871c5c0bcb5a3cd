#include "input.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

G_DEFINE_QUARK(ecube-error-quark, ecube_error)

#define PS_PER_US 1e6
#define FS_PER_US 1e9
#define FS_ERROR_MAX 1e-3      /* largest relative change of a price per byte by rounding */

/* Whether `c` can be printed within a line. Line and paragraph separators cannot, as they would end it. */
static gboolean is_printable(gunichar c)
{
    GUnicodeType type = g_unichar_type(c);
    return g_unichar_isprint(c) && type != G_UNICODE_LINE_SEPARATOR && type != G_UNICODE_PARAGRAPH_SEPARATOR;
}

/* Whether `c` is visible, or the plain blank. Other blanks, and characters without ink, are not. */
static gboolean is_visible(gunichar c)
{
    static const gunichar fillers[] = {0x115f, 0x1160, 0x2800, 0x3164, 0xffa0};     /* characters without ink */
    for (guint i = 0; i < G_N_ELEMENTS(fillers); i++)
        if (c == fillers[i])
            return FALSE;
    return is_printable(c) && (c == ' ' || g_unichar_type(c) != G_UNICODE_SPACE_SEPARATOR);
}

static void put_escaped(GString *out, guchar byte)
{
    if (byte == '\n' || byte == '\t' || byte == '\r')
        g_string_append(out, byte == '\n' ? "\\n" : byte == '\t' ? "\\t" : "\\r");
    else
        g_string_append_printf(out, "\\x%02x", byte);
}

/* Returns `text` with escapes in place of the bytes of all characters for which `shown` is FALSE. Caller frees. */
static char *escape(const char *text, gboolean (*shown)(gunichar c))
{
    GString *out = g_string_new(NULL);
    for (const char *next; *text; text = next) {
        gunichar c = g_utf8_get_char_validated(text, -1);
        gboolean valid = g_unichar_validate(c);
        next = valid ? g_utf8_next_char(text) : text + 1;
        if (valid && shown(c))
            g_string_append_len(out, text, next - text);
        else
            for (; text < next; text++)
                put_escaped(out, (guchar)*text);
    }
    return g_string_free(out, FALSE);
}

char *input_printable(const char *text)
{
    return escape(text, is_printable);
}

/* Limits that keep an error one readable line. A quoted value of more than SHOWN_MAX characters is cut to its first
 * SHOWN_MAX. Another word of more than WORD_MAX, as a path, keeps its first and its last SHOWN_MAX. */
#define SHOWN_MAX 60
#define WORD_MAX 200

/* Returns `text` with escapes. Of more than `most` characters only the first SHOWN_MAX and the last `end` are kept.
 * Caller frees. */
static char *cut(const char *text, glong most, glong end)
{
    g_autofree char *line = escape(text, is_visible);
    glong n = g_utf8_strlen(line, -1);
    if (n <= most)
        return g_steal_pointer(&line);
    g_autofree char *start = g_utf8_substring(line, 0, SHOWN_MAX);
    return g_strconcat(start, "...", g_utf8_offset_to_pointer(line, n - end), NULL);
}

static void cut_words(GString *out, const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    for (guint i = 0; words[i]; i++) {
        g_autofree char *word = strlen(words[i]) > WORD_MAX ? cut(words[i], WORD_MAX, SHOWN_MAX) : NULL;
        g_string_append_printf(out, "%s%s", i ? " " : "", word ? word : words[i]);
    }
}

#define QUOTE "\1'\2"     /* stands in for the quotes around a value, until input_refuse() has cut the value */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
/* Prints `format`, which the compiler has checked, with QUOTE as the quotes around each '%s'. Caller frees. */
G_GNUC_PRINTF(1, 0) static char *print_marked(const char *format, va_list arguments)
{
    g_autoptr(GString) marked = g_string_new(format);
    g_string_replace(marked, "'%s'", QUOTE "%s" QUOTE, 0);
    return g_strdup_vprintf(marked->str, arguments);
}
#pragma GCC diagnostic pop

gboolean input_refuse(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = print_marked(format, arguments);
    va_end(arguments);
    g_autoptr(GString) message = g_string_new(NULL);
    g_auto(GStrv) parts = g_strsplit(text, QUOTE, -1);
    for (guint i = 0; parts[i]; i++) {
        g_autofree char *value = i % 2 ? cut(parts[i], SHOWN_MAX, 0) : NULL;
        if (value)
            g_string_append_printf(message, "'%s'", value);
        else
            cut_words(message, parts[i]);
    }
    g_set_error_literal(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, message->str);
    return FALSE;
}

gboolean input_call_failed(const char *call, GError **error)
{
    g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_SYSTEM, "%s: %s", call, g_strerror(errno));
    return FALSE;
}

static gboolean bad_value(GError **error, const char *where, const char *text, const char *allowed)
{
    return input_refuse(error, "%s: '%s' is not allowed; allowed: %s", where, text, allowed);
}

gboolean input_is_padded(const char *text)
{
    return *text == '0' && g_ascii_isdigit(text[1]);
}

static gboolean bad_number(GError **error, const char *where, const char *text, const char *allowed)
{
    gboolean is_padded = input_is_padded(text) && text[strspn(text, "0123456789.kM")] == '\0';
    return input_refuse(error, "%s: '%s' is not allowed; allowed: %s%s", where, text, allowed,
                        is_padded ? ", without leading zeros" : *text == '+' ? ", without a sign" : "");
}

gboolean input_parse_decimal(const char *text, double *value)
{
    static const char digits[] = "0123456789.";     /* no sign, blank, inf or nan may come first */
    char *end;
    *value = g_ascii_strtod(text, &end);
    return strspn(text, digits) > 0 && !strpbrk(text, "xX") && *end == '\0' && !input_is_padded(text) &&
           isfinite(*value);
}

gboolean input_parse_ps(const char *where, const char *text, gint64 *ps, GError **error)
{
    static const char allowed[] = "a number of µs, at least 0 and less than 9.007e9 (2^53 ps)";
    double value;
    if (!input_parse_decimal(text, &value) || value * PS_PER_US >= (double)INPUT_TIME_MAX_PS)
        return bad_number(error, where, text, allowed);
    *ps = llround(value * PS_PER_US);
    return TRUE;
}

gboolean input_parse_fs(const char *where, const char *text, gint64 *fs, GError **error)
{
    gint64 ps;
    double value;
    if (!input_parse_ps(where, text, &ps, error))
        return FALSE;
    input_parse_decimal(text, &value);
    value *= FS_PER_US;
    /* above 2^53 a double cannot hold every whole number of femtoseconds: take whole picoseconds */
    *fs = value < (double)INPUT_TIME_MAX_PS ? llround(value) : ps * 1000;
    if (fabs(value - (double)*fs) <= FS_ERROR_MAX * value)
        return TRUE;
    return input_refuse(error, "%s: '%s' is too fine; allowed: 0, or a number that rounding to 1e-9 µs (1 fs) changes "
                        "by at most 0.1 %%", where, text);
}

gboolean input_parse_count(const char *where, const char *text, gint64 min, gint64 max, gint64 *value, GError **error)
{
    const char *end = text + strspn(text, "0123456789");
    guint64 unit = strcmp(end, "k") == 0 ? 1024 : strcmp(end, "M") == 0 ? 1024 * 1024 : *end == '\0';
    errno = 0;
    guint64 parsed = g_ascii_strtoull(text, NULL, 10);
    if (end == text || unit == 0 || errno == ERANGE || input_is_padded(text) || parsed > (guint64)max / unit ||
        (gint64)(parsed * unit) < min) {
        g_autofree char *allowed =
            g_strdup_printf("a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, min, max);
        return bad_number(error, where, text, allowed);
    }
    *value = (gint64)(parsed * unit);
    return TRUE;
}

void input_put_number(GString *out, gint64 number)
{
    g_string_append_printf(out, "%" G_GINT64_FORMAT, number);
}

gboolean input_parse_bool(const char *where, const char *text, gboolean *value, GError **error)
{
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on", "0", "1"};
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        if (strcmp(text, words[i]) == 0) {
            *value = i % 2;
            return TRUE;
        }
    return bad_value(error, where, text, "true or false (also yes and no, on and off)");
}

/* An error lists up to NAMES_MAX names. Of more names it lists only the first NAMES_LISTED. */
#define NAMES_LISTED 10
#define NAMES_MAX 12

char *input_list_names(const char *const *names, const char *all)
{
    guint n = g_strv_length((char **)names), listed = n > NAMES_MAX ? NAMES_LISTED : n;
    g_autoptr(GString) list = g_string_new(names[0]);
    for (guint i = 1; i < listed; i++)
        g_string_append_printf(list, ", %s", names[i]);
    if (n > listed)
        g_string_append_printf(list, " and %u more%s%s%s", n - listed, all ? " (" : "", all ?: "", all ? ")" : "");
    return g_string_free(g_steal_pointer(&list), FALSE);
}

gboolean input_refuse_name(const char *where, const char *text, const char *const *names, const char *all,
                           GError **error)
{
    g_autofree char *list = input_list_names(names, all), *hint = input_hint(text, names);
    return input_refuse(error, "%s: '%s' is not allowed; allowed: %s%s", where, text, list, hint);
}

gboolean input_refuse_key(const char *where, const char *key, const char *const *names, GError **error)
{
    const char *nearest = input_nearest(key, names);
    if (nearest)
        return input_refuse(error, "%s: unknown key '%s'; did you mean '%s'? (`ecube list keys`)", where, key, nearest);
    return input_refuse(error, "%s: unknown key '%s'; `ecube list keys` lists all", where, key);
}

gboolean input_parse_choice(const char *where, const char *text, const char *const *names, guint *index,
                            GError **error)
{
    for (guint i = 0; names[i]; i++)
        if (strcmp(text, names[i]) == 0) {
            *index = i;
            return TRUE;
        }
    return input_refuse_name(where, text, names, NULL, error);
}

/* Returns Levenshtein's distance between two words. Takes time |a| x |b|, so that both should be short. */
static guint edit_distance(const char *a, const char *b)
{
    gsize n = strlen(b);
    g_autofree guint *row = g_new(guint, n + 1);
    for (gsize j = 0; j <= n; j++)
        row[j] = (guint)j;
    for (gsize i = 1; a[i - 1]; i++) {
        guint diagonal = row[0];
        row[0] = (guint)i;
        for (gsize j = 1; j <= n; j++) {
            guint replace = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = MIN(replace, MIN(row[j], row[j - 1]) + 1);
        }
    }
    return row[n];
}

/* Whether `word` begins with the first letter of `name` and has the others behind it, in order: name "ompi", word
 * "openmpi". `name` must have at least three letters. */
static gboolean input_is_within(const char *name, const char *word)
{
    gboolean within = strlen(name) >= 3 && *name == *word;
    for (; *word && *name; word++)
        name += *name == *word;
    return within && *name == '\0';
}

const char *input_nearest(const char *word, const char *const *names)
{
    if (strlen(word) > SHOWN_MAX)
        return NULL;
    const char *best = NULL;
    guint best_distance = G_MAXUINT;
    for (guint i = 0; names[i]; i++) {
        guint distance = edit_distance(word, names[i]);
        gboolean near = distance <= 1 + strlen(names[i]) / 3 || input_is_within(names[i], word) ||
                        (strlen(word) >= 3 && g_str_has_prefix(names[i], word));
        if (near && distance < best_distance) {
            best = names[i];
            best_distance = distance;
        }
    }
    return best;
}

char *input_hint(const char *word, const char *const *names)
{
    const char *nearest = input_nearest(word, names);
    return nearest ? g_strdup_printf("; did you mean '%s'?", nearest) : g_strdup("");
}

char **input_split(const char *text, const char *separators)
{
    g_auto(GStrv) parts = g_strsplit_set(text, separators, -1);
    g_autoptr(GStrvBuilder) kept = g_strv_builder_new();
    for (guint i = 0; parts[i]; i++)
        if (*g_strstrip(parts[i]))
            g_strv_builder_add(kept, parts[i]);
    return g_strv_builder_end(kept);
}

int input_compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char **input_list_folder(const char *folder, const char *what, GError **error)
{
    g_autoptr(GError) failure = NULL;
    GDir *dir = g_dir_open(folder, 0, &failure);
    if (!dir)
        return input_refuse(error, "%s: the folder of %s cannot be read: %s", folder, what, failure->message), NULL;
    GPtrArray *names = g_ptr_array_new();
    for (const char *entry = g_dir_read_name(dir); entry; entry = g_dir_read_name(dir))
        if (g_str_has_suffix(entry, ".ini"))
            g_ptr_array_add(names, g_strndup(entry, strlen(entry) - strlen(".ini")));
    g_dir_close(dir);
    g_ptr_array_sort(names, input_compare_names);
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

gboolean input_read_bounded(const char *path, gsize max, GString *text)
{
    FILE *file = fopen(path, "re");
    for (gsize got = 1; file && got > 0 && text->len <= max;) {
        char buffer[65536];
        got = fread(buffer, 1, sizeof buffer, file);
        g_string_append_len(text, buffer, (gssize)got);
    }
    gboolean ok = file && !ferror(file);
    int failure = errno;
    if (file)
        fclose(file);
    errno = failure;
    return ok;
}

/* Returns the line that `lines` has for `name`. If it has none, enters `line` for `name`, borrowed, and returns 0. */
static guint line_before(GHashTable *lines, const char *name, guint line)
{
    guint before = GPOINTER_TO_UINT(g_hash_table_lookup(lines, name));
    if (before == 0)
        g_hash_table_insert(lines, (gpointer)name, GUINT_TO_POINTER(line));
    return before;
}

gboolean input_check_former(GKeyFile *file, const char *path, const char *section, const char *given, const char *now,
                            GError **error)
{
    return strcmp(given, now) == 0 || !g_key_file_has_key(file, section, now, NULL) ||
           input_refuse(error, "%s: [%s] %s: is the former name of %s, which stands there as well; allowed: one of "
                        "them", path, section, given, now);
}

/* Refuses the first line that does not belong in an INI file, or whose section or key stands on an earlier line. GLib
 * names no line in an error, and merges repeated sections and keys. */
static gboolean input_check_lines(const char *where, const char *text, GError **error)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(GHashTable) sections = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) keys = g_hash_table_new(g_str_hash, g_str_equal);     /* keys of the present section */
    const char *section = NULL;
    for (guint i = 0, before; lines[i]; i++) {
        char *line = g_strstrip(lines[i]), *equals = strchr(line, '=');
        if (*line == '\0' || *line == '#')
            continue;
        if (*line == '[' && g_str_has_suffix(line, "]")) {
            section = line;
            g_hash_table_remove_all(keys);
            before = line_before(sections, section, i + 1);
            if (before > 0)
                return input_refuse(error, "%s: line %u: %s stands on line %u already", where, i + 1, section, before);
            continue;
        }
        if (!section || !equals || equals == line)
            return input_refuse(error, "%s: line %u: '%s' is not allowed; allowed: [SECTION], below it KEY = VALUE, "
                                "and # comments", where, i + 1, line);
        *equals = '\0';
        before = line_before(keys, g_strchomp(line), i + 1);
        if (before > 0)
            return input_refuse(error, "%s: line %u: key '%s' of %s stands on line %u already", where, i + 1, line,
                                section, before);
    }
    return TRUE;
}

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* Converts a text that begins with a byte order mark of UTF-16 to UTF-8. */
static void decode_utf16(GString *text)
{
    if (!g_str_has_prefix(text->str, "\xff\xfe") && !g_str_has_prefix(text->str, "\xfe\xff"))
        return;
    gsize length = 0;
    g_autofree char *decoded = g_convert(text->str, (gssize)text->len, "UTF-8", "UTF-16", NULL, &length, NULL);
    if (decoded)
        g_string_append_len(g_string_truncate(text, 0), decoded, (gssize)length);
}

char *input_load_text(const char *path, gsize max, gboolean utf8, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    if (!input_read_bounded(path, max, text)) {
        input_refuse(error, "%s: cannot be read: %s", path, g_strerror(errno));
        return NULL;
    }
    gboolean too_large = text->len > max;
    decode_utf16(text);
    if (g_str_has_prefix(text->str, BYTE_ORDER_MARK))
        g_string_erase(text, 0, strlen(BYTE_ORDER_MARK));
    g_autofree char *wrong = NULL;
    if (too_large)
        wrong = g_strdup_printf("is too large: at most %" G_GSIZE_FORMAT " MiB is allowed", max >> 20);
    else if (strlen(text->str) != text->len || (utf8 && !g_utf8_validate(text->str, (gssize)text->len, NULL)))
        wrong = g_strdup_printf("is not a text file%s", utf8 ? " (UTF-8)" : "");
    else if (strspn(text->str, " \t\r\n") == text->len)
        wrong = g_strdup("is empty");
    if (!wrong) {
        gsize size = text->len + 1;
        return g_realloc(g_string_free(g_steal_pointer(&text), FALSE), size);
    }
    input_refuse(error, "%s: %s", path, wrong);
    return NULL;
}

GKeyFile *input_parse_keyfile(const char *where, const char *text, GError **error)
{
    /* keys like "tau[de]" are kept too: as unknown keys they must be reported, not dropped */
    const GKeyFileFlags flags = G_KEY_FILE_KEEP_COMMENTS | G_KEY_FILE_KEEP_TRANSLATIONS;
    g_autoptr(GKeyFile) file = g_key_file_new();
    if (!input_check_lines(where, text, error))
        return NULL;
    if (g_key_file_load_from_data(file, text, strlen(text), flags, NULL))
        return g_steal_pointer(&file);
    input_refuse(error, "%s: is not an INI file", where);
    return NULL;
}

GKeyFile *input_load_keyfile(const char *path, GError **error)
{
    g_autofree char *text = input_load_text(path, INPUT_FILE_MAX, TRUE, error);
    return text ? input_parse_keyfile(path, text, error) : NULL;
}
