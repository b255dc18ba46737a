/* SPDX-License-Identifier: BSD-3-Clause
 *
 * adapter.h in a build without headers of libibverbs: open fails, and nothing else is called then.
 */
#include "engine/verbs/adapter.h"

#include <errno.h>
#include <stdio.h>

sheaf_amo_set sheaf_adapter_open(const char *port, char *why, size_t size)
{
    snprintf(why, size, "those of the adapter %s are not built in: libibverbs-dev was missing", port);
    return 0;
}

void sheaf_adapter_close(void)
{
}

const char *sheaf_adapter_name(void)
{
    return "";
}

int sheaf_adapter_register(void *start, size_t bytes, uint32_t *key)
{
    (void)start, (void)bytes, (void)key;
    return ENOTSUP;
}

void sheaf_adapter_unregister(uint32_t key)
{
    (void)key;
}

sheaf_adapter_queue *sheaf_adapter_connect(struct sheaf_adapter_end *own)
{
    (void)own;
    return NULL;
}

bool sheaf_adapter_complete(sheaf_adapter_queue *queue, const struct sheaf_adapter_end *own,
                            const struct sheaf_adapter_end *other)
{
    (void)queue, (void)own, (void)other;
    return false;
}

sheaf_adapter_queue *sheaf_adapter_accept(const struct sheaf_adapter_end *other,
                                          struct sheaf_adapter_end *own)
{
    (void)other, (void)own;
    return NULL;
}

bool sheaf_adapter_is_end(const struct sheaf_adapter_end *end)
{
    (void)end;
    return false;
}

void sheaf_adapter_disconnect(sheaf_adapter_queue *queue)
{
    (void)queue;
}

bool sheaf_adapter_post(sheaf_adapter_queue *queue, const struct sheaf_adapter_call *call)
{
    (void)queue, (void)call;
    return false;
}

int sheaf_adapter_poll(struct sheaf_adapter_result *results)
{
    (void)results;
    return 0;
}
