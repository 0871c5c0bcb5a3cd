#include "keys.h"
#include "keys_common.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/theory.h"

#include <string.h>

#define ORDERS_DESCRIBED 14  /* last KeyText.order that run_describe() shows */
#define KEYS_MAX 64

/* Index of the keys of all patterns. keys_collect() fills it in, again if the number of patterns has changed. `keys`
 * has the order in which keys vary in a sweep. `by_column` and `by_order` have the keys with a value in runs, sorted by
 * KeyRecord.column and by KeyText.order; NULL ends them. */
static struct {
    guint n, n_patterns;        /* number of keys; number of patterns when the keys were collected */
    const Key *common;          /* keys_common() */
    guint n_common;
    const Key *keys[KEYS_MAX], *by_column[KEYS_MAX + 1], *by_order[KEYS_MAX + 1];
} all;

/* Fills `sorted` with the keys that have a value in runs, sorted by KeyText.order if `by_order`, else by
 * KeyRecord.column. Keys with order or column 0 come last; NULL ends them. */
static void sort_keys(gboolean by_order, const Key **sorted)
{
    guint n = 0, modulus = all.n + 1;
    for (guint r = 1; r <= modulus; r++)
        for (guint i = 0; i < all.n; i++)
            if (all.keys[i]->put && (by_order ? all.keys[i]->text.order : all.keys[i]->record.column) == r % modulus)
                sorted[n++] = all.keys[i];
    sorted[n] = NULL;
}

static void add_once(const Key *key)
{
    for (guint i = 0; i < all.n; i++)
        if (all.keys[i] == key)
            return;
    g_assert(all.n < KEYS_MAX);
    all.keys[all.n++] = key;
}

static void keys_collect(void)
{
    all.n = 0;
    all.n_patterns = pattern_count();
    guint n_before;
    all.common = keys_common(&all.n_common, &n_before);
    for (guint i = 0; i < n_before; i++)
        add_once(&all.common[i]);
    for (guint i = 0; i < all.n_patterns; i++)
        for (const Key *key = pattern_theory(pattern_nth(i))->keys; key && key->name; key++)
            add_once(key);
    for (guint i = n_before; i < all.n_common; i++)
        add_once(&all.common[i]);
    sort_keys(FALSE, all.by_column);
    sort_keys(TRUE, all.by_order);
}

guint keys_count(void)
{
    if (all.n_patterns != pattern_count())
        keys_collect();
    return all.n;
}

const Key *keys_nth(guint i)
{
    return i < keys_count() ? all.keys[i] : NULL;
}

const Key *keys_find(const char *name)
{
    for (guint i = 0; i < keys_count(); i++)
        if (strcmp(all.keys[i]->name, name) == 0 || g_strcmp0(all.keys[i]->former, name) == 0)
            return all.keys[i];
    return NULL;
}

const Key *const *keys_of_runs(void)
{
    keys_count();
    return all.by_column;
}

const Key *key_of_size(const Run *run)
{
    const char *own = pattern_theory(run->problem.pattern)->size_key;
    return keys_find(own ? own : "bytes");
}

gboolean key_is_of_machine(const Key *key)
{
    return machine_may_override(key->name);
}

static gboolean is_common(const Key *key)
{
    return key >= all.common && key < all.common + all.n_common;
}

static gboolean is_bytes(const Key *key)
{
    return strcmp(key->name, "bytes") == 0;
}

static gboolean pattern_takes(const Key *key, const Pattern *pattern)
{
    if (is_common(key))
        return !is_bytes(key) || !pattern_theory(pattern)->size_key;
    const Key *own = pattern_theory(pattern)->keys;
    while (own && own->name && own != key)
        own++;
    return own && own->name;
}

gboolean key_is_taken(const Key *key, const Pattern *pattern, guint takes)
{
    return pattern_takes(key, pattern) && (!key->of_algorithm || takes & key->of_algorithm);
}

static void add_name(GPtrArray *names, const char *name)
{
    if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
        g_ptr_array_add(names, (gpointer)name);
}

char *key_takers(const Key *key, gboolean of_routing)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    gboolean but = is_bytes(key);
    for (guint i = 0; key->of_algorithm && i < algorithm_count(); i++)
        if (algorithm_nth(i)->takes & key->of_algorithm)
            add_name(names, algorithm_nth(i)->name);
    for (guint i = 0; !key->of_algorithm && (but || !is_common(key)) && i < pattern_count(); i++)
        if (pattern_takes(key, pattern_nth(i)) != but)
            add_name(names, pattern_nth(i)->name);
    guint n = names->len;
    g_ptr_array_add(names, NULL);
    g_autofree char *list = g_strjoinv(", ", (char **)names->pdata);
    const char *what = of_routing ? "routing" : key->of_algorithm ? "algorithm" : "pattern";
    if (but)
        return g_strdup_printf("all patterns but %s", list);
    return n ? g_strdup_printf("the %s%s %s", what, n > 1 ? "s" : "", list) : g_strdup("");
}

char *key_help(const Key *key)
{
    const char *fallback = key->fallback ? key->fallback : "";
    return g_strconcat(key->help, *fallback ? "; default: " : "", fallback, NULL);
}

char *key_allowed(const Key *key)
{
    gboolean commas = strchr(key_separators(key), ',') != NULL, is_list = key->option.is_list;
    if (!is_list && commas)
        return g_strdup(key->allowed);
    return g_strdup_printf("%s%s separated by %s", key->allowed, is_list ? "; several" : "; in a sweep several",
                           commas ? "commas" : "semicolons");
}

/* Whether the text out->str + at is the key's value for "not set". */
static gboolean is_default(const Key *key, const GString *out, gsize at)
{
    const char *none = key->none ? key->none : key->fallback;
    return none && strcmp(out->str + at, none) == 0;
}

#define LIST_SHOWN_MAX 48    /* characters of a list in texts for people, at most */

char *key_for_people(const Key *key, const char *value)
{
    guint n = 1;
    if (!key->text.counted || strlen(value) <= LIST_SHOWN_MAX)
        return g_strdup(value);
    for (const char *c = value; *c; c++)
        n += *c == ',';
    return g_strdup_printf("k = %u", n);
}

/* Appends the run's value of the key, between words.before and words.after, if `when` holds for it. Returns FALSE if it
 * appends nothing. With `people` the value is as key_for_people() gives it. */
static gboolean put_phrase(const Key *key, KeyWhen when, KeyWords words, const Run *run, gboolean people, GString *out)
{
    gsize start = out->len;
    guint takes = algorithm_takes(run->problem.algorithm, problem_routing(&run->problem));
    if (when != KEY_ALWAYS && !key_is_taken(key, run->problem.pattern, takes))
        return FALSE;
    g_string_append(out, words.before);
    gsize at = out->len;
    key->put(run, out);
    if (when == KEY_UNLESS_DEFAULT && (key->counts ? !key->counts(run) : is_default(key, out, at))) {
        g_string_truncate(out, start);
        return FALSE;
    }
    g_autofree char *shown = people ? key_for_people(key, out->str + at) : NULL;
    if (shown) {
        g_string_truncate(out, at);
        g_string_append(out, shown);
    }
    g_string_append(out, words.after);
    return TRUE;
}

char *key_shown(const Key *key, const Run *run)
{
    g_autoptr(GString) out = g_string_new(NULL);
    return put_phrase(key, key->record.when, (KeyWords){"", ""}, run, FALSE, out) ? g_strdup(out->str) : NULL;
}

char *keys_order(void)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < keys_count(); i++) {
        if (key_is_of_machine(all.keys[i]))
            continue;
        g_string_append_printf(out, "%s%s", i ? ", " : "", all.keys[i]->name);
        g_string_append(out, all.keys[i]->kind == KEY_MACHINE ? ", [machine]" : "");
    }
    return g_string_free(out, FALSE);
}

/* --- runs in words --- */

static void key_put(const Key *key, const Run *run, gboolean people, GString *out)
{
    g_autofree char *before = g_strdup_printf(", %s ", key->name);
    if (key->text.phrase.before)
        put_phrase(key, key->text.when, key->text.phrase, run, people, out);
    else if (key->kind != KEY_MACHINE && !key_is_of_machine(key))
        put_phrase(key, key->text.when, (KeyWords){before, ""}, run, people, out);
}

static void put_run(const Run *run, guint last_order, GString *out)
{
    keys_count();
    for (guint i = 0; all.by_order[i] && all.by_order[i]->text.order <= last_order; i++)
        key_put(all.by_order[i], run, last_order == ORDERS_DESCRIBED, out);
}

char *run_describe(const Run *run)
{
    GString *out = g_string_new(NULL);
    put_run(run, ORDERS_DESCRIBED, out);
    return g_string_free(out, FALSE);
}

void run_put_identity(const Run *run, GString *out)
{
    put_run(run, KEYS_MAX, out);
}

void run_put_named(const Run *run, KeyNaming naming, GString *out)
{
    keys_count();
    for (guint i = 0; all.by_order[i]; i++)
        if (all.by_order[i]->text.naming == naming)
            key_put(all.by_order[i], run, FALSE, out);
}
