/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See own_name.h. The resolver knows no limit that a caller could give: a child asks.
 */
#include "own_name.h"

#include "base/times.h"

#include <limits.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

const char *sheaf_own_name_slow(void)
{
    static char name[HOST_NAME_MAX + 1];
    int ends[2];
    if (gethostname(name, sizeof name) != 0 || pipe(ends) != 0)
        return NULL;
    pid_t child = fork();
    if (child == 0) {
        struct addrinfo *found;
        (void)!getaddrinfo(name, NULL, NULL, &found);
        _exit(0);
    }
    close(ends[1]);
    struct pollfd answered = {ends[0], 0, 0}; /* its other end closes with the child */
    bool slow = child > 0 && poll(&answered, 1, sheaf_times_ms(sheaf_times.own_name_slow)) == 0;
    close(ends[0]);
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    return slow ? name : NULL;
}

void sheaf_own_name_warn(bool quiet)
{
    const char *slow = quiet ? NULL : sheaf_own_name_slow();
    if (slow)
        fprintf(stderr, "oshrun: " SHEAF_OWN_NAME_SLOW "\n", slow, slow);
}
