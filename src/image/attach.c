/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attaches this process to the job's file: its control area and this PE's slot. This runs before the
 * program's own constructors, in a process of one thread.
 */
#include "image/image_internal.h"

#include "base/log.h"
#include "base/os/library.h"
#include "base/os/os.h"
#include "base/os/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct sheaf_image sheaf_image = {.fd = -1};

static ino_t slot_file;

static void keep_slot_file(int fd)
{
    struct stat file;
    sheaf_image.fd = fd;
    slot_file = fstat(fd, &file) == 0 ? file.st_ino : 0;
}

/* The program may have closed every descriptor and opened another file under the same number: so the inode
 * number is compared too. */
bool sheaf_image_has_file(void)
{
    struct stat file;
    return sheaf_image.fd >= 0 && fstat(sheaf_image.fd, &file) == 0 && file.st_ino == slot_file;
}

/* The launcher's descriptor of the same file; fd -1: there is none. */
static struct {
    struct sheaf_process launcher;
    int fd;
} origin = {.fd = -1};

void sheaf_image_note_origin(int launcher, int fd)
{
    origin.launcher = (struct sheaf_process){.pid = launcher};
    origin.fd = fd;
}

bool sheaf_image_require_file(void)
{
    if (sheaf_image_has_file())
        return true;
    int fd = origin.fd < 0 ? -1 : sheaf_process_open_file(&origin.launcher, origin.fd, slot_file, -1);
    if (fd < 0)
        return false;
    sheaf_image.fd = sheaf_os_move_up(fd);
    return true;
}

static void empty_half(uint64_t from)
{
    fallocate(sheaf_image.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              (off_t)(sheaf_image.slot_offset + from), (off_t)(sheaf_image.slot_size / 2));
}

void sheaf_image_empty_data(void)
{
    empty_half(0);
}

void sheaf_image_empty_heap(void)
{
    empty_half(sheaf_image.slot_size / 2);
}

static bool is_job_file(int fd, int slot, uint64_t job_id, struct sheaf_control *header)
{
    return pread(fd, header, sizeof *header, 0) == sizeof *header &&
           header->magic == SHEAF_CONTROL_MAGIC && header->job_id == job_id && slot >= 0 &&
           slot < header->npes;
}

bool sheaf_image_is_of_job(int fd, int slot, uint64_t job_id)
{
    struct sheaf_control header;
    return is_job_file(fd, slot, job_id, &header);
}

/* The message names both files, since the launcher of another installation is often earlier in PATH. */
static void refuse_version(int oshrun, uint32_t version)
{
    char launcher[512], library[512], path[32];
    snprintf(path, sizeof path, "/proc/%d/exe", oshrun);
    ssize_t length = readlink(path, launcher, sizeof launcher - 1);
    launcher[length > 0 ? length : 0] = '\0';
    if (!sheaf_library_path((void *)sheaf_image_attach, library, sizeof library))
        library[0] = '\0';
    sheaf_error("SH305 oshrun%s%s speaks job version %u and this program's libsheaf%s%s version %u: use "
                "the oshrun that was installed with the library",
                launcher[0] ? " at " : "", launcher, version, library[0] ? " at " : "", library,
                SHEAF_CONTROL_VERSION);
}

static int map_control(int fd, const struct sheaf_control *header)
{
    struct sheaf_control *control =
        mmap(NULL, header->slots_offset, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (control == MAP_FAILED) {
        sheaf_error("SH304 cannot map the job's control area of %zu MiB: %s (is ulimit -v too small?)",
                    (size_t)(header->slots_offset >> 20), strerror(errno));
        return -1;
    }
    madvise(control, header->slots_offset, MADV_DONTDUMP);
    sheaf_image.control = header->is_apart ? NULL : control;
    if (!sheaf_image.job)
        sheaf_image.job = control;
    return 0;
}

int sheaf_image_attach(int oshrun, int fd, int slot, uint64_t job_id)
{
    struct sheaf_control header;
    if (!is_job_file(fd, slot, job_id, &header))
        return -1;
    if (header.version != SHEAF_CONTROL_VERSION) {
        refuse_version(oshrun, header.version);
        return -1;
    }
    if (map_control(fd, &header) != 0)
        return -1;
    if (header.is_apart)
        return 0;
    sheaf_image.slot = slot;
    sheaf_image.slot_offset = header.slots_offset + (uint64_t)slot * header.slot_stride;
    sheaf_image.slot_size = header.slot_stride;
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 200);
    keep_slot_file(own >= 0 ? own : fcntl(fd, F_DUPFD_CLOEXEC, 3));
    return 0;
}

int sheaf_image_create(void)
{
    int fd = sheaf_file_create();
    if (fd < 0)
        return -1;
    if (sheaf_file_set_length(fd, 0, 1, &sheaf_image.slot_size) != 0) {
        close(fd);
        return -1;
    }
    sheaf_image.slot_offset = sheaf_image.slot_size; /* the first half of the file has room for a control
                                                        area */
    sheaf_image.has_own_file = true;
    keep_slot_file(fd);
    return 0;
}

void sheaf_image_take_slot(int slot)
{
    sheaf_image.slot = slot;
}

int sheaf_image_attach_own(int fd)
{
    struct sheaf_control header;
    if (pread(fd, &header, sizeof header, 0) != sizeof header ||
        header.magic != SHEAF_CONTROL_MAGIC || header.version != SHEAF_CONTROL_VERSION) {
        sheaf_error("SH305 the control area of this node is not one of this version's");
        return -1;
    }
    return map_control(fd, &header);
}

/* In a PE's own file the slot begins at its own size: the first half has room for a control area. */
static int take_agent_slot(const struct sheaf_process *agent, const struct sheaf_pe *pe)
{
    int fd = sheaf_process_open_file(agent, pe->agent_file, pe->file_inode, -1);
    if (fd < 0)
        return -1;
    sheaf_image.slot_offset = sheaf_image.slot_size = pe->data_file_offset;
    sheaf_image.has_own_file = true;
    keep_slot_file(fd);
    return 0;
}

int sheaf_image_attach_respawned(int agent, int fd, int slot, uint64_t job_id)
{
    struct sheaf_process process = {.pid = agent};
    struct sheaf_control header;
    int area = sheaf_process_open_file(&process, fd, 0, -1);
    int failed = area < 0 || !is_job_file(area, slot, job_id, &header) ||
        header.version != SHEAF_CONTROL_VERSION || map_control(area, &header) != 0;
    if (area >= 0)
        close(area);
    if (!failed)
        process = sheaf_control_agent(sheaf_image.control);
    if (failed || take_agent_slot(&process, sheaf_control_pe(sheaf_image.control, slot)) != 0)
        return -1;
    sheaf_image.slot = slot;
    return 0;
}
