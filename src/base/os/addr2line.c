/* SPDX-License-Identifier: BSD-3-Clause
 * See addr2line.h.
 */
#include "base/os/addr2line.h"

#include "base/clock.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_PASSED 4

/* Two lines for each offset. */
struct answers {
    int descriptor;
    char bytes[4096];
    size_t at, end;
    uint64_t until;
};

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

/* fork() would run the handlers of the program. */
static int spawn(char **words, int output, pid_t *tool)
{
    char *environment[MOST_PASSED + 1];
    posix_spawn_file_actions_t actions;
    choose_environment(environment);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    int error = posix_spawnp(tool, words[0], &actions, NULL, words, environment);
    posix_spawn_file_actions_destroy(&actions);
    return error ? -1 : 0;
}

/* A descriptor to read the answers from, or -1. */
static int start(const char *file, const uint64_t *offsets, size_t count, pid_t *tool)
{
    char numbers[SHEAF_ADDR2LINE_MOST][24];
    char *words[SHEAF_ADDR2LINE_MOST + 7] = {"addr2line", "-f", "-s", "-C", "-e", (char *)file};
    int ends[2];
    for (size_t i = 0; i < count; i++) {
        snprintf(numbers[i], sizeof numbers[i], "0x%llx", (unsigned long long)offsets[i]);
        words[6 + i] = numbers[i];
    }
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    int failed = spawn(words, ends[1], tool);
    close(ends[1]);
    if (!failed)
        return ends[0];
    close(ends[0]);
    return -1;
}

static bool read_more(struct answers *answers)
{
    struct pollfd ready = {.fd = answers->descriptor, .events = POLLIN};
    uint64_t now = sheaf_clock_ns();
    if (now >= answers->until ||
        poll(&ready, 1, (int)((answers->until - now) / SHEAF_MILLISECOND) + 1) != 1)
        return false;
    ssize_t bytes = read(answers->descriptor, answers->bytes, sizeof answers->bytes);
    answers->at = 0;
    answers->end = bytes > 0 ? (size_t)bytes : 0;
    return bytes > 0;
}

static bool read_line(struct answers *answers, char *line, size_t size)
{
    size_t length = 0;
    for (;;) {
        if (answers->at == answers->end && !read_more(answers))
            return false;
        char next = answers->bytes[answers->at++];
        if (next == '\n')
            break;
        if (length + 1 < size)
            line[length++] = next;
    }
    line[length] = '\0';
    return true;
}

/* "??" and "heat.c:?" are what it does not know, and line 0 is none. */
static bool take_answer(struct answers *answers, struct sheaf_source_line *line)
{
    struct sheaf_source_line got;
    if (!read_line(answers, got.function, sizeof got.function) ||
        !read_line(answers, got.place, sizeof got.place))
        return false;
    got.place[strcspn(got.place, " ")] = '\0';
    const char *number = strrchr(got.place, ':');
    if (got.place[0] == '?' || !number || number[1] == '?' || strcmp(number, ":0") == 0)
        got.place[0] = '\0';
    if (got.function[0] == '?')
        got.function[0] = '\0';
    *line = got;
    return true;
}

size_t sheaf_addr2line(const char *file, const uint64_t *offsets, size_t count, uint64_t patience,
                       struct sheaf_source_line *lines)
{
    pid_t tool;
    size_t answered = 0;
    struct answers answers = {.until = sheaf_clock_ns() + patience};
    if (count > SHEAF_ADDR2LINE_MOST)
        count = SHEAF_ADDR2LINE_MOST;
    memset(lines, 0, count * sizeof *lines);
    answers.descriptor = count > 0 ? start(file, offsets, count, &tool) : -1;
    if (answers.descriptor < 0)
        return 0;
    while (answered < count && take_answer(&answers, &lines[answered]))
        answered++;
    close(answers.descriptor);
    kill(tool, SIGKILL);
    waitpid(tool, NULL, 0);
    return answered;
}
