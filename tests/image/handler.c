/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that handles SIGSEGV itself, as garbage collectors and guard pages do: its handler
 * works whether it was installed before or after init, and the library says nothing.
 */
#include "check.h"

#include <signal.h>
#include <sys/mman.h>

#define PAGE 4096

static char *guarded;
static volatile int handled;

static void open_page(int signal_number, siginfo_t *info, void *context)
{
    char *page = (char *)((uintptr_t)info->si_addr / PAGE * PAGE);
    (void)signal_number, (void)context;
    if (page < guarded || page >= guarded + 4 * PAGE ||
        mprotect(page, PAGE, PROT_READ | PROT_WRITE) != 0)
        _Exit(3);
    handled++;
}

static void install(void)
{
    struct sigaction action = {.sa_sigaction = open_page, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
}

/* Touches two closed pages; the second one from inside the library, as a put's source. */
static void touch(int first)
{
    static long cell;
    int before = handled;
    *(volatile char *)(guarded + first * PAGE) = 1;
    CHECK_EQ(handled, before + 1);
    shmem_long_get((long *)(guarded + (first + 1) * PAGE), &cell, 1, shmem_my_pe());
    CHECK_EQ(handled, before + 2);
}

int main(void)
{
    guarded = mmap(NULL, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(guarded != MAP_FAILED);
    install();
    shmem_init();
    touch(0);
    install();
    touch(2);
    return test_finish();
}
