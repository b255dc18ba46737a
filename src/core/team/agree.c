/* SPDX-License-Identifier: BSD-3-Clause
 * See agree.h.
 */
#include "core/team/agree.h"

#include "base/log.h"
#include "core/access/order.h"
#include "core/memory/check.h"
#include "core/memory/guard_check.h"
#include "core/pe/job.h"
#include "core/memory/symmetric.h"
#include "core/team/history.h"
#include "core/team/note.h"
#include "core/team/sync.h"
#include "core/pe/wait.h"
#include "survive/door/survival.h"

#include <stdio.h>
#include <string.h>

/* One member's note. A number belongs to what text names; a call has none. */
struct opinion {
    char text[40];
    int64_t number;
};
_Static_assert(sizeof(struct opinion) <= SHEAF_NOTE_BYTES, "an opinion is one note");

static bool is_on;      /* all PEs check arguments */
static bool is_guarded; /* they guard their heaps */
static bool looks;      /* there is more to look at than lost members */
static sheaf_agree_visit *visit; /* NULL: none */
bool sheaf_agree_is_checked; /* one of these, or members may be lost */

void sheaf_agree_set_visit(sheaf_agree_visit *wanted)
{
    visit = wanted;
}

static struct opinion opinion_of(const char *text, int64_t number)
{
    struct opinion mine = {.number = number};
    snprintf(mine.text, sizeof mine.text, "%s", text);
    return mine;
}

/* Collective: the first rank that differs from rank 0, whose opinion comes first, and what it says; -1
 * when all agree. The same on all members, so that they all say the same. */
static int first_other(struct sheaf_team *team, const struct opinion *mine, struct opinion both[2])
{
    sheaf_note_post(team, mine, sizeof *mine);
    memcpy(&both[0], sheaf_note_wait(team, 0), sizeof both[0]);
    for (int rank = 1; rank < team->size; rank++) {
        memcpy(&both[1], sheaf_note_wait(team, rank), sizeof both[1]);
        if (memcmp(&both[0], &both[1], sizeof both[0]) != 0)
            return rank;
    }
    sheaf_sync(team);
    return -1;
}

/* What each PE says at start. */
struct level {
    uint64_t names; /* of calls: a digest */
    uint64_t is_checking; /* a word: padding would be sent as it is */
};

struct levels {
    struct level mine;
    bool all_check, same_names;
};

static void hear_level(void *result, int rank, const void *note)
{
    struct levels *levels = result;
    struct level other;
    (void)rank;
    memcpy(&other, note, sizeof other);
    levels->all_check &= other.is_checking;
    levels->same_names &= other.names == levels->mine.names;
}

/* A member that dies would leave the others in the exchanges below. */
static void leave_uncompared(void)
{
    is_on = is_guarded = false;
    sheaf_history_names = 0;
    if (sheaf_job.pe == 0 && (sheaf_job_checks_args() || sheaf_job_checks_memory()))
        sheaf_debug("SHEAF_FAILURES=report: PEs' arguments are not compared with each other, nor heaps "
                    "looked at");
}

/* PEs of several hosts, or statically linked programs, may have libraries with other calls. */
void sheaf_agree_init(struct sheaf_team *world)
{
    struct levels levels = {{sheaf_record_names_digest(), sheaf_job_checks_args()}, true, true};
    is_on = sheaf_job_checks_args();
    is_guarded = sheaf_job_checks_memory();
    looks = is_on || is_guarded || visit;
    sheaf_agree_is_checked = looks || !sheaf_survival->members_stay;
    sheaf_history_names = UINT32_MAX;
    if (!sheaf_survival->members_stay)
        leave_uncompared();
    if (world->size == 1 || !sheaf_survival->members_stay)
        return;
    sheaf_team_gather(world, &levels.mine, sizeof levels.mine, hear_level, &levels);
    is_on = levels.all_check;
    sheaf_history_names = levels.same_names ? UINT32_MAX : 0;
    int guarded = sheaf_team_first(world, is_guarded), other = sheaf_team_first(world, !is_guarded);
    if (guarded >= 0 && other >= 0)
        sheaf_fatal("SH205 SHEAF_CHECK has memory on PE %d and not on PE %d: blocks must lie alike on all "
                    "PEs", guarded, other);
    sheaf_sync(world);
}

/* When all members are here, whatever they put before that has arrived. */
static void check_memory(struct sheaf_team *team, const char *call)
{
    sheaf_quiet_before_sync();
    sheaf_sync(team);
    sheaf_guard_check(call);
}

void sheaf_agree_on_call_now(struct sheaf_team *team, const char *call)
{
    struct opinion mine, both[2];
    if (visit)
        visit(team, call);
    if (is_guarded)
        check_memory(team, call);
    sheaf_check_thread(call);
    if (!is_on || team->size == 1)
        return;
    mine = opinion_of(call, 0);
    int rank = first_other(team, &mine, both);
    if (rank >= 0)
        sheaf_fatal("SH120 PE %d is in %s and PE %d in %s: all members of a team must be in the same "
                    "collective",
                    sheaf_team_world_pe(team, 0), both[0].text, sheaf_team_world_pe(team, rank),
                    both[1].text);
}

void sheaf_agree_enter_now(struct sheaf_team *team, const char *call)
{
    sheaf_survival->enter_team(team);
    if (sheaf_unlikely(looks))
        sheaf_agree_on_call_now(team, call);
}

void sheaf_agree_on_number_now(struct sheaf_team *team, const char *name, ptrdiff_t number)
{
    struct opinion mine, both[2];
    if (!is_on || team->size == 1)
        return;
    mine = opinion_of(name, number);
    int rank = first_other(team, &mine, both);
    if (rank >= 0)
        sheaf_fatal("SH120 %s: %s is %td on PE %d and %td on PE %d: it must be the same on all members of "
                    "the team", sheaf_call.name, name, (ptrdiff_t)both[0].number,
                    sheaf_team_world_pe(team, 0), (ptrdiff_t)both[1].number,
                    sheaf_team_world_pe(team, rank));
}

void sheaf_agree_on_object_now(struct sheaf_team *team, const char *name, const void *object)
{
    struct opinion mine, both[2];
    if (!is_on || team->size == 1)
        return;
    mine = opinion_of(name, sheaf_symmetric_position(object));
    int rank = first_other(team, &mine, both);
    if (rank >= 0 && both[0].number && both[1].number)
        sheaf_fatal("SH120 %s: %s is one object on PE %d and another on PE %d: all members of the team "
                    "must pass the same", sheaf_call.name, name, sheaf_team_world_pe(team, 0),
                    sheaf_team_world_pe(team, rank));
    if (rank >= 0)
        sheaf_sync(team);
}
