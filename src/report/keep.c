/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The copy in a file: a header, the names of calls, the PEs. The file may be anybody's by the time
 * it is read, so every length is compared with what is there, and every text ended.
 */
#include "report/internal.h"

#include "base/os/whole.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC    UINT64_C(0x0064726f63666873)
#define MOST_PES 65536

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
    return sheaf_write_whole(fd, &header, sizeof header) ||
                   sheaf_write_whole(fd, report->names, report->names_length) ||
                   sheaf_write_whole(fd, report->pes, (size_t)report->npes * sizeof *report->pes)
               ? -1
               : 0;
}

static bool is_sound(const struct header *header)
{
    return header->magic == MAGIC && header->version == SHEAF_CONTROL_VERSION &&
           header->pe_bytes == sizeof(struct sheaf_report_pe) && header->npes > 0 &&
           header->npes <= MOST_PES && header->world_npes > 0 && header->world_npes <= MOST_PES &&
           header->names_length <= SHEAF_CALL_NAMES_ROOM;
}

int sheaf_report_read(struct sheaf_report *report, int fd)
{
    struct header header;
    if (sheaf_read_whole(fd, &header, sizeof header) != 0 || !is_sound(&header) ||
        report->npes > MOST_PES - header.npes)
        return -1;
    size_t count = (size_t)header.npes;
    char *names = calloc(1, header.names_length + 1);
    struct sheaf_report_pe *pes =
        reallocarray(report->pes, (size_t)report->npes + count, sizeof *report->pes);
    if (pes)
        report->pes = pes;
    if (!names || !pes || sheaf_read_whole(fd, names, header.names_length) != 0 ||
        sheaf_read_whole(fd, pes + report->npes, count * sizeof *pes) != 0) {
        free(names);
        return -1;
    }
    free(report->names);
    report->names = names;
    report->names_length = header.names_length;
    report->world_npes = header.world_npes;
    for (size_t i = 0; i < count; i++)
        sheaf_report_tame(&pes[(size_t)report->npes + i]);
    report->npes += (int)count;
    sheaf_report_sort(report);
    return 0;
}
