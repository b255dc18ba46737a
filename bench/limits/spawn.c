/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two processes started with fork and exec, and waited for: what no launcher can avoid. The runner
 * takes the time from the start to the end of this one.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    if (count > 1)
        return 0;
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            execl(arguments[0], arguments[0], "child", (char *)NULL);
            _exit(127);
        }
    int failed = 0, status;
    while (wait(&status) > 0)
        failed |= status;
    return failed != 0;
}
