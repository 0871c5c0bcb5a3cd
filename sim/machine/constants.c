#include "constants.h"

#include <string.h>

static const MachineKey *keys[MACHINE_KEYS_MAX];
static guint n_keys;

/* Returns 0 for a required constant, 2 for a constant that falls back to 0, 1 for all others. */
static guint rank_of(const MachineKey *key)
{
    return strcmp(key->fallback, "required") == 0 ? 0 : strcmp(key->fallback, "0") != 0 ? 1 : 2;
}

guint constants_count(void)
{
    for (guint rank = n_keys ? 3 : 0; rank < 3; rank++)
        for (const MachineKey *key = machine_keys; key->name; key++)
            if (key->flags & MACHINE_COST && rank_of(key) == rank)
                keys[n_keys++] = key;
    return n_keys;
}

const MachineKey *constant_key(guint i)
{
    g_assert(i < constants_count());
    return keys[i];
}

gboolean constant_is_required(guint i)
{
    return rank_of(constant_key(i)) == 0;
}

int constant_find(const char *name)
{
    for (guint i = 0; i < constants_count(); i++)
        if (strcmp(keys[i]->name, name) == 0)
            return (int)i;
    return -1;
}

int constant_replaced(guint i)
{
    guint piece = constant_key(i)->flags & (MACHINE_WITH_SHORT | MACHINE_WITH_LONG);
    gsize at = constant_key(i)->offset, first = piece == MACHINE_WITH_SHORT ? G_STRUCT_OFFSET(Machine, short_terms)
                                                                            : G_STRUCT_OFFSET(Machine, long_terms);
    if (!piece)
        return -1;
    for (guint k = 0; k < constants_count(); k++)
        if (keys[k]->offset == at - first + G_STRUCT_OFFSET(Machine, terms))
            return (int)k;
    g_assert_not_reached();
}

gboolean constant_is_used(const Machine *machine, guint i)
{
    return machine_key_applies(machine, constant_key(i));
}

gboolean constant_is_missing(const Machine *machine, guint i)
{
    return !constant_is_used(machine, i) && constant_replaced(i) < 0;
}

gint64 *constant_field(Machine *machine, guint i)
{
    return G_STRUCT_MEMBER_P(machine, constant_key(i)->offset);
}

gint64 constant_get(const Machine *machine, guint i)
{
    return constant_is_missing(machine, i) ? 0 : *constant_field((Machine *)machine, i);
}

void constant_set(Machine *machine, guint i, gint64 value)
{
    if (!constant_is_missing(machine, i))
        *constant_field(machine, i) = value;
}

gint64 constant_per_ps(guint i)
{
    return constant_is_per_byte(i) ? MACHINE_FS_PER_PS : 1;
}

double constant_ps(const Machine *machine, guint i)
{
    gint64 value = constant_get(machine, i);
    return constant_is_per_byte(i) ? machine_byte_ps(value) : (double)value;
}

gboolean constant_is_per_byte(guint i)
{
    return constant_key(i)->kind == MACHINE_RATE;
}
