/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tools/oshrun/hosts/yield_trial.c with programs that order so many times a second, with yields and without: yields stay
 * for those that poll, are never taken for a help by those that order much or differ in their phases, and
 * come back after a phase without fences.
 */
#include "unit.h"

#include "base/clock.h"
#include "oshrun/hosts/yield_trial.h"

#include <sys/wait.h>
#include <unistd.h>

#define LOOK_NS   (50 * SHEAF_MILLISECOND)
#define IN_SECOND 20

struct program {
    uint64_t kept, given; /* fences and quiets in a second */
};
static const struct program polls = {4000, 400000}, computes = {0, 0}, orders = {50000000, 1500000},
                            orders_seldom = {1000, 1000};

static union {
    struct sheaf_control control;
    char bytes[sizeof(struct sheaf_control) + sizeof(struct sheaf_pe)];
} area = {.control = {.npes = 1, .usable_cpus = 2, .pes_offset = sizeof(struct sheaf_control)}};
static enum sheaf_help help;

static bool is_given(void)
{
    return area.control.fence_mode == SHEAF_FENCE_YIELDS;
}

/* In how many looks its PEs yielded. */
static int run(const struct program *program, int looks)
{
    int given = 0;
    for (int i = 0; i < looks; i++) {
        given += is_given();
        bool is_counted = area.control.fence_mode == SHEAF_FENCE_COUNTED;
        uint64_t rate = is_given() ? program->given : is_counted ? program->kept : 0;
        sheaf_control_pe(&area.control, 0)->orders += rate / IN_SECOND;
        help = sheaf_yield_trial_choose(&area.control, !is_given(), LOOK_NS);
    }
    return given;
}

static void polls_all_the_time(void)
{
    run(&polls, 4);
    CHECK(is_given() && help == SHEAF_HELP_YIELDS);
    CHECK(run(&polls, 100 * IN_SECOND) > 95 * IN_SECOND);
}

static void never_polls(void)
{
    CHECK(run(&computes, 100) == 0 && help == SHEAF_HELP_GUESS);
    CHECK(run(&orders, 100 * IN_SECOND) == 0);
    CHECK(run(&orders_seldom, 100 * IN_SECOND) < 8);
}

/* What is counted first is another phase's. */
static void orders_behind_another_phase(void)
{
    run(&orders_seldom, 2);
    CHECK(run(&orders, 10 * IN_SECOND) <= 2);
}

static void polls_between(void)
{
    for (int i = 0; i < 20; i++) {
        CHECK(run(&polls, 2 * IN_SECOND) > 2 * IN_SECOND - 10);
        run(&computes, 2 * IN_SECOND);
    }
}

static void orders_after_polling(void)
{
    run(&polls, 30 * IN_SECOND);
    CHECK(run(&orders, 30 * IN_SECOND) < IN_SECOND);
}

int main(void)
{
    void (*const all[])(void) = {polls_all_the_time, never_polls, orders_behind_another_phase,
                                 polls_between, orders_after_polling};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) { /* each by a process of its own */
        int status = 1;
        pid_t child = fork();
        if (child == 0) {
            all[i]();
            exit(0);
        }
        CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    }
    return 0;
}
