/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE without the library: finds the job through SHEAF_JOB as image/control.h describes it, and
 * checks what oshrun has written there. Prints "PE n of m fits", or what does not and exits 1.
 * With "wait" it shows a slow wait on the board and stays; with "global-exit N" it asks for that.
 */
#include "image/control.h"

#include "base/clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                         \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static int check_header(const struct sheaf_control *header, const struct stat *file, int pe,
                        unsigned long job_id, int launcher)
{
    const uint64_t large_page = 2 << 20;
    REQUIRE(header->magic == SHEAF_CONTROL_MAGIC);
    REQUIRE(header->version == SHEAF_CONTROL_VERSION);
    REQUIRE(header->job_id == job_id);
    REQUIRE(header->launcher_pid == launcher);
    REQUIRE(header->npes > pe);
    REQUIRE(header->usable_cpus >= 1);
    REQUIRE(header->pes_offset >= sizeof *header && header->pes_offset % 4096 == 0);
    REQUIRE(header->arena_offset >= header->pes_offset + (uint64_t)header->npes * sizeof(struct sheaf_pe));
    REQUIRE(header->arena_size >= large_page);
    REQUIRE(header->slots_offset >= header->arena_offset + header->arena_size);
    REQUIRE(header->slots_offset % large_page == 0);
    REQUIRE((header->slot_stride & (header->slot_stride - 1)) == 0);
    REQUIRE((uint64_t)file->st_size ==
            header->slots_offset + (uint64_t)header->npes * header->slot_stride);
    REQUIRE((uint64_t)file->st_blocks * 512 <= header->arena_offset + 2 * large_page);
    REQUIRE((file->st_mode & 0777) == 0600);
    REQUIRE(file->st_nlink == 0);
    return 0;
}

static void show_wait(struct sheaf_board *board)
{
    board->kind = SHEAF_WAIT_COLLECTIVE;
    board->since_ns = sheaf_clock_ns();
    board->site = 0x1235;
    board->site_base = 0x1000;
    strcpy(board->call, "shmem_barrier_all");
    strcpy(board->file, "/no/such/file");
    strcpy(board->detail, "the world team, as the test says");
    sheaf_store_release(&board->sequence, 2);
    for (;;)
        pause();
}

int main(int argc, char **argv)
{
    int launcher, fd, pe;
    unsigned long job_id;
    struct stat file;
    const char *mode = argc > 1 ? argv[1] : "";
    const char *job = getenv(SHEAF_JOB_VARIABLE);
    REQUIRE(job && sscanf(job, "%d:%d:%d:%16lx", &launcher, &fd, &pe, &job_id) == 4);
    REQUIRE(fstat(fd, &file) == 0);
    struct sheaf_control *control =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    REQUIRE(control != MAP_FAILED);
    if (check_header(control, &file, pe, job_id, launcher))
        return 1;
    uint64_t length = control->slots_offset;
    control = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    REQUIRE(control != MAP_FAILED);
    struct sheaf_pe *mine = sheaf_control_pe(control, pe);
    REQUIRE(mine->state == SHEAF_PE_LAUNCHED && mine->pid == 0);
    mine->pid = getpid();
    sheaf_store_release(&mine->state, SHEAF_PE_INITIALIZED);
    printf("PE %d of %d fits\n", pe, control->npes);
    fflush(stdout);
    if (!strcmp(mode, "wait") && pe < control->npes - 1)
        show_wait(&mine->board);
    if (!strcmp(mode, "wait"))
        pause();
    if (!strcmp(mode, "global-exit") && pe == 0) {
        control->exit_claim = ((uint64_t)pe + 1) << 32 | (uint8_t)atoi(argv[2]);
        sheaf_store_release(&control->exit_requested, 1);
        return atoi(argv[2]);
    }
    if (!strcmp(mode, "global-exit"))
        pause();
    sheaf_store_release(&mine->state, SHEAF_PE_FINALIZED);
    return 0;
}
