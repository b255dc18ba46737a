/* SPDX-License-Identifier: BSD-3-Clause
 * See history.h.
 */
#include "core/team/history.h"

#include "base/log.h"
#include "boot/boot.h"
#include "boot/job_report/judge.h"
#include "core/pe/job.h"
#include "core/team/multinode.h"

#include <stdio.h>
#include <string.h>

uint32_t sheaf_history_names;

static sheaf_history_place *find_place;

void sheaf_history_set_place(sheaf_history_place *place)
{
    find_place = place;
}

static uint64_t mix_hash(uint64_t sum, uint64_t value)
{
    sum = (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 32;
}

uint64_t sheaf_history_identity(const struct sheaf_team *parent, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t sum = parent ? mix_hash(mix_hash(1, parent->identity), *parent->progress) : 0;
    sum = mix_hash(mix_hash(mix_hash(sum, a), b), c);
    return sum ? sum : 1;
}

static struct sheaf_team_line *free_line(uint64_t identity)
{
    for (int i = 0; i < SHEAF_RECORD_TEAMS; i++) {
        struct sheaf_team_line *line = &sheaf_recorder->teams[i];
        uint64_t nobody = 0;
        if (sheaf_load_relaxed(&line->team) == 0 &&
            __atomic_compare_exchange_n(&line->team, &nobody, identity, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return line;
    }
    return NULL;
}

void sheaf_history_open(struct sheaf_team *team)
{
    bool is_world = team->predefined && !team->node_domain;
    struct sheaf_team *near = sheaf_team_near(team);
    team->line = team->size > 1 ? free_line(team->identity) : NULL;
    team->progress = team->line ? &team->line->progress : &team->own_progress;
    near->identity = team->identity;
    near->progress = team->progress;
    if (!team->line)
        return;
    team->line->start = sheaf_team_world_pe(team, 0);
    team->line->stride = team->table ? 0 : team->stride;
    team->line->size = team->size;
    team->line->kind = is_world           ? SHEAF_TEAM_IS_WORLD
                       : team->predefined ? SHEAF_TEAM_IS_SHARED
                                          : SHEAF_TEAM_OF_USER;
}

void sheaf_history_close(struct sheaf_team *team)
{
    if (!team->line)
        return;
    sheaf_store_relaxed(&team->line->progress, 0);
    sheaf_store_release(&team->line->team, 0);
    team->line = NULL;
}

uint64_t sheaf_history_count(struct sheaf_team *team)
{
    if (sheaf_call.statement)
        sheaf_call.site = sheaf_call.statement_site;
    struct sheaf_record *record = sheaf_history_begin_as(team, 0, SHEAF_NO_ROOT, 0);
    sheaf_record_end(record);
    sheaf_record_name_by_statement(record->number);
    return *team->progress;
}

static const struct sheaf_recorder *recorder_of(int slot)
{
    return &sheaf_control_pe(sheaf_job.control, slot)->recorder;
}

/* The member's progress in the team; 0 for a PE that has made no call with the team, or is no member. */
static uint64_t progress_of(const struct sheaf_recorder *recorder, uint64_t identity)
{
    for (int i = 0; i < SHEAF_RECORD_TEAMS; i++)
        if (sheaf_load_acquire(&recorder->teams[i].team) == identity)
            return sheaf_load_acquire(&recorder->teams[i].progress);
    return 0;
}

/* Reads the latest entry of the team's call with that number. The entry of the PE's last call may not
 * be written yet, and an entry of an earlier team with this identity may be found instead: the
 * comparison with last rejects it. */
static bool find_record(const struct sheaf_recorder *recorder, uint64_t identity, uint32_t number,
                        struct sheaf_record *record)
{
    uint64_t last = progress_of(recorder, identity);
    uint32_t begun = sheaf_load_acquire(&recorder->begun);
    for (uint32_t back = 0; back < SHEAF_RECORDS && back < begun; back++)
        if (sheaf_record_read(recorder, begun - back, record) && record->team == identity &&
            SHEAF_PROGRESS_NUMBER(record->progress) == number)
            return number != SHEAF_PROGRESS_NUMBER(last) || record->progress == last;
    return false;
}

/* Finds the first call with the team in which two members differ, as far as both recorders go back. */
static bool find_difference(uint64_t identity, int slot, int other, struct sheaf_record calls[2])
{
    uint32_t mine = SHEAF_PROGRESS_NUMBER(progress_of(recorder_of(slot), identity));
    uint32_t theirs = SHEAF_PROGRESS_NUMBER(progress_of(recorder_of(other), identity));
    uint32_t last = mine < theirs ? mine : theirs;
    for (uint32_t number = last > SHEAF_RECORDS ? last - SHEAF_RECORDS : 1; number <= last;
         number++)
        if (find_record(recorder_of(slot), identity, number, &calls[0]) &&
            find_record(recorder_of(other), identity, number, &calls[1]) &&
            calls[0].progress != calls[1].progress)
            return true;
    return false;
}

static const char *name_of(const struct sheaf_record *record)
{
    size_t length = (size_t)(__stop_sheaf_calls - __start_sheaf_calls);
    bool is_known = sheaf_history_names && record->call < length;
    return is_known ? __start_sheaf_calls + record->call : "a call";
}

/* "shmem_long_broadcast (PE_root 0, 64 bytes) at heat.c:40" */
static void describe_call(int slot, const struct sheaf_record *record, char *text, size_t size)
{
    char place[100], root[32] = "", bytes[32] = "";
    bool has_bytes = record->bytes != 0 && record->bytes != SHEAF_NO_BYTES;
    bool has_place = find_place && find_place(slot, record, place, sizeof place);
    if (record->root >= 0)
        snprintf(root, sizeof root, "PE_root %d", record->root);
    if (has_bytes)
        snprintf(bytes, sizeof bytes, "%s%llu bytes", root[0] ? ", " : "",
                 (unsigned long long)record->bytes);
    bool has_both = root[0] || bytes[0];
    bool is_mine = slot == sheaf_boot.slot && sheaf_record_is_for_statement(record->number);
    const char *name = is_mine ? sheaf_call.statement : name_of(record);
    snprintf(text, size, "%s%s%s%s%s%s%s", name, has_both ? " (" : "", root, bytes,
             has_both ? ")" : "", has_place ? " at " : "", has_place ? place : "");
}

_Noreturn static void end_with_calls(int slot, int other, const struct sheaf_record calls[2],
                                     const char *rule)
{
    char texts[2][240], pes[2][48];
    int slots[] = {slot, other};
    for (int i = 0; i < 2; i++) {
        int pe = sheaf_control_pe(sheaf_job.control, slots[i])->world_pe;
        describe_call(slots[i], &calls[i], texts[i], sizeof texts[i]);
        sheaf_recorder_name_pe(recorder_of(slots[i]), pe, pes[i], sizeof pes[i]);
    }
    sheaf_fatal_placed("SH120 %s calls %s, and %s calls %s: %s", pes[0], texts[0], pes[1], texts[1], rule);
}

/* Two calls of shmem_free that are recorded alike differ in the block. */
static const char *rule_for(const struct sheaf_record calls[2])
{
    bool is_block = calls[0].call == calls[1].call && calls[0].bytes == calls[1].bytes &&
                    strcmp(name_of(&calls[0]), "shmem_free") == 0;
    return is_block ? "all PEs must free the same block; SHEAF_CHECK=args tells which each of them frees"
                    : SHEAF_RECORD_SAME_CALLS;
}

/* All PEs that find a difference report the same two members. */
static void report_first_difference(uint64_t identity)
{
    struct sheaf_record calls[2];
    int first = 0, slots = sheaf_job.control->npes;
    while (first < slots && progress_of(recorder_of(first), identity) == 0)
        first++;
    for (int other = first + 1; other < slots; other++)
        if (find_difference(identity, first, other, calls))
            end_with_calls(first, other, calls, rule_for(calls));
}

void sheaf_history_differs(const struct sheaf_team *team)
{
    report_first_difference(team->identity);
    sheaf_fatal(
        "SH120 %s: a member of the team has made another call, or with another root or size; which one is "
        "no longer recorded: all members must make the same calls in the same order",
        sheaf_call.name);
}

/* The leaders of the hosts know both calls and are asked first. Where they do not end the job, each
 * side reports its own call. */
void sheaf_history_differs_far(int pe)
{
    struct sheaf_record mine;
    char text[240] = "a collective";
    sheaf_judge_ask();
    if (sheaf_record_read(sheaf_recorder, sheaf_load_relaxed(&sheaf_recorder->begun), &mine))
        describe_call(sheaf_boot.slot, &mine, text, sizeof text);
    sheaf_fatal_placed("SH120 PE %d calls %s, and PE %d has not made the same calls: %s",
                       sheaf_job.pe, text, pe, SHEAF_RECORD_SAME_CALLS);
}

/* Members may be late without a mistake: more than one word of each is read only where this is true. */
static bool may_differ(const struct sheaf_team *team, uint64_t theirs)
{
    return theirs != 0 && theirs != *team->progress;
}

/* Reads the PE's last call. False where the PE has left it. */
static bool find_open_call(const struct sheaf_recorder *recorder, struct sheaf_record *record)
{
    uint32_t last = sheaf_load_acquire(&recorder->begun);
    return !recorder->has_threads && sheaf_record_read(recorder, last, record) && !record->ended;
}

/* Whether the call cannot end before the other PE, a member, has begun it too. */
static bool needs_pe(const struct sheaf_record *call, const struct sheaf_recorder *other)
{
    bool is_member = false;
    for (int i = 0; i < SHEAF_RECORD_TEAMS; i++)
        is_member |= sheaf_load_acquire(&other->teams[i].team) == call->team;
    uint32_t theirs = SHEAF_PROGRESS_NUMBER(progress_of(other, call->team));
    return is_member && call->team != 0 && call->root == SHEAF_WAITS_FOR_ALL &&
           (int32_t)(SHEAF_PROGRESS_NUMBER(call->progress) - theirs) > 0;
}

/* Ends the job where two PEs are in calls of different teams, each of which needs the other PE. */
static void check_order(int me, int slot)
{
    struct sheaf_record calls[2];
    if (!find_open_call(recorder_of(me), &calls[0]) || !find_open_call(recorder_of(slot), &calls[1]) ||
        !needs_pe(&calls[0], recorder_of(slot)) || !needs_pe(&calls[1], recorder_of(me)))
        return;
    if (me < slot)
        end_with_calls(me, slot, calls, SHEAF_RECORD_SAME_ORDER);
    struct sheaf_record swapped[2] = {calls[1], calls[0]};
    end_with_calls(slot, me, swapped, SHEAF_RECORD_SAME_ORDER);
}

void sheaf_history_check(const void *object)
{
    const struct sheaf_team *team = object;
    struct sheaf_record calls[2];
    int me = sheaf_boot.slot;
    if (!sheaf_job.control || !team || !team->identity)
        return;
    for (int slot = 0; slot < sheaf_job.control->npes; slot++) {
        if (slot == me)
            continue;
        if (may_differ(team, progress_of(recorder_of(slot), team->identity)) &&
            find_difference(team->identity, me, slot, calls))
            report_first_difference(team->identity);
        check_order(me, slot);
    }
}
