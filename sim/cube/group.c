#include "group.h"
#include "sim/text/input.h"

/* Returns the only group with these factors; makes it at the first call. Borrowed. */
static const Group *intern(guint n_factors, const guint *factor)
{
    static GHashTable *all;
    g_autoptr(GString) name = g_string_new(n_factors ? NULL : "1");
    Group group = {.n = 1, .binary = TRUE, .n_factors = n_factors};
    for (guint i = 0; i < n_factors; i++) {
        g_string_append_printf(name, "%s%u", i ? "x" : "", factor[i]);
        group.factor[i] = factor[i];
        group.n *= factor[i];
        group.binary &= factor[i] == 2;
    }
    if (!all)
        all = g_hash_table_new(g_str_hash, g_str_equal);
    const Group *found = g_hash_table_lookup(all, name->str);
    if (found)
        return found;
    group.dimension = group.n > 1 ? g_bit_storage(group.n - 1) : 0;
    group.name = g_strdup(name->str);
    Group *made = g_memdup2(&group, sizeof group);
    g_hash_table_insert(all, made->name, made);
    return made;
}

const Group *group_of_cube(guint dimension)
{
    static const Group *cubes[GROUP_FACTORS_MAX + 1];
    guint twos[GROUP_FACTORS_MAX] = {0};
    if (cubes[dimension])
        return cubes[dimension];
    for (guint i = 0; i < dimension; i++)
        twos[i] = 2;
    return cubes[dimension] = intern(dimension, twos);
}

const Group *group_cyclic(guint n)
{
    return intern(n > 1, &n);
}

const Group *group_parse(const char *where, const char *text, GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, "x", -1);
    guint factor[GROUP_FACTORS_MAX], n_factors = 0;
    guint64 n = 1;
    gboolean ok = words[0] != NULL;
    for (guint i = 0; ok && words[i]; i++) {
        gint64 number;
        ok = n_factors < GROUP_FACTORS_MAX && input_parse_count(where, words[i], 1, GROUP_SIZE_MAX, &number, NULL) &&
             (number > 1 || !words[1]) && (n *= (guint64)number) <= GROUP_SIZE_MAX;
        if (ok && number > 1)
            factor[n_factors++] = (guint)number;
    }
    if (ok)
        return intern(n_factors, factor);
    input_refuse(error, "%s: '%s' is not allowed; allowed: 1 to %u processors, or factors from 2 on with such a "
                 "product, as 4x6", where, text, GROUP_SIZE_MAX);
    return NULL;
}

gint64 group_block(const Group *group, gint64 least)
{
    gint64 block = 1;
    for (guint i = group->n_factors; i-- > 0 && block < least;)
        block *= group->factor[i];
    return MAX(block, least);
}

gboolean group_check_given(const char *dimension, const char *where, const char *processors, GError **error)
{
    if (dimension && processors)
        return input_refuse(error, "%s: '%s' is given beside dimension = %s; allowed: one of the two", where,
                            processors, dimension);
    return dimension || processors ||
           input_refuse(error, "dimension: is missing; give --dimension D, for a cube of 2^D processors, or "
                        "--processors P");
}

const Group *group_decide(const Group *given, const char *where, const char *word, gboolean on_cube, GError **error)
{
    static const char *const words[] = {"xor", "addition", NULL};
    gboolean may_be_cube = given->binary || (given->n_factors == 1 && (given->n & (given->n - 1)) == 0);
    gboolean may_be_added = !given->binary || given->n <= 2;
    guint is_added;
    if (!word)
        return on_cube && may_be_cube ? group_of_cube(given->dimension) : given;
    if (!input_parse_choice(where, word, words, &is_added, error))
        return NULL;
    if (is_added && !may_be_added)
        return input_refuse(error, "%s: 'addition' is not allowed for a cube; allowed: xor, or a number of processors "
                            "(--processors P)", where), NULL;
    if (!is_added && !may_be_cube)
        return input_refuse(error, "%s: 'xor' is not allowed for %s processors; allowed: addition, or a power of two "
                            "(--processors %u)", where, given->name, 1u << given->dimension), NULL;
    return is_added ? given : group_of_cube(given->dimension);
}

const Group *group_asked(const char *dimension, const char *processors, const char *word, gboolean on_cube,
                         guint dimension_max, GError **error)
{
    gint64 d;
    const Group *given = NULL;
    if (!group_check_given(dimension, "--processors", processors, error))
        return NULL;
    if (processors)
        given = group_parse("--processors", processors, error);
    else if (input_parse_count("--dimension", dimension, 0, dimension_max, &d, error))
        given = group_of_cube((guint)d);
    return given ? group_decide(given, "--group", word, on_cube, error) : NULL;
}

/* --- adding --- */

/* Returns x + y, or x - y if `minus`, for each digit modulo its factor. */
static guint combine(const Group *group, guint x, guint y, gboolean minus)
{
    guint sum = 0, place = 1;
    for (guint i = group->n_factors; i-- > 0; place *= group->factor[i]) {
        guint factor = group->factor[i], a = x % factor, b = y % factor;
        sum += place * ((minus ? a + factor - b : a + b) % factor);
        x /= factor;
        y /= factor;
    }
    return sum;
}

guint group_add_digits(const Group *group, guint x, guint y)
{
    if (group->n_factors > 1)
        return combine(group, x, y, FALSE);
    return x + y < group->n ? x + y : x + y - group->n;
}

guint group_subtract_digits(const Group *group, guint x, guint y)
{
    if (group->n_factors > 1)
        return combine(group, x, y, TRUE);
    return x >= y ? x - y : x + group->n - y;
}
