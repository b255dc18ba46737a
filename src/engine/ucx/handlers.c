/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handlers of messages. A worker sets some ten of them for each of its interfaces, and takes them away at
 * its end. For each one UCX asks the interface for its attributes, of which it uses one bit that never
 * changes. Over TCP each answer takes three sockets and a file of /proc: 170 of the 200 sockets that a PE
 * opened from start to end. Two entries in UCX's tables of symbols are changed to functions of ours, so
 * that an interface's first answer serves for all its handlers.
 */
#include "engine/ucx/ucx.h"

#include <pthread.h>
#include <uct/api/uct.h>

typedef __typeof__(uct_iface_query) query_function;
typedef __typeof__(uct_iface_set_am_handler) set_function;
static query_function *real_query;
static set_function *real_set;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uct_iface_h known; /* whose attributes these are */
static uct_iface_attr_t attributes;
/* This thread is in set_handler(), and has the lock. */
static __thread bool sets_handler __attribute__((tls_model("initial-exec")));

static ucs_status_t query_once(uct_iface_h interface, uct_iface_attr_t *answer)
{
    if (!sets_handler)
        return real_query(interface, answer);
    if (interface != known) {
        ucs_status_t status = real_query(interface, &attributes);
        known = status == UCS_OK ? interface : NULL;
        if (status != UCS_OK)
            return status;
    }
    *answer = attributes;
    return UCS_OK;
}

static ucs_status_t set_handler(uct_iface_h interface, uint8_t id, uct_am_callback_t callback,
                                void *argument, uint32_t flags)
{
    pthread_mutex_lock(&lock);
    sets_handler = true;
    ucs_status_t status = real_set(interface, id, callback, argument, flags);
    sets_handler = false;
    pthread_mutex_unlock(&lock);
    return status;
}

void sheaf_ucx_ask_again(void)
{
    pthread_mutex_lock(&lock);
    known = NULL;
    pthread_mutex_unlock(&lock);
}

/* The attributes of another version may have another size. */
static bool is_headers_version(void)
{
    unsigned major, minor, release;
    sheaf_ucx.ucp_get_version(&major, &minor, &release);
    return major == UCP_API_MAJOR && minor == UCP_API_MINOR;
}

void sheaf_ucx_ask_once(void)
{
    if (real_query || !is_headers_version())
        return;
    real_query = (query_function *)sheaf_ucx_symbol("uct_iface_query");
    real_set = (set_function *)sheaf_ucx_symbol("uct_iface_set_am_handler");
    if (real_query && real_set && sheaf_ucx_hook("uct", "uct_iface_query", (void *)query_once))
        sheaf_ucx_hook("ucp", "uct_iface_set_am_handler", (void *)set_handler);
}
