/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams: queries, splits, destruction.
 */
#include "api/define.h"

#include "core/memory/check.h"
#include "core/team/agree.h"
#include "core/team/history.h"
#include "core/team/listed/from_pes.h"
#include "core/team/note.h"

SHEAF_CHAPTER("Teams")

/* Number of the calling PE in team; -1 for SHMEM_TEAM_INVALID.
 * Specification 1.6: shmem_team_my_pe */
SHEAF_ROUTINE(int, shmem_team_my_pe, (shmem_team_t team), {
    const struct sheaf_team *members = sheaf_team_find(team, call);
    return members ? members->rank : -1;
})

/* Number of PEs in team; -1 for SHMEM_TEAM_INVALID.
 * Specification 1.6: shmem_team_n_pes */
SHEAF_ROUTINE(int, shmem_team_n_pes, (shmem_team_t team), {
    const struct sheaf_team *members = sheaf_team_find(team, call);
    return members ? members->size : -1;
})

/* Writes the fields of the team's configuration that config_mask names (SHMEM_TEAM_NUM_CONTEXTS)
 * to *config, which may be NULL when the mask is 0. Returns 0; nonzero, and writes nothing, for
 * SHMEM_TEAM_INVALID. Specification 1.6: shmem_team_get_config */
SHEAF_ROUTINE(int, shmem_team_get_config,
              (shmem_team_t team, long config_mask, shmem_team_config_t *config), {
    const struct sheaf_team *members = sheaf_team_find(team, call);
    return members ? sheaf_team_get_config(members, config_mask, config) : -1;
})

/* The number in dest_team of PE src_pe of src_team; -1 when it is not in both or when a team is
 * SHMEM_TEAM_INVALID. Specification 1.6: shmem_team_translate_pe */
SHEAF_ROUTINE(int, shmem_team_translate_pe,
              (shmem_team_t src_team, int src_pe, shmem_team_t dest_team), {
    const struct sheaf_team *from = sheaf_team_find(src_team, call);
    const struct sheaf_team *to = sheaf_team_find(dest_team, call);
    return from && to ? sheaf_team_translate(from, src_pe, to) : -1;
})

/* Makes a team of the size PEs start, start + stride, ... of parent_team. Collective over the
 * parent. stride may be negative; 0 only when size is 1. config and config_mask configure the
 * team; config may be NULL when the mask is 0. Returns 0, also on PEs left out, whose *new_team
 * is SHMEM_TEAM_INVALID; on failure nonzero on all PEs.
 * Specification 1.6: shmem_team_split_strided */
SHEAF_ROUTINE(int, shmem_team_split_strided,
              (shmem_team_t parent_team, int start, int stride, int size,
               const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team), {
    SHEAF_CALL(call);
    return sheaf_team_split_strided(sheaf_team_find(parent_team, call), start, stride, size,
                                    config, config_mask, new_team);
})

/* Lays the PEs of parent_team out in rows of xrange and makes a team of each row and of each
 * column; *xaxis_team and *yaxis_team are the caller's. The last row may be shorter. Collective
 * over the parent. Returns 0; on failure nonzero and SHMEM_TEAM_INVALID twice on all PEs.
 * Specification 1.6: shmem_team_split_2d */
SHEAF_ROUTINE(int, shmem_team_split_2d,
              (shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config,
               long xaxis_mask, shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config,
               long yaxis_mask, shmem_team_t *yaxis_team), {
    SHEAF_CALL(call);
    return sheaf_team_split_2d(sheaf_team_find(parent_team, call), xrange, xaxis_config,
                               xaxis_mask, xaxis_team, yaxis_config, yaxis_mask, yaxis_team);
})

/* Frees a team and the contexts created on it. Collective over the team. SHMEM_TEAM_INVALID
 * does nothing; the predefined teams may not be destroyed.
 * Specification 1.6: shmem_team_destroy */
SHEAF_ROUTINE(void, shmem_team_destroy, (shmem_team_t team), {
    SHEAF_CALL(call);
    struct sheaf_team *members = sheaf_team_find(team, call);
    if (members != NULL)
        sheaf_team_destroy(members);
})

/* Makes a team of any PEs of parent_team, in any order: its PE i is PE pes[i] of the parent. Collective
 * over the npes PEs that the list names, which all pass the same; nobody else needs to call, and another
 * PE that does gets 0 and SHMEM_TEAM_INVALID. Two threads of a PE must not call with the same list at
 * once. config and config_mask configure the team; config may be NULL when the mask is 0. Returns 0; on
 * all of them nonzero, and SHMEM_TEAM_INVALID, for a number that is none of the parent's or is there
 * twice, for npes below 1 or above the parent's, and for SHMEM_TEAM_INVALID as the parent. */
SHEAF_EXTENSION(int, team_from_pes,
                (shmem_team_t parent_team, const int *pes, int npes,
                 const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team), {
    SHEAF_CALL(call);
    return sheaf_team_from_pes(sheaf_team_find(parent_team, call), pes, npes, config, config_mask,
                               new_team, call);
})

/* Hands every member's bytes to every member: those of PE i of team are at all + i * bytes afterwards.
 * Meant for some hundred bytes, such as addresses and numbers of other libraries: mine (bytes) and all
 * (the team's PEs times bytes) may be private memory, must not overlap, and may be used again on return.
 * It completes no other operation. bytes is the same on all. Returns 0. Collective over team. */
SHEAF_EXTENSION(int, team_exchange,
                (shmem_team_t team, const void *mine, size_t bytes, void *all), {
    SHEAF_CALL(call);
    struct sheaf_team *members = sheaf_team_require(team, call);
    sheaf_check_bytes((size_t)members->size, bytes, call);
    sheaf_agree_on_number(members, "bytes", (ptrdiff_t)bytes);
    struct sheaf_record *record = sheaf_history_begin(members, SHEAF_WAITS_FOR_ALL, bytes);
    sheaf_team_exchange(members, mine, bytes, all);
    sheaf_record_end(record);
    return 0;
})
