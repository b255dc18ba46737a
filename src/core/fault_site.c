/* SPDX-License-Identifier: BSD-3-Clause
 * See fault_site.h. Nothing of what a process that dies may have left locked is used: fault_stack.c calls
 * it in a copy of one.
 */
#include "core/fault_site.h"

#include "base/clock.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE   (2 * SHEAF_SECOND)
#define MOST_ASKED 64
#define MOST_DEPTH 32 /* of calls within the library */

/* What addr2line answers: two lines an address. */
struct answers {
    int descriptor;
    char bytes[4096];
    size_t at, end;
    uint64_t until;
};

bool sheaf_fault_site_is_code(uintptr_t address)
{
    Dl_info info;
    return dladdr((void *)address, &info) != 0;
}

/* The file, the place in it, and what can be said without addr2line. */
static void locate(struct sheaf_fault_site *site)
{
    Dl_info info;
    struct link_map *map;
    if (!dladdr1((void *)site->address, &info, (void **)&map, RTLD_DL_LINKMAP)) {
        snprintf(site->text, sizeof site->text, "0x%lx, which is no code", (unsigned long)site->address);
        return;
    }
    const char *slash = strrchr(info.dli_fname, '/');
    const char *object = slash ? slash + 1 : info.dli_fname;
    if (map->l_name[0])
        snprintf(site->file, sizeof site->file, "%s", map->l_name);
    else
        snprintf(site->file, sizeof site->file, "/proc/%d/exe", (int)getpid());
    bool is_fixed = ((const ElfW(Ehdr) *)info.dli_fbase)->e_type == ET_EXEC;
    site->offset = is_fixed ? site->address : site->address - (uintptr_t)info.dli_fbase;
    if (info.dli_sname)
        snprintf(site->text, sizeof site->text, "%.100s (%.40s+0x%lx)", info.dli_sname, object,
                 (unsigned long)site->offset);
    else
        snprintf(site->text, sizeof site->text, "%.100s+0x%lx", object, (unsigned long)site->offset);
}

/* A descriptor to read the answers from, or -1. fork() would run the handlers of the process that dies. */
static int start(const struct sheaf_fault_site *sites, const size_t *which, size_t count, pid_t *tool)
{
    char offsets[MOST_ASKED][24];
    char *words[MOST_ASKED + 7] = {"addr2line", "-f", "-s", "-C", "-e", (char *)sites[which[0]].file};
    int ends[2];
    posix_spawn_file_actions_t actions;
    for (size_t i = 0; i < count; i++) {
        snprintf(offsets[i], sizeof offsets[i], "0x%lx", (unsigned long)sites[which[i]].offset);
        words[6 + i] = offsets[i];
    }
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    int error = posix_spawnp(tool, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!error)
        return ends[0];
    close(ends[0]);
    return -1;
}

static bool read_line(struct answers *answers, char *line, size_t size)
{
    size_t length = 0;
    for (;;) {
        if (answers->at == answers->end) {
            struct pollfd ready = {.fd = answers->descriptor, .events = POLLIN};
            uint64_t now = sheaf_clock_ns();
            if (now >= answers->until || poll(&ready, 1, (int)((answers->until - now) / 1000000) + 1) != 1)
                return false;
            ssize_t bytes = read(answers->descriptor, answers->bytes, sizeof answers->bytes);
            if (bytes <= 0)
                return false;
            answers->at = 0;
            answers->end = (size_t)bytes;
        }
        char next = answers->bytes[answers->at++];
        if (next == '\n')
            break;
        if (length + 1 < size)
            line[length++] = next;
    }
    line[length] = '\0';
    return true;
}

static bool take_answer(struct answers *answers, struct sheaf_fault_site *site)
{
    char function[100], place[56];
    if (!read_line(answers, function, sizeof function) || !read_line(answers, place, sizeof place))
        return false;
    place[strcspn(place, " ")] = '\0';
    if (function[0] != '?' && place[0] != '?' && !strstr(place, ":?"))
        snprintf(site->text, sizeof site->text, "%s at %s", function, place);
    return true;
}

static void ask(struct sheaf_fault_site *sites, const size_t *which, size_t count)
{
    pid_t tool;
    struct answers answers = {.until = sheaf_clock_ns() + PATIENCE};
    answers.descriptor = start(sites, which, count, &tool);
    if (answers.descriptor < 0)
        return;
    for (size_t i = 0; i < count && take_answer(&answers, &sites[which[i]]);)
        i++;
    close(answers.descriptor);
    kill(tool, SIGKILL);
    waitpid(tool, NULL, 0);
}

/* Once for each file. */
void sheaf_fault_site_name(struct sheaf_fault_site *sites, size_t count)
{
    size_t which[MOST_ASKED], asked;
    for (size_t i = 0; i < count; i++)
        locate(&sites[i]);
    for (size_t i = 0; i < count; i++) {
        asked = 0;
        for (size_t j = i; j < count && asked < MOST_ASKED; j++)
            if (sites[i].file[0] && strcmp(sites[i].file, sites[j].file) == 0)
                which[asked++] = j;
        if (asked > 0)
            ask(sites, which, asked);
        for (size_t k = asked; k-- > 0;)
            sites[which[k]].file[0] = '\0';
    }
}

static const void *object_of(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

/* The first function that is not the library's is the program's, unless it is libc's: a thread of the
 * library's own, or the end of the process. */
bool sheaf_fault_site_of_call(char *text, size_t size)
{
    void *addresses[MOST_DEPTH];
    const void *own = object_of((const void *)sheaf_fault_site_of_call);
    const void *libc = object_of((const void *)read);
    int depth = backtrace(addresses, MOST_DEPTH), at = 0;
    while (at < depth && object_of(addresses[at]) == own)
        at++;
    if (at == 0 || at == depth || object_of(addresses[at]) == libc)
        return false;
    struct sheaf_fault_site site = {.address = (uintptr_t)addresses[at] - 1};
    sheaf_fault_site_name(&site, 1);
    const char *place = strstr(site.text, " at ");
    snprintf(text, size, "%s", place ? place + 4 : site.text);
    return true;
}
