/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A thread of SHEAF_COPIER=auto that short copies wake looks for further ones, though their caller has made them before
 * it ran: it would else sleep at once, be woken more and more rarely, and hide nothing.
 */
#include "check.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#define LONG     ((size_t)4 << 20)
#define SHORT    ((size_t)64 << 10)
#define WAKING   80     /* such copies wake the thread; 64 do */
#define LOOKS_NS 500000 /* it looks for milliseconds; one that sleeps at once has run for some 50 us */

static void read_file(const char *task, const char *name, char *text, size_t size)
{
    char path[300];
    snprintf(path, sizeof path, "/proc/self/task/%s/%s", task, name);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
}

static void find_thread(char *task, size_t size)
{
    DIR *tasks = opendir("/proc/self/task");
    char name[32];
    CHECK(tasks != NULL);
    for (struct dirent *entry; (entry = readdir(tasks)) != NULL;)
        if (entry->d_name[0] != '.') {
            read_file(entry->d_name, "comm", name, sizeof name);
            if (strcmp(name, "sheaf-copier\n") == 0)
                snprintf(task, size, "%s", entry->d_name);
        }
    closedir(tasks);
}

static void await_sleep(const char *task)
{
    char text[512];
    for (int turn = 0; turn < 1000; turn++) {
        usleep(10000);
        read_file(task, "stat", text, sizeof text);
        if (strstr(text, ") S "))
            return;
    }
    CHECK(!"the thread sleeps");
}

/* That it has run. */
static unsigned long nanoseconds(const char *task)
{
    char text[128];
    read_file(task, "schedstat", text, sizeof text);
    return strtoul(text, NULL, 10);
}

int main(void)
{
    char task[256] = "";
    shmem_init();
    char *dest = shmem_malloc(LONG), *source = malloc(LONG);
    CHECK(dest && source);
    memset(source, 7, LONG);
    shmem_putmem_nbi(dest, source, LONG, 0);
    shmem_quiet();
    for (int turn = 0; turn < 200 && !task[0]; turn++) { /* it names itself once it runs */
        find_thread(task, sizeof task);
        usleep(5000);
    }
    if (!task[0]) {
        puts("skipped: no processor for a thread");
        return 77;
    }
    await_sleep(task);
    unsigned long before = nanoseconds(task);
    for (int i = 0; i < WAKING; i++) {
        shmem_putmem_nbi(dest, source, SHORT, 0);
        shmem_quiet();
    }
    await_sleep(task);
    unsigned long ran = nanoseconds(task) - before;
    printf("ran for %lu us\n", ran / 1000);
    CHECK(ran >= LOOKS_NS);
    shmem_finalize();
    return 0;
}
