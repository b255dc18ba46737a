/* SPDX-License-Identifier: BSD-3-Clause
 * See copy.h.
 */
#include "core/fault/copy.h"

#include "base/clock.h"
#include "base/times.h"

#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int await_copy(pid_t copy)
{
    uint64_t end = sheaf_clock_ns() + sheaf_times.fault_copy_most;
    const struct timespec look = sheaf_times_spec(sheaf_times.fault_copy_look);
    int status = -1;
    pid_t ended;
    while ((ended = waitpid(copy, &status, __WALL | WNOHANG)) == 0) {
        if (sheaf_clock_ns() > end) {
            kill(copy, SIGKILL);
            waitpid(copy, NULL, __WALL);
            return -1;
        }
        nanosleep(&look, NULL);
    }
    return ended == copy && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The child is made without the handlers of fork(), and without a signal to the program at its end. A
 * static libc's variables lie in the data image, which a child would share. */
int sheaf_fault_in_copy(sheaf_fault_work *work, const siginfo_t *info, const ucontext_t *context)
{
    if (getauxval(AT_BASE) == 0)
        return -1;
    pid_t copy = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
    if (copy == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGSEGV, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        signal(SIGABRT, SIG_DFL);
        _exit(work(info, context));
    }
    return copy > 0 ? await_copy(copy) : -1;
}
