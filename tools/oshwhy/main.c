/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oshwhy: explains a job that has ended, from what SHEAF_RECORD has kept of it.
 */
#include "report/report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STATUS_USAGE 2

static const char help[] =
    "usage: oshwhy [--json] DIR|FILE...\n"
    "Says why jobs of oshrun did not go on, which have left their records in SHEAF_RECORD=DIR: "
    "who\n"
    "waited for whom, who was missing, and what each PE did. A FILE is one of these records.\n\n"
    "  --json     the same as JSON, with every PE's last calls\n"
    "  --version  print the version\n"
    "  --help     print this help";

_Noreturn static void die(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void die(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("oshwhy: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(status);
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

static void explain(int folder, const char *name, bool as_json)
{
    struct sheaf_report report = {.prefix = "oshwhy: "};
    int fd = open_record(folder, name);
    if (fd < 0)
        die(1, "%s: cannot be read, or is no plain file", name);
    int failed = sheaf_report_read(&report, fd);
    close(fd);
    if (failed)
        die(1, "%s: no record of a job, or of another version of Sheaf", name);
    if (as_json)
        sheaf_report_print_json(&report, stdout);
    else
        printf("oshwhy: %s: %d PEs\n", name, report.npes);
    if (!as_json)
        sheaf_report_print(&report, stdout);
    sheaf_report_free(&report);
}

static bool is_record(const char *name)
{
    size_t length = strlen(name);
    return length > 6 && !strcmp(name + length - 6, ".sheaf");
}

static void explain_folder(const char *path, bool as_json)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), found = 0;
    DIR *entries = folder >= 0 ? fdopendir(dup(folder)) : NULL;
    if (!entries)
        die(1, "%s: %s", path, strerror(errno));
    for (struct dirent *entry; (entry = readdir(entries));)
        if (is_record(entry->d_name)) {
            explain(folder, entry->d_name, as_json);
            found++;
        }
    closedir(entries);
    close(folder);
    if (!found)
        die(1, "%s: no record there; SHEAF_RECORD=%s oshrun ... leaves one when a job fails", path,
            path);
}

static void explain_path(const char *path, bool as_json)
{
    struct stat status;
    if (stat(path, &status))
        die(1, "%s: %s", path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        explain_folder(path, as_json);
    else
        explain(AT_FDCWD, path, as_json);
}

int main(int argc, char **argv)
{
    bool as_json = false;
    int paths = 0;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return puts(help) < 0;
        else if (!strcmp(argv[i], "--version"))
            return puts("oshwhy (Sheaf) " SHEAF_VERSION) < 0;
        else if (!strcmp(argv[i], "--json"))
            as_json = true;
        else if (argv[i][0] == '-')
            die(STATUS_USAGE, "unknown option %s; oshwhy --help lists them", argv[i]);
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-') {
            explain_path(argv[i], as_json);
            paths++;
        }
    if (!paths)
        die(STATUS_USAGE, "no folder of records; oshwhy --help says how");
    return 0;
}
