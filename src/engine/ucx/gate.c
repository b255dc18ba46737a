/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Controls who may connect. Before any message reaches the protocol, UCX reads and trusts data of the
 * connection that names places in memory. So a TCP connection between PEs begins with the job's key, which
 * UCX does not see. The key is sent before UCX's first bytes, and a connection that begins otherwise is
 * closed before UCX gets it. UCX's TCP transport calls two functions of UCX's other library for this, and
 * that library calls listen(). Once they are loaded, the entries for these in their tables of symbols are
 * changed to functions of ours. Other users of UCX in this process keep their listeners and connections as
 * they are.
 */
#include "engine/ucx/ucx.h"

#include "engine/gate.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

__thread bool sheaf_ucx_is_inside __attribute__((tls_model("initial-exec")));

/* As in ucs/sys/sock.h, which not every package has. */
typedef ucs_status_t accept_function(int, struct sockaddr *, socklen_t *, int *);
typedef ucs_status_t send_function(int, const void *, size_t);
static accept_function *real_accept;
static send_function *real_send;

/* Most strangers refused in one call, before UCX does other work. */
#define MOST_REFUSED 16

/* As ucs_socket_accept(), with one difference. UCX closes its listener for good after any failure, also
 * when this process merely has no free descriptor at present. */
static ucs_status_t accept_from(int listener, struct sockaddr *address, socklen_t *length, int *fd)
{
    *fd = accept(listener, address, length);
    if (*fd >= 0)
        return UCS_OK;
    if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)
        return UCS_ERR_NO_PROGRESS;
    return sheaf_gate_pauses(errno, sheaf_ucx_state.user) ? UCS_ERR_NO_PROGRESS : UCS_ERR_IO_ERROR;
}

static ucs_status_t ucx_gated_accept(int listener, struct sockaddr *address, socklen_t *length, int *fd)
{
    socklen_t room = *length;
    if (!sheaf_ucx_is_our_listener(listener))
        return real_accept(listener, address, length, fd);
    for (int i = 0; i < MOST_REFUSED; i++) {
        *length = room;
        ucs_status_t status = accept_from(listener, address, length, fd);
        if (status != UCS_OK || sheaf_gate_shows_key(*fd, sheaf_ucx_state.user->job))
            return status;
        sheaf_gate_refuse(*fd, address, sheaf_ucx_state.user);
    }
    return UCS_ERR_NO_PROGRESS;
}

/* The first bytes that UCX sends on a connection. */
static const uint64_t beginning = UINT64_C(0xCAFEBABE12345678);

static ucs_status_t ucx_send_key(int fd)
{
    const struct sheaf_engine_job *job = sheaf_ucx_state.user->job;
    return real_send(fd, job->key, sizeof job->key);
}

/* Other users of UCX call this too, before this engine's start and after its end. */
static ucs_status_t ucx_gated_send(int fd, const void *bytes, size_t length)
{
    bool begins = sheaf_ucx_is_inside && length >= sizeof beginning &&
                  memcmp(bytes, &beginning, sizeof beginning) == 0;
    ucs_status_t status = begins ? ucx_send_key(fd) : UCS_OK;
    return status == UCS_OK ? real_send(fd, bytes, length) : status;
}

/* Replaces accept last: without the others it would refuse every PE. */
static bool ucx_install_hooks(void)
{
    real_accept = (accept_function *)sheaf_ucx_symbol("ucs_socket_accept");
    real_send = (send_function *)sheaf_ucx_symbol("ucs_socket_send");
    return real_accept && real_send && sheaf_ucx_know_listeners() &&
           sheaf_ucx_hook("uct", "ucs_socket_send", (void *)ucx_gated_send) &&
           sheaf_ucx_hook("uct", "ucs_socket_accept", (void *)ucx_gated_accept);
}

bool sheaf_ucx_gate(void)
{
    static enum { UNKNOWN, OPEN, GATED } state;
    if (state == UNKNOWN)
        state = ucx_install_hooks() ? GATED : OPEN;
    return state == GATED;
}
