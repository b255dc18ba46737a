/* SPDX-License-Identifier: BSD-3-Clause
 * See record.h.
 */
#include "core/pe/record.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct sheaf_recorder own_recorder;
struct sheaf_recorder *sheaf_recorder = &own_recorder;
static struct sheaf_usage own_usage;
struct sheaf_usage *sheaf_usage = &own_usage;

bool sheaf_record_read(const struct sheaf_recorder *recorder, uint32_t number,
                       struct sheaf_record *copy)
{
    const struct sheaf_record *record = &recorder->records[number % SHEAF_RECORDS];
    uint32_t before = sheaf_load_acquire(&record->number);
    *copy = *record;
    sheaf_fence_loads();
    return number != 0 && before == number &&
           sheaf_load_relaxed(&recorder->begun) - number < SHEAF_RECORDS;
}

void sheaf_record_call_pe(const char *noun, int number)
{
    snprintf(sheaf_recorder->called, sizeof sheaf_recorder->called, "%s", noun);
    sheaf_store_relaxed(&sheaf_recorder->called_number, number);
}

bool sheaf_record_is_for_statement(uint32_t number)
{
    struct sheaf_record later;
    uint32_t begun = sheaf_load_relaxed(&sheaf_recorder->begun);
    while (++number <= begun)
        if (!sheaf_record_read(sheaf_recorder, number, &later) || later.team != 0)
            return false;
    return sheaf_call.statement != NULL;
}

/* Two threads that count at once may mix their names: a report then has both in part. */
void sheaf_record_name_by_statement(uint32_t number)
{
    struct sheaf_recorder *mine = sheaf_recorder;
    if (!sheaf_call.statement)
        return;
    sheaf_store_relaxed(&mine->named_number, 0);
    sheaf_fence_stores();
    const char *end = memchr(sheaf_call.statement, '\0', sizeof mine->name - 1); /* strnlen is not in C17 */
    size_t length = end ? (size_t)(end - sheaf_call.statement) : sizeof mine->name - 1;
    memcpy(mine->name, sheaf_call.statement, length);
    mine->name[length] = '\0';
    sheaf_store_release(&mine->named_number, number);
}

/* Two threads that look at once may take the same entry: then one lock is missing in a report. */
static struct sheaf_held_lock *lock_entry(uint64_t lock)
{
    for (int i = 0; i < SHEAF_RECORD_LOCKS; i++)
        if (sheaf_load_relaxed(&sheaf_recorder->locks[i].lock) == lock)
            return &sheaf_recorder->locks[i];
    return NULL;
}

void sheaf_record_lock(uint64_t lock)
{
    struct sheaf_held_lock *held = lock_entry(0);
    if (!held)
        return;
    sheaf_store_relaxed(&held->site, (uint64_t)(uintptr_t)sheaf_call.site);
    sheaf_store_release(&held->lock, lock);
}

void sheaf_record_unlock(uint64_t lock)
{
    struct sheaf_held_lock *held = lock_entry(lock);
    if (held)
        sheaf_store_relaxed(&held->lock, 0);
}

void sheaf_record_place(uint32_t first, const void *site)
{
    struct sheaf_recorder *recorder = sheaf_recorder;
    uint32_t next = sheaf_record_next(), count = next - first;
    for (uint32_t back = 1; back <= count && back <= SHEAF_RECORDS; back++) {
        struct sheaf_record *record = &recorder->records[(next - back) % SHEAF_RECORDS];
        uint64_t now = sheaf_load_relaxed(&record->site);
        if (now <= recorder->program || now > recorder->program_end)
            sheaf_store_relaxed(&record->site, (uint64_t)(uintptr_t)site);
    }
}

/* Finds the loaded object that contains the address recorder->extension, and stores its bounds there. */
static int note_extension(struct dl_phdr_info *info, size_t size, void *recorder)
{
    struct sheaf_recorder *mine = recorder;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uint64_t start = info->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || mine->extension < start || mine->extension >= start + part->p_memsz)
            continue;
        mine->extension = start;
        mine->extension_end = start + part->p_memsz;
        return 1;
    }
    return 0;
}

static uint32_t thread_mark(void)
{
    return (uint32_t)((uintptr_t)&sheaf_call >> 4);
}

/* Where another thread has announced a line for the same call number, it is unknown whose call will
 * have it. */
void sheaf_record_announce(const char *file, int line, const void *caller)
{
    struct sheaf_recorder *mine = sheaf_recorder;
    uint32_t number = sheaf_load_relaxed(&mine->begun) + 1, me = thread_mark();
    struct sheaf_announced_line *to = &mine->lines[number % SHEAF_RECORD_LINES];
    bool is_unclear = to->number == number && (to->thread != me || to->line == 0);
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    size_t length = strlen(name), most = sizeof to->file - 1;
    if (!sheaf_recorder_is_extension(mine, (uint64_t)(uintptr_t)caller)) {
        mine->extension = (uint64_t)(uintptr_t)caller;
        dl_iterate_phdr(note_extension, mine);
    }
    sheaf_store_relaxed(&to->number, 0);
    sheaf_fence_stores();
    to->line = is_unclear || line < 0 ? 0 : (uint32_t)line;
    to->thread = me;
    length = length < most ? length : most;
    memcpy(to->file, name, length);
    to->file[length] = '\0';
    sheaf_store_release(&to->number, number);
    sheaf_call.announced = number;
}

bool sheaf_record_source(uint64_t site, char *text, size_t size)
{
    return sheaf_recorder_is_extension(sheaf_recorder, site) &&
           sheaf_recorder_line(sheaf_recorder, sheaf_call.announced, text, size);
}

static size_t names_length(void)
{
    size_t length = (size_t)(__stop_sheaf_calls - __start_sheaf_calls);
    return length < SHEAF_CALL_NAMES_ROOM ? length : SHEAF_CALL_NAMES_ROOM;
}

uint64_t sheaf_record_names_digest(void)
{
    size_t length = names_length();
    uint64_t digest = length, part;
    for (size_t at = 0; at + sizeof part <= length; at += sizeof part) {
        memcpy(&part, __start_sheaf_calls + at, sizeof part);
        digest = (digest ^ part) * UINT64_C(0x9e3779b97f4a7c15);
        digest ^= digest >> 32;
    }
    return digest;
}

/* The first object is the executable. */
static int note_program(struct dl_phdr_info *info, size_t size, void *recorder)
{
    struct sheaf_recorder *mine = recorder;
    (void)size;
    mine->program = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uint64_t end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
        if (part->p_type == PT_LOAD && end > mine->program_end)
            mine->program_end = end;
    }
    ssize_t length = readlink("/proc/self/exe", mine->path, sizeof mine->path - 1);
    mine->path[length > 0 ? length : 0] = '\0';
    return 1;
}

void sheaf_record_attach(struct sheaf_control *control, int slot)
{
    if (!control || sheaf_recorder != &own_recorder)
        return;
    struct sheaf_recorder *mine = &sheaf_control_pe(control, slot)->recorder;
    memset(mine, 0, sizeof *mine); /* an earlier process of the slot may have written there */
    dl_iterate_phdr(note_program, mine);
    sheaf_recorder = mine;
    if (slot != 0)
        return;
    memcpy((char *)control + control->names_offset, __start_sheaf_calls, names_length());
    control->names_length = names_length();
    control->names_digest = sheaf_record_names_digest();
}

void sheaf_record_set_usage(struct sheaf_usage *usage)
{
    if (!usage || sheaf_usage != &own_usage)
        return;
    *usage = own_usage;
    sheaf_usage = usage;
}

void sheaf_record_detach(void)
{
    memset(&own_recorder, 0, sizeof own_recorder);
    sheaf_recorder = &own_recorder;
    sheaf_usage = &own_usage;
}

void sheaf_record_set_threads(bool several)
{
    sheaf_recorder->has_threads = several;
}
