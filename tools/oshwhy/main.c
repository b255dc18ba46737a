/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oshwhy: explains a job that has ended, from what SHEAF_RECORD has kept of it.
 */
#include "../common/standard_output.h"
#include "../common/status.h"
#include "base/sanitize.h"
#include "report/report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "usage: oshwhy [--json] DIR|FILE...\n"
    "Says why jobs hung or failed, from the records that they left in DIR (SHEAF_RECORD): who waited\n"
    "for whom, who was missing, and what each PE did. A FILE is one of these records; a job over hosts\n"
    "leaves one on each.\n\n"
    "  --json     the same as JSON, with every PE's last calls\n"
    "  --version  print the version\n"
    "  --help     print this help";

static bool has_complained;

__attribute__((format(printf, 1, 2))) static void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    sheaf_print_sanitized(stderr, "oshwhy: ", format, arguments);
    va_end(arguments);
    has_complained = true;
}

/* Another user's file in a shared folder is not opened for what it may be: a pipe, a link. */
static int open_record(int folder, const char *name)
{
    struct stat file;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &file) == 0 && S_ISREG(file.st_mode))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* One that cannot be read is named, and does not hide the others. */
static void read_record(struct sheaf_report *report, int folder, const char *name)
{
    int fd = open_record(folder, name);
    if (fd < 0)
        complain("SH952 %s: cannot be read, or is no plain file", name);
    else if (sheaf_report_read(report, fd))
        complain("SH953 %s: no record of a job: another kind of file, damaged, or of another version "
                 "of Sheaf", name);
    if (fd >= 0)
        close(fd);
}

/* The records of one job, the last name first: that of the whole job, where there is one, before those of
 * its hosts. */
static void explain(int folder, char *const *names, size_t count, bool as_json)
{
    struct sheaf_report report = {.prefix = "oshwhy: "};
    for (size_t i = count; i > 0; i--)
        read_record(&report, folder, names[i - 1]);
    if (report.npes == 0) {
        sheaf_report_free(&report);
        return;
    }
    if (as_json) {
        sheaf_report_print_json(&report, stdout);
    } else {
        char shown[NAME_MAX + 1];
        snprintf(shown, sizeof shown, "%s", names[count - 1]);
        sheaf_sanitize(shown, 0);
        printf("oshwhy: %s: ", shown);
        if (report.npes < report.world_npes)
            printf("%d of %d PEs; the other hosts' records are not here\n", report.npes, report.world_npes);
        else
            printf("%d PEs\n", report.npes);
        sheaf_report_print(&report, stdout);
    }
    sheaf_report_free(&report);
}

static int is_record(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 6 && !strcmp(entry->d_name + length - 6, ".sheaf");
}

/* "job-0123456789abcdef-2.sheaf" and "job-0123456789abcdef.sheaf" are of one job. */
#define JOB_NAME 20
static bool is_same_job(const char *one, const char *other)
{
    return !strncmp(one, "job-", 4) && strlen(one) > JOB_NAME && !strncmp(one, other, JOB_NAME) &&
           strchr("-.", one[JOB_NAME]) && strchr("-.", other[JOB_NAME]);
}

static void explain_folder(const char *path, bool as_json)
{
    struct dirent **entries = NULL;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int found = folder >= 0 ? scandir(path, &entries, is_record, alphasort) : -1;
    char **names = found > 0 ? calloc((size_t)found, sizeof *names) : NULL;
    if (found < 0 || (found > 0 && !names))
        complain("SH952 %s: %s", path, strerror(errno));
    else if (!found)
        complain("SH953 %s: no record there; SHEAF_RECORD=%s oshrun ... leaves one when a job fails", path,
                 path);
    for (int i = 0; names && i < found; i++)
        names[i] = entries[i]->d_name;
    for (int first = 0, next; names && first < found; first = next) {
        for (next = first + 1; next < found && is_same_job(names[first], names[next]);)
            next++;
        explain(folder, names + first, (size_t)(next - first), as_json);
    }
    for (int i = 0; i < found; i++)
        free(entries[i]);
    free(entries);
    free(names);
    if (folder >= 0)
        close(folder);
}

static void explain_path(const char *path, bool as_json)
{
    struct stat status;
    if (stat(path, &status))
        complain("SH952 %s: %s", *path ? path : "\"\"", strerror(errno));
    else if (S_ISDIR(status.st_mode))
        explain_folder(path, as_json);
    else
        explain(AT_FDCWD, (char *[]){(char *)path}, 1, as_json);
}

int main(int argc, char **argv)
{
    bool as_json = false;
    int paths = 0;
    sheaf_standard_output_watch();
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return puts(help) < 0;
        else if (!strcmp(argv[i], "--version"))
            return puts("oshwhy (Sheaf) " SHEAF_VERSION) < 0;
        else if (!strcmp(argv[i], "--json"))
            as_json = true;
        else if (argv[i][0] == '-') {
            complain("SH951 unknown option %s; oshwhy --help lists them", argv[i]);
            return STATUS_USAGE;
        }
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-') {
            explain_path(argv[i], as_json);
            paths++;
        }
    if (paths)
        return has_complained;
    complain("SH951 no folder of records; oshwhy --help says how");
    return STATUS_USAGE;
}
