/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table; start and stop.
 */
#include "engine/several/several.h"

#include "base/log.h"
#include "base/os/host.h"

#include <stdio.h>
#include <string.h>

/* By their enum sheaf_engine_name, in the order in which they are preferred. */
static const struct {
    int name;
    const struct sheaf_transport *transport;
} candidates[SHEAF_SEVERAL_MEMBERS] = {
    {SHEAF_ENGINE_UCX, &sheaf_transport_ucx},
    {SHEAF_ENGINE_OFI, &sheaf_transport_ofi},
    {SHEAF_ENGINE_MPI, &sheaf_transport_mpi},
};

static bool drives_fabric(const struct sheaf_transport *transport)
{
    return transport->drives_fabric && transport->drives_fabric();
}

/* MPI's windows are made by all PEs together, and other PEs' networks have none. */
static void prepare_member(struct sheaf_several_member *member, const struct sheaf_transport *transport)
{
    const struct sheaf_transport_user *user = sheaf_several_state.user;
    *member = (struct sheaf_several_member){.transport = transport, .job = *user->job, .user = *user};
    member->job.atomics = SHEAF_ATOMICS_CPU;
    member->job.native_atomics = 0;
    if (transport == &sheaf_transport_mpi)
        member->job.rma = SHEAF_RMA_MESSAGE;
    member->user.job = &member->job;
    member->user.arrived = sheaf_several_arrived;
    member->user.destination = sheaf_several_destination;
}

/* Returns -1 where its library is here and does not start; that has printed the reason. MPI has to be on
 * all hosts, whose PEs start it together. */
static int start_member(const struct sheaf_transport *transport)
{
    struct sheaf_several_member *member = &sheaf_several_state.members[sheaf_several_state.count];
    if (transport != &sheaf_transport_mpi && !transport->is_installed()) {
        sheaf_debug("SHEAF_ENGINE: %s is not on host %s (oshinfo says why)", transport->title,
                    sheaf_os_host_name().text);
        return 0;
    }
    prepare_member(member, transport);
    if (transport->start(&member->user, &member->abilities) != 0)
        return -1;
    sheaf_several_state.count++;
    return 0;
}

static void several_stop(void)
{
    while (sheaf_several_state.count > 0)
        sheaf_several_state.members[--sheaf_several_state.count].transport->stop();
}

static void add_abilities(struct sheaf_transport_abilities *all, const struct sheaf_several_member *member)
{
    const struct sheaf_transport_abilities *own = &member->abilities;
    all->has_direct |= own->has_direct;
    all->locks_nothing &= own->locks_nothing;
    all->sends_whole &= own->sends_whole;
    all->longest = own->longest > all->longest ? own->longest : all->longest;
}

static int start_members(bool of_fabrics)
{
    unsigned wanted = sheaf_several_state.user->job->networks;
    int error = 0;
    for (unsigned i = 0; i < SHEAF_SEVERAL_MEMBERS && !error; i++)
        if (wanted & 1U << candidates[i].name && drives_fabric(candidates[i].transport) == of_fabrics)
            error = start_member(candidates[i].transport);
    return error;
}

static int several_start(const struct sheaf_transport_user *user,
                         struct sheaf_transport_abilities *abilities)
{
    sheaf_several_state = (struct sheaf_several_state){.user = user};
    if (start_members(true) != 0 || start_members(false) != 0) {
        several_stop();
        return -1;
    }
    if (sheaf_several_state.count == 0) {
        sheaf_error("SH503 SHEAF_ENGINE: host %s has none of the networks that it names: install UCX "
                    "(Debian: libucx0) or libfabric (libfabric1); oshinfo says what is missing",
                    sheaf_os_host_name().text);
        return -1;
    }
    *abilities = (struct sheaf_transport_abilities){.locks_nothing = true, .sends_whole = true};
    for (unsigned i = 0; i < sheaf_several_state.count; i++)
        add_abilities(abilities, &sheaf_several_state.members[i]);
    return 0;
}

static bool several_is_installed(void)
{
    for (unsigned i = 0; i < SHEAF_SEVERAL_MEMBERS; i++)
        if (candidates[i].transport->is_installed())
            return true;
    return false;
}

static bool several_drives_fabric(void)
{
    for (unsigned i = 0; i < SHEAF_SEVERAL_MEMBERS; i++)
        if (drives_fabric(candidates[i].transport))
            return true;
    return false;
}

static bool several_describe(FILE *out)
{
    fprintf(out, "each peer by the first of the networks named that both hosts have: ucx, ofi, mpi; one "
                 "that drives this host's fabric before others\n");
    return several_is_installed();
}

static sheaf_amo_set several_native_atomics(char *why, size_t size)
{
    snprintf(why, size, "with several networks an object's atomic operations are the processors', which "
                        "is the one place that all of them reach");
    return 0;
}

static void several_send(sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    sheaf_several_member_of(link)->transport->send(sheaf_several_own(link), message);
}

static void several_give_up(sheaf_transport_link *link)
{
    const struct sheaf_transport *transport = sheaf_several_member_of(link)->transport;
    if (transport->give_up)
        transport->give_up(sheaf_several_own(link));
}

static void several_look(void)
{
    for (unsigned i = 0; i < sheaf_several_state.count; i++)
        if (sheaf_several_state.members[i].transport->look)
            sheaf_several_state.members[i].transport->look();
}

static const char *several_title_of(const sheaf_transport_link *link)
{
    return sheaf_several_member_of(link)->transport->title;
}

static const char *several_devices_of(const sheaf_transport_link *link)
{
    const struct sheaf_transport *transport = sheaf_several_member_of(link)->transport;
    return transport->devices_of ? transport->devices_of(sheaf_several_own(link)) : "";
}

const struct sheaf_transport sheaf_transport_several = {
    .name = "several",
    .title = "several networks",
    .start = several_start,
    .stop = several_stop,
    .is_installed = several_is_installed,
    .drives_fabric = several_drives_fabric,
    .describe = several_describe,
    .native_atomics = several_native_atomics,
    .open = sheaf_several_open,
    .close = sheaf_several_close,
    .address = sheaf_several_address,
    .connect = sheaf_several_connect,
    .link_abilities = sheaf_several_link_abilities,
    .title_of = several_title_of,
    .devices_of = several_devices_of,
    .send = several_send,
    .fetch = sheaf_several_fetch,
    .turn = sheaf_several_turn,
    .descriptor = sheaf_several_descriptor,
    .arm = sheaf_several_arm,
    .needs_turns = sheaf_several_needs_turns,
    .look = several_look,
    .give_up = several_give_up,
    .direct = &sheaf_several_direct,
};
