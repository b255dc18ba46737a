/* SPDX-License-Identifier: BSD-3-Clause
 * See identifier.h.
 */
#include "boot/launcher/rendezvous/identifier.h"

#include "base/log.h"
#include "base/os/host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BACKLOG 1024 /* processes may come before this one waits for them */

static struct {
    struct sheaf_listeners listeners;
    char text[SHEAF_INVITATION];
    int pid; /* of the process that made it, of which this one may be a child; 0: none is made */
} made;

static struct {
    bool is_set;
    struct sheaf_rendezvous_plan plan;
} chosen;

static void close_made(void)
{
    const struct sheaf_rendezvous_plan no_file = {.way = SHEAF_RENDEZVOUS_BY_ID};
    sheaf_listeners_close(&made.listeners, &no_file);
    made.pid = 0;
}

int sheaf_identifier_make(char text[SHEAF_INVITATION], const char *call)
{
    if (made.pid != 0 && made.pid != getpid())
        close_made();
    if (made.pid == 0 && sheaf_listeners_invite(&made.listeners, BACKLOG, made.text) != 0) {
        sheaf_error("SH411 %s: host %s cannot listen for the other processes: %s", call,
                    sheaf_os_host_name().text, strerror(errno));
        close_made();
        return -1;
    }
    made.pid = getpid();
    memcpy(text, made.text, sizeof made.text);
    return 0;
}

static const char *why_not(const char text[SHEAF_INVITATION], struct sheaf_invitation *invitation)
{
    if (!memchr(text, '\0', SHEAF_INVITATION))
        return "it has no end";
    return text[0] ? sheaf_invitation_parse(text, invitation) : "it is empty";
}

int sheaf_identifier_choose(int rank, int size, const char text[SHEAF_INVITATION], const char *call)
{
    struct sheaf_invitation invitation;
    struct sheaf_rendezvous_plan *plan = &chosen.plan;
    const char *why = why_not(text, &invitation);
    if (why) {
        sheaf_error("SH412 %s: id is not what shmemx_get_uniqueid has made: %s. Carry all %d bytes of "
                    "shmemx_uniqueid_t", call, why, SHEAF_INVITATION);
        return -1;
    }
    bool is_own = made.pid == getpid() && strcmp(made.text, text) == 0;
    if (made.pid != 0 && !is_own) /* another's is used: nobody comes here */
        close_made();
    *plan = (struct sheaf_rendezvous_plan){.rank = rank,
                                           .size = size,
                                           .is_root = is_own,
                                           .way = SHEAF_RENDEZVOUS_BY_ID,
                                           .set_by = call,
                                           .rank_name = "rank",
                                           .size_name = "size",
                                           .where_name = "identifier",
                                           .timeout_ns = sheaf_rendezvous_timeout()};
    snprintf(plan->where, sizeof plan->where, "the identifier's maker, process %d,", invitation.pid);
    snprintf(plan->root, sizeof plan->root, "the identifier's maker, process %d on host %s,",
             invitation.pid, invitation.host);
    snprintf(plan->secret, sizeof plan->secret, "%s", invitation.secret);
    memcpy(plan->invitation, text, sizeof plan->invitation);
    chosen.is_set = true;
    return 0;
}

void sheaf_identifier_drop(void)
{
    close_made();
    chosen.is_set = false;
}

const struct sheaf_rendezvous_plan *sheaf_identifier_plan(void)
{
    return chosen.is_set ? &chosen.plan : NULL;
}

void sheaf_identifier_take(struct sheaf_listeners *listeners)
{
    *listeners = made.listeners;
    made.listeners = (struct sheaf_listeners){0};
    made.pid = 0;
}
