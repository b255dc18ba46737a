/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The records of groups, so that a group which a program passes is known before its record is used.
 */
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>

static struct sheaf_armci_group *groups; /* all but the world */
static pthread_mutex_t groups_lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_group(const struct sheaf_armci_group *record)
{
    if (record == &sheaf_armci.world)
        return true;
    pthread_mutex_lock(&groups_lock);
    struct sheaf_armci_group *group = groups;
    while (group && group != record)
        group = group->next;
    pthread_mutex_unlock(&groups_lock);
    return group != NULL;
}

struct sheaf_armci_group *sheaf_armci_group(const char *call, const ARMCI_Group *group,
                                            bool is_member)
{
    sheaf_armci_check_up(call);
    if (!group || !is_group(group->group))
        sheaf_armci_refuse(call, "group %p was not created, or is freed", (const void *)group);
    if (is_member && group->group->rank < 0)
        sheaf_armci_refuse(call, "group %p is one of others: process %d is no member",
                           (const void *)group, sheaf_armci.me);
    return group->group;
}

void sheaf_armci_record_add(struct sheaf_armci_group *added)
{
    pthread_mutex_lock(&groups_lock);
    added->next = groups;
    groups = added;
    pthread_mutex_unlock(&groups_lock);
}

static void free_record(struct sheaf_armci_group *group)
{
    free(group->pes);
    free(group);
}

void sheaf_armci_record_remove(struct sheaf_armci_group *removed)
{
    struct sheaf_armci_group **at = &groups;
    pthread_mutex_lock(&groups_lock);
    while (*at != removed)
        at = &(*at)->next;
    *at = removed->next;
    pthread_mutex_unlock(&groups_lock);
    free_record(removed);
}

void sheaf_armci_records_fini(void)
{
    while (groups) {
        struct sheaf_armci_group *next = groups->next;
        free_record(groups);
        groups = next;
    }
}
