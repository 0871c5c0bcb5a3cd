/* The constants of one machine, read from an INI file.
 *
 * Times are held in whole picoseconds (INPUT_TIME_MAX_PS is their limit), prices per byte in whole femtoseconds. That
 * is the finest decimal unit in which a price of INPUT_TIME_MAX_PS a byte fits a gint64. Both are converted from the
 * µs of the file once, when they are read. Names are those of the machine model (sim/engine/README.md): lambda is a
 * start-up, tau a transmission per byte (Bokhari 1993, Table 1; Nicol & Bokhari 1994, sec. 2.1). */
#pragma once

#include "sim/cube/topology.h"

#include <glib.h>

/* Femtoseconds in a picosecond. */
#define MACHINE_FS_PER_PS ((gint64)1000)

/* Room for keys: at least the number of keys in machine_keys[], which the compiler checks. */
#define MACHINE_KEYS_MAX 44

/* Largest number of pieces: ranges of message lengths with costs of their own (short, others, long). */
#define MACHINE_PIECES_MAX 3

/* Value of a time or price whose key is not set, unless another key has given it a value. */
#define MACHINE_UNSET (-1)

/* Largest dimension of a cube in any command that simulates. */
#define MACHINE_DIMENSION_MAX 18

/* Ports of a processor. PORTS_ALL: one for each channel. 2 to PORTS_MAX: that number, each for any channel (rails). */
typedef enum { PORTS_ONE, PORTS_ALL, PORTS_MAX = 8 } Ports;
typedef enum { DUPLEX_FULL, DUPLEX_SYNCHRONIZED, DUPLEX_HALF } Duplex;
/* How a phase begins: at once; with a barrier; with a barrier, and another before each pairwise exchange; at a date
 * that each processor computes and waits for. */
typedef enum { BARRIER_NONE, BARRIER_PHASE, BARRIER_EXCHANGE, BARRIER_CLOCK } PhaseBarrier;
typedef enum { UNPOSTED_WAIT, UNPOSTED_DISCARD, UNPOSTED_BUFFER } Unposted;
typedef enum { SWITCHING_CIRCUIT, SWITCHING_FLUID, SWITCHING_STORE_AND_FORWARD } Switching;

/* Costs of a message that depend on its length; the other costs are the same for all messages. */
typedef struct {
    gint64 lambda_ps;           /* start-up of one message */
    gint64 tau_fs_per_byte;     /* transmission of a byte in fs */
    gint64 delta_hop_ps;        /* circuit cost per channel crossed */
} MachineTerms;

typedef struct {
    char *spec;                 /* name as the user gave it: "ipsc860", "ipsc860:unforced", "my/machine.ini" */
    char *path;                 /* path of the file from which it was read */
    char *title;                /* description in one line, or NULL */
    char *measured;             /* exchanges to which the constants were fitted: text of a MachineSpan, or NULL */
    char *verdict;              /* judgement in one line on whether the constants may be used, or NULL */
    MachineTerms terms;         /* costs of messages of more than short_limit and at most long_limit bytes */
    MachineTerms short_terms;   /* costs of messages of at most short_limit bytes */
    MachineTerms long_terms;    /* costs of messages of more than long_limit bytes */
    gint64 lambda_zero_ps;      /* start-up of a message without bytes, such as a handshake */
    gboolean overlaps;          /* whether a start-up overlaps with earlier messages under way: gap is set */
    gint64 gap_ps;              /* time from one start-up to the next at a send port, at most lambda; unused unless
                                 * `overlaps` */
    gint64 delta_ps;            /* circuit cost per message, any distance */
    gint64 rho_fs_per_byte;     /* time in fs to move a byte inside a processor */
    gint64 gather_fs_per_byte;  /* time in fs to gather or scatter a byte of a message that is not contiguous */
    gint64 flop_ps;             /* time of one operation of arithmetic */
    gint64 sync_ps;             /* barrier over the cube, constant part of sync + sync_per_dimension x d */
    gint64 sync_per_dimension_ps;
    gint64 short_limit;         /* largest short message in bytes; -1: no message is short */
    gint64 long_limit;          /* largest message in bytes that is not long, at least short_limit; 0: none is long */
    gint64 packet;              /* largest packet in bytes; 0: unlimited */
    gint64 packet_lambda_ps;    /* start-up of a packet that is forwarded, or not the first of its message;
                                 * MACHINE_UNSET: that of the first packet */
    Ports ports;
    gint64 ports_overlap;       /* with several ports, percentage of a message's time during which the next message of
                                 * its processor is under way as well; 100: they begin together */
    Duplex duplex;
    Switching switching;
    guint topology;             /* index in topology_classes[] */
    const Group *sides;         /* sides of a mesh; NULL: they follow from the number of processors */
    TopologyOrder order;        /* how addresses are laid out on a mesh */
    gint64 host;                /* number of processors in a node; 0: none share a node */
    gint64 host_lambda_ps;      /* start-up of a message within a node; MACHINE_UNSET: that of other messages */
    gint64 host_tau_fs_per_byte;    /* transmission of a byte within a node; MACHINE_UNSET: that of other messages */
    gint64 host_delta_ps;       /* circuit cost of a message within a node; MACHINE_UNSET: delta */
    gint64 host_ports;          /* messages that leave a node at a time, and that enter it at a time; 0: any number */
    gint64 reconfigure_ps;      /* time to connect two ports with no circuit between them; 0: circuits are not kept */
    gint64 start_skew_ps;       /* delay of the last processor's start behind the first one's */
    gboolean pairwise_sync;     /* whether a zero-byte exchange precedes each pairwise exchange */
    PhaseBarrier phase_barrier;
    Unposted unposted;          /* fate of messages whose receiver has not begun their phase */
} Machine;

/* Reads machine `spec`: a name in the folder `platforms`, or the path of a file (it contains '/' or ends in ".ini").
 * Either may be followed by ":PROFILE", a section [profile PROFILE] of that file. `where` begins the message about an
 * unknown name. Errors: ECUBE_ERROR_INPUT. Caller frees with machine_free(). */
Machine *machine_load(const char *platforms, const char *where, const char *spec, GError **error);
void machine_free(Machine *machine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Machine, machine_free)

/* Parses the text of a machine file named `where`. Errors: ECUBE_ERROR_INPUT. Caller frees with machine_free(). */
Machine *machine_parse(const char *where, const char *text, GError **error);

/* Reads a machine as machine_load(), but neither checks its values nor fills in those that follow from other keys.
 * Only machine_override() makes it usable. Errors: ECUBE_ERROR_INPUT. Caller frees with machine_free(). */
Machine *machine_read(const char *platforms, const char *where, const char *spec, GError **error);
/* Copies `file`, a result of machine_read(), into `machine`, replaces values by `texts`, and checks the result.
 * texts[i] is a value of machine_keys[i]; NULL, required for MACHINE_TEXT, keeps the file's. `machine` borrows from
 * `file`. FALSE with an error. */
gboolean machine_override(const Machine *file, const char *const *texts, Machine *machine, GError **error);

/* Whether `spec`, apart from a profile, is the path of a file. */
gboolean machine_is_path(const char *spec);

/* Returns the names of the machines in the folder `platforms`, profiles included ("ipsc860:unforced"), sorted. NULL
 * with an error. Caller frees with g_strfreev(). */
char **machine_names(const char *platforms, GError **error);

/* Kinds of keys. MACHINE_TIME: µs in files, ps in Machine. MACHINE_RATE: µs a byte in files, fs a byte in Machine. */
typedef enum {
    MACHINE_TEXT, MACHINE_TIME, MACHINE_RATE, MACHINE_BYTES, MACHINE_BOOL, MACHINE_CHOICE, MACHINE_SIDES
} MachineKind;

/* Properties of a key. */
typedef enum {
    MACHINE_COST = 1,           /* a time or price that runs pay: the pricer counts it, and a fit looks for it */
    MACHINE_WITH_SHORT = 2,     /* applies only on machines with short_limit */
    MACHINE_WITH_GAP = 4,       /* applies only on machines with gap */
    MACHINE_WITH_NODE = 8,      /* applies only on machines with node */
    MACHINE_WITH_TURNS = 16,    /* applies only on machines whose messages take turns (machine_takes_turns()) */
    MACHINE_WITH_VALUE = 32,    /* applies only if its value differs from the value without the key (unset): a fit
                                 * looks for such a cost only if a measured machine has it */
    MACHINE_LATER = 64,         /* machine_canonical() omits the key where it does not apply: older sweeps can go on. A
                                 * new key needs this flag and a MACHINE_WITH_ */
    MACHINE_NO_IDENTITY = 128,  /* machine_canonical(), the identity of a machine in journals, never has the key */
    MACHINE_WITH_LONG = 256,    /* applies only on machines with long_limit */
    MACHINE_LIMIT = 512         /* a length at which costs change: a fit looks for it */
} MachineFlags;

/* Key of a machine file. Its row in machine_keys[] is all that parsing, defaults, help, prices and fits use. Times have
 * the unit µs in files, and ps in Machine. */
typedef struct {
    const char *name;
    MachineKind kind;
    gsize offset;           /* offset of the field in Machine */
    const char *unit;       /* unit for people; for a bool or a choice, the allowed words with | between them */
    const char *fallback;   /* value without the key, for people; "required" if the key must not be missing */
    const char *help;
    guint flags;            /* MachineFlags */
    gint64 unset;           /* value of the field without the key, if it is a gint64 */
} MachineKey;

/* Every key; the last row has no name. */
extern const MachineKey machine_keys[];

/* Whether the key's values are decimal numbers: MACHINE_TIME or MACHINE_RATE. */
static inline gboolean machine_key_is_decimal(const MachineKey *key)
{
    return key->kind == MACHINE_TIME || key->kind == MACHINE_RATE;
}

/* Returns the key that has, or formerly had, this name; NULL if there is none. */
const MachineKey *machine_key(const char *name);

/* Returns the machine's value of a key that is no text: ps, fs, bytes, the number of a word, or, for sides, the
 * address of the Group. */
gint64 machine_value(const Machine *machine, const MachineKey *key);

/* Whether the key has a meaning on the machine: the machine has all that the key's flags MACHINE_WITH_... require. */
gboolean machine_key_applies(const Machine *machine, const MachineKey *key);

/* Returns `value` as machine files write it: "0.394", "true", "half". `key` must not be a text. Caller frees. */
char *machine_value_text(const MachineKey *key, gint64 value);

/* Refuses `key`, which is none of the NULL-terminated `names`. If other programs use this word, as "startup", the
 * error names the key that is meant; else it is the error of input_refuse_key(). Returns FALSE. */
gboolean machine_refuse_key(const char *where, const char *key, const char *const *names, GError **error);

/* Whether `key` is a constant or an option that may be set on top of a machine: every key but the texts. */
gboolean machine_may_override(const char *key);

/* Returns all constants and options of a machine as "KEY=VALUE;", in ps, ps per byte and bytes. Leaves out texts, keys
 * with MACHINE_NO_IDENTITY, and keys with MACHINE_LATER that do not apply. Machines with equal texts behave equally in
 * runs without arithmetic. Caller frees. */
char *machine_canonical(const Machine *machine);

/* Cubes and blocks of complete exchanges, both ends included: "d 2-6, 8-65536 bytes". */
typedef struct {
    guint from_dimension, to_dimension;
    gint64 from_bytes, to_bytes;
} MachineSpan;

/* Parses the exchanges to which the machine's constants were fitted (`measured`). FALSE if the file has none. */
gboolean machine_span(const Machine *machine, MachineSpan *span);

/* Beginning of a verdict that says the constants may be used. */
#define MACHINE_VERDICT_GOOD "These constants may be used"

/* Returns the machine's verdict if it raises doubts: it does not begin with MACHINE_VERDICT_GOOD. Otherwise, and
 * without a verdict, returns NULL. Borrowed. */
const char *machine_doubt(const Machine *machine);

/* Checks that `value` is allowed for `key`, whatever the other keys of a machine are. `where` begins the error. */
gboolean machine_check_key(const char *where, const char *key, const char *value, GError **error);

/* Returns the costs between nodes of a message of `bytes` bytes, perhaps a fraction. For 0 bytes the start-up is
 * machine_lambda_zero() instead of their lambda_ps. Borrowed. */
const MachineTerms *machine_terms(const Machine *machine, double bytes);

/* Piece: messages longer than the limit of the piece before it, and of at most `limit` bytes, and their costs. */
typedef struct {
    gint64 limit;
    const MachineTerms *terms;
} MachinePiece;

/* Fills in the machine's pieces by length, ascending; the last limit is G_MAXINT64. Returns their number. */
guint machine_pieces(const Machine *machine, MachinePiece pieces[MACHINE_PIECES_MAX]);

/* Whether the costs of messages change at some length. */
static inline gboolean machine_has_limits(const Machine *machine)
{
    return machine->short_limit >= 0 || machine->long_limit > 0;
}

/* Returns for each cost its smallest value in any piece. */
MachineTerms machine_least_terms(const Machine *machine);

/* Returns the costs within a node of a message that costs `terms` between nodes. Their delta_hop_ps is 0: the message
 * crosses no channels. */
MachineTerms machine_within(const Machine *machine, const MachineTerms *terms);
/* Returns the circuit cost of a message, `within` a node or between nodes, in ps. */
gint64 machine_delta(const Machine *machine, gboolean within);
/* Returns the start-up of a message without bytes, `within` a node or between nodes, in ps. */
gint64 machine_lambda_zero(const Machine *machine, gboolean within);

/* Returns the time of `bytes` bytes at fs_per_byte, in ps, rounded up. Each packet, and the local work of each step,
 * is rounded once, here. */
static inline __int128 machine_bytes_ps(gint64 fs_per_byte, gint64 bytes)
{
    gint64 fs;      /* fits into 64 bits but for extremes */
    if (!__builtin_mul_overflow(fs_per_byte, bytes, &fs) && fs <= G_MAXINT64 - MACHINE_FS_PER_PS)
        return (fs + MACHINE_FS_PER_PS - 1) / MACHINE_FS_PER_PS;
    return ((__int128)fs_per_byte * bytes + MACHINE_FS_PER_PS - 1) / MACHINE_FS_PER_PS;
}

/* Returns fs_per_byte as a real number in ps per byte. Whole picoseconds stay exact. */
static inline double machine_byte_ps(gint64 fs_per_byte)
{
    return (double)(fs_per_byte / MACHINE_FS_PER_PS) + (double)(fs_per_byte % MACHINE_FS_PER_PS) / MACHINE_FS_PER_PS;
}

/* Whether two processors share a node. */
static inline gboolean machine_is_within(const Machine *machine, guint from, guint to)
{
    return machine->host > 1 && from / machine->host == to / machine->host;
}

/* Returns the name of `ports`: "one", "all", "2", ... Static. */
const char *machine_ports_name(Ports ports);
/* Returns the ports of a name that machine_ports_name() returns. */
Ports machine_ports_named(const char *name);

/* Whether messages that a processor issues together begin one after another (ports_overlap). */
static inline gboolean machine_takes_turns(const Machine *machine)
{
    return machine->ports != PORTS_ONE && machine->ports_overlap < 100;
}

/* Returns the number of messages that a processor can send at a time, which it can also receive. PORTS_ALL: 1, as each
 * channel has a port of its own. */
static inline guint machine_rails(Ports ports)
{
    return ports > PORTS_ALL ? ports : 1;
}

/* Returns the machine's network of `n_nodes` processors, a number that machine_check_size() allows. */
Topology machine_topology(const Machine *machine, guint n_nodes);
/* Whether every message has one hop. */
static inline gboolean machine_is_crossbar(const Machine *machine)
{
    return topology_classes[machine->topology] == &topology_crossbar;
}

static inline gboolean machine_is_cube(const Machine *machine)
{
    return topology_classes[machine->topology] == &topology_cube;
}

/* Whether the network is neither the cube nor the crossbar. Then even messages from i to i xor k may share channels. */
static inline gboolean machine_shares_channels(const Machine *machine)
{
    return !machine_is_cube(machine) && !machine_is_crossbar(machine);
}

static inline gboolean machine_is_mesh(const Machine *machine)
{
    return topology_classes[machine->topology] == &topology_mesh;
}

/* Largest number of processors of a network, not cube or crossbar, whose routes SimGrid is given one by one. */
#define MACHINE_ROUTES_MAX 256

/* Whether SimGrid's flows can be simulated on the machine's network of `n_nodes` processors, a number that
 * machine_check_size() allows. */
gboolean machine_has_flows(const Machine *machine, guint n_nodes);

/* Whether the machine's keys fit together, for a machine that was read and then changed. FALSE with an error. */
gboolean machine_check_keys(const Machine *machine, GError **error);

/* Whether a run can have `n_nodes` processors, by the machine's network and its switching. FALSE with an error. */
gboolean machine_check_size(const Machine *machine, guint n_nodes, GError **error);

/* Returns when processor `node` of n_nodes starts, in ps: start_skew x node/(n_nodes - 1), rounded down. */
gint64 machine_start_ps(const Machine *machine, guint n_nodes, guint node);

/* Returns the time in ps of a barrier over a cube of that dimension, Q(d) of Nicol & Bokhari 1994. 0 if phases begin by
 * the clock: there is no barrier. */
gint64 machine_barrier_ps(const Machine *machine, guint dimension);
