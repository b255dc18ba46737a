/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processors, memory, limits, address space, as this process finds them: a job started from the
 * same shell finds the same.
 */
#include "machine.h"

#include "base/settings/env.h"
#include "base/os/os.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define KIB 1024.0

/* "3.8 GiB" */
static const char *in_words(double bytes, char *text, size_t size)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int unit = 0;
    while (bytes >= KIB && unit < 5) {
        bytes /= KIB;
        unit++;
    }
    snprintf(text, size, "%.*f %s", unit ? 1 : 0, bytes, units[unit]);
    return text;
}

void sheaf_machine_print_cpus(FILE *out)
{
    fprintf(out, LABEL "%d of %ld\n", "usable CPUs", sheaf_os_usable_cpus(),
            sysconf(_SC_NPROCESSORS_ONLN));
}

void sheaf_machine_print_memory(FILE *out)
{
    char total[32], available[32];
    fprintf(out, LABEL "%s, %s available\n", "memory",
            in_words((double)sheaf_os_memory_total(), total, sizeof total),
            in_words((double)sheaf_os_memory_available(), available, sizeof available));
}

/* The word in brackets of a kernel choice such as "always [never]". */
static bool chosen(const char *path, char *word, size_t size)
{
    char text[256];
    if (sheaf_os_read_file(path, text, sizeof text) <= 0)
        return false;
    char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
    if (!close)
        return false;
    *close = '\0';
    snprintf(word, size, "%s", open + 1);
    return true;
}

static void print_pool(FILE *out)
{
    uint64_t total = 0, free_pages = 0, kib = 0;
    char size[32];
    if (!sheaf_os_read_key("/proc/meminfo", "HugePages_Total", &total)) {
        fprintf(out, LABEL "not known: no /proc/meminfo\n", "hugetlb pool");
        return;
    }
    if (!total) {
        fprintf(out, LABEL "no pages reserved (vm.nr_hugepages is 0)\n", "hugetlb pool");
        return;
    }
    sheaf_os_read_key("/proc/meminfo", "HugePages_Free", &free_pages);
    sheaf_os_read_key("/proc/meminfo", "Hugepagesize", &kib);
    fprintf(out, LABEL "%" PRIu64 " pages of %s, %" PRIu64 " free; the heap does not use it\n",
            "hugetlb pool", total, in_words((double)kib * KIB, size, sizeof size), free_pages);
}

/* The heap is shared memory without a name: its huge pages have a switch of their own. */
void sheaf_machine_print_huge_pages(FILE *out)
{
    static const char path[] = "/sys/kernel/mm/transparent_hugepage/shmem_enabled";
    char word[32];
    fprintf(out, LABEL, "huge pages, heap");
    if (!chosen(path, word, sizeof word))
        fprintf(out, "no: this kernel has none for shared memory (no %s)\n", path);
    else if (!strcmp(word, "never") || !strcmp(word, "deny"))
        fprintf(out, "no: %s is \"%s\"; as root: echo advise > %s\n", path, word, path);
    else
        fprintf(out, "yes: %s is \"%s\"\n", path, word);
    print_pool(out);
}

static void print_limit(FILE *out, const char *label, int resource, const char *meaning)
{
    struct rlimit limit;
    char soft[32], hard[32];
    getrlimit(resource, &limit);
    fprintf(out, LABEL "%s", label,
            limit.rlim_cur == RLIM_INFINITY ? "unlimited"
                                            : in_words((double)limit.rlim_cur, soft, sizeof soft));
    if (limit.rlim_cur != limit.rlim_max)
        fprintf(out, " (may be raised to %s)",
                limit.rlim_max == RLIM_INFINITY
                    ? "unlimited"
                    : in_words((double)limit.rlim_max, hard, sizeof hard));
    fprintf(out, "%s\n", limit.rlim_cur == RLIM_INFINITY ? "" : meaning);
}

void sheaf_machine_print_limits(FILE *out)
{
    struct rlimit files;
    print_limit(out, "ulimit -v", RLIMIT_AS, ": all PEs' windows must fit in it");
    print_limit(out, "ulimit -l", RLIMIT_MEMLOCK, ": locked memory; not used on one machine");
    print_limit(out, "ulimit -f", RLIMIT_FSIZE, ": bounds static data and heap of a job together");
    getrlimit(RLIMIT_NOFILE, &files);
    fprintf(out, LABEL "%llu: oshrun takes 2 per PE\n", "ulimit -Hn",
            (unsigned long long)files.rlim_max);
}

/* The largest power of two that can be mapped at once, found by trying. */
void sheaf_machine_print_address_space(FILE *out)
{
    char text[32];
    for (int bits = 62; bits >= 20; bits--) {
        size_t length = (size_t)1 << bits;
        void *range = mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (range == MAP_FAILED)
            continue;
        munmap(range, length);
        fprintf(out, LABEL "%s in one piece\n", "address space",
                in_words((double)length, text, sizeof text));
        return;
    }
    fprintf(out, LABEL "less than 1 MiB in one piece\n", "address space");
}
