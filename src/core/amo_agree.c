/* SPDX-License-Identifier: BSD-3-Clause
 * See amo_agree.h.
 */
#include "core/amo_agree.h"

#include "base/clock.h"
#include "base/log.h"
#include "boot/boot.h"
#include "core/access/amo_provider.h"
#include "core/access/order.h"
#include "core/access/route.h"
#include "core/pe/job.h"
#include "core/team/note.h"
#include "core/team/sync.h"
#include "image/imports.h"
#include "survive/interface/survival.h"

#include <stdlib.h>
#include <string.h>

/* The note of each PE in the agreement. */
struct amo_note {
    sheaf_amo_set native, uses;
};

#define TRIALS 15 /* one more goes before */

static sheaf_amo_set native, uses;

/* With SHEAF_ATOMICS=auto: who has hinted blocks' operations is decided with the first of these blocks. */
static enum { UNDECIDED, PROCESSORS, NETWORK } choice;

/* The network provides the objects of a memory space, which was made so: hints do not end this. */
static bool serves_spaces;

/* Where members may die the engine offers none of the network's operations. */
static bool has_network(void)
{
    return sheaf_network && sheaf_survival->members_stay;
}

static bool is_auto(void)
{
    return sheaf_job.settings.atomics == SHEAF_ATOMICS_AUTO;
}

/* Whether the network's operations are in use, or asked for. */
static bool is_wanted(void)
{
    if (is_auto())
        return has_network() && (choice == NETWORK || serves_spaces);
    return has_network() && sheaf_job.settings.atomics != SHEAF_ATOMICS_CPU;
}

/* Only for a program that may want them are the network's operations made ready: they cost connections. */
int sheaf_amo_agree_wish(void)
{
    if (!is_auto())
        return sheaf_job.settings.atomics;
    bool may_want = sheaf_image_imports("shmem_malloc_with_hints", true) ||
                    sheaf_image_imports("shmemx_space_create", true);
    return may_want ? SHEAF_ATOMICS_HINTED : SHEAF_ATOMICS_CPU;
}

static void read_note(void *all, int rank, const void *note)
{
    struct amo_note *agreed = all, other;
    (void)rank;
    memcpy(&other, note, sizeof other);
    agreed->native &= other.native;
    agreed->uses |= other.uses;
}

/* The network provides an operation where all PEs' networks have it. An operation is used where one PE
 * uses it. */
static struct amo_note agree_on_operations(struct amo_note mine)
{
    struct sheaf_team *world = sheaf_team_world();
    struct amo_note all = mine;
    sheaf_team_gather(world, &mine, sizeof mine, read_note, &all);
    sheaf_sync(world);
    return all;
}

static void explain_missing(const char *why)
{
    char missing[128];
    if (sheaf_job.pe != 0 || is_auto())
        return;
    sheaf_amo_print(sheaf_amo_missing(native, uses), missing, sizeof missing);
    sheaf_warn("SH509 SHEAF_ATOMICS=%s: the network has no %s, nor cswap64 to build it from (%s): atomic "
               "operations stay the processors'; where the program uses none of these, declare what it "
               "uses: SHEAF_ATOMICS_USES or shmemx_atomics_declare()",
               sheaf_atomics_names[sheaf_job.settings.atomics], missing, why);
}

static void settle(struct amo_note all, const char *why)
{
    native = all.native;
    uses = all.uses;
    sheaf_amo_provider_set(native, uses, sheaf_amo_missing(native, uses) == 0);
    sheaf_route_open_atomics(!sheaf_far_reaches_near);
    if (!sheaf_far_reaches_near)
        explain_missing(why);
}

static void choose_provider(sheaf_amo_set own_native, sheaf_amo_set own_uses, const char *why)
{
    settle(agree_on_operations((struct amo_note){own_native, own_uses}), why);
}

int sheaf_amo_agree_init(void)
{
    char why[400] = "SHEAF_ATOMICS_NATIVE";
    const struct sheaf_settings *settings = &sheaf_job.settings;
    uses = settings->atomics_uses ? settings->atomics_uses : SHEAF_AMO_ALL;
    choice = UNDECIDED;
    serves_spaces = false;
    sheaf_amo_provider_set(native, uses, false);
    if (!is_wanted()) {
        if (settings->atomics != SHEAF_ATOMICS_CPU && !is_auto())
            sheaf_debug("SHEAF_ATOMICS=%s: there is no network in a job on one host",
                        sheaf_atomics_names[settings->atomics]);
        return 0;
    }
    sheaf_amo_set own = sheaf_network->native_atomics(why, sizeof why);
    choose_provider(own, uses, why);
    return 0;
}

/* With SHEAF_ATOMICS=auto, collective: whether the network has what the program uses. If so, it is ready to
 * provide objects. */
static bool can_provide(void)
{
    char why[400];
    bool is_ready = sheaf_amo_agree_wish() != SHEAF_ATOMICS_CPU;
    sheaf_amo_set own = is_ready ? sheaf_network->native_atomics(why, sizeof why) : 0;
    struct amo_note all = agree_on_operations((struct amo_note){own, uses});
    if (sheaf_amo_missing(all.native, all.uses) != 0)
        return false;
    settle(all, "as all PEs agree");
    return true;
}

bool sheaf_amo_agree_on_hints(void)
{
    if (!is_auto() || choice != UNDECIDED)
        return !is_auto() || choice == NETWORK;
    if (!can_provide())
        choice = PROCESSORS;
    return choice == UNDECIDED;
}

const char *sheaf_amo_agree_on_space(bool is_of_all)
{
    if (!sheaf_network)
        return "all PEs are on one host, and no network is in use";
    if (!has_network())
        return "with SHEAF_FAILURES=report the processors carry out all atomic operations";
    if (sheaf_job.settings.atomics == SHEAF_ATOMICS_CPU)
        return "SHEAF_ATOMICS=cpu leaves all atomic operations to the processors";
    if (!sheaf_far_reaches_near && is_auto() && !is_of_all)
        return "all PEs agree first on what the network can do: make one of SHMEM_TEAM_WORLD before it, or "
               "set SHEAF_ATOMICS=hinted";
    serves_spaces = sheaf_far_reaches_near || (is_auto() && can_provide());
    if (serves_spaces)
        return NULL;
    return "the network lacks atomic operations that the program uses: 'oshinfo --amo' lists what it has, "
           "shmemx_atomics_declare() says what is used";
}

static int compare_times(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* The median of some fetch-adds, in nanoseconds: of 1 and of -1 in turn, an even number of them. One of 0
 * that is built from compare-and-swap would write nothing. */
static uint64_t fetch_add_ns(void *word, int pe, bool by_network)
{
    struct sheaf_amo_call add = {.operation = SHEAF_AMO_ADD, .bytes = 8, .object = word, .operand = 1};
    uint64_t took[TRIALS];
    for (int i = -1; i < TRIALS; i++, add.operand = -add.operand) {
        uint64_t begin = sheaf_clock_ns();
        if (by_network)
            sheaf_amo_provider_fetch(&add, pe, SHMEM_CTX_DEFAULT, "SHEAF_ATOMICS=auto");
        else
            sheaf_checked_amo_fetch(&add, pe, SHMEM_CTX_DEFAULT, "SHEAF_ATOMICS=auto");
        if (i >= 0)
            took[i] = sheaf_clock_ns() - begin;
    }
    qsort(took, TRIALS, sizeof *took, compare_times);
    return took[TRIALS / 2];
}

/* By PE 0, on the first PE of another node, while all others wait. A network without any fetch-add, whose
 * other operations are all that the program uses, is not measured. */
static bool is_network_faster(void *word)
{
    int pe = 0;
    if (sheaf_amo_way(native, SHEAF_AMO_ADD, 8) == SHEAF_AMO_NOT)
        return true;
    while (sheaf_boot_node_of(pe) == sheaf_boot.node)
        pe++;
    uint64_t network_ns = fetch_add_ns(word, pe, true), message_ns = fetch_add_ns(word, pe, false);
    bool is_faster = network_ns < message_ns;
    sheaf_debug("SHEAF_ATOMICS=auto: a fetch-add on PE %d takes %llu ns by the network, %llu by message: "
                "atomic operations on hinted blocks are %s", pe, (unsigned long long)network_ns,
                (unsigned long long)message_ns, is_faster ? "the network's" : "the processors'");
    return is_faster;
}

bool sheaf_amo_agree_on_block(void *block)
{
    if (!is_auto() || choice != UNDECIDED)
        return true;
    bool agrees = sheaf_job.pe != 0 || is_network_faster(block);
    struct amo_note all = agree_on_operations((struct amo_note){agrees ? native : 0, uses});
    choice = sheaf_amo_missing(all.native, all.uses) == 0 ? NETWORK : PROCESSORS;
    if (choice == NETWORK || !serves_spaces)
        settle(all, "it is slower than messages");
    return choice == NETWORK;
}

bool sheaf_amo_agree_declare(sheaf_amo_set declared)
{
    sheaf_quiet_before_sync();
    sheaf_sync(sheaf_team_world());
    if (is_wanted())
        choose_provider(native, declared, "as all PEs agree");
    else
        sheaf_amo_provider_set(native, uses = declared, false);
    return sheaf_far_reaches_near;
}
