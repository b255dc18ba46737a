/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The begin and the end: takes place between initialization and finalization, says at start what it
 * cannot see, and gives the process the status that SHEAF_RACES_EXIT asks for where there were races.
 */
#include "races/internal.h"

#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <shmemx_ft.h>

#define MOST_REPORTS 100
#define MOST_TEXT    600

/* What the process's status is then; 0: what it would have been. */
static int exit_status;

static unsigned number_of(const char *name, unsigned least, unsigned most, unsigned otherwise)
{
    const char *text = getenv(name);
    char *end;
    if (!text || !*text)
        return otherwise;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (least == 0 && (!strcmp(text, "off") || !strcmp(text, "no") || !strcmp(text, "none")))
        return 0;
    if (most == 1 && (!strcmp(text, "on") || !strcmp(text, "yes")))
        return 1;
    if (!errno && !*end && value >= least && value <= most)
        return (unsigned)value;
    if (most == 1)
        races_say("SH201 error: %s=%s: expected on or off", name, text);
    else
        races_say("SH201 error: %s=%s: expected a number from %u to %u", name, text, least, most);
    pshmem_global_exit(1);
}

static int find_program(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    races.bias = info->dlpi_addr;
    races.program = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
                      end = start + info->dlpi_phdr[i].p_memsz;
            races.program = start < races.program ? start : races.program;
            races.program_end = end > races.program_end ? end : races.program_end;
            if (info->dlpi_phdr[i].p_flags & PF_W && (!races.data || start < races.data))
                races.data = start;
        }
    races.program &= ~(RACES_PAGE - 1);
    return 1; /* the first is the program */
}

/* Whether a loaded file calls what the compiler inserts. */
static bool is_instrumented(const struct dl_phdr_info *info)
{
    const char *names = NULL;
    size_t length = 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            for (const ElfW(Dyn) *entry = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
                 entry->d_tag != DT_NULL; entry++) {
                if (entry->d_tag == DT_STRTAB)
                    names = (const char *)entry->d_un.d_ptr;
                if (entry->d_tag == DT_STRSZ)
                    length = entry->d_un.d_val;
            }
    return names && (memmem(names, length, "__tsan_", 7) || memmem(names, length, "__sheaf_races", 13));
}

/* Those that every program has, and whose work is seen otherwise. */
static bool is_known(const char *file)
{
    static const char *const known[] = {"libsheaf",    "libc.so",       "libm.so",  "libdl.so",
                                        "librt.so",    "libpthread.so", "ld-linux", "linux-vdso",
                                        "libgcc_s.so", "libstdc++.so",  "libdw.so"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(file, known[i], strlen(known[i])) == 0)
            return true;
    return false;
}

static int list_unseen(struct dl_phdr_info *info, size_t size, void *argument)
{
    char *text = argument;
    (void)size;
    const char *path = info->dlpi_name[0]              ? info->dlpi_name
                       : info->dlpi_addr == races.bias ? races.path
                                                       : "";
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    size_t length = strlen(text);
    if (*file && !is_known(file) && !is_instrumented(info))
        snprintf(text + length, MOST_TEXT - length, "%s%s", length ? ", " : "", file);
    return 0;
}

static void introduce(void)
{
    char unseen[MOST_TEXT] = "";
    dl_iterate_phdr(list_unseen, unseen);
    races_say("checks OpenSHMEM calls, and loads and stores of code compiled with --check=races, of the %d "
              "PE%s of this host; not checked: loads and stores within libc%s%s (docs/do/races.md)",
              races.npes, races.npes == 1 ? "" : "s", unseen[0] ? ", " : "", unseen);
}

/* NULL, or why this job cannot be checked. */
static const char *find_places(void)
{
    char *block = pshmem_malloc(64);
    races.distance = races_map((size_t)races.npes * sizeof *races.distance);
    if (!block || !races.distance || !races_table)
        return "there is no memory, or no room for addresses (ulimit -v)";
    races_heap_find((uintptr_t)block);
    const char *why = NULL;
    for (int pe = 0; pe < races.npes; pe++) {
        const char *there = pshmem_ptr(block, pe);
        if (!there)
            why = "its PEs do not share memory: they run on several hosts, or apart (SHEAF_ONNODE=off)";
        races.distance[pe] = there - block;
    }
    pshmem_free(block);
    return why;
}

static const char *attach(void)
{
    const char *why = find_places();
    if (why)
        return why;
    int error = races_shared_attach();
    return error ? strerror(error) : NULL;
}

/* What a process in a dead PE's place has done and seen nobody could order. */
static void refuse_new_process(void)
{
    if (!pshmemx_is_respawned())
        return;
    races_say("SH606 error: PE %d has died, and no new process can take its place in a program compiled "
              "with --check=races: compile it without",
              races.pe);
    pshmem_global_exit(1);
}

void races_begin(void)
{
    static char path[4096];
    if (races.is_up)
        return;
    races.pe = pshmem_my_pe();
    races.npes = pshmem_n_pes();
    refuse_new_process();
    if (!races.shared) {
        ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
        path[length > 0 ? length : 0] = '\0';
        races.path = path;
        dl_iterate_phdr(find_program, NULL);
        races.most_reports = number_of("SHEAF_RACES_MOST", 0, 1000000, MOST_REPORTS);
        races.counts_signals = number_of("SHEAF_RACES_SIGNALS", 0, 1, 0);
        exit_status = (int)number_of("SHEAF_RACES_EXIT", 0, 255, 0);
        const char *why = attach();
        if (why) {
            if (races.pe == 0)
                races_say("SH144 this job is not checked: %s", why);
            return;
        }
        races_self = races_thread_new(0);
        if (races.pe == 0)
            introduce();
    }
    races_spaces_prepare();
    races_teams_prepare();
    pshmem_query_thread(&races.thread_level);
    races.first = races_self;
    races.is_up = races_self != NULL;
    pshmem_sync_all();
}

void races_before_finalize(struct races_call *call)
{
    races_team_find(call, SHMEM_TEAM_WORLD);
    races_arrive(call, RACES_BARRIER);
}

void races_after_finalize(const struct races_call *call)
{
    int is_up = 0;
    pshmem_query_initialized(&is_up);
    if (races.is_up)
        races_leave(call, RACES_BARRIER, 0);
    if (is_up || !races.is_up)
        return;
    races.is_up = false;
    if (races.pe == 0 && races_reported())
        races_say("%u race%s in all", races_reported(), races_reported() == 1 ? "" : "s");
}

static void at_exit(int status, void *unused)
{
    (void)unused;
    if (exit_status && status == 0 && races_reported()) {
        fflush(NULL);
        _exit(exit_status);
    }
}

__attribute__((constructor)) static void load(void)
{
    races_pages_prepare();
    races_free_prepare();
    races_threads_prepare();
    on_exit(at_exit, NULL);
}
