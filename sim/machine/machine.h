/* The constants of one machine, read from an INI file.
 *
 * Times are held in whole picoseconds (INPUT_TIME_MAX_PS is their limit), prices per byte in whole femtoseconds. That
 * is the finest decimal unit in which a byte of INPUT_TIME_MAX_PS fits a gint64. Both are converted from the file's µs
 * once, when they are read. Names are those of the machine model (sim/engine/README.md): lambda is a start-up, tau a
 * transmission per byte (Bokhari 1993, Table 1; Nicol & Bokhari 1994, sec. 2.1). */
#pragma once

#include "sim/cube/topology.h"

#include <glib.h>

/* Femtoseconds in a picosecond. */
#define MACHINE_FS_PER_PS ((gint64)1000)

/* Most keys that a machine may have. */
#define MACHINE_KEYS_MAX 44

/* Most pieces of a machine's messages by length: short, others, long. */
#define MACHINE_PIECES_MAX 3

/* Value of a member that neither the file nor another key sets. */
#define MACHINE_UNSET (-1)

/* Largest dimension of a cube in any command that simulates. */
#define MACHINE_DIMENSION_MAX 18

/* Ports of a processor. PORTS_ALL: one for each channel. 2 to PORTS_MAX: that number, each for any channel (rails). */
typedef enum { PORTS_ONE, PORTS_ALL, PORTS_MAX = 8 } Ports;
typedef enum { DUPLEX_FULL, DUPLEX_SYNCHRONIZED, DUPLEX_HALF } Duplex;
/* What precedes a phase: nothing; a barrier; a barrier, also before each pairwise exchange; a date that each processor
 * computes and waits for. */
typedef enum { BARRIER_NONE, BARRIER_PHASE, BARRIER_EXCHANGE, BARRIER_CLOCK } PhaseBarrier;
typedef enum { UNPOSTED_WAIT, UNPOSTED_DISCARD, UNPOSTED_BUFFER } Unposted;
typedef enum { SWITCHING_CIRCUIT, SWITCHING_FLUID, SWITCHING_STORE_AND_FORWARD } Switching;

/* Costs of one message, apart from those that are the same for every message. */
typedef struct {
    gint64 lambda_ps;           /* start-up of one message */
    gint64 tau_fs_per_byte;     /* transmission of a byte in fs */
    gint64 delta_hop_ps;        /* circuit cost per channel crossed */
} MachineTerms;

typedef struct {
    char *spec;                 /* name as the user gave it: "ipsc860", "ipsc860:unforced", "my/machine.ini" */
    char *path;                 /* path of the file from which it was read */
    char *title;                /* description in one line, or NULL */
    char *measured;             /* exchanges to which its constants were fitted, a MachineSpan as text, or NULL */
    char *verdict;              /* judgement in one line whether the constants may be used, or NULL */
    MachineTerms terms;         /* costs of messages of more than short_limit and at most long_limit bytes */
    MachineTerms short_terms;   /* costs of messages of at most short_limit bytes */
    MachineTerms long_terms;    /* costs of messages of more than long_limit bytes */
    gint64 lambda_zero_ps;      /* start-up of a message without bytes, as in handshakes */
    gboolean overlaps;          /* whether start-ups overlap with messages under way: there is a gap */
    gint64 gap_ps;              /* time from one start-up to the next at a send port, at most lambda; if `overlaps` */
    gint64 delta_ps;            /* circuit cost per message, any distance */
    gint64 rho_fs_per_byte;     /* time in fs to move a byte inside a processor */
    gint64 gather_fs_per_byte;  /* time in fs to gather or scatter a byte of a message that is not contiguous */
    gint64 flop_ps;             /* time of one operation of arithmetic */
    gint64 sync_ps;             /* barrier over the cube: sync + sync_per_dimension x d */
    gint64 sync_per_dimension_ps;
    gint64 short_limit;         /* largest short message in bytes; -1: no message is short */
    gint64 long_limit;          /* largest message in bytes that is not long, at least short_limit; 0: none is long */
    gint64 packet;              /* largest packet in bytes; 0: unlimited */
    gint64 packet_lambda_ps;    /* start-up of a packet behind the first of its message, or forwarded; MACHINE_UNSET: as
                                 * of the first */
    Ports ports;
    gint64 ports_overlap;       /* percentage of a message's time that with several ports overlaps with the next
                                 * message that its processor issues; 100: all of it */
    Duplex duplex;
    Switching switching;
    guint topology;             /* number in topology_classes[] */
    const Group *sides;         /* sides of a mesh; NULL: they follow from the number of processors */
    TopologyOrder order;        /* how addresses are laid out on a mesh */
    gint64 host;                /* number of processors in a node; 0: none share a node */
    gint64 host_lambda_ps;      /* start-up of a message within a node; MACHINE_UNSET: as of other messages */
    gint64 host_tau_fs_per_byte;    /* transmission of a byte within a node; MACHINE_UNSET: as of other messages */
    gint64 host_delta_ps;       /* circuit cost of a message within a node; MACHINE_UNSET: delta */
    gint64 host_ports;          /* messages that leave, and that enter, a node at a time; 0: any number */
    gint64 reconfigure_ps;      /* time to connect two ports that hold no circuit to each other; circuits are kept */
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

/* Reads a machine as machine_load(), but neither checks nor fills in the values that follow from other keys. Only
 * machine_override() makes a usable machine of it. Errors: ECUBE_ERROR_INPUT. Caller frees with machine_free(). */
Machine *machine_read(const char *platforms, const char *where, const char *spec, GError **error);
/* Fills in `machine` from `file`, which machine_read() has read, with the values `texts` on top, then checks it.
 * `texts` are numbered as machine_keys[]; NULL keeps the file's value. `machine` borrows from `file`. */
gboolean machine_override(const Machine *file, const char *const *texts, Machine *machine, GError **error);

/* Whether `spec`, apart from a profile, is the path of a file. */
gboolean machine_is_path(const char *spec);

/* Returns the names of the machines in the folder `platforms`, profiles included ("ipsc860:unforced"), sorted. NULL
 * with an error. Caller frees with g_strfreev(). */
char **machine_names(const char *platforms, GError **error);

/* Kinds of keys. MACHINE_TIME: µs in files, ps in Machine. MACHINE_RATE: µs a byte in files, fs in Machine. */
typedef enum {
    MACHINE_TEXT, MACHINE_TIME, MACHINE_RATE, MACHINE_BYTES, MACHINE_BOOL, MACHINE_CHOICE, MACHINE_SIDES
} MachineKind;

/* Properties of a key. */
typedef enum {
    MACHINE_COST = 1,           /* a cost of runs: the pricer counts it, and a fit looks for it */
    MACHINE_WITH_SHORT = 2,     /* applies only on machines with short_limit */
    MACHINE_WITH_GAP = 4,       /* applies only on machines with gap */
    MACHINE_WITH_NODE = 8,      /* applies only on machines on which several processors share a node (key node) */
    MACHINE_WITH_TURNS = 16,    /* applies only on machines whose messages take turns (machine_takes_turns()) */
    MACHINE_WITH_VALUE = 32,    /* applies only where the machine's value differs from the value without the key */
    MACHINE_LATER = 64,         /* machine_canonical() has it only where it applies, as journals are older than it */
    MACHINE_NO_IDENTITY = 128,  /* machine_canonical(), the identity of a machine in journals, never has it */
    MACHINE_WITH_LONG = 256,    /* applies only on machines with long_limit */
    MACHINE_LIMIT = 512         /* a length at which costs change: a fit looks for it */
} MachineFlags;

/* Key of a machine file. All that the program does with every key follows from its row. */
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

/* All keys; the last has no name. */
extern const MachineKey machine_keys[];

/* Whether the key's values are decimal numbers: MACHINE_TIME or MACHINE_RATE. */
static inline gboolean machine_key_is_decimal(const MachineKey *key)
{
    return key->kind == MACHINE_TIME || key->kind == MACHINE_RATE;
}

/* Returns the key of that name, or of that former name, or NULL. */
const MachineKey *machine_key(const char *name);

/* Returns the machine's value for a key that is no text: in ps, fs, bytes, as the number of the word, or the address of
 * the Group that is the sides. */
gint64 machine_value(const Machine *machine, const MachineKey *key);

/* Whether the key has a meaning on the machine: what it needs is there (MACHINE_WITH_...). */
gboolean machine_key_applies(const Machine *machine, const MachineKey *key);

/* Returns `value` as machine files write it: "0.394", "true", "half". `key` must not be a text. Caller frees. */
char *machine_value_text(const MachineKey *key, gint64 value);

/* Refuses `key`, which is none of the NULL-terminated `names`. The error suggests the key for which other texts use
 * that word, as "startup"; else it is that of input_refuse_key(). Returns FALSE. */
gboolean machine_refuse_key(const char *where, const char *key, const char *const *names, GError **error);

/* Whether `key` is a constant or an option that may be set on top of a machine: every key but the texts. */
gboolean machine_may_override(const char *key);

/* Returns all constants and options of a machine as "KEY=VALUE;" in their units, without its texts and without the keys
 * that MACHINE_LATER or MACHINE_NO_IDENTITY leave out. The text is equal for machines that behave equally where no
 * arithmetic counts. Caller frees. */
char *machine_canonical(const Machine *machine);

/* Cubes and blocks of complete exchanges, both ends included: "d 2-6, 8-65536 bytes". */
typedef struct {
    guint from_dimension, to_dimension;
    gint64 from_bytes, to_bytes;
} MachineSpan;

/* Parses the exchanges to which the machine's constants were fitted. FALSE: the file does not say. */
gboolean machine_span(const Machine *machine, MachineSpan *span);

/* The beginning of a verdict that has nothing against the constants. */
#define MACHINE_VERDICT_GOOD "These constants may be used"

/* Returns the machine's verdict if it does not begin with MACHINE_VERDICT_GOOD; NULL if it does, or if there is none.
 * Borrowed. */
const char *machine_doubt(const Machine *machine);

/* Checks that `value` is allowed for `key`, without a machine. `where` begins the error message. */
gboolean machine_check_key(const char *where, const char *key, const char *value, GError **error);

/* Returns the constants that govern a message of `bytes` bytes between nodes, perhaps a fraction. Borrowed. */
const MachineTerms *machine_terms(const Machine *machine, double bytes);

/* Messages of more than the limit of the piece before, and at most `limit` bytes. */
typedef struct {
    gint64 limit;
    const MachineTerms *terms;
} MachinePiece;

/* Fills in the pieces that the machine has, ascending; the limit of the last is G_MAXINT64. Returns their number. */
guint machine_pieces(const Machine *machine, MachinePiece pieces[MACHINE_PIECES_MAX]);

/* Whether the costs of messages change at some length. */
static inline gboolean machine_has_limits(const Machine *machine)
{
    return machine->short_limit >= 0 || machine->long_limit > 0;
}

/* Returns the smallest value of each cost over all pieces. */
MachineTerms machine_least_terms(const Machine *machine);

/* Returns the costs of a message within a node, in place of `terms`. It has no hops. */
MachineTerms machine_within(const Machine *machine, const MachineTerms *terms);
/* Returns the circuit cost of a message, `within` a node or between nodes, in ps. */
gint64 machine_delta(const Machine *machine, gboolean within);
/* Returns the start-up of a message without bytes, `within` a node or between nodes, in ps. */
gint64 machine_lambda_zero(const Machine *machine, gboolean within);

/* Returns the time of `bytes` bytes at fs_per_byte in ps, rounded up. Every packet and every step's local work is
 * rounded by it, once. */
static inline __int128 machine_bytes_ps(gint64 fs_per_byte, gint64 bytes)
{
    gint64 fs;      /* that fits, but for extremes */
    if (!__builtin_mul_overflow(fs_per_byte, bytes, &fs) && fs <= G_MAXINT64 - MACHINE_FS_PER_PS)
        return (fs + MACHINE_FS_PER_PS - 1) / MACHINE_FS_PER_PS;
    return ((__int128)fs_per_byte * bytes + MACHINE_FS_PER_PS - 1) / MACHINE_FS_PER_PS;
}

/* Returns a price of fs_per_byte in ps, for formulas in real numbers. Whole picoseconds stay exact. */
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

/* Whether messages that a processor issues together take turns. */
static inline gboolean machine_takes_turns(const Machine *machine)
{
    return machine->ports != PORTS_ONE && machine->ports_overlap < 100;
}

/* Returns the messages that a processor sends, and receives, at a time; with PORTS_ALL one for each channel. */
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

/* Whether messages that are exchanged in step may share channels: the network is neither the cube nor the crossbar. */
static inline gboolean machine_shares_channels(const Machine *machine)
{
    return !machine_is_cube(machine) && !machine_is_crossbar(machine);
}

static inline gboolean machine_is_mesh(const Machine *machine)
{
    return topology_classes[machine->topology] == &topology_mesh;
}

/* Most processors of a network that is neither cube nor crossbar, of which SimGrid gets every route. */
#define MACHINE_ROUTES_MAX 256

/* Whether SimGrid's flows can be simulated on the machine's network of `n_nodes` processors, a number that
 * machine_check_size() allows. */
gboolean machine_has_flows(const Machine *machine, guint n_nodes);

/* Whether the machine's network can have `n_nodes` processors. FALSE with an error. */
gboolean machine_check_size(const Machine *machine, guint n_nodes, GError **error);

/* Returns the start of processor `node` of N: start_skew x node/(N - 1) in ps, rounded down. */
gint64 machine_start_ps(const Machine *machine, guint n_nodes, guint node);

/* Returns Q(d) of Nicol & Bokhari 1994 in ps, a barrier over a cube of that dimension; 0 with clocks (Bokhari 1993). */
gint64 machine_barrier_ps(const Machine *machine, guint dimension);
