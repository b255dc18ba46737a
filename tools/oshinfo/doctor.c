/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See doctor.h. Each check looks at one subject and says at most a line or two; what can be tried is tried.
 */
#include "doctor.h"
#include "doctor_findings.h"

#include "base/os/os.h"
#include "base/settings/env.h"
#include "image/control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (1 << 20)

/* Open MPI 4.1 maps 4 MiB of /dev/shm per process; containers have 64 MiB as a rule. */
#define SHM_NEEDED   ((uint64_t)4 * MIB)
#define SHM_GENEROUS ((uint64_t)64 * MIB)

/* oshrun takes 2 per PE, and a PE some 20 of its own over TCP. */
#define FILES_NEEDED 64

/* A shared object of some size and a small heap. */
#define FILE_NEEDED ((uint64_t)64 * MIB)

/* The settings' own reader names what is wrong, on standard error. */
static void look_at_settings(struct visit *visit)
{
    struct sheaf_settings settings;
    if (sheaf_settings_read(&settings) != 0)
        sheaf_doctor_wrong(visit, "environment",
                           "a variable is refused, as the line before says: correct it or "
                           "unset it");
}

static void look_at_proc(struct visit *visit)
{
    if (!sheaf_os_has_proc())
        sheaf_doctor_wrong(visit, "/proc",
                           "is not mounted: jobs of oshrun work without it, and those of other "
                           "launchers do not; mount -t proc proc /proc");
}

/* PEs of other launchers open one another's file under /proc. Returns whether that works here. */
static bool can_open_a_childs(int fd)
{
    char path[64];
    int hold[2], status;
    if (pipe2(hold, O_CLOEXEC) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        close(hold[1]);
        _exit((int)read(hold[0], path, 1)); /* until the parent has closed its end */
    }
    close(hold[0]);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)child, fd);
    int opened = child > 0 ? open(path, O_RDWR | O_CLOEXEC) : -1;
    close(hold[1]);
    if (child > 0)
        waitpid(child, &status, 0);
    if (opened >= 0)
        close(opened);
    return opened >= 0;
}

static void look_at_the_jobs_file(struct visit *visit)
{
    int fd = sheaf_file_create();
    if (fd < 0) {
        sheaf_doctor_wrong(visit, "shared memory",
                           "memfd_create: %s: PEs cannot share memory; allow this system "
                           "call in the container's seccomp profile",
                           strerror(errno));
        return;
    }
    if (sheaf_os_has_proc() && !can_open_a_childs(fd))
        sheaf_doctor_wrong(
            visit, "/proc",
            "a process may not open another's files there: under launchers other "
            "than oshrun PEs of a host cannot connect; mount /proc without hidepid and a subset, and "
            "give a container the rights of its user's processes");
    close(fd);
}

static void look_at_limits(struct visit *visit)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < FILE_NEEDED)
        sheaf_doctor_wrong(visit, "ulimit -f",
                           "is %llu KiB, and bounds static data and heaps of a job "
                           "together: ulimit -f unlimited",
                           (unsigned long long)limit.rlim_cur / 1024);
    else if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < sheaf_os_memory_total())
        sheaf_doctor_note(visit, "ulimit -f",
                          "is %llu MiB, less than this machine's memory, and bounds static "
                          "data and heaps of a job together: ulimit -f unlimited",
                          (unsigned long long)limit.rlim_cur / MIB);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_max < FILES_NEEDED)
        sheaf_doctor_wrong(visit, "ulimit -Hn",
                           "is %llu, and oshrun takes 2 files per PE, a PE some 20 between "
                           "hosts: raise it in /etc/security/limits.conf (nofile)",
                           (unsigned long long)limit.rlim_max);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        sheaf_doctor_note(visit, "ulimit -v",
                          "is %llu MiB, and every PE maps the windows of all PEs of its host: "
                          "heaps get smaller; ulimit -v unlimited",
                          (unsigned long long)limit.rlim_cur / MIB);
}

static void look_at_cpus(struct visit *visit)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    int usable = sheaf_os_usable_cpus();
    if (usable < online)
        sheaf_doctor_note(
            visit, "CPUs",
            "%d of %ld may be used from here: an affinity (taskset, a launcher's "
            "binding) or a control group's quota says so, and PEs that outnumber them take turns",
            usable, online);
}

static void look_at_huge_pages(struct visit *visit)
{
    static const char path[] = "/sys/kernel/mm/transparent_hugepage/shmem_enabled";
    char text[256];
    if (sheaf_os_read_file(path, text, sizeof text) <= 0)
        sheaf_doctor_note(visit, "huge pages",
                          "this kernel has none for shared memory: heaps have pages of the "
                          "usual size");
    else if (strstr(text, "[never]") || strstr(text, "[deny]"))
        sheaf_doctor_note(visit, "huge pages", "the heap gets none; as root: echo advise > %s", path);
}

/* MPI in the same program needs it; Sheaf's own memory has no name there. */
static void look_at_dev_shm(struct visit *visit)
{
    struct statvfs at;
    if (statvfs("/dev/shm", &at) != 0 || access("/dev/shm", W_OK | X_OK) != 0) {
        sheaf_doctor_wrong(visit, "/dev/shm",
                           "%s: Sheaf does without, and an MPI in the same program does "
                           "not; mount -t tmpfs tmpfs /dev/shm",
                           strerror(errno));
        return;
    }
    uint64_t free_bytes = (uint64_t)at.f_bavail * at.f_frsize, all = (uint64_t)at.f_blocks * at.f_frsize;
    if (free_bytes < SHM_NEEDED)
        sheaf_doctor_wrong(visit, "/dev/shm",
                           "has %llu KiB free: Sheaf does without, and an MPI in the same "
                           "program takes 4 MiB per process; remove what is left there (ls -l /dev/shm)",
                           (unsigned long long)free_bytes / 1024);
    else if (all < SHM_GENEROUS)
        sheaf_doctor_note(visit, "/dev/shm",
                          "has %llu MiB in all, and an MPI in the same program takes 4 MiB per "
                          "process; start the container with --shm-size=1g",
                          (unsigned long long)all / MIB);
}

static void look_at_namespaces(struct visit *visit)
{
    char text[256];
    unsigned long long count = 0; /* of users; none in a namespace without a map */
    if (sheaf_os_read_file("/proc/self/uid_map", text, sizeof text) >= 0 &&
        (sscanf(text, "%*u %*u %llu", &count) != 1 || count < UINT32_MAX))
        sheaf_doctor_note(visit, "user namespace",
                          "this shell is in one of its own: PEs of a host that are started outside of it "
                          "share memory with those inside by SHEAF_NODE_DIR, a folder that both see");
    if (sheaf_os_read_file("/proc/sys/kernel/yama/ptrace_scope", text, sizeof text) > 0 && atoi(text) > 0)
        sheaf_doctor_note(visit, "ptrace scope",
                          "is %d: an MPI in the same program copies large messages twice, "
                          "and debuggers do not attach to PEs; as root: sysctl kernel.yama.ptrace_scope=0",
                          atoi(text));
}

int sheaf_doctor_print(FILE *out)
{
    static void (*const looks[])(struct visit *) = {look_at_settings,
                                                    look_at_proc,
                                                    look_at_the_jobs_file,
                                                    look_at_limits,
                                                    look_at_cpus,
                                                    look_at_huge_pages,
                                                    look_at_dev_shm,
                                                    look_at_namespaces,
                                                    sheaf_doctor_see_launchers,
                                                    sheaf_doctor_see_engine,
                                                    sheaf_doctor_see_adapters};
    struct visit visit = {.out = out};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        looks[i](&visit);
    fprintf(out, "%d wrong, %d note%s\n", visit.wrong, visit.notes, visit.notes == 1 ? "" : "s");
    return visit.wrong;
}
