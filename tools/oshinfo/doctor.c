/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See doctor.h. Each check looks at one subject and says at most a line or two; what can be tried is tried.
 */
#include "doctor.h"

#include "base/os/os.h"
#include "base/settings/env.h"
#include "engine/engine.h"
#include "image/control.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
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

#define ADAPTERS "/sys/class/infiniband"
#define DEVICES  "/dev/infiniband"

struct visit {
    FILE *out;
    int wrong, notes;
};

static void say(struct visit *visit, const char *kind, const char *subject, const char *format,
                va_list rest)
{
    fprintf(visit->out, "%s: %s: ", kind, subject);
    vfprintf(visit->out, format, rest);
    fputc('\n', visit->out);
}

__attribute__((format(printf, 3, 4))) static void wrong(struct visit *visit, const char *subject,
                                                        const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    say(visit, "wrong", subject, format, rest);
    va_end(rest);
    visit->wrong++;
}

__attribute__((format(printf, 3, 4))) static void note(struct visit *visit, const char *subject,
                                                       const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    say(visit, "note", subject, format, rest);
    va_end(rest);
    visit->notes++;
}

/* The settings' own reader names what is wrong, on standard error. */
static void look_at_settings(struct visit *visit)
{
    struct sheaf_settings settings;
    if (sheaf_settings_read(&settings) != 0)
        wrong(visit, "environment", "a variable is refused, as the line before says: correct it or "
              "unset it");
}

static void look_at_proc(struct visit *visit)
{
    if (!sheaf_os_has_proc())
        wrong(visit, "/proc", "is not mounted: jobs of oshrun work without it, and those of other "
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
        wrong(visit, "shared memory", "memfd_create: %s: PEs cannot share memory; allow this system "
              "call in the container's seccomp profile", strerror(errno));
        return;
    }
    if (sheaf_os_has_proc() && !can_open_a_childs(fd))
        wrong(visit, "/proc", "a process may not open another's files there: under launchers other "
              "than oshrun PEs of a host cannot meet; mount /proc without hidepid and a subset, and "
              "give a container the rights of its user's processes");
    close(fd);
}

static void look_at_limits(struct visit *visit)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < FILE_NEEDED)
        wrong(visit, "ulimit -f", "is %llu KiB, and bounds static data and heaps of a job "
              "together: ulimit -f unlimited", (unsigned long long)limit.rlim_cur / 1024);
    else if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < sheaf_os_memory_total())
        note(visit, "ulimit -f", "is %llu MiB, less than this machine's memory, and bounds static "
             "data and heaps of a job together: ulimit -f unlimited",
             (unsigned long long)limit.rlim_cur / MIB);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_max < FILES_NEEDED)
        wrong(visit, "ulimit -Hn", "is %llu, and oshrun takes 2 files per PE, a PE some 20 between "
              "hosts: raise it in /etc/security/limits.conf (nofile)",
              (unsigned long long)limit.rlim_max);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        note(visit, "ulimit -v", "is %llu MiB, and every PE maps the windows of all PEs of its host: "
             "heaps get smaller; ulimit -v unlimited", (unsigned long long)limit.rlim_cur / MIB);
}

static void look_at_cpus(struct visit *visit)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    int usable = sheaf_os_usable_cpus();
    if (usable < online)
        note(visit, "CPUs", "%d of %ld may be used from here: an affinity (taskset, a launcher's "
             "binding) or a control group's quota says so, and PEs that outnumber them take turns",
             usable, online);
}

static void look_at_huge_pages(struct visit *visit)
{
    static const char path[] = "/sys/kernel/mm/transparent_hugepage/shmem_enabled";
    char text[256];
    if (sheaf_os_read_file(path, text, sizeof text) <= 0)
        note(visit, "huge pages", "this kernel has none for shared memory: heaps have pages of the "
             "usual size");
    else if (strstr(text, "[never]") || strstr(text, "[deny]"))
        note(visit, "huge pages", "the heap gets none; as root: echo advise > %s", path);
}

/* MPI in the same program needs it; Sheaf's own memory has no name there. */
static void look_at_dev_shm(struct visit *visit)
{
    struct statvfs at;
    if (statvfs("/dev/shm", &at) != 0 || access("/dev/shm", W_OK | X_OK) != 0) {
        wrong(visit, "/dev/shm", "%s: Sheaf does without, and an MPI in the same program does "
              "not; mount -t tmpfs tmpfs /dev/shm", strerror(errno));
        return;
    }
    uint64_t free_bytes = (uint64_t)at.f_bavail * at.f_frsize, all = (uint64_t)at.f_blocks * at.f_frsize;
    if (free_bytes < SHM_NEEDED)
        wrong(visit, "/dev/shm", "has %llu KiB free: Sheaf does without, and an MPI in the same "
              "program takes 4 MiB per process; remove what is left there (ls -l /dev/shm)",
              (unsigned long long)free_bytes / 1024);
    else if (all < SHM_GENEROUS)
        note(visit, "/dev/shm", "has %llu MiB in all, and an MPI in the same program takes 4 MiB per "
             "process; start the container with --shm-size=1g", (unsigned long long)all / MIB);
}

static void look_at_namespaces(struct visit *visit)
{
    char text[256];
    unsigned long long count = 0; /* of users; none in a namespace without a map */
    if (sheaf_os_read_file("/proc/self/uid_map", text, sizeof text) >= 0 &&
        (sscanf(text, "%*u %*u %llu", &count) != 1 || count < UINT32_MAX))
        note(visit, "user namespace", "this shell is in one of its own: PEs of a host that are "
             "started outside of it cannot meet those inside; start all of them in one");
    if (sheaf_os_read_file("/proc/sys/kernel/yama/ptrace_scope", text, sizeof text) > 0 && atoi(text) > 0)
        note(visit, "ptrace scope", "is %d: an MPI in the same program copies large messages twice, "
             "and debuggers do not attach to PEs; as root: sysctl kernel.yama.ptrace_scope=0",
             atoi(text));
}

static bool is_command(const char *name)
{
    char path[4096];
    const char *rest = getenv("PATH");
    while (rest && *rest) {
        size_t length = strcspn(rest, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)length, rest, name);
        if (access(path, X_OK) == 0)
            return true;
        rest += length + (rest[length] == ':');
    }
    return false;
}

static void look_at_launchers(struct visit *visit)
{
    static const char *const names[] = {"srun", "prterun", "mpirun", "mpiexec", "mpiexec.hydra"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_command(names[i]))
            return;
    note(visit, "launcher", "no srun, prterun, mpirun or mpiexec in the PATH: jobs stay on this "
         "host; install one (Debian: mpich, openmpi-bin or slurm-client)");
}

/* What oshrun needs to start Open MPI's programs. */
static void look_at_pmix_server(struct visit *visit, void *library)
{
#ifdef SHEAF_HAS_PMIX_SERVER
    int major = 0, minor = 0;
    const char *(*ask)(void) = (const char *(*)(void))dlsym(library, "PMIx_Get_version");
    const char *version = ask ? ask() : "of no version";
    sscanf(version + strcspn(version, "0123456789"), "%d.%d", &major, &minor);
    if (major < 4 || (major == 4 && minor < 2))
        note(visit, "PMIx", "libpmix.so.2 is %.40s: oshrun starts programs of Open MPI from 4.2 on, "
             "mpirun does here", version);
#else
    (void)library;
    note(visit, "PMIx", "its server is not built in: oshrun starts no programs of Open MPI; build "
         "with libpmix's headers of version 4.2 or later (Debian: libpmix-dev)");
#endif
}

static void look_at_pmix(struct visit *visit)
{
#ifdef SHEAF_HAS_PMIX
    void *library = dlopen("libpmix.so.2", RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        note(visit, "PMIx", "libpmix.so.2 is not installed: jobs of Open MPI's mpirun and of srun "
             "--mpi=pmix do not start, nor do programs of Open MPI under oshrun (Debian: libpmix2)");
        return;
    }
    look_at_pmix_server(visit, library);
    dlclose(library);
#else
    (void)look_at_pmix_server;
    note(visit, "PMIx", "is not built in: jobs of Open MPI's mpirun and of srun --mpi=pmix do not "
         "start, nor do programs of Open MPI under oshrun; build with pmix.h (Debian: libpmix-dev)");
#endif
}

static void look_at_libraries(struct visit *visit)
{
    const char *chosen = getenv("SHEAF_ENGINE");
    void *ucx = dlopen("libucp.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (!ucx && chosen && strcmp(chosen, "ucx") == 0)
        wrong(visit, "engine", "SHEAF_ENGINE is ucx, and libucp.so.0 is not installed (Debian: "
              "libucx0)");
    else if (!ucx)
        note(visit, "engine", "libucp.so.0 is not installed: jobs stay on this host (Debian: "
             "libucx0)");
    else
        dlclose(ucx);
}

/* The first name in a folder that begins with prefix; false where there is none. */
static bool first_in(const char *folder, const char *prefix, char *name, size_t size)
{
    DIR *list = opendir(folder);
    bool found = false;
    for (struct dirent *entry; list && !found && (entry = readdir(list));) {
        found = entry->d_name[0] != '.' && strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
        if (found)
            snprintf(name, size, "%s", entry->d_name);
    }
    if (list)
        closedir(list);
    return found;
}

static void look_at_adapters(struct visit *visit)
{
    char adapter[256], device[256], path[512];
    struct rlimit limit;
    if (!first_in(ADAPTERS, "", adapter, sizeof adapter))
        return;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        wrong(visit, "locked memory", "ulimit -l is %llu KiB, and adapter %s locks the memory that "
              "it transfers: set memlock to unlimited in /etc/security/limits.conf and for the "
              "launcher's daemon (LimitMEMLOCK=infinity)", (unsigned long long)limit.rlim_cur / 1024,
              adapter);
    if (!first_in(DEVICES, "uverbs", device, sizeof device)) {
        wrong(visit, "device", "adapter %s has no file %s/uverbs*: load the module ib_uverbs, or "
              "pass the devices to the container (--device=%s)", adapter, DEVICES, DEVICES);
        return;
    }
    snprintf(path, sizeof path, "%s/%s", DEVICES, device);
    if (access(path, R_OK | W_OK) != 0)
        wrong(visit, "device", "%s: %s: adapter %s cannot be used; let the user's group read and "
              "write it (udev's rules of rdma-core)", path, strerror(errno), adapter);
}

int sheaf_doctor_print(FILE *out)
{
    static void (*const looks[])(struct visit *) = {
        look_at_settings, look_at_proc, look_at_the_jobs_file, look_at_limits, look_at_cpus,
        look_at_huge_pages, look_at_dev_shm, look_at_namespaces, look_at_launchers,
        look_at_pmix, look_at_libraries, look_at_adapters};
    struct visit visit = {.out = out};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        looks[i](&visit);
    fprintf(out, "%d wrong, %d note%s\n", visit.wrong, visit.notes, visit.notes == 1 ? "" : "s");
    return visit.wrong;
}
