/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the agent of this PE's host, where one machine plays all hosts.
 */
#ifndef SURVIVE_AGENT_H
#define SURVIVE_AGENT_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t read_file(const char *process, const char *name, char *text, size_t size)
{
    char path[300];
    snprintf(path, sizeof path, "/proc/%s/%s", process, name);
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, size - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    return length;
}

/* Whether the process has the variable as this one has it. */
static bool agrees_on(const char *process, const char *variable)
{
    static char text[1 << 20];
    const char *mine = getenv(variable);
    size_t length = read_file(process, "environ", text, sizeof text), name = strlen(variable);
    for (char *at = text; at < text + length; at += strlen(at) + 1)
        if (strncmp(at, variable, name) == 0 && at[name] == '=')
            return mine && strcmp(at + name + 1, mine) == 0;
    return !mine;
}

/* Its number, by its name and what the launcher and tests/common/on-hosts have told the PE; 0: there is none. */
static int find_agent(void)
{
    char name[64];
    int found = 0;
    DIR *processes = opendir("/proc");
    for (struct dirent *entry; (entry = readdir(processes)) != NULL;)
        if (read_file(entry->d_name, "comm", name, sizeof name) && !strcmp(name, "sheaf-agent\n") &&
            agrees_on(entry->d_name, "PMIX_NAMESPACE") && agrees_on(entry->d_name, "SHEAF_HOST"))
            found = atoi(entry->d_name);
    closedir(processes);
    return found;
}

#endif
