/* SPDX-License-Identifier: BSD-3-Clause
 * The hosts and their slots: see host_list.h.
 */
#include "oshrun/command/host_list.h"

#include "base/os/user_file.h"
#include "oshrun/command/options.h"
#include "oshrun/command/say.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SLOTS 65536

/* The number of PEs behind "name:", or behind "slots=" in a file. */
static int slots_of(const char *option, const char *host, const char *text)
{
    char *end;
    errno = 0;
    long slots = strtol(text, &end, 10);
    if (errno || end == text || *end || slots < 1 || slots > MAX_SLOTS)
        sheaf_die(STATUS_USAGE, "%s: host %s: \"%s\" is no number of PEs from 1 to %d", option, host,
                  text, MAX_SLOTS);
    return (int)slots;
}

static void add_host(struct hosts *hosts, const char *option, const char *name, size_t length,
                     const char *slots)
{
    struct host host = {.name = strndup(name, length)};
    hosts->list = reallocarray(hosts->list, (size_t)hosts->count + 1, sizeof *hosts->list);
    if (!host.name || !hosts->list)
        sheaf_die(1, "out of memory");
    if (length == 0)
        sheaf_die(STATUS_USAGE, "%s: a host's name is empty", option);
    if (host.name[0] == '-')
        sheaf_die(STATUS_USAGE, "%s: \"%s\" is no host's name", option, host.name);
    if (slots)
        host.slots = slots_of(option, host.name, slots);
    for (int i = 0; i < hosts->count; i++)
        if (!strcmp(hosts->list[i].name, host.name))
            sheaf_die(STATUS_USAGE, "%s: host %s is listed twice; for two PEs there write %s:2",
                      option, host.name, host.name);
    hosts->list[hosts->count++] = host;
}

void sheaf_hosts_add(struct hosts *hosts, const char *option, const char *list)
{
    char *copy = strdup(list), *rest = copy, *word;
    if (!copy)
        sheaf_die(1, "out of memory");
    while ((word = strsep(&rest, ","))) {
        char *colon = strrchr(word, ':');
        if (colon)
            *colon = '\0';
        add_host(hosts, option, word, strlen(word), colon ? colon + 1 : NULL);
    }
    free(copy);
}

static void read_line(struct hosts *hosts, const char *option, char *line)
{
    line[strcspn(line, "#\r\n")] = '\0';
    char *name = strtok(line, " \t"), *word;
    if (!name)
        return;
    char *slots = strrchr(name, ':');
    if (slots)
        *slots++ = '\0';
    while ((word = strtok(NULL, " \t"))) {
        if (strncmp(word, "slots=", 6))
            sheaf_die(STATUS_USAGE, "%s: host %s: \"%s\" is not understood; expected slots=N", option,
                      name, word);
        slots = word + 6;
    }
    add_host(hosts, option, name, strlen(name), slots);
}

void sheaf_hosts_read(struct hosts *hosts, const char *option, const char *path)
{
    char *line = NULL;
    size_t size = 0;
    int before = hosts->count;
    const char *why;
    FILE *file = sheaf_user_file_read(path, &why);
    if (!file)
        sheaf_die(STATUS_USAGE, "%s %s: %s", option, path, why);
    while (getline(&line, &size, file) >= 0)
        read_line(hosts, option, line);
    free(line);
    fclose(file);
    if (hosts->count == before)
        sheaf_die(STATUS_USAGE, "%s %s: no host in it", option, path);
}

/* Shares the remaining PEs among the hosts without slots; where they do not divide, the first ones get
 * one more. */
static void share_remaining(struct hosts *hosts, int left, int silent)
{
    for (int i = 0; i < hosts->count; i++)
        if (hosts->list[i].slots == 0) {
            hosts->list[i].slots = (left + silent - 1) / silent;
            left -= hosts->list[i].slots;
            silent--;
        }
}

int sheaf_hosts_fill(struct hosts *hosts, int npes)
{
    int given = 0, silent = 0;
    for (int i = 0; i < hosts->count; i++) {
        given += hosts->list[i].slots;
        silent += hosts->list[i].slots == 0;
    }
    if (npes == 0)
        npes = given + silent;
    if (npes < given + silent && silent)
        sheaf_die(STATUS_USAGE, "%d PEs are fewer than one for each of the %d hosts; leave some out",
                  npes, hosts->count);
    if (npes > given && !silent)
        sheaf_die(STATUS_USAGE, "%d PEs do not fit the hosts' %d slots", npes, given);
    share_remaining(hosts, npes - given, silent);
    for (int i = hosts->count - 1, over = given - npes; i >= 0 && over > 0 && !silent; i--) {
        int less = over < hosts->list[i].slots ? over : hosts->list[i].slots;
        hosts->list[i].slots -= less;
        over -= less;
    }
    return npes;
}
