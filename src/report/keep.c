/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The copy in a file: a header, the names of calls, the PEs. Another user may have written the file that
 * is read, so every length is checked, and every text is terminated.
 */
#include "report/internal.h"

#include "base/os/file_io.h"
#include "base/sanitize.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC    UINT64_C(0x0064726f63666873)
struct header {
    uint64_t magic;
    uint32_t version; /* of the control area, whose structures these are */
    int32_t npes;
    int32_t world_npes;
    uint32_t pe_bytes;
    uint64_t names_length;
};

int sheaf_report_write(const struct sheaf_report *report, int fd)
{
    struct header header = {MAGIC,
                            SHEAF_CONTROL_VERSION,
                            report->npes,
                            report->world_npes,
                            sizeof *report->pes,
                            report->names_length};
    return sheaf_write_fully(fd, &header, sizeof header) ||
                   sheaf_write_fully(fd, report->names, report->names_length) ||
                   sheaf_write_fully(fd, report->pes, (size_t)report->npes * sizeof *report->pes)
               ? -1
               : 0;
}

static bool is_sound(const struct header *header)
{
    return header->magic == MAGIC && header->version == SHEAF_CONTROL_VERSION &&
           header->pe_bytes == sizeof(struct sheaf_report_pe) && header->npes > 0 &&
           header->npes <= REPORT_MOST_PES && header->world_npes > 0 &&
           header->world_npes <= REPORT_MOST_PES && header->names_length <= SHEAF_CALL_NAMES_ROOM;
}

/* Adds the PEs of the file about which nothing is known yet. */
static void add_unknown_pes(struct sheaf_report *report, size_t count, bool has_names)
{
    int known = report->npes;
    for (size_t i = 0; i < count; i++) {
        struct sheaf_report_pe *pe = &report->pes[(size_t)known + i];
        sheaf_report_sanitize(pe);
        for (int k = 0; k < SHEAF_RECORDS && !has_names; k++)
            pe->recorder.records[k].call = UINT32_MAX;
        struct sheaf_report_pe *before = sheaf_report_find(report, known, pe->pe);
        if (before && before->life == SHEAF_LIFE_UNKNOWN)
            *before = *pe;
        else if (!before)
            report->pes[report->npes++] = *pe;
    }
    sheaf_report_sort(report);
}

/* The names of the first file stay. Calls of a file with other names lose theirs. */
static bool set_names(struct sheaf_report *report, char *names, size_t length)
{
    bool is_same = !report->names || (report->names_length == length &&
                                      !memcmp(report->names, names, length));
    if (report->names) {
        free(names);
    } else {
        report->names = names;
        report->names_length = length;
    }
    return is_same;
}

int sheaf_report_read(struct sheaf_report *report, int fd)
{
    struct header header;
    if (sheaf_read_fully(fd, &header, sizeof header) != 0 || !is_sound(&header) ||
        report->npes > REPORT_MOST_PES - header.npes)
        return -1;
    size_t count = (size_t)header.npes;
    char *names = calloc(1, header.names_length + 1);
    struct sheaf_report_pe *pes =
        reallocarray(report->pes, (size_t)report->npes + count, sizeof *report->pes);
    if (pes)
        report->pes = pes;
    if (!names || !pes || sheaf_read_fully(fd, names, header.names_length) != 0 ||
        sheaf_read_fully(fd, pes + report->npes, count * sizeof *pes) != 0) {
        free(names);
        return -1;
    }
    report->world_npes = header.world_npes;
    add_unknown_pes(report, count, set_names(report, names, header.names_length));
    return 0;
}

/* The file is named after the job's 64 random bits and must be new, so no other user can have put a
 * link there. Where the disk is full the file is removed again. Returns 0 or errno. */
static int write_file(const struct sheaf_report *report, int folder_fd, const char *name)
{
    int fd = openat(folder_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno;
    int why = sheaf_report_write(report, fd) != 0 ? errno : 0;
    if (close(fd) != 0 && !why)
        why = errno;
    if (why)
        unlinkat(folder_fd, name, 0);
    return why;
}

static int write_file_in(const struct sheaf_report *report, const char *folder, const char *name)
{
    mkdir(folder, 0700);
    int folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int why = folder_fd < 0 ? errno : write_file(report, folder_fd, name);
    if (folder_fd >= 0)
        close(folder_fd);
    return why;
}

int sheaf_report_save(const struct sheaf_report *report, const char *folder, uint64_t job_id, int node,
                      char text[SHEAF_REPORT_SAVED])
{
    char name[48];
    int length = snprintf(name, sizeof name, "job-%016llx", (unsigned long long)job_id);
    if (node != SHEAF_REPORT_ALL_NODES)
        length += snprintf(name + length, sizeof name - (size_t)length, "-%d", node);
    snprintf(name + length, sizeof name - (size_t)length, ".sheaf");
    int why = write_file_in(report, folder, name);
    if (why)
        snprintf(text, SHEAF_REPORT_SAVED, "%sSHEAF_RECORD: cannot write %.300s/%s: %s\n", report->prefix,
                 folder, name, strerror(why));
    else if (report->npes < report->world_npes)
        snprintf(text, SHEAF_REPORT_SAVED,
                 "%swhat the PEs did is in %.300s/%s, and the like of each host there; oshwhy explains "
                 "them\n",
                 report->prefix, folder, name);
    else
        snprintf(text, SHEAF_REPORT_SAVED, "%swhat the PEs did is in %.300s/%s; oshwhy explains it\n",
                 report->prefix, folder, name);
    sheaf_sanitize(text, 0);
    text[strlen(text) - 1] = '\n';
    return why ? -1 : 0;
}
