/* SPDX-License-Identifier: BSD-3-Clause
 * See tool.h.
 */
#include "base/os/tool.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <unistd.h>

#define MOST_PASSED 4

/* What the tool needs of the environment. Libraries to be loaded before all others are the program's
 * matter, and a server of debugging information would be asked over the network. */
static void choose_environment(char **chosen)
{
    static const char *const passed[MOST_PASSED] = {"PATH=", "LD_LIBRARY_PATH=", "HOME=", "TMPDIR="};
    size_t count = 0;
    for (char **word = environ; word && *word; word++)
        for (size_t i = 0; i < MOST_PASSED && count < MOST_PASSED; i++)
            if (strncmp(*word, passed[i], strlen(passed[i])) == 0)
                chosen[count++] = *word;
    chosen[count] = NULL;
}

/* The threads that start tools block all signals, and programs ignore some; debuggers wait for SIGCHLD. */
static int reset_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGCHLD);
    sigaddset(&usual, SIGPIPE);
    if (posix_spawnattr_init(attributes) != 0)
        return -1;
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &usual);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return 0;
}

/* fork() would run the handlers of the program. */
int sheaf_tool_start(char **words, int input, int output, pid_t *tool)
{
    char *environment[MOST_PASSED + 1];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    choose_environment(environment);
    if (reset_signals(&attributes) != 0)
        return -1;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        posix_spawnattr_destroy(&attributes);
        return -1;
    }
    if (input >= 0)
        posix_spawn_file_actions_adddup2(&actions, input, 0);
    else
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    int error = posix_spawnp(tool, words[0], &actions, &attributes, words, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error ? -1 : 0;
}
