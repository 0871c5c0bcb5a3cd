#include "list.h"
#include "sim/text/input.h"

#include <string.h>

/* --- reading --- */

/* Reads a partition (highest bits first) or radices (lowest digit first), and returns its offsets. NULL with an
 * error. */
static Offsets *read_phases(const char *where, const char *text, const Group *group, GError **error)
{
    Phases parts, phases;
    if (!(group->binary ? partition_parse(where, text, group->dimension, &parts, error)
                        : radices_parse(where, text, group, &parts, error)))
        return NULL;
    phases = parts;
    for (guint i = 0; group->binary && i < parts.n_parts; i++)
        phases.part[i] = parts.part[parts.n_parts - 1 - i];
    return offsets_of_radices(&phases, group, 1);
}

/* Reads offsets. Refuses rounds of several messages, such as "1+2", which rules do not have. */
static Offsets *list_read_offsets(const char *where, const char *text, const Group *group, GError **error)
{
    if (!strchr(text, '+'))
        return offsets_parse(where, text, group, error);
    input_refuse(error, "%s: '%s' is not allowed; allowed: one offset a step, with commas between them", where, text);
    return NULL;
}

/* Returns the group that `word`, as "4x3", names; NULL unless it has n processors. Borrowed. */
static const Group *list_product(const char *word, guint n)
{
    const Group *group = strchr(word, 'x') ? group_parse("", word, NULL) : NULL;
    return group && group->n == n ? group : NULL;
}

Offsets *list_read(const char *where, guint n, const char *text, const Group **group, GError **error)
{
    g_auto(GStrv) words = g_strsplit_set(text, " \t", 2);
    const char *kind = *text ? words[0] : "", *rest = *text && words[1] ? g_strstrip(words[1]) : "";
    const Group *cube = (n & (n - 1)) == 0 ? group_of_cube(g_bit_storage(n) - 1) : NULL, *cyclic = group_cyclic(n);
    const struct {
        const char *kind;
        const Group *group;
        Offsets *(*read)(const char *where, const char *text, const Group *group, GError **error);
    } kinds[] = {{"partition", cube, read_phases}, {"radices", cyclic, read_phases}, {"xor", cube, list_read_offsets},
                 {"modulo", cyclic, list_read_offsets}, {kind, list_product(kind, n), list_read_offsets}};
    *group = cube ? cube : cyclic;
    if (strcmp(text, "library") == 0)
        return offsets_new();
    if (strcmp(text, "direct") == 0)
        return offsets_direct(*group);
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (strcmp(kind, kinds[i].kind) == 0 && kinds[i].group)
            return *group = kinds[i].group, kinds[i].read(where, rest, kinds[i].group, error);
    input_refuse(error, "%s: '%s' is not allowed; allowed: library, direct, partition 3,3, radices 2,2,3, "
                 "xor 1,2,4,8,15, modulo 5,8,10,11, 4x3 1,3,4,8, for %u processes", where, text, n);
    return NULL;
}

/* --- naming --- */

char *list_of_offsets(const char *offsets, const Group *group)
{
    return g_strdup_printf("%s %s", group->binary ? "xor" : group->n_factors > 1 ? group->name : "modulo", offsets);
}

char *list_of_partition(const Phases *partition, const Group *group)
{
    gboolean spelled = group->n_factors > 1 && !group->binary;
    g_autoptr(Offsets) offsets = spelled ? offsets_of_radices(partition, group, 1) : NULL;
    g_autofree char *text = offsets ? offsets_format(offsets) : partition_format(partition);
    return offsets ? list_of_offsets(text, group)
                   : g_strdup_printf("%s %s", group->binary ? "partition" : "radices", text);
}

/* Whether a partition describes the face's list: the group is binary, and a part of b bits takes 2^b - 1 steps. */
static gboolean is_partition(const HullFace *face, const Group *group)
{
    gboolean direct = group->binary;
    for (guint i = 0; i < face->partition.n_parts; i++)
        direct = direct && face->n_steps[i] == (1u << face->partition.part[i]) - 1;
    return direct;
}

char *list_of_face(const HullFace *face, const Group *group, gboolean by_offsets)
{
    if (!by_offsets || is_partition(face, group))
        return list_of_partition(&face->partition, group);
    if (face->n_steps[0] == group->n - 1)
        return g_strdup("direct");
    g_autoptr(Offsets) offsets = hull_offsets(face, group);
    g_autofree char *text = offsets_format(offsets);
    return list_of_offsets(text, group);
}
