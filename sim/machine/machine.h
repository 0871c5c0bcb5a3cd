/* The constants of one machine, read from an INI file.
 *
 * Times are held in whole picoseconds (INPUT_TIME_MAX_PS is their limit), converted from the file's µs once, when
 * they are read. Names are those of the machine model (sim/engine/README.md): lambda is a start-up, tau a transmission
 * per byte (Bokhari 1993, Table 1; Nicol & Bokhari 1994, sec. 2.1). */
#pragma once

#include "sim/cube/topology.h"

#include <glib.h>

/* Most keys that a machine may have. */
#define MACHINE_KEYS_MAX 40

/* What a file does not say and what no other key says for it. */
#define MACHINE_UNSET (-1)

/* Largest cube any command accepts. */
#define MACHINE_DIMENSION_MAX 16

/* PORTS_ALL: one for each channel. Numbers from 2 to PORTS_MAX: so many, each for any channel (rails). */
typedef enum { PORTS_ONE, PORTS_ALL, PORTS_MAX = 8 } Ports;
typedef enum { DUPLEX_FULL, DUPLEX_SYNCHRONIZED, DUPLEX_HALF } Duplex;
/* What comes before a phase: nothing; a barrier; a barrier, and one before each pairwise exchange; a date that all have
 * computed. */
typedef enum { BARRIER_NONE, BARRIER_PHASE, BARRIER_EXCHANGE, BARRIER_CLOCK } PhaseBarrier;
typedef enum { UNPOSTED_WAIT, UNPOSTED_DISCARD, UNPOSTED_BUFFER } Unposted;
typedef enum { SWITCHING_CIRCUIT, SWITCHING_FLUID, SWITCHING_STORE_AND_FORWARD } Switching;

/* What one message costs, apart from what is the same for every message. */
typedef struct {
    gint64 lambda_ps;           /* start-up of one message */
    gint64 tau_ps_per_byte;     /* transmission */
    gint64 delta_hop_ps;        /* circuit cost per channel crossed */
} MachineTerms;

typedef struct {
    char *spec;                 /* as the user named it: "ipsc860", "ipsc860:unforced", "my/machine.ini" */
    char *path;                 /* the file it was read from */
    char *title;                /* one line for people, or NULL */
    char *measured;             /* what its constants were fitted to, a MachineSpan as text, or NULL */
    char *verdict;              /* whether its constants may be used, one line, or NULL */
    MachineTerms terms;         /* of messages longer than short_limit */
    MachineTerms short_terms;   /* of messages up to short_limit bytes */
    gint64 lambda_zero_ps;      /* start-up of a message without bytes, as in handshakes */
    gboolean overlaps;          /* start-ups overlap with messages under way: there is a gap */
    gint64 gap_ps;              /* from one start-up to the next at a send port, at most lambda; only if `overlaps` */
    gint64 delta_ps;            /* circuit cost per message, any distance */
    gint64 rho_ps_per_byte;     /* moving a byte inside a processor */
    gint64 copy_ps_per_byte;    /* gathering or scattering a byte of a message that is not contiguous in memory */
    gint64 flop_ps;             /* an operation of arithmetic */
    gint64 sync_ps;             /* barrier over the cube: sync + sync_per_dimension x d */
    gint64 sync_per_dimension_ps;
    gint64 short_limit;         /* bytes; -1: every message uses `terms` */
    gint64 packet;              /* largest packet in bytes; 0: unlimited */
    gint64 packet_lambda_ps;    /* start-up of a packet behind the first of its message, or forwarded; MACHINE_UNSET: as
                                 * of the first */
    Ports ports;
    gint64 ports_overlap;       /* with several ports: how much of a message's time overlaps with that of the next that
                                 * its processor sends, in percent; 100: all of it */
    Duplex duplex;
    Switching switching;
    guint topology;             /* of topology_classes[] */
    gint64 node;                /* processors of a node; 0: none share one */
    gint64 node_lambda_ps;      /* start-up of a message within a node; MACHINE_UNSET: as of others */
    gint64 node_tau_ps_per_byte;    /* its transmission; MACHINE_UNSET the same */
    gint64 node_delta_ps;       /* its circuit cost; MACHINE_UNSET the same */
    gint64 node_ports;          /* messages that leave, and that enter, a node at a time; 0: any number */
    gint64 start_skew_ps;       /* by how much the last processor starts later than the first */
    gboolean pairwise_sync;     /* a zero-byte exchange before each pairwise exchange */
    PhaseBarrier phase_barrier;
    Unposted unposted;          /* what becomes of messages whose receiver has not begun their phase */
} Machine;

/* Reads machine `spec`: a name in the folder `platforms`, or the path of a file (it contains '/' or ends in ".ini");
 * either may be followed by ":PROFILE", a section [profile PROFILE] of that file. `where` begins the message about an
 * unknown name. Errors: ECUBE_ERROR_INPUT. Caller frees with machine_free(). */
Machine *machine_load(const char *platforms, const char *where, const char *spec, GError **error);
void machine_free(Machine *machine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Machine, machine_free)

/* The same from the text of a file; `where` stands for its name. */
Machine *machine_parse(const char *where, const char *text, GError **error);

/* The same as machine_load() in two steps. What the file says alone is no machine yet: what follows from other keys is
 * missing. `texts`, by the numbers of machine_keys[], are set on top, where they are not NULL; `machine` borrows from
 * `file`. */
Machine *machine_read(const char *platforms, const char *where, const char *spec, GError **error);
gboolean machine_override(const Machine *file, const char *const *texts, Machine *machine, GError **error);

/* Whether `spec` names a file by its path, a profile aside. */
gboolean machine_is_path(const char *spec);

/* Names of the machines in the folder `platforms`, profiles included ("ipsc860:unforced"), sorted. Caller frees with
 * g_strfreev(). */
char **machine_names(const char *platforms, GError **error);

typedef enum { MACHINE_TEXT, MACHINE_TIME, MACHINE_BYTES, MACHINE_BOOL, MACHINE_CHOICE } MachineKind;

/* A key of a machine file. */
typedef struct {
    const char *name;
    MachineKind kind;
    gsize offset;           /* of the field in Machine */
    const char *unit;       /* for people; of a bool or a choice, the allowed words with | between them */
    const char *fallback;   /* what holds when the file leaves it out; "required" if it may not */
    const char *help;
} MachineKey;

/* All keys; the last has no name. */
extern const MachineKey machine_keys[];

/* The key of that name, or NULL. */
const MachineKey *machine_key(const char *name);

/* What a machine has for a key that is no text: in ps, bytes, or the number of the word. */
gint64 machine_value(const Machine *machine, const MachineKey *key);

/* Such a value as files of machines have it: "0.394", "true", "half". Not of a text. Caller frees. */
char *machine_value_text(const MachineKey *key, gint64 value);

/* Refuses `key`, which is none of the NULL-terminated `names`. The error says which key of machines is meant by another
 * word, as "startup", or else that of input_refuse_key(). FALSE. */
gboolean machine_refuse_key(const char *where, const char *key, const char *const *names, GError **error);

/* Whether `key` is a constant or an option that may be set on top of a machine: every key but the texts. */
gboolean machine_may_override(const char *key);

/* All constants and options of a machine, its texts aside, as "KEY=VALUE;" in their units: equal for machines that
 * behave equally where no arithmetic counts. So flop is not among them, as in journals from before there was one, nor
 * is a gap that is not there, or a later key that changes nothing. Caller frees. */
char *machine_canonical(const Machine *machine);

/* Cubes and blocks of complete exchanges, both ends included: "d 2-6, 8-65536 bytes". */
typedef struct {
    guint from_dimension, to_dimension;
    gint64 from_bytes, to_bytes;
} MachineSpan;

/* What a machine's constants were fitted to; FALSE: it doesn't say. */
gboolean machine_span(const Machine *machine, MachineSpan *span);

/* The beginning of a verdict that has nothing against the constants. */
#define MACHINE_VERDICT_GOOD "These constants may be used"

/* Returns the machine's verdict if it does not begin with MACHINE_VERDICT_GOOD; NULL if it does, or if there is none.
 * Borrowed. */
const char *machine_doubt(const Machine *machine);

/* Checks that `value` is allowed for `key`, without a machine. `where` begins the error message. */
gboolean machine_check_key(const char *where, const char *key, const char *value, GError **error);

/* The constants that govern a message of `bytes` bytes between nodes. Borrowed. */
const MachineTerms *machine_terms(const Machine *machine, gint64 bytes);

/* What a message within a node pays in place of `terms`: it has no hops. And its circuit cost and start-up without
 * bytes, or those of other messages. */
MachineTerms machine_within(const Machine *machine, const MachineTerms *terms);
gint64 machine_delta(const Machine *machine, gboolean within);
gint64 machine_lambda_zero(const Machine *machine, gboolean within);

/* Whether two processors share a node. */
static inline gboolean machine_is_within(const Machine *machine, guint from, guint to)
{
    return machine->node > 1 && from / machine->node == to / machine->node;
}

/* "one", "all", "2", ..., and the other way round. */
const char *machine_ports_name(Ports ports);
Ports machine_ports_named(const char *name);

/* Whether messages that a processor issues together take turns. */
static inline gboolean machine_takes_turns(const Machine *machine)
{
    return machine->ports != PORTS_ONE && machine->ports_overlap < 100;
}

/* Messages that a processor sends, and receives, at a time; with PORTS_ALL one for each channel. */
static inline guint machine_rails(Ports ports)
{
    return ports > PORTS_ALL ? ports : 1;
}

/* The machine's network of so many processors, of which it has one (machine_check_size()). */
Topology machine_topology(const Machine *machine, guint n_nodes);
/* Whether every message has one hop, whatever it is on a cube. */
static inline gboolean machine_is_crossbar(const Machine *machine)
{
    return topology_classes[machine->topology] == &topology_crossbar;
}

static inline gboolean machine_is_cube(const Machine *machine)
{
    return topology_classes[machine->topology] == &topology_cube;
}

gboolean machine_check_size(const Machine *machine, guint n_nodes, GError **error);

/* When processor `node` of N starts: start_skew x node/(N - 1), rounded down to the picosecond. */
gint64 machine_start_ps(const Machine *machine, guint n_nodes, guint node);

/* Barrier over a cube of dimension d, Q(d) of Nicol & Bokhari 1994, in ps; none with clocks (Bokhari 1993). */
gint64 machine_barrier_ps(const Machine *machine, guint dimension);
