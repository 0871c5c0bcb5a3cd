#include "mailbox.h"

#define BITS_FIRST 2

static gsize n_lists(const Mailbox *mailbox)
{
    return mailbox->table ? (gsize)1 << mailbox->bits : 0;
}

/* Sources often differ in a few bits only; the multiplier (2^32 over the golden ratio) spreads them. */
static Parcel **list_of(const Mailbox *mailbox, guint source)
{
    return &mailbox->table[(guint32)(source * 2654435769u) >> (32 - mailbox->bits)];
}

/* Puts a list of parcels, in its order, behind those of the same sources. */
static void enter(Mailbox *mailbox, Parcel *parcels)
{
    for (Parcel *parcel = parcels, *next; parcel; parcel = next) {
        Parcel **link = list_of(mailbox, parcel->source);
        while (*link)
            link = &(*link)->next;
        next = parcel->next;
        parcel->next = NULL;
        *link = parcel;
    }
}

/* Makes the table, or makes it larger, so that it has a list for every parcel. */
static void grow(Mailbox *mailbox)
{
    gsize n_old = n_lists(mailbox);
    g_autofree Parcel **old = mailbox->table;
    mailbox->bits = MAX(BITS_FIRST, g_bit_storage(mailbox->count - 1));
    mailbox->table = g_new0(Parcel *, (gsize)1 << mailbox->bits);
    for (gsize i = 0; i < n_old; i++)
        enter(mailbox, old[i]);
}

static Parcel *reverse(Parcel *list)
{
    Parcel *reversed = NULL;
    for (Parcel *next; list; list = next) {
        next = list->next;
        list->next = reversed;
        reversed = list;
    }
    return reversed;
}

static void settle(Mailbox *mailbox)
{
    if (mailbox->count > n_lists(mailbox))
        grow(mailbox);
    enter(mailbox, reverse(g_steal_pointer(&mailbox->recent)));
}

void mailbox_put(Mailbox *mailbox, Parcel *parcel)
{
    parcel->next = mailbox->recent;
    mailbox->recent = parcel;
    mailbox->count++;
}

Parcel *mailbox_take(Mailbox *mailbox, guint source)
{
    if (mailbox->count == 0)
        return NULL;
    settle(mailbox);
    Parcel **link = list_of(mailbox, source);
    while (*link && (*link)->source != source)
        link = &(*link)->next;
    Parcel *found = *link;
    if (found) {
        *link = found->next;
        mailbox->count--;
    }
    return found;
}

const Parcel *mailbox_first(Mailbox *mailbox)
{
    const Parcel *first = NULL;
    settle(mailbox);
    for (gsize i = 0; i < n_lists(mailbox); i++)
        for (const Parcel *parcel = mailbox->table[i]; parcel; parcel = parcel->next)
            if (!first || parcel->source < first->source)
                first = parcel;
    return first;
}

void mailbox_clear(Mailbox *mailbox)
{
    parcels_free(mailbox->recent);
    for (gsize i = 0; i < n_lists(mailbox); i++)
        parcels_free(mailbox->table[i]);
    g_free(mailbox->table);
    *mailbox = (Mailbox){0};
}
