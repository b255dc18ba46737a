/* SPDX-License-Identifier: BSD-3-Clause
 * See node_list.h.
 */
#include "boot/world/node_list.h"

#include <stdlib.h>
#include <string.h>

/* PEs first, first + stride, ... */
struct run {
    int32_t first, stride, count;
};

/* The value. */
struct node_list {
    struct sheaf_pe_record record;
    uint32_t runs, unused;
    struct run run[];
};

bool sheaf_pe_records_are_alike(const struct sheaf_pe_record *one, const struct sheaf_pe_record *other)
{
    return memcmp(one->version, other->version, sizeof one->version) == 0 &&
           one->identity == other->identity && one->host_identity == other->host_identity &&
           one->executable == other->executable && one->data_length == other->data_length &&
           one->is_apart == other->is_apart && memcmp(&one->where, &other->where, sizeof one->where) == 0;
}

/* The run that begins with the first of count PEs. */
static struct run run_of(const int *pes, int count)
{
    struct run run = {.first = pes[0], .stride = count > 1 ? pes[1] - pes[0] : 1, .count = 1};
    while (run.count < count && pes[run.count] == run.first + run.count * run.stride)
        run.count++;
    return run;
}

void *sheaf_node_list_make(const struct sheaf_pe_record *record, const int *pes, int count, size_t *bytes)
{
    struct node_list *list = calloc(1, sizeof *list + (size_t)count * sizeof list->run[0]);
    if (!list)
        return NULL;
    list->record = *record;
    for (int at = 0; at < count; at += list->run[list->runs++].count)
        list->run[list->runs] = run_of(pes + at, count - at);
    *bytes = sizeof *list + list->runs * sizeof list->run[0];
    return list;
}

static bool is_list(const void *value, size_t bytes, struct node_list *head)
{
    if (bytes < sizeof *head)
        return false;
    memcpy(head, value, sizeof *head);
    return memcmp(head->record.magic, SHEAF_PE_RECORD_MAGIC, sizeof head->record.magic) == 0 &&
           head->runs > 0 && head->runs == (bytes - sizeof *head) / sizeof(struct run) &&
           (bytes - sizeof *head) % sizeof(struct run) == 0;
}

/* The PEs ascend from run to run: after is the last one before. */
static bool read_run(const struct run *run, int npes, int owner, int *owners, int *after)
{
    if (run->count < 1 || run->stride < 1 || run->first <= *after || run->first >= npes ||
        (int64_t)run->first + (int64_t)(run->count - 1) * run->stride >= npes)
        return false;
    for (int i = 0; i < run->count; i++) {
        *after = run->first + i * run->stride;
        if (owners[*after] >= 0)
            return false;
        owners[*after] = owner;
    }
    return true;
}

bool sheaf_node_list_read(const void *value, size_t bytes, int leader, int npes, int owner, int *owners,
                          struct sheaf_pe_record *record)
{
    struct node_list head;
    int after = -1;
    if (!is_list(value, bytes, &head))
        return false;
    *record = head.record;
    record->version[sizeof record->version - 1] = record->host[sizeof record->host - 1] = '\0';
    for (uint32_t i = 0; i < head.runs; i++) {
        struct run run;
        memcpy(&run, (const char *)value + sizeof head + i * sizeof run, sizeof run);
        if ((i == 0 && run.first != leader) || !read_run(&run, npes, owner, owners, &after))
            return false;
    }
    return true;
}
