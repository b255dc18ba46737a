/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The judgement of a job's health, on jobs that are simulated: 10,000 of slow PEs, none of which hangs, are
 * looked at while they go on, one PE after the other, and never called hung; jobs that do hang are.
 */
#include "report/health.h"

#include "report/internal.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PES    5
#define TEAMS  4 /* the first has all PEs */
#define LOCKS  2
#define CALLS  32
#define SLOW   3 /* steps after which a wait is on the board */
#define NOBODY (-1)

enum kind { BARRIER, BROADCAST, LOCK, UNLOCK };

struct call {
    enum kind kind;
    int object; /* team or lock */
    int root;
};

struct pe {
    struct call calls[CALLS];
    int count, at; /* calls, and the one that the PE is in or comes to */
    int computes;  /* steps that are left of its own code */
    int waited;    /* steps in the call; 0: not in it */
    bool forgets;  /* it takes the lock, and has not noted that yet */
};

static uint64_t seed;
static int npes;
static bool is_member[TEAMS][PES];
static int begun[TEAMS][PES];
static int holder[LOCKS];
static struct pe pes[PES];
static struct sheaf_report_pe shown[PES];
static uint64_t now_ns;

/* From 0 to most - 1. */
static int chance(int most)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((seed >> 33) % (uint64_t)most);
}

static struct sheaf_team_line *line_of(int pe, int team)
{
    return &shown[pe].recorder.teams[team];
}

static void record(int pe, uint64_t team, uint64_t progress, int root)
{
    struct sheaf_recorder *recorder = &shown[pe].recorder;
    uint32_t number = ++recorder->begun;
    recorder->records[number % SHEAF_RECORDS] =
        (struct sheaf_record){.number = number, .team = team, .progress = progress, .root = root};
}

static void begin(int pe, const struct call *call)
{
    uint64_t what = (uint64_t)call->kind + 2 + (uint64_t)call->root;
    pes[pe].waited = 1;
    if (call->kind > BROADCAST) {
        record(pe, 0, 0, SHEAF_RECORD_NO_ROOT);
        return;
    }
    struct sheaf_team_line *line = line_of(pe, call->object);
    uint32_t digest = SHEAF_PROGRESS_DIGEST(line->progress) * 31 + (uint32_t)what;
    line->progress = (uint64_t)digest << 32 | (uint32_t)++begun[call->object][pe];
    record(pe, line->team, line->progress, call->kind == BARRIER ? SHEAF_RECORD_WAITS_FOR_ALL : call->root);
}

/* A broadcast's root waits for nobody, and the others for the root alone. */
static bool may_leave(int pe, const struct call *call)
{
    int number = begun[call->object][pe];
    if (call->kind == LOCK)
        return holder[call->object] == NOBODY;
    for (int i = 0; call->kind <= BROADCAST && i < npes; i++)
        if (is_member[call->object][i] && begun[call->object][i] < number &&
            (call->kind == BARRIER || (i == call->root && pe != call->root)))
            return false;
    return true;
}

static struct sheaf_held_lock *held_by(int pe, int lock)
{
    return &shown[pe].recorder.locks[lock];
}

static void leave(int pe, const struct call *call)
{
    shown[pe].board.kind = SHEAF_WAIT_NONE;
    shown[pe].recorder.records[shown[pe].recorder.begun % SHEAF_RECORDS].ended = 1;
    if (call->kind == LOCK) {
        holder[call->object] = pe;
        pes[pe].forgets = true;
    }
    if (call->kind == UNLOCK) {
        held_by(pe, call->object)->lock = 0;
        holder[call->object] = NOBODY;
    }
    pes[pe].waited = 0;
    pes[pe].at++;
    pes[pe].computes = chance(4) ? chance(4) : chance(60); /* slow now and then */
}

static void show_wait(int pe, const struct call *call)
{
    struct sheaf_board *board = &shown[pe].board;
    board->kind = call->kind == LOCK ? SHEAF_WAIT_LOCK : SHEAF_WAIT_COLLECTIVE;
    board->since_ns = now_ns;
    board->team = call->kind == LOCK ? 0 : line_of(pe, call->object)->team;
    board->object = call->kind == LOCK ? (uint64_t)call->object + 1 : 0;
}

static void step_of(int pe)
{
    struct pe *one = &pes[pe];
    const struct call *call = &one->calls[one->at];
    if (one->forgets && chance(2)) {
        held_by(pe, one->calls[one->at - 1].object)->lock = (uint64_t)one->calls[one->at - 1].object + 1;
        one->forgets = false;
    } else if (one->forgets || one->at == one->count) {
        if (one->at == one->count && !one->forgets && !chance(8)) {
            shown[pe].state = SHEAF_PE_FINALIZED;
            shown[pe].life = SHEAF_LIFE_EXITED;
        }
    } else if (one->computes > 0) {
        one->computes--;
    } else if (!one->waited) {
        begin(pe, call);
    } else if (may_leave(pe, call) && chance(3)) { /* it has not looked yet, or has no processor */
        leave(pe, call);
    } else if (call->kind != UNLOCK && ++one->waited == SLOW) {
        show_wait(pe, call);
    }
}

/* Some PEs move, in any order: each of them as often as the others, or not at all. */
static void go_on(int steps)
{
    while (steps-- > 0) {
        now_ns += 1000;
        step_of(chance(npes));
    }
}

/* As sheaf_report_take does: one PE after the other, while they go on. */
static void take(struct sheaf_report *report, struct sheaf_report_pe copies[PES], int between)
{
    *report = (struct sheaf_report){.npes = npes, .world_npes = npes, .pes = copies, .prefix = ""};
    for (int pe = 0; pe < npes; pe++) {
        copies[pe] = shown[pe];
        copies[pe].wait_ns = shown[pe].board.kind ? now_ns - shown[pe].board.since_ns + 1 : 0;
        go_on(chance(between + 1));
    }
}

static void (*happens)(void); /* between the copies */

static void judge(struct sheaf_health *health, int between)
{
    static struct sheaf_report_pe copies[2][PES];
    struct sheaf_report before, now;
    take(&before, copies[0], between);
    go_on(chance(between + 1));
    if (happens)
        happens();
    happens = NULL;
    take(&now, copies[1], between);
    CHECK(sheaf_health_judge(health, &before, &now, false) == 0);
}

static void add(int pe, enum kind kind, int object, int root)
{
    CHECK(pes[pe].count < CALLS);
    pes[pe].calls[pes[pe].count++] = (struct call){kind, object, root};
}

static void begin_job(int count)
{
    npes = count;
    memset(pes, 0, sizeof pes);
    memset(shown, 0, sizeof shown);
    memset(begun, 0, sizeof begun);
    for (int lock = 0; lock < LOCKS; lock++)
        holder[lock] = NOBODY;
    for (int pe = 0; pe < npes; pe++) {
        shown[pe].pe = pe;
        shown[pe].pid = 100 + pe;
        shown[pe].state = SHEAF_PE_INITIALIZED;
        for (int team = 0; team < TEAMS; team++) {
            is_member[team][pe] = team == 0 || chance(3);
            if (is_member[team][pe])
                *line_of(pe, team) = (struct sheaf_team_line){.team = (uint64_t)team + 1, .size = npes};
        }
    }
}

/* The holder of a lock receives a broadcast, and others take the lock before that: they are awaited by
 * nobody, since the broadcast needs its root alone. */
static void add_broadcast_in_lock(int root, int lock)
{
    int inside = chance(npes);
    for (int pe = 0; pe < npes; pe++) {
        bool takes_lock = pe != root, is_inside = pe == inside;
        add(pe, BARRIER, 0, 0);
        if (takes_lock)
            add(pe, LOCK, lock, 0);
        if (takes_lock && !is_inside)
            add(pe, UNLOCK, lock, 0);
        add(pe, BROADCAST, 0, root);
        if (takes_lock && is_inside)
            add(pe, UNLOCK, lock, 0);
    }
}

/* A lock's calls stand together, and all else is in one order, which all PEs keep: so nothing hangs. */
static void begin_healthy_job(void)
{
    begin_job(2 + chance(PES - 1));
    for (int i = 0; i < CALLS / 4 - 1; i++) {
        int team = chance(TEAMS), root = chance(npes), lock = chance(LOCKS), what = chance(5);
        if (what == 4)
            add_broadcast_in_lock(root, lock);
        for (int pe = 0; pe < npes && what != 4; pe++)
            if (what == 0) {
                add(pe, LOCK, lock, 0);
                add(pe, UNLOCK, lock, 0);
            } else if (is_member[team][pe]) {
                add(pe, what == 1 && is_member[team][root] ? BROADCAST : BARRIER, team, root);
            }
    }
    for (int pe = 0; pe < npes; pe++)
        add(pe, BARRIER, 0, 0);
}

static bool has_ended(void)
{
    for (int pe = 0; pe < npes; pe++)
        if (shown[pe].life != SHEAF_LIFE_EXITED)
            return false;
    return true;
}

/* Returns how often a PE was said to keep others waiting. */
static long watch_healthy_job(void)
{
    struct sheaf_health health;
    long stragglers = 0;
    begin_healthy_job();
    for (int looks = 0; !has_ended(); looks++) {
        CHECK(looks < 100000);
        judge(&health, chance(4) ? 3 : chance(2) ? 40 : 400);
        CHECK(health.verdict == SHEAF_HEALTH_GOES_ON);
        for (int pe = 0; pe < npes; pe++) {
            CHECK(!health.pes[pe].is_stuck && !health.pes[pe].is_missing);
            CHECK(!health.pes[pe].is_straggler || health.pes[pe].waiters > 0);
            stragglers += health.pes[pe].is_straggler;
        }
        sheaf_health_free(&health);
        go_on(chance(20));
    }
    return stragglers;
}

/* The job goes on until nothing moves any more. */
static void expect(enum sheaf_health_verdict verdict, unsigned stuck, unsigned stragglers)
{
    struct sheaf_health health;
    go_on(3000);
    judge(&health, 3);
    CHECK(health.verdict == verdict);
    for (int pe = 0; pe < npes; pe++) {
        CHECK(health.pes[pe].is_stuck == (stuck >> pe & 1));
        CHECK(health.pes[pe].is_straggler == (stragglers >> pe & 1));
    }
    sheaf_health_free(&health);
}

static void begin_pair_and_rest(void)
{
    begin_job(3);
    is_member[1][0] = is_member[1][1] = true;
    is_member[1][2] = false;
    for (int pe = 0; pe < 3; pe++)
        *line_of(pe, 1) = (struct sheaf_team_line){.team = pe < 2 ? 2 : 0, .size = 2};
}

/* PE 0 is in a barrier of two, and PE 1 in one of all. */
static void test_two_orders(void)
{
    begin_pair_and_rest();
    add(0, BARRIER, 1, 0);
    for (int pe = 0; pe < 3; pe++)
        add(pe, BARRIER, 0, 0);
    add(1, BARRIER, 1, 0);
    expect(SHEAF_HEALTH_DIFFERS, 7, 0);
}

static void test_locks(void)
{
    begin_job(3);
    for (int pe = 0; pe < 2; pe++) {
        add(pe, LOCK, pe, 0);
        add(pe, BARRIER, 0, 0);
        add(pe, LOCK, !pe, 0);
    }
    add(2, BARRIER, 0, 0);
    add(2, BARRIER, 0, 0);
    expect(SHEAF_HEALTH_CIRCLE, 7, 0);
}

/* A lock's holder waits in a barrier for one that waits for the lock, and a third one for both. */
static void test_lock_and_barrier(void)
{
    begin_job(3);
    add(0, LOCK, 0, 0);
    add(0, BARRIER, 0, 0);
    pes[1].computes = 100;
    add(1, LOCK, 0, 0);
    add(1, BARRIER, 0, 0);
    add(2, BARRIER, 0, 0);
    expect(SHEAF_HEALTH_CIRCLE, 7, 0);
}

static void test_missing(void)
{
    begin_job(4);
    for (int pe = 0; pe < 3; pe++)
        add(pe, BARRIER, 0, 0);
    pes[3].computes = 1 << 30;
    add(3, BARRIER, 0, 0);
    expect(SHEAF_HEALTH_GOES_ON, 0, 8);
    shown[3].life = SHEAF_LIFE_KILLED;
    expect(SHEAF_HEALTH_ENDED, 7, 8);
}

static void test_different_calls(void)
{
    begin_job(2);
    add(0, BARRIER, 0, 0);
    add(1, BROADCAST, 0, 1);
    add(1, BARRIER, 0, 0);
    add(0, BARRIER, 0, 0);
    struct sheaf_health health;
    go_on(3000);
    judge(&health, 0);
    CHECK(health.verdict == SHEAF_HEALTH_DIFFERS);
    sheaf_health_free(&health);
}

/* Of a PE with several threads another one may come. */
static void test_threads(void)
{
    test_locks();
    for (int pe = 0; pe < npes; pe++)
        shown[pe].recorder.has_threads = 1;
    expect(SHEAF_HEALTH_GOES_ON, 0, 0);
}

static void wait_again(void)
{
    shown[1].board.since_ns++;
}

static void call_again(void)
{
    shown[1].recorder.begun--;
}

static void kill_last(void)
{
    shown[npes - 1].life = SHEAF_LIFE_KILLED;
}

/* A PE that has left its wait between the copies, or has ended, may have done more in between. */
static void test_changes(void)
{
    test_locks();
    happens = wait_again;
    expect(SHEAF_HEALTH_GOES_ON, 0, 2);
    happens = call_again;
    expect(SHEAF_HEALTH_GOES_ON, 0, 2);
    begin_job(4);
    for (int pe = 0; pe < 4; pe++)
        add(pe, BARRIER, 0, 0);
    pes[3].computes = 1 << 30;
    happens = kill_last;
    expect(SHEAF_HEALTH_GOES_ON, 0, 8);
    expect(SHEAF_HEALTH_ENDED, 7, 8);
}

int main(void)
{
    const char *text = getenv("SEED");
    long stragglers = 0;
    seed = text ? strtoull(text, NULL, 10) : 1;
    test_two_orders();
    test_locks();
    test_lock_and_barrier();
    test_missing();
    test_different_calls();
    test_threads();
    test_changes();
    for (int job = 0; job < 10000; job++)
        stragglers += watch_healthy_job();
    CHECK(stragglers > 10000);
    printf("%ld times a PE kept others waiting in 10000 jobs\n", stragglers);
    return 0;
}
