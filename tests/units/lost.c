/* SPDX-License-Identifier: BSD-3-Clause
 *
 * engine/message/stream/failure.c without a network: the peer whose connection is lost is freed with its
 * context, and the transport's words are overwritten, before the time for its PE to leave is over. What is
 * said then is of that PE, with those words. A process that has died since is no loss.
 */
#include "unit.h"

#include "engine/message/stream/operation.h"

#include <time.h>

static uint64_t now_ns = 1;

int clock_gettime(clockid_t clock, struct timespec *time)
{
    (void)clock;
    *time = (struct timespec){(time_t)(now_ns / 1000000000), (long)(now_ns % 1000000000)};
    return 0;
}

/* What failure.c needs of others. */
struct sheaf_msg_state sheaf_msg_state;
static const struct sheaf_transport transport = {.title = "a network"};
static jmp_buf end;
static int failed_pe;
static char failed_why[512];
static uint32_t incarnation_state;

__attribute__((noreturn)) static void fail(int pe, const char *why)
{
    failed_pe = pe;
    snprintf(failed_why, sizeof failed_why, "%s", why);
    longjmp(end, 1);
}

static bool is_dead(int pe)
{
    (void)pe;
    return false;
}

static uint32_t lives_of(int pe)
{
    (void)pe;
    return incarnation_state;
}

/* A peer of PE 5 is lost, and gone before anybody looks. */
static void lose(void)
{
    char why[] = "Connection reset";
    struct sheaf_msg_peer *peer = calloc(1, sizeof *peer);
    CHECK(peer);
    peer->pe = 5;
    sheaf_msg_lost(peer, why);
    memset(peer, 0x7f, sizeof *peer);
    free(peer);
    memset(why, '?', sizeof why - 1);
}

static bool ends(void)
{
    if (setjmp(end))
        return true;
    sheaf_msg_check_lost();
    return false;
}

static void begin(bool bears_deaths)
{
    sheaf_msg_state.transport = &transport;
    sheaf_msg_state.job = (struct sheaf_engine_job){.failed = fail, .incarnation_state = lives_of,
                                                    .is_dead = bears_deaths ? is_dead : NULL};
    sheaf_msg_forget_lost();
    incarnation_state = 0;
}

static void test_freed_peer(void)
{
    begin(false);
    CHECK(!sheaf_msg_check_lost());
    lose();
    CHECK(!ends() && sheaf_msg_check_lost());
    now_ns += 4000000000;
    CHECK(ends() && failed_pe == 5 && strstr(failed_why, "Connection reset"));
    sheaf_msg_forget_lost();
    CHECK(!sheaf_msg_check_lost());
}

static void test_told_death(void)
{
    begin(true);
    lose();
    CHECK(sheaf_msg_check_lost());
    incarnation_state = 2;
    CHECK(!sheaf_msg_check_lost());
    now_ns += 20000000000;
    CHECK(!ends());
    incarnation_state = 0;
    lose();
    now_ns += 20000000000;
    CHECK(ends() && failed_pe == 5);
}

int main(void)
{
    test_freed_peer();
    test_told_death();
    return 0;
}
