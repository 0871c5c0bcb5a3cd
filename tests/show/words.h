/* Words and numbers of a text: what is read is behind `*at` then, and what is not there fails the test. */
#pragma once

#include "reader.h"

#include <string.h>

static inline gboolean accept(const char **at, const char *word)
{
    if (!g_str_has_prefix(*at, word))
        return FALSE;
    *at += strlen(word);
    return TRUE;
}

static inline void expect(const char **at, const char *word)
{
    ck_assert_msg(accept(at, word), "'%s' is missing in front of: %.60s", word, *at);
}

static inline gint64 number(const char **at)
{
    char *end;
    ck_assert_msg(g_ascii_isdigit(**at), "a number is missing in front of: %.60s", *at);
    gint64 value = g_ascii_strtoll(*at, &end, 10);
    *at = end;
    return value;
}

/* "1 byte", "2 bytes" */
static inline gint64 count(const char **at, const char *noun)
{
    gint64 n = number(at);
    expect(at, " ");
    expect(at, noun);
    ck_assert_int_eq(accept(at, "s"), n != 1);
    return n;
}

static inline GArray *numbers_new(void)
{
    return g_array_new(FALSE, FALSE, sizeof(guint));
}

static inline void add(GArray *numbers, guint n)
{
    g_array_append_val(numbers, n);
}

/* "3, 5-7" */
static inline void range(const char **at, GArray *numbers)
{
    guint first = (guint)number(at), last = accept(at, "-") ? (guint)number(at) : first;
    ck_assert_uint_le(first, last);
    for (guint i = first; i <= last; i++)
        add(numbers, i);
}

static inline gboolean another(const char **at)
{
    if (!g_str_has_prefix(*at, ", ") || !g_ascii_isdigit((*at)[2]))
        return FALSE;
    *at += 2;
    return TRUE;
}

static inline void slots(const char **at, GArray *numbers)
{
    if (accept(at, "no slots"))
        return;
    expect(at, "slot");
    gboolean several = accept(at, "s");
    expect(at, " ");
    do
        range(at, numbers);
    while (another(at));
    ck_assert_int_eq(several, numbers->len > 1);
}
