#include "machine.h"
#include "sim/text/input.h"
#include "sim/text/table.h"

#include <stdio.h>
#include <string.h>

#define AT(field) G_STRUCT_OFFSET(Machine, field)

/* The only table of keys: it drives parsing, defaults, help, hints, the pricer's counts and fits. What an export does
 * with a key stands in show/export_keys.c. */
const MachineKey machine_keys[] = {
    {"title", MACHINE_TEXT, AT(title), "text", "", "one line that says what machine this is", 0, 0},
    {"measured", MACHINE_TEXT, AT(measured), "text", "",
     "the complete exchanges that the constants were fitted to, as 'd 2-6, 8-65536 bytes'; best and hull warn beyond "
     "them", 0, 0},
    {"verdict", MACHINE_TEXT, AT(verdict), "text", "",
     "whether the constants may be used, as `ecube fit` judges; best, hull and compare repeat it unless they may",
     0, 0},
    {"lambda", MACHINE_TIME, AT(terms.lambda_ps), "µs", "required",
     "start-up of one message (of one packet, if packet is set)", MACHINE_COST, MACHINE_UNSET},
    {"lambda_zero", MACHINE_TIME, AT(lambda_zero_ps), "µs", "lambda_short, or lambda",
     "start-up of a message without bytes, as those of a pairwise handshake", MACHINE_COST, MACHINE_UNSET},
    {"tau", MACHINE_RATE, AT(terms.tau_fs_per_byte), "µs/byte", "required", "transmission time of one byte",
     MACHINE_COST, MACHINE_UNSET},
    {"gap", MACHINE_TIME, AT(gap_ps), "µs", "none",
     "from one start-up to the next at a send port, while messages before are on their way; none: the port is held "
     "until the message has left", MACHINE_COST | MACHINE_WITH_GAP | MACHINE_LATER, MACHINE_UNSET},
    {"delta", MACHINE_TIME, AT(delta_ps), "µs", "0", "circuit cost per message, whatever the distance", MACHINE_COST,
     0},
    {"delta_hop", MACHINE_TIME, AT(terms.delta_hop_ps), "µs", "0", "circuit cost per channel crossed", MACHINE_COST,
     0},
    {"rho", MACHINE_RATE, AT(rho_fs_per_byte), "µs/byte", "0",
     "moving one byte inside a processor's memory (shuffles)", MACHINE_COST, 0},
    {"gather_cost", MACHINE_RATE, AT(gather_fs_per_byte), "µs/byte", "0",
     "gathering, or scattering, one byte of a message that lies in several stretches of memory (formerly copy)",
     MACHINE_WITH_VALUE | MACHINE_LATER, 0},
    {"flop", MACHINE_TIME, AT(flop_ps), "µs", "0", "one operation of arithmetic: an addition or a multiplication",
     MACHINE_COST | MACHINE_NO_IDENTITY, 0},
    {"sync", MACHINE_TIME, AT(sync_ps), "µs", "0",
     "barrier over the cube, constant part: Q(d) = sync + sync_per_dimension d", MACHINE_COST, 0},
    {"sync_per_dimension", MACHINE_TIME, AT(sync_per_dimension_ps), "µs", "0",
     "barrier over the cube, part per dimension", MACHINE_COST, 0},
    {"short_limit", MACHINE_BYTES, AT(short_limit), "byte", "none",
     "messages of at most this many bytes use the second set of constants (*_short)", MACHINE_LIMIT, -1},
    {"lambda_short", MACHINE_TIME, AT(short_terms.lambda_ps), "µs", "lambda", "start-up of a short message",
     MACHINE_COST | MACHINE_WITH_SHORT, MACHINE_UNSET},
    {"tau_short", MACHINE_RATE, AT(short_terms.tau_fs_per_byte), "µs/byte", "tau",
     "transmission time of one byte of a short message", MACHINE_COST | MACHINE_WITH_SHORT, MACHINE_UNSET},
    {"delta_hop_short", MACHINE_TIME, AT(short_terms.delta_hop_ps), "µs", "delta_hop",
     "circuit cost per channel crossed by a short message", MACHINE_COST | MACHINE_WITH_SHORT, MACHINE_UNSET},
    {"long_limit", MACHINE_BYTES, AT(long_limit), "byte", "none",
     "messages of more than this many bytes use the third set of constants (*_long); at least short_limit",
     MACHINE_LIMIT | MACHINE_WITH_LONG | MACHINE_LATER, 0},
    {"lambda_long", MACHINE_TIME, AT(long_terms.lambda_ps), "µs", "lambda", "start-up of a long message",
     MACHINE_COST | MACHINE_WITH_LONG | MACHINE_LATER, MACHINE_UNSET},
    {"tau_long", MACHINE_RATE, AT(long_terms.tau_fs_per_byte), "µs/byte", "tau",
     "transmission time of one byte of a long message", MACHINE_COST | MACHINE_WITH_LONG | MACHINE_LATER,
     MACHINE_UNSET},
    {"delta_hop_long", MACHINE_TIME, AT(long_terms.delta_hop_ps), "µs", "delta_hop",
     "circuit cost per channel crossed by a long message", MACHINE_COST | MACHINE_WITH_LONG | MACHINE_LATER,
     MACHINE_UNSET},
    {"packet", MACHINE_BYTES, AT(packet), "byte", "unlimited",
     "largest packet; a longer message is sent as packets, each a message of its own in cost", 0, 0},
    {"lambda_packet", MACHINE_TIME, AT(packet_lambda_ps), "µs", "that of the first packet",
     "start-up of every packet of a message behind its first, and of packets that are forwarded",
     MACHINE_COST | MACHINE_WITH_VALUE | MACHINE_LATER, MACHINE_UNSET},
    {"ports", MACHINE_CHOICE, AT(ports), "one|all|2|3|4|5|6|7|8", "one",
     "one: one send and one receive port; all: one port per channel (n-port); 2 to 8: as many messages at a time, over "
     "any channels (rails)", 0, 0},
    {"ports_overlap", MACHINE_BYTES, AT(ports_overlap), "percent", "100",
     "with several ports: by how much the messages that a processor issues together overlap; 0 to 100: the next begins "
     "when all but so much of the time that the one before takes alone is over",
     MACHINE_WITH_TURNS | MACHINE_LATER, 100},
    {"duplex", MACHINE_CHOICE, AT(duplex), "full|synchronized|half", "full",
     "full: a processor sends and receives at the same time; synchronized: only if both start together; half: "
     "never, it takes part in one message at a time", 0, 0},
    {"switching", MACHINE_CHOICE, AT(switching), "circuit|fluid|store-and-forward", "circuit",
     "circuit: e-cube circuits with hold and wait; fluid: SimGrid's flows, which share channels; "
     "store-and-forward: every packet pays lambda and tau at every hop", 0, 0},
    {"topology", MACHINE_CHOICE, AT(topology), topology_names, "cube",
     "cube: a channel to each neighbour, e-cube routes; crossbar: every processor is one hop from every other, and "
     "messages share nothing but ports; mesh: a channel each way between neighbours, no wrap, routes along the last "
     "coordinate first", MACHINE_WITH_VALUE | MACHINE_LATER, 0},
    {"sides", MACHINE_SIDES, AT(sides), "AxB[xC...]", "the factors of processors, or the two nearest to each other",
     "sides of a mesh; the last coordinate is the fastest in a processor's number", MACHINE_WITH_VALUE | MACHINE_LATER,
     0},
    {"order", MACHINE_CHOICE, AT(order), "row|gray|snake", "row",
     "how numbers of processors are laid out on a mesh; row: as they are; gray: each coordinate in Gray code, so that "
     "neighbours on the mesh are neighbours in the cube; snake: successors are neighbours",
     MACHINE_WITH_VALUE | MACHINE_LATER, 0},
    {"reconfigure", MACHINE_TIME, AT(reconfigure_ps), "µs", "0",
     "to connect two ports of a crossbar that hold no circuit to each other; a circuit is kept until one of its ports "
     "is connected elsewhere", MACHINE_COST | MACHINE_WITH_VALUE | MACHINE_LATER, 0},
    {"node", MACHINE_BYTES, AT(host), "processors", "none",
     "processors n i to n i + n - 1 share a node; messages between them cross no channels",
     MACHINE_WITH_NODE | MACHINE_LATER, 0},
    {"lambda_node", MACHINE_TIME, AT(host_lambda_ps), "µs", "that of other messages",
     "start-up of a message within a node, whatever its length",
     MACHINE_COST | MACHINE_WITH_NODE | MACHINE_LATER, MACHINE_UNSET},
    {"tau_node", MACHINE_RATE, AT(host_tau_fs_per_byte), "µs/byte", "that of other messages",
     "transmission time of one byte within a node", MACHINE_COST | MACHINE_WITH_NODE | MACHINE_LATER, MACHINE_UNSET},
    {"delta_node", MACHINE_TIME, AT(host_delta_ps), "µs", "delta", "circuit cost of a message within a node",
     MACHINE_COST | MACHINE_WITH_NODE | MACHINE_LATER, MACHINE_UNSET},
    {"node_ports", MACHINE_BYTES, AT(host_ports), "messages", "unlimited",
     "messages that leave a node, and that enter it, at a time", MACHINE_WITH_NODE | MACHINE_LATER, 0},
    {"start_skew", MACHINE_TIME, AT(start_skew_ps), "µs", "0", "processor x of N starts x/(N-1) of this late", 0, 0},
    {"pairwise_sync", MACHINE_BOOL, AT(pairwise_sync), "true|false", "false",
     "each pairwise exchange is preceded by an exchange of zero-byte messages", 0, 0},
    {"phase_barrier", MACHINE_CHOICE, AT(phase_barrier), "false|true|exchange|clock", "false",
     "true: a barrier before each phase; exchange: also before each pairwise exchange; clock: none, but a phase begins "
     "when without contention all before is over", 0, 0},
    {"unposted", MACHINE_CHOICE, AT(unposted), "wait|discard|buffer", "wait",
     "what becomes of messages that come before their receiver has begun the phase, when it posts the receives; "
     "wait: nothing; discard: they are lost; buffer: they are copied when a step takes them, at gather_cost a byte. "
     "With switching = fluid they wait", MACHINE_WITH_VALUE | MACHINE_LATER, 0},
    {NULL, MACHINE_TEXT, 0, NULL, NULL, NULL, 0, 0},
};
#define N_KEYS (G_N_ELEMENTS(machine_keys) - 1)
G_STATIC_ASSERT(N_KEYS <= MACHINE_KEYS_MAX);

const MachineKey *machine_key(const char *name)
{
    const char *now = strcmp(name, "copy") == 0 ? "gather_cost" : name;
    for (const MachineKey *key = machine_keys; key->name; key++)
        if (strcmp(key->name, now) == 0)
            return key;
    return NULL;
}

gboolean machine_may_override(const char *name)
{
    const MachineKey *key = machine_key(name);
    return key && key->kind != MACHINE_TEXT;
}

static gboolean has_number(const MachineKey *key)
{
    return machine_key_is_decimal(key) || key->kind == MACHINE_BYTES;
}

gint64 machine_value(const Machine *machine, const MachineKey *key)
{
    gconstpointer field = G_STRUCT_MEMBER_P(machine, key->offset);
    return has_number(key)               ? *(const gint64 *)field
           : key->kind == MACHINE_SIDES ? (gint64)(gintptr)*(const Group *const *)field
                                        : *(const int *)field;
}

char *machine_value_text(const MachineKey *key, gint64 value)
{
    if (key->kind == MACHINE_TIME)
        return table_time_short(value);
    if (key->kind == MACHINE_RATE)
        return table_rate_short(value);
    if (key->kind == MACHINE_BYTES)
        return g_strdup_printf("%" G_GINT64_FORMAT, value);
    if (key->kind == MACHINE_SIDES)
        return g_strdup(value ? ((const Group *)(gintptr)value)->name : key->fallback);
    g_auto(GStrv) words = g_strsplit(key->unit, "|", -1);
    return g_strdup(words[key->kind == MACHINE_BOOL ? !value : value]);
}

gboolean machine_key_applies(const Machine *machine, const MachineKey *key)
{
    return (!(key->flags & MACHINE_WITH_SHORT) || machine->short_limit >= 0) &&
           (!(key->flags & MACHINE_WITH_LONG) || machine->long_limit > 0) &&
           (!(key->flags & MACHINE_WITH_GAP) || machine->overlaps) &&
           (!(key->flags & MACHINE_WITH_NODE) || machine->host > 0) &&
           (!(key->flags & MACHINE_WITH_TURNS) || machine_takes_turns(machine)) &&
           (!(key->flags & MACHINE_WITH_VALUE) || machine_value(machine, key) != key->unset);
}

/* Appends a price of `fs` femtoseconds per byte in ps, with a fraction only if it is no whole number. */
static void put_rate(GString *out, gint64 fs)
{
    if (fs == MACHINE_UNSET || fs % MACHINE_FS_PER_PS == 0)
        input_put_number(out, fs / (fs == MACHINE_UNSET ? 1 : MACHINE_FS_PER_PS));
    else
        g_string_append_printf(out, "%" G_GINT64_FORMAT ".%03d", fs / MACHINE_FS_PER_PS, (int)(fs % MACHINE_FS_PER_PS));
}

char *machine_canonical(const Machine *machine)
{
    GString *text = g_string_new(NULL);
    for (const MachineKey *key = machine_keys; key->name; key++) {
        gboolean later = key->flags & MACHINE_LATER && !machine_key_applies(machine, key);
        if (key->kind == MACHINE_TEXT || key->flags & MACHINE_NO_IDENTITY || later)
            continue;
        g_string_append(text, key->name);
        g_string_append_c(text, '=');
        if (key->kind == MACHINE_SIDES)
            g_string_append(text, machine->sides->name);
        else if (key->kind == MACHINE_RATE)
            put_rate(text, machine_value(machine, key));
        else
            input_put_number(text, machine_value(machine, key));
        g_string_append_c(text, ';');
    }
    return g_string_free(text, FALSE);
}

/* Returns a machine named `spec` in which no key is set. Caller frees. */
static Machine *machine_new(const char *spec)
{
    Machine *machine = g_new0(Machine, 1);
    machine->spec = g_strdup(spec);
    for (const MachineKey *key = machine_keys; key->name; key++)
        if (has_number(key))
            *(gint64 *)G_STRUCT_MEMBER_P(machine, key->offset) = key->unset;
    return machine;
}

static const char *const ports_names[] = {"one", "all", "2", "3", "4", "5", "6", "7", "8"};

const char *machine_ports_name(Ports ports)
{
    return ports_names[ports];
}

Ports machine_ports_named(const char *name)
{
    Ports ports = PORTS_ONE;
    while (strcmp(ports_names[ports], name) != 0)
        ports++;
    return ports;
}

static gboolean parse_choice(const char *where, const char *text, const char *words, guint *choice, GError **error)
{
    g_auto(GStrv) names = g_strsplit(words, "|", -1);
    if (g_str_has_prefix(words, "false|true|") && input_parse_bool(where, text, (gboolean *)choice, NULL))
        return TRUE;
    return input_parse_choice(where, text, (const char *const *)names, choice, error);
}

/* Whether `text` is the word of `key` for "no value", as "none"; then *field gets the key's unset value. */
static gboolean says_nothing(const MachineKey *key, const char *text, gint64 *field)
{
    if (strcmp(text, key->fallback) != 0 || (machine_key_is_decimal(key) && strcmp(text, "none") != 0))
        return FALSE;
    *field = key->unset;
    return TRUE;
}

static gboolean parse_span(const char *text, MachineSpan *span)
{
    int end = 0;
    return sscanf(text, "d %2u-%2u, %16" G_GINT64_MODIFIER "d-%16" G_GINT64_MODIFIER "d bytes%n",
                  &span->from_dimension, &span->to_dimension, &span->from_bytes, &span->to_bytes, &end) == 4 &&
           end > 0 && text[end] == '\0' && span->from_dimension <= span->to_dimension && span->from_bytes >= 0 &&
           span->from_bytes <= span->to_bytes;
}

gboolean machine_span(const Machine *machine, MachineSpan *span)
{
    return machine->measured && parse_span(machine->measured, span);
}

const char *machine_doubt(const Machine *machine)
{
    return machine->verdict && !g_str_has_prefix(machine->verdict, MACHINE_VERDICT_GOOD) ? machine->verdict : NULL;
}

/* Parses `text` as the value of `key` into `machine`. */
static gboolean parse_key(Machine *machine, const MachineKey *key, const char *where, const char *text, GError **error)
{
    gpointer field = G_STRUCT_MEMBER_P(machine, key->offset);
    gboolean percent = strcmp(key->unit, "percent") == 0;
    switch (key->kind) {
    case MACHINE_TEXT:
        if (key->offset == AT(measured) && !parse_span(text, &(MachineSpan){0}))
            return input_refuse(error, "%s: '%s' is not allowed; allowed: as 'd 2-6, 8-65536 bytes'", where, text);
        g_free(*(char **)field);
        *(char **)field = input_printable(text);
        return TRUE;
    case MACHINE_TIME:
        return says_nothing(key, text, field) || input_parse_ps(where, text, field, error);
    case MACHINE_RATE:
        return says_nothing(key, text, field) || input_parse_fs(where, text, field, error);
    case MACHINE_BYTES:
        return says_nothing(key, text, field) ||
               input_parse_count(where, text, !percent, percent ? 100 : INPUT_TIME_MAX_PS, field, error);
    case MACHINE_BOOL:
        return input_parse_bool(where, text, field, error);
    case MACHINE_CHOICE:
        return parse_choice(where, text, key->unit, field, error);
    case MACHINE_SIDES:
        return (*(const Group **)field = group_parse(where, text, error)) != NULL;
    }
    g_assert_not_reached();
}

void machine_free(Machine *machine)
{
    g_free(machine->spec);
    g_free(machine->path);
    g_free(machine->title);
    g_free(machine->measured);
    g_free(machine->verdict);
    g_free(machine);
}

gboolean machine_check_key(const char *where, const char *key, const char *value, GError **error)
{
    g_autoptr(Machine) scratch = machine_new("");
    return parse_key(scratch, machine_key(key), where, value, error);
}

static gint64 set_or(gint64 ps, gint64 otherwise)
{
    return ps == MACHINE_UNSET ? otherwise : ps;
}

static MachineTerms terms_or(MachineTerms own, const MachineTerms *otherwise)
{
    return (MachineTerms){.lambda_ps = set_or(own.lambda_ps, otherwise->lambda_ps),
                          .tau_fs_per_byte = set_or(own.tau_fs_per_byte, otherwise->tau_fs_per_byte),
                          .delta_hop_ps = set_or(own.delta_hop_ps, otherwise->delta_hop_ps)};
}

/* Refuses limits between which a message would be both short and long. */
static gboolean check_limits(const Machine *machine, GError **error)
{
    return machine->long_limit == 0 || machine->long_limit >= machine->short_limit ||
           input_refuse(error, "machine %s: long_limit: '%" G_GINT64_FORMAT "' is below short_limit; allowed: %"
                        G_GINT64_FORMAT " (short_limit) or more, or none", machine->spec, machine->long_limit,
                        machine->short_limit);
}

/* Refuses duplex modes that ports or switching do not allow; full duplex is always allowed. Synchronized
 * transmissions of a pair begin together over whole circuits, which store-and-forward does not have. */
static gboolean check_duplex(const Machine *machine, GError **error)
{
    if (machine->duplex == DUPLEX_FULL)
        return TRUE;
    gboolean half = machine->duplex == DUPLEX_HALF;
    const char *duplex = half ? "half" : "synchronized";
    if (machine->ports != PORTS_ONE)
        return input_refuse(error, "machine %s: duplex = %s requires ports = one; it is %s", machine->spec,
                            duplex, machine_ports_name(machine->ports));
    if (machine->switching == SWITCHING_CIRCUIT || (half && machine->switching == SWITCHING_STORE_AND_FORWARD))
        return TRUE;
    return input_refuse(error, "machine %s: duplex = %s requires switching = circuit%s; it is %s",
                        machine->spec, duplex, half ? " or store-and-forward" : "",
                        machine->switching == SWITCHING_FLUID ? "fluid" : "store-and-forward");
}

/* Refuses a gap where start-ups cannot overlap: without full duplex, and where processors forward packets. Refuses a
 * gap longer than a start-up, too. */
static gboolean check_gap(const Machine *machine, GError **error)
{
    gint64 longest = machine_least_terms(machine).lambda_ps;
    if (!machine->overlaps)
        return TRUE;
    if (machine->duplex != DUPLEX_FULL)
        return input_refuse(error, "machine %s: gap requires duplex = full; it is %s", machine->spec,
                            machine->duplex == DUPLEX_HALF ? "half" : "synchronized");
    if (machine->switching == SWITCHING_STORE_AND_FORWARD)
        return input_refuse(error, "machine %s: gap requires switching = circuit or fluid; it is "
                            "store-and-forward", machine->spec);
    return machine->gap_ps <= longest ||
           input_refuse(error, "machine %s: gap: '%.6f' is longer than a start-up; allowed: 0 to %.6f (the least "
                        "start-up), or none", machine->spec, (double)machine->gap_ps / 1e6, (double)longest / 1e6);
}

/* Refuses ports that other keys do not allow. ports = all requires the cube. Ports for any channel (2 to 8) require
 * circuits, no gap and no handshakes. Messages that take turns require that there is no gap. */
static gboolean check_ports(const Machine *machine, GError **error)
{
    const char *required = machine->switching == SWITCHING_FLUID     ? "switching = circuit; it is fluid"
                           : machine->switching != SWITCHING_CIRCUIT ? "switching = circuit; it is store-and-forward"
                           : machine->overlaps                       ? "gap = none"
                           : machine->pairwise_sync                  ? "pairwise_sync = false; it is true"
                                                                     : NULL;
    if (machine->ports > PORTS_ALL && required)
        return input_refuse(error, "machine %s: ports = %u requires %s", machine->spec, machine_rails(machine->ports),
                            required);
    if (machine_takes_turns(machine) && machine->overlaps)
        return input_refuse(error, "machine %s: ports_overlap = %" G_GINT64_FORMAT " requires gap = none",
                            machine->spec, machine->ports_overlap);
    return machine->ports != PORTS_ALL || machine->topology == 0 ||
           input_refuse(error, "machine %s: ports = all requires topology = cube; it is %s", machine->spec,
                        topology_classes[machine->topology]->name);
}

/* Refuses the key `node` unless switching = circuit: within a node there are no channels to forward or to flow over. */
static gboolean check_node(const Machine *machine, GError **error)
{
    return machine->host == 0 || machine->switching == SWITCHING_CIRCUIT ||
           input_refuse(error, "machine %s: node requires switching = circuit; it is %s", machine->spec,
                        machine->switching == SWITCHING_FLUID ? "fluid" : "store-and-forward");
}

/* Refuses keys of meshes on other networks, and nodes on networks other than cube and crossbar. */
static gboolean check_network(const Machine *machine, GError **error)
{
    gboolean laid_out = machine->sides || machine->order != TOPOLOGY_ROW;
    const char *name = topology_classes[machine->topology]->name;
    if (laid_out && !machine_is_mesh(machine))
        return input_refuse(error, "machine %s: %s requires topology = mesh; it is %s", machine->spec,
                            machine->sides ? "sides" : "order", name);
    return !machine_shares_channels(machine) || machine->host <= 1 ||
           input_refuse(error, "machine %s: node requires topology = cube or crossbar; it is %s", machine->spec, name);
}

/* Refuses kept circuits (reconfigure) except on crossbars where a circuit has its two ports to itself. */
static gboolean check_reconfigure(const Machine *machine, GError **error)
{
    const char *required = !machine_is_crossbar(machine)               ? "topology = crossbar"
                           : machine->switching != SWITCHING_CIRCUIT  ? "switching = circuit"
                           : machine->ports == PORTS_ALL              ? "ports = one or 2 to 8"
                           : machine->duplex != DUPLEX_FULL           ? "duplex = full"
                           : machine->overlaps                        ? "gap = none"
                           : machine->host                            ? "node = none"
                           : machine_takes_turns(machine)             ? "ports_overlap = 100"
                                                                      : NULL;
    return machine->reconfigure_ps == 0 || !required ||
           input_refuse(error, "machine %s: reconfigure = %.6f requires %s", machine->spec,
                        (double)machine->reconfigure_ps / 1e6, required);
}

/* Refuses phase_barrier = clock with fluid switching: on shared channels no formula gives the date at which a phase is
 * over. */
static gboolean check_barrier(const Machine *machine, GError **error)
{
    return machine->phase_barrier != BARRIER_CLOCK || machine->switching != SWITCHING_FLUID ||
           input_refuse(error, "machine %s: phase_barrier = clock requires switching = circuit or store-and-forward; "
                        "it is fluid", machine->spec);
}

gboolean machine_check_keys(const Machine *machine, GError **error)
{
    return check_limits(machine, error) && check_ports(machine, error) && check_duplex(machine, error) &&
           check_gap(machine, error) && check_node(machine, error) && check_barrier(machine, error) &&
           check_reconfigure(machine, error) && check_network(machine, error);
}

/* Fills in the members that follow from other keys, and checks that the keys fit together. */
static gboolean resolve(Machine *machine, GError **error)
{
    const char *missing = machine->terms.lambda_ps == MACHINE_UNSET         ? "lambda"
                          : machine->terms.tau_fs_per_byte == MACHINE_UNSET ? "tau"
                                                                            : NULL;
    if (missing)
        return input_refuse(error, "%s: [machine] %s: is missing; a machine needs at least lambda and tau",
                            machine->path, missing);
    machine->short_terms = terms_or(machine->short_terms, &machine->terms);
    machine->long_terms = terms_or(machine->long_terms, &machine->terms);
    machine->lambda_zero_ps = set_or(machine->lambda_zero_ps, machine_terms(machine, 0)->lambda_ps);
    machine->overlaps = machine->gap_ps != MACHINE_UNSET;
    return machine_check_keys(machine, error);
}

/* Returns the keys that other programs call `word`, with help ("lambda: start-up of ..."), or NULL. Caller frees. */
static char *key_meant(const char *word)
{
    static const char *const words[][2] = {
        {"startup", "lambda"}, {"latency", "lambda"}, {"alpha", "lambda"}, {"bandwidth", "tau"}, {"beta", "tau"},
        {"transmission", "tau"}, {"hop", "delta_hop"}, {"distance", "delta_hop"}, {"copy", "gather_cost"},
        {"copy", "rho"}, {"shuffle", "rho"}, {"barrier", "sync"}, {"handshake", "pairwise_sync"},
        {"handshakes", "pairwise_sync"}, {"skew", "start_skew"}};
    GString *out = g_string_new(NULL);
    g_auto(GStrv) parts = g_strsplit_set(word, "-_ ", -1);
    g_autofree char *joined = g_strjoinv("", parts);
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        if (g_ascii_strcasecmp(joined, words[i][0]) == 0)
            g_string_append_printf(out, "%s%s: %s", out->len ? "; or " : "", words[i][1],
                                   machine_key(words[i][1])->help);
    return g_string_free(out, out->len == 0);
}

gboolean machine_refuse_key(const char *where, const char *key, const char *const *names, GError **error)
{
    g_autofree char *meant = key_meant(key);
    return meant ? input_refuse(error, "%s: unknown key '%s'; the key is %s", where, key, meant)
                 : input_refuse_key(where, key, names, error);
}

static gboolean unknown_key(const char *path, const char *section, const char *name, GError **error)
{
    const char *known[N_KEYS + 1] = {NULL};
    g_autofree char *where = g_strdup_printf("%s: [%s]", path, section);
    for (guint i = 0; i < N_KEYS; i++)
        known[i] = machine_keys[i].name;
    return machine_refuse_key(where, name, known, error);
}

static gboolean machine_read_section(Machine *machine, GKeyFile *file, const char *section, GError **error)
{
    g_auto(GStrv) names = g_key_file_get_keys(file, section, NULL, NULL);
    for (guint i = 0; names && names[i]; i++) {
        g_autofree char *where = g_strdup_printf("%s: [%s] %s", machine->path, section, names[i]);
        const MachineKey *key = machine_key(names[i]);
        if (!key)
            return unknown_key(machine->path, section, names[i], error);
        if (!input_check_former(file, machine->path, section, names[i], key->name, error))
            return FALSE;
        g_autofree char *value = g_strstrip(g_key_file_get_value(file, section, names[i], NULL));
        if (!parse_key(machine, key, where, value, error))
            return FALSE;
    }
    return TRUE;
}

#define PROFILE_PREFIX "profile "

/* Returns the names of a file's profiles. Caller frees with g_strfreev(). */
static char **profiles_of(GKeyFile *file)
{
    g_auto(GStrv) sections = g_key_file_get_groups(file, NULL);
    g_autoptr(GStrvBuilder) profiles = g_strv_builder_new();
    for (guint i = 0; sections[i]; i++)
        if (g_str_has_prefix(sections[i], PROFILE_PREFIX))
            g_strv_builder_add(profiles, sections[i] + strlen(PROFILE_PREFIX));
    return g_strv_builder_end(profiles);
}

/* Checks that the file has [machine], no other sections but profiles and, unless `profile` is NULL, that profile. */
static gboolean check_sections(GKeyFile *file, const char *path, const char *profile, GError **error)
{
    g_auto(GStrv) sections = g_key_file_get_groups(file, NULL), profiles = profiles_of(file);
    for (guint i = 0; sections[i]; i++)
        if (strcmp(sections[i], "machine") != 0 && !g_str_has_prefix(sections[i], PROFILE_PREFIX))
            return input_refuse(error, "%s: unknown section '%s'; a machine file has [machine] and [profile NAME]",
                                path, sections[i]);
    if (!g_key_file_has_group(file, "machine"))
        return input_refuse(error, "%s: has no section [machine]", path);
    if (!profile || g_strv_contains((const char *const *)profiles, profile))
        return TRUE;
    g_autofree char *list = input_list_names((const char *const *)profiles, NULL);
    g_autofree char *hint = input_hint(profile, (const char *const *)profiles);
    return input_refuse(error, "%s: has no profile '%s'; its profiles: %s%s", path, profile, *list ? list : "none",
                        hint);
}

gboolean machine_override(const Machine *file, const char *const *texts, Machine *machine, GError **error)
{
    *machine = *file;
    for (guint i = 0; i < N_KEYS; i++)
        if (texts[i] && !parse_key(machine, &machine_keys[i], machine_keys[i].name, texts[i], error))
            return FALSE;
    return resolve(machine, error);
}

/* Returns the name in "name:profile". Sets `*profile` to the profile; NULL if `spec` has none. The path of an existing
 * file has no profile, whatever colons it has. Caller frees both. */
static char *split_spec(const char *spec, char **profile)
{
    const char *colon = strrchr(spec, ':');
    *profile = NULL;
    if (!colon || strchr(colon, '/') || g_file_test(spec, G_FILE_TEST_EXISTS))
        return g_strdup(spec);
    *profile = g_strdup(colon + 1);
    return g_strndup(spec, (gsize)(colon - spec));
}

static gboolean machine_name_is_path(const char *name)
{
    return strchr(name, '/') || g_str_has_suffix(name, ".ini");
}

gboolean machine_is_path(const char *spec)
{
    g_autofree char *profile = NULL;
    g_autofree char *name = split_spec(spec, &profile);
    return machine_name_is_path(name);
}

/* Refuses `spec`: no machine has the name `name`. The error suggests a file of that name, or the nearest machine. */
static gboolean unknown_machine(const char *where, const char *spec, const char *name, char **names, GError **error)
{
    static const char *const ends[] = {".ini", ""};
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
        g_autofree char *path = g_strconcat("./", name, ends[i], NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
            return input_refuse(error, "%s: '%s' is no machine that comes with ecube; allowed: the path of the file, "
                                "%s%s", where, spec, path, spec + strlen(name));
    }
    return input_refuse_name(where, spec, (const char *const *)names, "`ecube list machines`", error);
}

/* Refuses a missing file `path`; the error suggests the nearest machine. TRUE for a path near none: reading fails. */
static gboolean check_there(const char *platforms, const char *where, const char *spec, const char *name,
                            const char *path, GError **error)
{
    if (g_file_test(path, G_FILE_TEST_EXISTS))
        return TRUE;
    g_auto(GStrv) names = machine_names(platforms, error);
    if (!names || !machine_name_is_path(name))
        return names && unknown_machine(where, spec, name, names, error);
    g_autofree char *lower = g_ascii_strdown(spec, -1);
    const char *nearest = input_nearest(lower, (const char *const *)names);
    return !nearest || input_refuse(error, "%s: cannot be read: No such file or directory; did you mean the machine "
                                    "'%s'?", path, nearest);
}

/* Reads the machine `spec` from [machine] and the section of `profile` (or NULL), without resolve(). Caller frees. */
static Machine *read_sections(GKeyFile *file, const char *spec, const char *path, const char *profile, GError **error)
{
    g_autofree char *section = g_strconcat(PROFILE_PREFIX, profile, NULL);
    g_autoptr(Machine) machine = machine_new(spec);
    machine->path = g_strdup(path);
    gboolean ok = check_sections(file, path, profile, error) && machine_read_section(machine, file, "machine", error) &&
                  (!profile || machine_read_section(machine, file, section, error));
    return ok ? g_steal_pointer(&machine) : NULL;
}

Machine *machine_read(const char *platforms, const char *where, const char *spec, GError **error)
{
    g_autofree char *profile = NULL;
    g_autofree char *name = split_spec(spec, &profile);
    g_autofree char *base = g_strconcat(name, ".ini", NULL);
    g_autofree char *path = machine_name_is_path(name) ? g_strdup(name) : g_build_filename(platforms, base, NULL);
    g_autoptr(GKeyFile) file =
        check_there(platforms, where, spec, name, path, error) ? input_load_keyfile(path, error) : NULL;
    return file ? read_sections(file, spec, path, profile, error) : NULL;
}

Machine *machine_load(const char *platforms, const char *where, const char *spec, GError **error)
{
    g_autoptr(Machine) machine = machine_read(platforms, where, spec, error);
    return machine && resolve(machine, error) ? g_steal_pointer(&machine) : NULL;
}

Machine *machine_parse(const char *where, const char *text, GError **error)
{
    g_autoptr(GKeyFile) file = input_parse_keyfile(where, text, error);
    g_autoptr(Machine) machine = file ? read_sections(file, where, where, NULL, error) : NULL;
    return machine && resolve(machine, error) ? g_steal_pointer(&machine) : NULL;
}

char **machine_names(const char *platforms, GError **error)
{
    g_auto(GStrv) files = input_list_folder(platforms, "machine files", error);
    if (!files)
        return NULL;
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; files[i]; i++) {
        g_autofree char *base = g_strconcat(files[i], ".ini", NULL), *path = g_build_filename(platforms, base, NULL);
        g_autoptr(GKeyFile) file = input_load_keyfile(path, NULL);
        g_auto(GStrv) profiles = file ? profiles_of(file) : NULL;
        g_ptr_array_add(names, g_strdup(files[i]));
        for (guint k = 0; profiles && profiles[k]; k++)
            g_ptr_array_add(names, g_strconcat(files[i], ":", profiles[k], NULL));
    }
    g_ptr_array_sort(names, input_compare_names);
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

const MachineTerms *machine_terms(const Machine *machine, double bytes)
{
    if (bytes <= (double)machine->short_limit)
        return &machine->short_terms;
    return machine->long_limit > 0 && bytes > (double)machine->long_limit ? &machine->long_terms : &machine->terms;
}

guint machine_pieces(const Machine *machine, MachinePiece pieces[MACHINE_PIECES_MAX])
{
    guint n = 0;
    if (machine->short_limit >= 0)
        pieces[n++] = (MachinePiece){machine->short_limit, &machine->short_terms};
    pieces[n++] = (MachinePiece){machine->long_limit > 0 ? machine->long_limit : G_MAXINT64, &machine->terms};
    if (machine->long_limit > 0)
        pieces[n++] = (MachinePiece){G_MAXINT64, &machine->long_terms};
    return n;
}

MachineTerms machine_least_terms(const Machine *machine)
{
    MachinePiece pieces[MACHINE_PIECES_MAX];
    guint n = machine_pieces(machine, pieces);
    MachineTerms least = *pieces[0].terms;
    for (guint i = 1; i < n; i++) {
        const MachineTerms *terms = pieces[i].terms;
        least = (MachineTerms){.lambda_ps = MIN(least.lambda_ps, terms->lambda_ps),
                               .tau_fs_per_byte = MIN(least.tau_fs_per_byte, terms->tau_fs_per_byte),
                               .delta_hop_ps = MIN(least.delta_hop_ps, terms->delta_hop_ps)};
    }
    return least;
}

MachineTerms machine_within(const Machine *machine, const MachineTerms *terms)
{
    return terms_or((MachineTerms){machine->host_lambda_ps, machine->host_tau_fs_per_byte, 0}, terms);
}

gint64 machine_delta(const Machine *machine, gboolean within)
{
    return within ? set_or(machine->host_delta_ps, machine->delta_ps) : machine->delta_ps;
}

gint64 machine_lambda_zero(const Machine *machine, gboolean within)
{
    return within ? set_or(machine->host_lambda_ps, machine->lambda_zero_ps) : machine->lambda_zero_ps;
}

gint64 machine_barrier_ps(const Machine *machine, guint dimension)
{
    if (machine->phase_barrier == BARRIER_CLOCK)
        return 0;
    return machine->sync_ps + machine->sync_per_dimension_ps * (gint64)dimension;
}

Topology machine_topology(const Machine *machine, guint n_nodes)
{
    Topology topology;
    gboolean fits = topology_init(&topology, topology_classes[machine->topology], n_nodes, machine->sides,
                                  machine->order);
    g_assert(fits);
    return topology;
}

/* Whether SimGrid has such a network itself, or its routes are few enough to be given one by one. */
static gboolean topology_has_flows(const Topology *topology)
{
    return topology->n_ways == 0 || topology->n_nodes <= MACHINE_ROUTES_MAX || topology_is_cube(topology);
}

gboolean machine_has_flows(const Machine *machine, guint n_nodes)
{
    const Topology topology = machine_topology(machine, n_nodes);
    return topology_has_flows(&topology);
}

gboolean machine_check_size(const Machine *machine, guint n_nodes, GError **error)
{
    Topology topology;
    const TopologyClass *class = topology_classes[machine->topology];
    if (topology_init(&topology, class, n_nodes, machine->sides, machine->order))
        return machine->switching != SWITCHING_FLUID || topology_has_flows(&topology) ||
               input_refuse(error, "machine %s: switching: 'fluid' is simulated on a %s of up to %u processors, not "
                            "%u; allowed with so many: circuit, store-and-forward", machine->spec, class->name,
                            MACHINE_ROUTES_MAX, n_nodes);
    if (topology.sides && topology.sides->n != n_nodes)
        return input_refuse(error, "machine %s: sides: '%s' has %u processors, not %u", machine->spec,
                            topology.sides->name, topology.sides->n, n_nodes);
    if (topology.sides)
        return input_refuse(error, "machine %s: order = gray requires sides that are powers of two; they are %s",
                            machine->spec, topology.sides->name);
    return input_refuse(error, "machine %s: topology: a %s has %s of processors, not %u; allowed with so many: "
                        "crossbar (--set topology=crossbar)", machine->spec, class->name, class->allowed, n_nodes);
}

gint64 machine_start_ps(const Machine *machine, guint n_nodes, guint node)
{
    gint64 last = (gint64)n_nodes - 1;
    if (last == 0)
        return 0;
    /* start_skew_ps x node could overflow: they are below 2^53 and 2^18 */
    return machine->start_skew_ps / last * node + machine->start_skew_ps % last * node / last;
}
