#include "export_keys.h"
#include "sim/engine/platform.h"
#include "sim/machine/constants.h"
#include "sim/text/input.h"

#include <string.h>

/* How a format of ranks treats a key. SAID: operations and their times express it. LEFT: only the program that runs the
 * file can apply it. CHECKED: other code refuses it where it matters. Any other text lists the allowed values; the
 * first stands for a machine without the key. A key without a row in keys[] must have its default. */
#define SAID "said"
#define LEFT "left"
#define CHECKED "checked"

static const struct {
    const char *key, *uses[N_RANK_FORMATS];     /* uses[format]: SAID, LEFT, CHECKED or the allowed values */
} keys[] = {
    {"lambda", {LEFT, SAID}},
    {"lambda_zero", {LEFT, SAID}},
    {"tau", {LEFT, LEFT}},
    {"gap", {LEFT, "none"}},
    {"delta", {LEFT, SAID}},
    {"delta_hop", {LEFT, LEFT}},
    {"rho", {SAID, SAID}},
    {"gather_cost", {SAID, SAID}},
    {"flop", {SAID, SAID}},
    {"sync", {LEFT, SAID}},
    {"sync_per_dimension", {LEFT, SAID}},
    {"short_limit", {LEFT, SAID}},
    {"lambda_short", {LEFT, SAID}},
    {"tau_short", {LEFT, SAID}},
    {"delta_hop_short", {LEFT, SAID}},
    {"long_limit", {LEFT, SAID}},
    {"lambda_long", {LEFT, SAID}},
    {"tau_long", {LEFT, SAID}},
    {"delta_hop_long", {LEFT, SAID}},
    {"packet", {SAID, SAID}},
    {"lambda_packet", {LEFT, SAID}},
    {"ports", {LEFT, CHECKED}},
    {"ports_overlap", {CHECKED, CHECKED}},
    {"duplex", {LEFT, "full"}},
    {"switching", {"circuit, fluid", "circuit, fluid"}},
    {"topology", {LEFT, LEFT}},
    {"sides", {LEFT, LEFT}},
    {"order", {LEFT, LEFT}},
    {"node", {LEFT, CHECKED}},
    {"lambda_node", {LEFT, SAID}},
    {"tau_node", {LEFT, LEFT}},
    {"delta_node", {LEFT, SAID}},
    {"node_ports", {LEFT, CHECKED}},
    {"start_skew", {SAID, SAID}},
    {"pairwise_sync", {SAID, SAID}},
    {"phase_barrier", {"false, true", "false, true"}},
    {"unposted", {CHECKED, CHECKED}},
};

static const char *const names[] = {"goal", "ti"};

static const char *find_use(RankFormat format, const MachineKey *key)
{
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
        if (strcmp(keys[i].key, key->name) == 0)
            return keys[i].uses[format];
    return key->fallback;
}

/* Returns the value of a key as machine files write it. Caller frees. */
static char *key_value(const Machine *machine, const MachineKey *key)
{
    gint64 value = machine_value(machine, key);
    return value == MACHINE_UNSET ? g_strdup(key->fallback) : machine_value_text(key, value);
}

/* Refuses a value of the key that is not among those that find_use() lists, if it lists any. */
static gboolean check_words(RankFormat format, const Machine *machine, const MachineKey *key, GError **error)
{
    const char *use = find_use(format, key);
    if (strcmp(use, SAID) == 0 || strcmp(use, LEFT) == 0 || strcmp(use, CHECKED) == 0)
        return TRUE;
    g_auto(GStrv) allowed = g_strsplit(use, ", ", -1);
    g_autofree char *value = key_value(machine, key);
    return g_strv_contains((const char *const *)allowed, value) ||
           input_refuse(error, "%s: '%s' is not allowed with --format %s; allowed: %s", key->name, value, names[format],
                        use);
}

/* Refuses machines that lose or copy messages that come early, because no format can express it. No message comes early
 * if there are barriers, or if all processors begin the only phase at once. */
static gboolean check_unposted(RankFormat format, const Machine *machine, const Schedule *schedule, GError **error)
{
    gboolean discards = machine->unposted == UNPOSTED_DISCARD;
    gboolean copies = machine->unposted == UNPOSTED_BUFFER && machine->gather_fs_per_byte > 0;
    gboolean early = machine->phase_barrier == BARRIER_NONE && machine->switching != SWITCHING_FLUID &&
                     (schedule->n_phases > 1 || machine->start_skew_ps > 0);
    return !early || !(discards || copies) ||
           input_refuse(error, "unposted: '%s' is not allowed with --format %s where no barrier keeps messages from "
                        "coming early; allowed: wait", discards ? "discard" : "buffer", names[format]);
}

gboolean export_check_keys(RankFormat format, const Machine *machine, const Schedule *schedule, GError **error)
{
    for (const MachineKey *key = machine_keys; key->name; key++)
        if (key->kind != MACHINE_TEXT && !check_words(format, machine, key, error))
            return FALSE;
    return check_unposted(format, machine, schedule, error) &&
           (format != FORMAT_TI || platform_check(machine, schedule_n_nodes(schedule), error));
}

/* Returns a machine with lambda, tau and delta of `machine`, and defaults for all else. */
static Machine *plain_machine(const Machine *machine)
{
    g_autoptr(GString) text = g_string_new("[machine]\n");
    static const char *const own[] = {"lambda", "tau", "delta"};
    for (guint i = 0; i < G_N_ELEMENTS(own); i++) {
        g_autofree char *value = key_value(machine, machine_key(own[i]));
        g_string_append_printf(text, "%s = %s\n", own[i], value);
    }
    return machine_parse("", text->str, NULL);
}

char *export_keys_left(RankFormat format, const Machine *machine)
{
    GString *left = g_string_new(NULL);
    g_autoptr(Machine) plain = plain_machine(machine);
    for (const MachineKey *key = machine_keys; key->name; key++) {
        int constant = constant_find(key->name);
        gboolean is_left = key->kind != MACHINE_TEXT && strcmp(find_use(format, key), LEFT) == 0;
        gboolean is_used = constant < 0 || constant_is_used(machine, (guint)constant);
        if (!is_left || !is_used || machine_value(machine, key) == machine_value(plain, key))
            continue;
        g_autofree char *value = key_value(machine, key);
        g_string_append_printf(left, " %s=%s", key->name, value);
    }
    return g_string_free(left, FALSE);
}
