/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests, by the rule NO_INJECT: imitates a provider that reads data after the call. Data is given to
 * the provider in a later turn, and counts as given until then. So a user who reuses its memory too early
 * sends wrong data. Also: the end of a send or an access, by its context.
 */
#include "engine/ofi/ofi.h"

static struct sheaf_ofi_access *access_of(struct sheaf_ofi_context *context)
{
    return (struct sheaf_ofi_access *)(void *)((char *)context - offsetof(struct sheaf_ofi_access,
                                                                          context));
}

static struct sheaf_ofi_send_buffer *send_buffer_of(struct sheaf_ofi_context *context)
{
    return (struct sheaf_ofi_send_buffer *)(void *)((char *)context - offsetof(struct sheaf_ofi_send_buffer,
                                                                               context));
}

void sheaf_ofi_complete(struct sheaf_ofi_context *context, const char *why)
{
    if (context->kind == SHEAF_OFI_SEND)
        sheaf_ofi_send_ended(send_buffer_of(context), why);
    else
        sheaf_ofi_access_ended(access_of(context), why);
}

static ssize_t give_postponed(struct sheaf_ofi_context *context)
{
    return context->kind == SHEAF_OFI_SEND ? sheaf_ofi_give_send(send_buffer_of(context))
                                            : sheaf_ofi_give_access(access_of(context));
}

static sheaf_transport_link *link_of(struct sheaf_ofi_context *context)
{
    return context->kind == SHEAF_OFI_SEND ? send_buffer_of(context)->link : access_of(context)->link;
}

/* Whether an earlier one of the same link was not accepted. */
static bool has_to_wait(const struct sheaf_ofi_late *refused, struct sheaf_ofi_context *context)
{
    struct sheaf_ofi_context *other = refused->first;
    while (other && link_of(other) != link_of(context))
        other = other->next_late;
    return other != NULL;
}

static ssize_t try_postponed(const struct sheaf_ofi_late *refused, struct sheaf_ofi_context *context)
{
    return has_to_wait(refused, context) ? -FI_EAGAIN : give_postponed(context);
}

static void append_late(struct sheaf_ofi_late *late, struct sheaf_ofi_context *context)
{
    for (struct sheaf_ofi_context *next; context; context = next) {
        next = context->next_late;
        sheaf_ofi_put_late(late, context);
    }
}

/* Those that are not accepted now stay before those that are started meanwhile. */
bool sheaf_ofi_give_late(sheaf_transport_port *port)
{
    struct sheaf_ofi_late refused = {0};
    struct sheaf_ofi_context *context = port->late.first, *next;
    bool any = false;
    port->late.first = NULL;
    for (; context; context = next) {
        const char *why = link_of(context)->why;
        next = context->next_late;
        ssize_t status = why ? -FI_ECANCELED : try_postponed(&refused, context);
        any |= status != -FI_EAGAIN;
        if (status == -FI_EAGAIN)
            sheaf_ofi_put_late(&refused, context);
        else if (status != 0)
            sheaf_ofi_complete(context, why ? why : sheaf_ofi_words(status));
    }
    append_late(&refused, port->late.first);
    port->late = refused;
    return any;
}
