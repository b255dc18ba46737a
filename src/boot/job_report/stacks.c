/* SPDX-License-Identifier: BSD-3-Clause
 * See stacks.h.
 */
#include "boot/job_report/stacks.h"

#include "base/clock.h"
#include "base/os/library.h"
#include "base/os/tool.h"
#include "base/times.h"
#include "boot/end/wake_pipe.h"
#include "image/image.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_PATH 4096

static struct {
    pid_t tool;
    int file;
    uint64_t until_ns;
} run;

/* The one that was installed with this library; else one in PATH. */
static void find_oshrun(char path[MOST_PATH])
{
    char *slash = NULL;
    size_t room = MOST_PATH - sizeof SHEAF_COMMANDS "/oshrun";
    if (sheaf_library_path((void *)sheaf_stacks_begin, path, room))
        slash = strrchr(path, '/');
    if (slash)
        strcpy(slash + 1, SHEAF_COMMANDS "/oshrun");
    if (!slash || access(path, X_OK) != 0)
        strcpy(path, "oshrun");
}

bool sheaf_stacks_begin(void)
{
    char path[MOST_PATH], number[16];
    char *words[] = {path, "--why", number, "--stacks=here", NULL};
    find_oshrun(path);
    snprintf(number, sizeof number, "%d", (int)getpid());
    run.file = sheaf_file_create();
    if (run.file < 0)
        return false;
    if (sheaf_tool_start(words, -1, run.file, &run.tool) != 0) {
        close(run.file);
        return false;
    }
    run.until_ns = sheaf_clock_ns() + sheaf_times.stacks_most;
    return true;
}

/* The program's own wait() may have taken its status. */
bool sheaf_stacks_are_ready(void)
{
    pid_t ended = waitpid(run.tool, NULL, WNOHANG);
    if (ended == run.tool || (ended < 0 && errno == ECHILD))
        return true;
    if (sheaf_clock_ns() < run.until_ns)
        return false;
    kill(run.tool, SIGKILL);
    waitpid(run.tool, NULL, 0);
    return true;
}

char *sheaf_stacks_take(size_t *length)
{
    struct stat file;
    char *text = NULL;
    ssize_t got = -1;
    if (fstat(run.file, &file) == 0 && file.st_size > 0) {
        size_t most = (size_t)file.st_size < SHEAF_STACKS_MOST ? (size_t)file.st_size : SHEAF_STACKS_MOST;
        text = malloc(most);
        got = text ? pread(run.file, text, most, 0) : -1;
    }
    close(run.file);
    if (got > 0) {
        text[got - 1] = '\n';
        *length = (size_t)got;
        return text;
    }
    free(text);
    return NULL;
}
