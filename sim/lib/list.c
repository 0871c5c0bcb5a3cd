/* Lists: their texts, and what each process does in a step. */
#include "inside.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- errors --- */

static _Thread_local char error[512];

const char *ecube_error(void)
{
    return error;
}

int refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, sizeof error, format, arguments);
    va_end(arguments);
    return ECUBE_BAD_INPUT;
}

int refuse_memory(void)
{
    refuse("out of memory");
    return ECUBE_NO_MEMORY;
}

/* --- groups --- */

static unsigned bits_of(unsigned n)
{
    return n > 1 ? 32u - (unsigned)__builtin_clz(n - 1) : 0;
}

/* A cube, if there is one of so many. */
static int make_cube(Group *group, unsigned n)
{
    *group = (Group){.n = n, .dimension = bits_of(n), .binary = 1, .n_factors = bits_of(n)};
    for (unsigned i = 0; i < group->n_factors; i++)
        group->factor[i] = 2;
    return n == 1u << group->dimension;
}

static int make_cyclic(Group *group, unsigned n)
{
    *group = (Group){.n = n, .dimension = bits_of(n), .binary = n == 2, .n_factors = 1, .factor = {n}};
    return 1;
}

/* "4x6", of n. */
static int make_product(Group *group, const char *word, unsigned n)
{
    *group = (Group){.n = 1, .dimension = bits_of(n), .binary = 1};
    for (char *end = NULL; group->n_factors < GROUP_FACTORS_MAX; word = end + 1) {
        unsigned long factor = isdigit((unsigned char)*word) ? strtoul(word, &end, 10) : 0;
        if (factor < 2 || factor > n || (*end && *end != 'x'))
            return 0;
        group->factor[group->n_factors++] = (unsigned)factor;
        group->binary &= factor == 2;
        group->n *= (unsigned)factor;
        if (!*end || group->n > n)
            return !*end && group->n == n;
    }
    return 0;
}

/* --- reading --- */

/* A list in the making, from a text: KIND NUMBER,NUMBER,... */
typedef struct {
    ecube_list *list;
    const char *rest;           /* numbers that are not read yet */
    unsigned room;              /* of offsets */
} Reader;

static int add(Reader *r, uint64_t offset)
{
    ecube_list *list = r->list;
    if (list->n_steps == r->room) {
        unsigned room = 2 * r->room + 16;
        uint32_t *more = realloc(list->offsets, room * sizeof *more);
        if (!more)
            return 0;
        list->offsets = more;
        r->room = room;
    }
    list->offsets[list->n_steps++] = (uint32_t)offset;
    return 1;
}

/* The next number, from `least` to `most`; 0: there is none such. */
static unsigned next_number(Reader *r, unsigned least, unsigned most)
{
    char *end;
    unsigned long number = isdigit((unsigned char)*r->rest) ? strtoul(r->rest, &end, 10) : 0;
    if (number < least || number > most || (*end && *end != ','))
        return 0;
    r->rest = *end ? end + 1 : end;
    return *end && !*r->rest ? 0 : (unsigned)number;
}

/* j `stride` for j < radix, as far as they are below n. */
static int add_digit(Reader *r, uint64_t stride, uint64_t radix)
{
    int ok = 1;
    for (uint64_t j = 1; ok && j < radix && j * stride < r->list->group.n; j++)
        ok = add(r, j * stride);
    return ok;
}

typedef enum { READ, WRONG, MEMORY } Reading;

static Reading read_direct(Reader *r)
{
    if (*r->rest)
        return WRONG;
    return add_digit(r, 1, r->list->group.n) ? READ : MEMORY;
}

static Reading read_offsets(Reader *r)
{
    do {
        unsigned offset = next_number(r, 1, r->list->group.n - 1);
        if (!offset)
            return WRONG;
        if (!add(r, offset))
            return MEMORY;
    } while (*r->rest);
    return READ;
}

/* The first part is that of the highest bits. */
static Reading read_partition(Reader *r)
{
    unsigned left = r->list->group.dimension;
    do {
        unsigned part = next_number(r, 1, left);
        if (!part)
            return WRONG;
        left -= part;
        if (!add_digit(r, 1u << left, 1u << part))
            return MEMORY;
    } while (*r->rest);
    return left ? WRONG : READ;
}

static Reading read_radices(Reader *r)
{
    uint64_t stride = 1, n = r->list->group.n;
    do {
        unsigned radix = stride < n ? next_number(r, 2, (unsigned)n) : 0;
        if (!radix)
            return WRONG;
        if (!add_digit(r, stride, radix))
            return MEMORY;
        stride *= radix;
    } while (*r->rest);
    return stride < n ? WRONG : READ;
}

/* The group that a list's first word names, and how the rest is read; NULL: there is none. */
static Reading (*reader_of(const char *word, unsigned n, Group *group))(Reader *)
{
    if (strcmp(word, "direct") == 0)
        return make_cube(group, n) || make_cyclic(group, n) ? read_direct : NULL;
    if (strcmp(word, "partition") == 0)
        return make_cube(group, n) ? read_partition : NULL;
    if (strcmp(word, "radices") == 0)
        return make_cyclic(group, n) ? read_radices : NULL;
    if (strcmp(word, "xor") == 0)
        return make_cube(group, n) ? read_offsets : NULL;
    if (strcmp(word, "modulo") == 0)
        return make_cyclic(group, n) ? read_offsets : NULL;
    return make_product(group, word, n) ? read_offsets : NULL;
}

/* Partitions and radices reach all. */
static Reading check_reach(const ecube_list *list)
{
    uint8_t *weight = malloc(2 * (size_t)list->group.n);
    if (!weight)
        return MEMORY;
    unsigned unreached = cover_unreached(list->offsets, list->n_steps, &list->group, weight);
    free(weight);
    return unreached == list->group.n ? READ : WRONG;
}

static Reading read_list(ecube_list *list, unsigned processes)
{
    char word[64];
    size_t length = strcspn(list->text, " \t");
    snprintf(word, sizeof word, "%.*s", (int)length, list->text);
    Reader r = {.list = list, .rest = list->text + length + strspn(list->text + length, " \t")};
    Reading (*read)(Reader *) = length < sizeof word ? reader_of(word, processes, &list->group) : NULL;
    Reading reading = read ? read(&r) : WRONG;
    return reading == READ && read == read_offsets ? check_reach(list) : reading;
}

int list_parse(const char *where, unsigned processes, const char *text, ecube_list **list)
{
    *list = calloc(1, sizeof **list);
    if (!*list || !((*list)->text = strdup(text)))
        return ecube_list_free(*list), *list = NULL, refuse_memory();
    (*list)->time_us = (*list)->bound_us = NAN;
    (*list)->to_bytes = SIZE_MAX;
    Reading reading = processes > 1 && processes <= GROUP_SIZE_MAX ? read_list(*list, processes) : WRONG;
    if (reading == READ)
        return ECUBE_OK;
    ecube_list_free(*list);
    *list = NULL;
    if (reading == MEMORY)
        return refuse_memory();
    return refuse("%s: '%.60s' is not allowed; allowed: library, direct, partition 3,3, radices 2,2,3, xor 1,2,4,8,15, "
                  "modulo 5,8,10,11, 4x3 1,3,4,8, that reach all of %u processes", where, text, processes);
}

int list_compile(ecube_list *list)
{
    if (!covers_make(&list->covers, list->offsets, list->n_steps, &list->group))
        return refuse_memory();
    unsigned used = 0, *first = list->covers.first;
    for (unsigned i = 0; i < list->n_steps; i++)
        if (first[i] < first[i + 1]) {
            list->offsets[used] = list->offsets[i];
            first[used++] = first[i];
        }
    first[used] = first[list->n_steps];
    list->n_steps = list->covers.n_steps = used;
    return ECUBE_OK;
}

int ecube_list_parse(unsigned processes, const char *text, ecube_list **list)
{
    int code = list_parse("list", processes, text, list);
    if (code == ECUBE_OK && (code = list_compile(*list)) != ECUBE_OK) {
        ecube_list_free(*list);
        *list = NULL;
    }
    return code;
}

/* --- what is known of a list --- */

void ecube_list_free(ecube_list *list)
{
    if (!list)
        return;
    free(list->text);
    free(list->offsets);
    covers_clear(&list->covers);
    free(list);
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
    return list->n_steps;
}

int ecube_list_step(const ecube_list *list, unsigned rank, unsigned i, ecube_step *step)
{
    if (rank >= list->group.n || i >= list->n_steps)
        return refuse("step %u of process %u: allowed: steps below %u, processes below %u", i, rank, list->n_steps,
                      list->group.n);
    const unsigned *first = list->covers.first;
    *step = (ecube_step){group_add(&list->group, rank, list->offsets[i]),
                         group_subtract(&list->group, rank, list->offsets[i]), first[i + 1] - first[i],
                         list->covers.carried + first[i]};
    return ECUBE_OK;
}

unsigned ecube_list_to(const ecube_list *list, unsigned rank, unsigned g)
{
    return group_add(&list->group, rank, g);
}

unsigned ecube_list_from(const ecube_list *list, unsigned rank, unsigned g)
{
    return group_subtract(&list->group, rank, g);
}
