/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the processes below this one: one pass over /proc reads all parents, then each process's chain is
 * followed upward.
 */
#include "oshrun/hosts/process.h"

#include "base/os/os.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct process {
    int pid;
    int parent;
};

struct table {
    struct process *rows;
    size_t count;
    size_t capacity;
};

static int by_pid(const void *a, const void *b)
{
    int left = ((const struct process *)a)->pid, right = ((const struct process *)b)->pid;
    return (left > right) - (left < right);
}

/* Reads state and parent, the third and fourth field of /proc/PID/stat; the second field may contain
 * any text. */
static bool read_stat(int pid, char *state, int *parent)
{
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    if (sheaf_os_read_file(path, text, sizeof text) <= 0)
        return false;
    const char *name_end = strrchr(text, ')');
    return name_end && sscanf(name_end + 1, " %c %d", state, parent) == 2;
}

static int parent_of(int pid)
{
    char state;
    int parent;
    return read_stat(pid, &state, &parent) ? parent : 0;
}

bool sheaf_process_is_asleep(int pid)
{
    char state;
    int parent;
    return !read_stat(pid, &state, &parent) || state == 'S' || state == 'D';
}

bool sheaf_process_is_stopped(int pid)
{
    char state;
    int parent;
    return read_stat(pid, &state, &parent) && (state == 'T' || state == 't');
}

static void read_table(struct table *table)
{
    DIR *folder = opendir("/proc");
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        if (table->count == table->capacity) {
            size_t capacity = table->capacity ? table->capacity * 2 : 256;
            struct process *rows = reallocarray(table->rows, capacity, sizeof *rows);
            if (!rows)
                break;
            table->rows = rows;
            table->capacity = capacity;
        }
        int pid = atoi(entry->d_name);
        table->rows[table->count++] = (struct process){pid, parent_of(pid)};
    }
    closedir(folder);
    qsort(table->rows, table->count, sizeof *table->rows, by_pid);
}

/* Whether the chain of parents of row leads to ancestor. A chain that is read while processes start and
 * end could be a cycle, so the number of steps is bounded. */
static bool is_below(const struct table *table, const struct process *row, int ancestor)
{
    for (size_t steps = 0; row && steps < table->count; steps++) {
        if (row->parent == ancestor)
            return true;
        struct process key = {row->parent, 0};
        row = bsearch(&key, table->rows, table->count, sizeof key, by_pid);
    }
    return false;
}

int sheaf_process_signal_below(int signal, int spare)
{
    struct table table = {0};
    int sent = 0;
    read_table(&table);
    for (size_t i = 0; i < table.count; i++)
        if (table.rows[i].pid != spare && is_below(&table, &table.rows[i], getpid()))
            sent += kill(table.rows[i].pid, signal) == 0;
    free(table.rows);
    return sent;
}

void sheaf_process_close_between(unsigned first, unsigned last)
{
    if (first > last)
        return;
#ifdef SYS_close_range /* older versions of libc have no wrapper for this system call */
    if (syscall(SYS_close_range, first, last, 0) == 0)
        return;
#endif
    long limit = sysconf(_SC_OPEN_MAX);
    for (unsigned fd = first; fd <= last && (long)fd < limit; fd++)
        close((int)fd);
}
