/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records deaths in the control area: see control.h. A process may die while it records a death, and
 * several may record deaths at the same time: so each caller completes what another has begun.
 */
#include "image/control.h"

#include "base/os/os.h"

/* Counts the first listed death that is not counted yet. */
static void finish_death(struct sheaf_control *control, uint32_t count, int slot)
{
    struct sheaf_pe *entry = sheaf_control_pe(control, slot);
    sheaf_store_relaxed(&entry->died, count + 1);
    sheaf_store_release(&entry->presence, SHEAF_PE_DEAD);
    __atomic_compare_exchange_n(&control->deaths, &count, count + 1, false, __ATOMIC_ACQ_REL,
                                __ATOMIC_RELAXED);
    sheaf_os_futex_wake(&control->deaths);
}

static bool is_counted(struct sheaf_control *control, int slot)
{
    uint32_t presence = sheaf_load_acquire(&sheaf_control_pe(control, slot)->presence);
    return presence == SHEAF_PE_DEAD || presence == SHEAF_PE_WANTED;
}

/* Starts at the count as it was read: deaths below it were complete then. */
bool sheaf_control_list_death(struct sheaf_control *control, int slot)
{
    uint32_t at = sheaf_load_acquire(&control->deaths);
    if (is_counted(control, slot))
        return false;
    for (; at < SHEAF_MOST_DEATHS; at++) {
        int32_t there = 0;
        if (__atomic_compare_exchange_n(&control->dead[at], &there, slot + 1, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            return true;
        if (there == slot + 1)
            return false;
    }
    return false;
}

bool sheaf_control_tell_death(struct sheaf_control *control, int pe)
{
    struct sheaf_pe_location *location = sheaf_control_location(control, pe);
    uint32_t count = control->deaths;
    if (location->presence == SHEAF_PE_DEAD || count >= SHEAF_MOST_DEATHS)
        return false;
    sheaf_store_release(&location->incarnation_state, location->incarnation_state | 1);
    if (location->node == control->node) {
        struct sheaf_pe *entry = sheaf_control_pe(control, location->slot);
        sheaf_store_relaxed(&entry->died, count + 1);
        sheaf_store_release(&entry->presence, SHEAF_PE_DEAD);
    }
    control->dead[count] = pe + 1;
    sheaf_store_relaxed(&location->died, count + 1);
    sheaf_store_release(&location->presence, SHEAF_PE_DEAD);
    sheaf_store_release(&control->deaths, count + 1);
    sheaf_os_futex_wake(&control->deaths);
    return true;
}

static void set_presence(struct sheaf_control *control, struct sheaf_pe_location *location,
                         uint32_t presence)
{
    if (location->node == control->node)
        sheaf_store_release(&sheaf_control_pe(control, location->slot)->presence, presence);
    sheaf_store_release(&location->presence, presence);
}

bool sheaf_control_revive(struct sheaf_control *control, int pe)
{
    struct sheaf_pe_location *location = sheaf_control_location(control, pe);
    if (location->presence != SHEAF_PE_DEAD || location->incarnation_state / 2 >= SHEAF_MOST_INCARNATIONS)
        return false;
    sheaf_store_release(&location->incarnation_state, location->incarnation_state + 1);
    set_presence(control, location, SHEAF_PE_STARTED);
    return true;
}

void sheaf_control_settle(struct sheaf_control *control, int pe, uint32_t deaths)
{
    struct sheaf_pe_location *location = sheaf_control_location(control, pe);
    if (location->presence == SHEAF_PE_STARTED && location->died <= deaths)
        set_presence(control, location, SHEAF_PE_THERE);
}

static const struct sheaf_pe_location *location_of(const struct sheaf_control *control, int pe)
{
    return (const struct sheaf_pe_location *)((const char *)control + control->locations_offset) + pe;
}

static const struct sheaf_pe *entry_of(const struct sheaf_control *control, int pe)
{
    return (const struct sheaf_pe *)((const char *)control + control->pes_offset) + pe;
}

uint32_t sheaf_control_presence(const struct sheaf_control *control, int pe)
{
    return sheaf_load_acquire(control->nodes > 1 ? &location_of(control, pe)->presence
                                                 : &entry_of(control, pe)->presence);
}

uint32_t sheaf_control_died(const struct sheaf_control *control, int pe)
{
    return sheaf_load_acquire(control->nodes > 1 ? &location_of(control, pe)->died : &entry_of(control,
                                                                                               pe)->died);
}

uint32_t sheaf_control_incarnation_state(const struct sheaf_control *control, int pe)
{
    return control->nodes > 1 ? sheaf_load_acquire(&location_of(control, pe)->incarnation_state) : 0;
}

void sheaf_control_count_deaths(struct sheaf_control *control)
{
    for (;;) {
        uint32_t count = sheaf_load_acquire(&control->deaths);
        int32_t next = count < SHEAF_MOST_DEATHS ? sheaf_load_acquire(&control->dead[count]) : 0;
        if (next == 0)
            return;
        finish_death(control, count, next - 1);
    }
}
