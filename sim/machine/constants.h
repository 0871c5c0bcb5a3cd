/* The constants of machines: all times among machine_keys[] that say what something costs. The pricer counts them, and
 * a fit looks for them; a new key of that kind is counted and fitted as well.
 *
 * Where a fit can't tell two apart the one that comes first has all of it: first those that every machine has, then
 * those that are another's value unless they are given, then those that are 0. */
#pragma once

#include "machine.h"

/* The number of constants, and their keys; at most MACHINE_KEYS_MAX. */
guint constants_count(void);
const MachineKey *constant_key(guint i);

/* The number of the constant of that name, or -1. */
int constant_find(const char *name);

/* The constant that stands for this one in messages that are not short, or -1 if it is none of short messages. */
int constant_long_form(guint i);

/* Whether the machine has messages that it is of: short ones, within nodes, or packets that begin otherwise. */
gboolean constant_is_used(const Machine *machine, guint i);

/* Whether it is one that the machine need not have, and does not: a gap, of nodes, the start-up of packets. */
gboolean constant_is_missing(const Machine *machine, guint i);

/* Where a machine has it: in ps, or ps per byte. One that is missing is 0, and stays unset. */
gint64 constant_get(const Machine *machine, guint i);
void constant_set(Machine *machine, guint i, gint64 ps);

/* Whether every machine file has the constant. */
gboolean constant_is_required(guint i);

/* Whether it is a price per byte. */
gboolean constant_is_per_byte(guint i);

/* What its unit is, for people: "µs" or "µs/byte". Static. */
static inline const char *constant_unit(guint i)
{
    return constant_key(i)->unit;
}
