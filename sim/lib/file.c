/* Files: rules and machines, in sections of lines KEY = VALUE. */
#include "inside.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ecube_list *list;       /* NULL: the library's own */
    unsigned processes;
    size_t from_bytes;
} Rule;

struct ecube {
    Rule *rules;            /* of one number after the other, each by size */
    unsigned n_rules, room;
    int has_machine;
    Constants machine;
    char *text;             /* as it was read */
};

/* Where a reader is. */
typedef struct {
    ecube *loaded;
    const char *name;
    unsigned line;
    enum { NOWHERE, IN_RULES, IN_MACHINE, IN_OTHER } section;
    unsigned processes;     /* of the section's rules */
    unsigned short given;   /* of the machine's constants, those that others follow: 1 << number */
} Reader;

/* --- constants --- */

#define AT(field) offsetof(Constants, field)

/* Numbers; the first two must be there, and constants of short messages are those of long ones unless they are. */
static const struct {
    const char *name;
    size_t at;
} numbers[] = {
    {"lambda", AT(long_terms.lambda)}, {"tau", AT(long_terms.tau)}, {"delta_hop", AT(long_terms.delta_hop)},
    {"lambda_short", AT(short_terms.lambda)}, {"tau_short", AT(short_terms.tau)},
    {"delta_hop_short", AT(short_terms.delta_hop)}, {"lambda_zero", AT(lambda_zero)}, {"delta", AT(delta)},
    {"copy", AT(copy)}, {"sync", AT(sync)}, {"sync_per_dimension", AT(sync_per_dimension)},
    {"short_limit", AT(short_limit)},
};
enum { LAMBDA, TAU, DELTA_HOP, LAMBDA_SHORT, TAU_SHORT, DELTA_HOP_SHORT, LAMBDA_ZERO,
       N_NUMBERS = sizeof numbers / sizeof *numbers };

/* Words: what else a machine may say, and what it means; AT_NONE: nothing to an exchange that is priced. */
#define AT_NONE SIZE_MAX
static const struct {
    const char *name, *word;
    size_t at;
    int value;
} words[] = {
    {"topology", "cube", AT(crossbar), 0}, {"topology", "crossbar", AT(crossbar), 1},
    {"pairwise_sync", "true", AT(pairwise_sync), 1}, {"pairwise_sync", "false", AT(pairwise_sync), 0},
    {"phase_barrier", "true", AT(phase_barrier), 1}, {"phase_barrier", "false", AT(phase_barrier), 0},
    {"short_limit", "none", AT_NONE, 0}, {"gap", "none", AT_NONE, 0}, {"packet", "unlimited", AT_NONE, 0},
    {"ports", "one", AT_NONE, 0}, {"duplex", "full", AT_NONE, 0}, {"duplex", "synchronized", AT_NONE, 0},
    {"switching", "circuit", AT_NONE, 0}, {"switching", "fluid", AT_NONE, 0}, {"start_skew", "0", AT_NONE, 0},
    {"title", NULL, AT_NONE, 0}, {"measured", NULL, AT_NONE, 0}, {"rho", NULL, AT_NONE, 0}, {"flop", NULL, AT_NONE, 0},
    {"unposted", NULL, AT_NONE, 0}, {"node", "none", AT_NONE, 0}, {"node_ports", "unlimited", AT_NONE, 0},
    {"lambda_node", NULL, AT_NONE, 0}, {"tau_node", NULL, AT_NONE, 0}, {"delta_node", NULL, AT_NONE, 0},
};

static int read_number(Reader *r, unsigned i, const char *value)
{
    char *end;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);     /* a program's own may have decimal commas */
    if (!plain)
        return refuse_memory();
    double number = strtod_l(value, &end, plain);
    freelocale(plain);
    if (!isdigit((unsigned char)*value) || *end || !(number < 9e15))
        return refuse("%s: line %u: %s: '%.60s' is not allowed; allowed: a number from 0 on", r->name, r->line,
                      numbers[i].name, value);
    memcpy((char *)&r->loaded->machine + numbers[i].at, &number, sizeof number);
    r->given |= (unsigned short)(1u << i);
    return ECUBE_OK;
}

static int read_constant(Reader *r, const char *key, const char *value)
{
    char allowed[128] = "";
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i].name, key) != 0)
            continue;
        if (words[i].word && strcmp(words[i].word, value) != 0) {
            snprintf(allowed + strlen(allowed), sizeof allowed - strlen(allowed), " %s", words[i].word);
            continue;
        }
        if (words[i].at != AT_NONE)
            memcpy((char *)&r->loaded->machine + words[i].at, &words[i].value, sizeof words[i].value);
        return ECUBE_OK;
    }
    for (unsigned i = 0; i < N_NUMBERS; i++)
        if (strcmp(numbers[i].name, key) == 0)
            return read_number(r, i, value);
    return refuse("%s: line %u: %.60s = '%.60s' is not allowed here; allowed:%s", r->name, r->line, key, value,
                  *allowed ? allowed : " keys of ecube's machines");
}

static int end_machine(Reader *r)
{
    Constants *c = &r->loaded->machine;
    if (r->loaded->has_machine && (~r->given & (1u << LAMBDA | 1u << TAU)))
        return refuse("%s: [machine] has no %s", r->name, r->given >> LAMBDA & 1 ? "tau" : "lambda");
    if (!(r->given >> LAMBDA_SHORT & 1))
        c->short_terms.lambda = c->long_terms.lambda;
    if (!(r->given >> TAU_SHORT & 1))
        c->short_terms.tau = c->long_terms.tau;
    if (!(r->given >> DELTA_HOP_SHORT & 1))
        c->short_terms.delta_hop = c->long_terms.delta_hop;
    if (!(r->given >> LAMBDA_ZERO & 1))
        c->lambda_zero = c->short_terms.lambda;
    return ECUBE_OK;
}

/* --- rules --- */

static int read_rule(Reader *r, const char *key, const char *value)
{
    ecube *e = r->loaded;
    char where[160], *end;
    errno = 0;
    unsigned long long from = strtoull(key, &end, 10);
    const Rule *last = e->n_rules ? &e->rules[e->n_rules - 1] : NULL;
    if (!isdigit((unsigned char)*key) || *end || errno || from >= SIZE_MAX)
        return refuse("%s: line %u: '%.60s' is not allowed; allowed: SIZE = LIST, from so many bytes a block on",
                      r->name, r->line, key);
    if (last && last->processes == r->processes && from <= last->from_bytes)
        return refuse("%s: line %u: '%.60s' is behind %zu; allowed: sizes in ascending order", r->name, r->line, key,
                      last->from_bytes);
    if (e->n_rules == e->room) {
        Rule *more = realloc(e->rules, (2 * e->room + 16) * sizeof *more);
        if (!more)
            return refuse_memory();
        e->rules = more;
        e->room = 2 * e->room + 16;
    }
    Rule rule = {NULL, r->processes, (size_t)from};
    snprintf(where, sizeof where, "%.120s: line %u", r->name, r->line);
    int code = strcmp(value, "library") == 0 ? ECUBE_OK : list_parse(where, r->processes, value, &rule.list);
    if (code == ECUBE_OK)
        e->rules[e->n_rules++] = rule;
    return code;
}

/* "[alltoall 12]", "[machine]", without the brackets; other sections of machine files are passed over. */
static int read_section(Reader *r, char *text)
{
    char *end;
    r->section = strcmp(text, "machine") == 0 ? IN_MACHINE : strncmp(text, "profile ", 8) == 0 ? IN_OTHER : NOWHERE;
    r->loaded->has_machine |= r->section == IN_MACHINE;
    if (r->section != NOWHERE)
        return ECUBE_OK;
    const char *digits = strncmp(text, "alltoall ", 9) == 0 ? text + 9 : "";
    unsigned long processes = isdigit((unsigned char)*digits) ? strtoul(digits, &end, 10) : 0;
    if (processes < 2 || processes > GROUP_SIZE_MAX || *end)
        return refuse("%s: line %u: [%.60s] is not allowed; allowed: [alltoall P], for 2 to %u processes, or [machine]",
                      r->name, r->line, text, GROUP_SIZE_MAX);
    for (unsigned i = 0; i < r->loaded->n_rules; i++)
        if (r->loaded->rules[i].processes == processes)
            return refuse("%s: line %u: [%.60s] is there twice", r->name, r->line, text);
    r->section = IN_RULES;
    r->processes = (unsigned)processes;
    return ECUBE_OK;
}

/* --- lines --- */

/* Without blanks at both ends; in place. */
static char *strip(char *text)
{
    text += strspn(text, " \t");
    size_t n = strlen(text);
    while (n && strchr(" \t\r", text[n - 1]))
        text[--n] = '\0';
    return text;
}

static int read_line(Reader *r, char *line)
{
    line = strip(line);
    size_t length = strlen(line);
    if (!*line || *line == '#' || (r->section == IN_OTHER && *line != '['))
        return ECUBE_OK;
    if (*line == '[' && line[length - 1] == ']') {
        line[length - 1] = '\0';
        return read_section(r, line + 1);
    }
    char *equals = strchr(line, '=');
    if (!equals || r->section == NOWHERE)
        return refuse("%s: line %u: '%.60s' is not allowed; allowed: [SECTION], below it KEY = VALUE, # comments",
                      r->name, r->line, line);
    *equals = '\0';
    char *key = strip(line), *value = strip(equals + 1);
    return r->section == IN_RULES ? read_rule(r, key, value) : read_constant(r, key, value);
}

static int read_lines(Reader *r, char *text)
{
    int code = ECUBE_OK;
    for (char *end; code == ECUBE_OK && text; text = end) {
        end = strchr(text, '\n');
        if (end)
            *end++ = '\0';
        r->line++;
        code = read_line(r, text);
    }
    if (code == ECUBE_OK && !r->loaded->has_machine && !r->loaded->n_rules)
        return refuse("%s: has neither rules, [alltoall P], nor a [machine]", r->name);
    return code == ECUBE_OK ? end_machine(r) : code;
}

int ecube_parse(const char *name, const char *text, ecube **loaded)
{
    char *copy = strdup(text);
    *loaded = calloc(1, sizeof **loaded);
    Reader r = {.loaded = *loaded, .name = name};
    int code = copy && *loaded && ((*loaded)->text = strdup(text)) ? ECUBE_OK : refuse_memory();
    if (code == ECUBE_OK) {
        (*loaded)->machine.short_limit = -1;
        code = read_lines(&r, copy);
    }
    free(copy);
    if (code != ECUBE_OK) {
        ecube_free(*loaded);
        *loaded = NULL;
    }
    return code;
}

#define FILE_MAX ((size_t)16 << 20)

/* All of an open file as a text. Caller frees. */
static int read_all(FILE *file, const char *path, char **text)
{
    size_t length = 0, room = 0, n;
    do {
        char *more = length < FILE_MAX ? realloc(*text, (room = 2 * room + 4096) + 1) : NULL;
        if (!more)
            return length < FILE_MAX ? refuse_memory() : refuse("%s: is too large", path);
        *text = more;
        length += n = fread(more + length, 1, room - length, file);
        more[length] = '\0';
    } while (n > 0);
    if (ferror(file))
        return refuse("%s: cannot be read: %s", path, strerror(errno));
    return strlen(*text) == length ? ECUBE_OK : refuse("%s: is no text", path);
}

int ecube_load(const char *path, ecube **loaded)
{
    char *text = NULL;
    FILE *file = fopen(path, "r");
    *loaded = NULL;
    if (!file)
        return refuse("%s: cannot be read: %s", path, strerror(errno));
    int code = read_all(file, path, &text);
    if (code == ECUBE_OK)
        code = ecube_parse(path, text, loaded);
    free(text);
    fclose(file);
    return code;
}

void ecube_free(ecube *loaded)
{
    if (!loaded)
        return;
    for (unsigned i = 0; i < loaded->n_rules; i++)
        ecube_list_free(loaded->rules[i].list);
    free(loaded->rules);
    free(loaded->text);
    free(loaded);
}

const char *ecube_text(const ecube *loaded)
{
    return loaded->text;
}

/* --- asking --- */

/* A compiled list like that of a rule, which holds up to the next one of this number. */
static int list_of_rule(const ecube *loaded, unsigned i, ecube_list **list)
{
    const Rule *rule = &loaded->rules[i], *next = i + 1 < loaded->n_rules ? rule + 1 : NULL;
    int code = ecube_list_parse(rule->processes, rule->list->text, list);
    if (code != ECUBE_OK)
        return code;
    (*list)->from_bytes = rule->from_bytes;
    (*list)->to_bytes = next && next->processes == rule->processes ? next->from_bytes - 1 : SIZE_MAX;
    return ECUBE_OK;
}

int ecube_best(const ecube *loaded, unsigned processes, size_t bytes, ecube_list **list)
{
    unsigned i = loaded->n_rules;
    *list = NULL;
    if (processes < 2 || bytes == 0)
        return ECUBE_LIBRARY;
    while (i > 0 && (loaded->rules[i - 1].processes != processes || loaded->rules[i - 1].from_bytes > bytes))
        i--;
    if (i > 0)
        return loaded->rules[i - 1].list ? list_of_rule(loaded, i - 1, list) : ECUBE_LIBRARY;
    return loaded->has_machine ? constants_best(&loaded->machine, processes, bytes, list) : ECUBE_LIBRARY;
}
