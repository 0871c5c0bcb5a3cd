/* libecube: ecube's rules, machines, lists and hulls, for other programs. */
#include "ecube.h"
#include "list.h"
#include "models/hull_bound.h"
#include "sim/text/input.h"

#include <math.h>
#include <string.h>

struct ecube {
    Machine *machine;       /* machine on which lists are compared; NULL: `rules` choose instead */
    GPtrArray *rules;       /* ecube_list *: rules for blocks of equal size; each is for blocks of from_bytes or more */
    GPtrArray *unequal;     /* ecube_list *: rules for blocks of different sizes, one for each number of processes */
};

struct ecube_list {
    char *text;
    const Group *group;
    Offsets *offsets;       /* offsets of the steps; none if the list is "library" */
    Covers covers;
    size_t from_bytes, to_bytes;
    double time_us, bound_us;
};

/* Guards the caches of groups, lists and hulls, which several threads may fill. */
static GMutex lock;

/* --- errors --- */

static _Thread_local char message[512];

const char *ecube_error(void)
{
    return message;
}

static int library_refuse(GError *error)
{
    g_strlcpy(message, error->message, sizeof message);
    g_error_free(error);
    return ECUBE_BAD_INPUT;
}

/* --- lists --- */

/* Finds for each step the blocks that it carries (covers), and drops steps that carry none. */
static void list_compile(ecube_list *list)
{
    covers_init(&list->covers, list->offsets, list->group);
    guint *first = list->covers.first, used = 0, n = list->offsets->len;
    for (guint i = 0; i < n; i++)
        if (first[i] < first[i + 1]) {
            g_array_index(list->offsets, guint32, used) = offsets_nth(list->offsets, i);
            first[used++] = first[i];
        }
    first[used] = first[n];
    list->covers.n_steps = used;
}

static gboolean check_number(guint processes, GError **error)
{
    return (processes > 1 && processes <= GROUP_SIZE_MAX) ||
           input_refuse(error, "%u processes: is not allowed; allowed: 2 to %u", processes, GROUP_SIZE_MAX);
}

static ecube_list *list_make(const char *where, guint processes, const char *text, GError **error)
{
    const Group *group = NULL;
    if (!check_number(processes, error))
        return NULL;
    Offsets *offsets = list_read(where, processes, text, &group, error);
    if (!offsets)
        return NULL;
    ecube_list *list = g_new0(ecube_list, 1);
    *list = (ecube_list){.text = g_strdup(text), .group = group, .offsets = offsets, .to_bytes = G_MAXSIZE,
                         .time_us = NAN, .bound_us = NAN};
    if (offsets->len > 0)
        list_compile(list);
    return list;
}

int ecube_list_parse(unsigned processes, const char *text, ecube_list **list)
{
    GError *error = NULL;
    g_mutex_lock(&lock);
    *list = list_make("list", processes, text, &error);
    g_mutex_unlock(&lock);
    return *list ? ECUBE_OK : library_refuse(error);
}

void ecube_list_free(ecube_list *list)
{
    if (!list)
        return;
    g_free(list->text);
    offsets_free(list->offsets);
    covers_clear(&list->covers);
    g_free(list);
}

const char *ecube_list_text(const ecube_list *list)
{
    return list->text;
}

void ecube_list_span(const ecube_list *list, size_t *from_bytes, size_t *to_bytes)
{
    *from_bytes = list->from_bytes;
    *to_bytes = list->to_bytes;
}

double ecube_list_time(const ecube_list *list)
{
    return list->time_us;
}

double ecube_list_bound(const ecube_list *list)
{
    return list->bound_us;
}

unsigned ecube_list_steps(const ecube_list *list)
{
    return list->covers.n_steps;
}

int ecube_list_step(const ecube_list *list, unsigned rank, unsigned i, ecube_step *step)
{
    guint n_steps = list->covers.n_steps, n = list->group->n;
    if (rank >= n || i >= n_steps) {
        GError *error = NULL;
        input_refuse(&error, "step %u of process %u: allowed: steps below %u, processes below %u", i, rank, n_steps, n);
        return library_refuse(error);
    }
    const guint *first = list->covers.first + i;
    guint offset = offsets_nth(list->offsets, i);
    *step = (ecube_step){group_add(list->group, rank, offset), group_subtract(list->group, rank, offset),
                         first[1] - first[0], list->covers.carried + first[0]};
    return ECUBE_OK;
}

unsigned ecube_list_to(const ecube_list *list, unsigned rank, unsigned g)
{
    return group_add(list->group, rank, g);
}

unsigned ecube_list_from(const ecube_list *list, unsigned rank, unsigned g)
{
    return group_subtract(list->group, rank, g);
}

/* --- files --- */

/* Reads the rule SIZE = LIST of a section [alltoall P]; `key` is SIZE, the least block size. */
static gboolean read_rule(ecube *loaded, GKeyFile *file, const char *where, const char *section, guint processes,
                          const char *key, GError **error)
{
    g_autofree char *place = g_strdup_printf("%s: [%s] %s", where, section, key);
    g_autofree char *text = g_strstrip(g_key_file_get_value(file, section, key, NULL));
    gint64 size;
    ecube_list *list = input_parse_count(place, key, 0, G_MAXINT64, &size, error)
                           ? list_make(place, processes, text, error) : NULL;
    if (!list)
        return FALSE;
    list->from_bytes = (size_t)size;
    g_ptr_array_add(loaded->rules, list);
    return TRUE;
}

/* Reads the rule list = LIST of a section [alltoallv P]. */
static gboolean read_unequal_rule(ecube *loaded, GKeyFile *file, const char *where, const char *section,
                                  guint processes, const char *key, GError **error)
{
    g_autofree char *place = g_strdup_printf("%s: [%s] %s", where, section, key);
    g_autofree char *text = g_strstrip(g_key_file_get_value(file, section, key, NULL));
    if (strcmp(key, "list") != 0)
        return input_refuse(error, "%s: '%s' is not allowed; allowed: list", place, key);
    ecube_list *list = list_make(place, processes, text, error);
    if (list)
        g_ptr_array_add(loaded->unequal, list);
    return list != NULL;
}

/* Reads the section [alltoall P] or [alltoallv P]. */
static gboolean library_read_section(ecube *loaded, GKeyFile *file, const char *where, const char *section,
                                     GError **error)
{
    g_autofree char *place = g_strdup_printf("%s: [%s]", where, section);
    gboolean is_unequal = g_str_has_prefix(section, "alltoallv ");
    gint64 n;
    if (!is_unequal && !g_str_has_prefix(section, "alltoall "))
        return input_refuse(error, "%s: section '%s' is not allowed; allowed: [alltoall P] and [alltoallv P], for P "
                            "processes, or [machine]", where, section);
    if (!input_parse_count(place, strchr(section, ' ') + 1, 2, GROUP_SIZE_MAX, &n, error))
        return FALSE;
    g_auto(GStrv) keys = g_key_file_get_keys(file, section, NULL, NULL);
    for (guint i = 0; keys && keys[i]; i++)
        if (!(is_unequal ? read_unequal_rule : read_rule)(loaded, file, where, section, (guint)n, keys[i], error))
            return FALSE;
    return TRUE;
}

static int compare_rules(gconstpointer a, gconstpointer b)
{
    const ecube_list *x = *(const ecube_list *const *)a, *y = *(const ecube_list *const *)b;
    if (x->group->n != y->group->n)
        return x->group->n < y->group->n ? -1 : 1;
    return (x->from_bytes > y->from_bytes) - (x->from_bytes < y->from_bytes);
}

/* Sorts the rules of the sections [`name` P]. Refuses two rules that begin at one size, as 1k and 1024 would. */
static gboolean check_rules(GPtrArray *rules, const char *where, const char *name, GError **error)
{
    g_ptr_array_sort(rules, compare_rules);
    for (guint i = 1; i < rules->len; i++) {
        const ecube_list *rule = rules->pdata[i];
        if (compare_rules(&rules->pdata[i - 1], &rules->pdata[i]) == 0)
            return input_refuse(error, "%s: [%s %u]: two rules begin at %" G_GSIZE_FORMAT " bytes; allowed: one",
                                where, name, rule->group->n, rule->from_bytes);
    }
    return TRUE;
}

static gboolean read_rules(ecube *loaded, const char *where, GKeyFile *file, GError **error)
{
    g_auto(GStrv) sections = g_key_file_get_groups(file, NULL);
    for (guint i = 0; sections[i]; i++)
        if (!library_read_section(loaded, file, where, sections[i], error))
            return FALSE;
    if (loaded->rules->len + loaded->unequal->len == 0)
        return input_refuse(error, "%s: has neither rules, [alltoall P], nor a [machine]", where);
    return check_rules(loaded->rules, where, "alltoall", error) &&
           check_rules(loaded->unequal, where, "alltoallv", error);
}

/* Refuses machines for which hulls give no times. Hulls need one full-duplex port, and messages in one piece without
 * overlapping start-ups. */
static gboolean check_machine(const Machine *machine, GError **error)
{
    const char *wrong = machine->ports != PORTS_ONE      ? "ports: allowed: one"
                        : machine->duplex == DUPLEX_HALF ? "duplex: allowed: full, synchronized"
                        : machine->switching == SWITCHING_STORE_AND_FORWARD ? "switching: allowed: circuit, fluid"
                        : machine->overlaps ? "gap: allowed: none"
                        : machine->packet   ? "packet: allowed: unlimited"
                        : machine->phase_barrier == BARRIER_EXCHANGE ? "phase_barrier: allowed: false, true, clock"
                                            : NULL;
    return !wrong || input_refuse(error, "%s: [machine] %s, where libecube chooses", machine->spec, wrong);
}

static gboolean read_text(ecube *loaded, const char *where, const char *text, GError **error)
{
    g_autoptr(GKeyFile) file = input_parse_keyfile(where, text, error);
    if (!file)
        return FALSE;
    if (!g_key_file_has_group(file, "machine"))
        return read_rules(loaded, where, file, error);
    loaded->machine = machine_parse(where, text, error);
    return loaded->machine && check_machine(loaded->machine, error);
}

/* Makes `*loaded` from `text`, the text of the file `where`. `text` NULL: reading it failed with `error`, which this
 * function frees. Returns an ECUBE_ code. */
static int library_load(const char *where, const char *text, GError *error, ecube **loaded)
{
    *loaded = g_new0(ecube, 1);
    (*loaded)->rules = g_ptr_array_new_with_free_func((GDestroyNotify)ecube_list_free);
    (*loaded)->unequal = g_ptr_array_new_with_free_func((GDestroyNotify)ecube_list_free);
    g_mutex_lock(&lock);
    gboolean ok = text && read_text(*loaded, where, text, &error);
    g_mutex_unlock(&lock);
    if (ok)
        return ECUBE_OK;
    g_clear_pointer(loaded, ecube_free);
    return library_refuse(error);
}

int ecube_load(const char *path, ecube **loaded)
{
    GError *error = NULL;
    g_autofree char *where = input_printable(path), *text = input_load_text(path, INPUT_FILE_MAX, TRUE, &error);
    return library_load(where, text, error, loaded);
}

int ecube_read(const char *path, const char *text, ecube **loaded)
{
    g_autofree char *where = input_printable(path);
    return library_load(where, text, NULL, loaded);
}

void ecube_free(ecube *loaded)
{
    if (!loaded)
        return;
    g_clear_pointer(&loaded->machine, machine_free);
    g_ptr_array_unref(loaded->rules);
    g_ptr_array_unref(loaded->unequal);
    g_free(loaded);
}

/* --- the best list --- */

/* Returns a copy of the list of the rule with the largest from_bytes <= `bytes`, and sets its block sizes. "library" if
 * there is no such rule. */
static ecube_list *best_by_rules(const GPtrArray *rules, guint processes, gsize bytes)
{
    const ecube_list *found = NULL;
    gsize to_bytes = G_MAXSIZE;
    for (guint i = 0; i < rules->len; i++) {
        const ecube_list *rule = rules->pdata[i];
        if (rule->group->n != processes)
            continue;
        if (rule->from_bytes > bytes)
            to_bytes = MIN(to_bytes, rule->from_bytes - 1);
        else if (!found || rule->from_bytes >= found->from_bytes)
            found = rule;
    }
    ecube_list *list = list_make("rule", processes, found ? found->text : "library", NULL);
    list->from_bytes = found ? found->from_bytes : 0;
    list->to_bytes = to_bytes;
    return list;
}

/* Fastest list for blocks of some size, as a face of the hull of `group`. */
typedef struct {
    const Group *group;
    HullFace face;
    double ps;              /* run time of the face at that block size in ps; INFINITY: no face was found */
} LibraryChoice;

/* Returns the fastest face of the hull of `group` for blocks of `bytes`. The hull is of lists of offsets if such lists
 * are known for the group, else of lists of radices. ps is INFINITY if there is no hull: `group` is NULL, or its hull
 * cannot describe the nodes of `machine`. */
static LibraryChoice library_choice(const Machine *machine, const Group *group, double bytes)
{
    if (!group || !hull_knows_nodes(machine, group))
        return (LibraryChoice){.ps = INFINITY};
    g_autoptr(Hull) hull = hull_of_group(machine, group, offsets_are_known(group) ? HULL_OFFSETS : HULL_MIXED);
    const HullFace *face = hull_lookup(hull, bytes);
    return (LibraryChoice){group, *face, exchange_line_at(face->line, bytes)};
}

/* Narrows the block sizes of `face` to those around `bytes` at which it is faster than `other`. */
static void clip(HullFace *face, const HullFace *other, double bytes)
{
    double steeper = face->line.slope_ps_per_byte - other->line.slope_ps_per_byte;
    double meets = (other->line.intercept_ps - face->line.intercept_ps) / steeper;
    face->from_bytes = fmax(face->from_bytes, steeper < 0 ? fmax(meets, other->from_bytes) : other->from_bytes);
    face->to_bytes = fmin(face->to_bytes, steeper > 0 && meets > bytes ? fmin(meets, other->to_bytes)
                                                                       : other->to_bytes);
}

/* Returns the fastest list for `processes` on the machine. Compares lists of the cube if `processes` is a power of two,
 * and lists modulo `processes` on a crossbar. NULL with an error. */
static ecube_list *best_by_machine(const Machine *machine, guint processes, double bytes, GError **error)
{
    if (!machine_check_size(machine, processes, error))
        return NULL;
    if (machine_shares_channels(machine))
        return input_refuse(error, "%s: [machine] topology: '%s' has no hull; allowed: cube, crossbar", machine->spec,
                            topology_classes[machine->topology]->name), NULL;
    gboolean is_cube = (processes & (processes - 1)) == 0;
    const Group *cube = is_cube ? group_of_cube(g_bit_storage(processes) - 1) : NULL;
    const Group *cyclic = machine_is_crossbar(machine) ? group_cyclic(processes) : NULL;
    LibraryChoice of[] = {library_choice(machine, cube, bytes), library_choice(machine, cyclic, bytes)};
    LibraryChoice best = of[of[1].ps < of[0].ps], other = of[of[1].ps >= of[0].ps];
    if (!best.group)
        return input_refuse(error, "%s: [machine] node: allowed where it is a power of two, as %u", machine->spec,
                            processes), NULL;
    if (other.group)
        clip(&best.face, &other.face, bytes);
    g_autofree char *text = list_of_face(&best.face, best.group, offsets_are_known(best.group));
    g_autoptr(Hull) bound = hull_bound(machine, best.group);
    ecube_list *list = list_make("machine", processes, text, error);
    list->from_bytes = (size_t)ceil(best.face.from_bytes);
    list->to_bytes = best.face.to_bytes < (double)G_MAXSIZE ? (size_t)ceil(best.face.to_bytes) - 1 : G_MAXSIZE;
    list->time_us = best.ps / 1e6;
    list->bound_us = exchange_line_at(hull_lookup(bound, bytes)->line, bytes) / 1e6;
    return list;
}

int ecube_best(const ecube *loaded, unsigned processes, size_t bytes, ecube_list **list)
{
    GError *error = NULL;
    g_mutex_lock(&lock);
    *list = !check_number(processes, &error) ? NULL
            : loaded->machine ? best_by_machine(loaded->machine, processes, (double)bytes, &error)
                              : best_by_rules(loaded->rules, processes, bytes);
    g_mutex_unlock(&lock);
    return !*list ? library_refuse(error) : (*list)->offsets->len ? ECUBE_OK : ECUBE_LIBRARY;
}

int ecube_best_unequal(const ecube *loaded, unsigned processes, ecube_list **list)
{
    GError *error = NULL;
    g_mutex_lock(&lock);
    *list = check_number(processes, &error) ? best_by_rules(loaded->unequal, processes, 0) : NULL;
    g_mutex_unlock(&lock);
    return !*list ? library_refuse(error) : (*list)->offsets->len ? ECUBE_OK : ECUBE_LIBRARY;
}
