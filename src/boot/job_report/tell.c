/* SPDX-License-Identifier: BSD-3-Clause
 * See tell.h.
 */
#include "boot/job_report/tell.h"

#include "base/atomic.h"
#include "base/os/file_io.h"
#include "base/sanitize.h"
#include "base/settings/env.h"
#include "boot/job_report/parts.h"
#include "boot/job_report/stacks.h"
#include "boot/world/world.h"
#include "image/image.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "sheaf: "

void sheaf_tell_print_after(struct sheaf_report *report, const char *line)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return;
    report->prefix = PREFIX;
    if (line)
        fprintf(out, PREFIX "%s\n", line);
    sheaf_report_print(report, out);
    /* At once, so that launchers do not mix it with what others write. */
    if (fclose(out) == 0) {
        sheaf_sanitize(text, '\n');
        sheaf_write_fully(STDERR_FILENO, text, length);
    }
    free(text);
}

const char *sheaf_tell_folder(void)
{
    const char *folder = sheaf_settings_text("SHEAF_RECORD");
    return folder && *folder ? folder : NULL;
}

static bool is_kept; /* what this process knows */

void sheaf_tell_keep(struct sheaf_report *report)
{
    const char *folder = sheaf_tell_folder();
    char text[SHEAF_REPORT_SAVED];
    if (!folder)
        return;
    __atomic_store_n(&is_kept, true, __ATOMIC_RELAXED);
    report->prefix = PREFIX;
    sheaf_report_save(report, folder, sheaf_image.control->job_id, SHEAF_REPORT_ALL_NODES, text);
    sheaf_write_fully(STDERR_FILENO, text, strlen(text));
}

void sheaf_tell_keep_node(bool is_here)
{
    const char *folder = sheaf_tell_folder();
    struct sheaf_control *control = sheaf_image.control;
    struct sheaf_report report;
    char text[SHEAF_REPORT_SAVED];
    if (!folder || sheaf_image.is_forked || !sheaf_boot.has_control ||
        __atomic_exchange_n(&is_kept, true, __ATOMIC_RELAXED) || sheaf_report_take(&report, control) != 0)
        return;
    report.prefix = PREFIX;
    bool failed = sheaf_report_save(&report, folder, control->job_id, control->node, text) != 0;
    if (is_here || failed)
        sheaf_write_fully(STDERR_FILENO, text, strlen(text));
    sheaf_report_free(&report);
}

/* Where hosts are not connected the others' PEs are all unknown: said, lest they be thought dead. */
void sheaf_tell_print(struct sheaf_report *report)
{
    bool is_off = sheaf_settings_choice("SHEAF_FAILURE_DETECTOR") == SHEAF_FAILURE_DETECTOR_OFF;
    sheaf_tell_print_after(report, sheaf_boot.nodes > 1 && is_off
                                       ? "SHEAF_FAILURE_DETECTOR=off: hosts are not connected, so this is "
                                         "what is known on this one; ask on each"
                                       : NULL);
}

/* The descriptor stays open until the next answer: who asked opens it under /proc. */
static void publish(int fd)
{
    struct sheaf_control *control = sheaf_image.control;
    struct stat file;
    int before = control->report_inode ? control->report_file : -1;
    if (fstat(fd, &file) != 0) {
        close(fd);
        return;
    }
    sheaf_store_relaxed(&control->report_file, fd);
    sheaf_store_release(&control->report_inode, (uint32_t)file.st_ino);
    sheaf_store_release(&control->report_answered, control->report_answered + 1);
    if (before >= 0)
        close(before);
}

void sheaf_tell_write(struct sheaf_report *report)
{
    int fd = sheaf_file_create();
    if (fd >= 0 && sheaf_report_write(report, fd) == 0)
        publish(fd);
    else if (fd >= 0)
        close(fd);
}

/* What a terminal would obey is none of it; only whole lines of ours. */
static void write_stacks(FILE *out, int node)
{
    size_t length;
    const char *text = sheaf_parts_of(node, &length);
    const char *host = sheaf_boot_host_of(sheaf_boot_leader_of(node));
    if (!text || length > SHEAF_STACKS_MOST) {
        fprintf(out, "oshrun: host %s does not tell its PEs' stacks: oshrun --why --stacks there\n", host);
        return;
    }
    fprintf(out, "oshrun: host %s:\n", host);
    for (size_t i = 0; i < length; i++)
        fputc(text[i] == '\n' || (text[i] >= 0x20 && text[i] < 0x7f) ? text[i] : '?', out);
}

void sheaf_tell_write_stacks(struct sheaf_report *report)
{
    int fd = sheaf_file_create();
    FILE *out = fd < 0 ? NULL : fdopen(dup(fd), "w");
    (void)report;
    for (int node = 0; out && node < sheaf_boot.nodes; node++)
        if (node != sheaf_boot.node)
            write_stacks(out, node);
    if (out && fclose(out) == 0)
        publish(fd);
    else if (fd >= 0)
        close(fd);
}

void sheaf_tell_node(void)
{
    struct sheaf_report report;
    char line[200];
    if (sheaf_report_take(&report, sheaf_image.control) != 0)
        return;
    sheaf_report_see_polls(&report, sheaf_image.control);
    snprintf(line, sizeof line,
             "PE %d does not answer, which asks the other hosts: what is known on host %s",
             sheaf_boot_pe_at(0), sheaf_boot_host_of(sheaf_boot.pe));
    sheaf_tell_print_after(&report, sheaf_boot.nodes > 1 ? line : NULL);
    sheaf_report_free(&report);
}
