/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Restores a snapshot as often as it is told to, for fuzz.py, which damages the files in between. Arguments: DIR
 * TAG, and three files: commands, one letter a line; answers; and where all PEs write what they have to say. It
 * keeps what it must remember in private memory: a restore changes the rest.
 *
 *   s   a snapshot, of which the answer has the result
 *   f   gives symmetric memory other contents; the answer is a checksum of them
 *   r   a restore: its result, and the checksum after it
 */
#include "check.h"

#include <fcntl.h>
#include <shmemx.h>
#include <string.h>
#include <unistd.h>

#define WORDS  2000
#define BLOCKS 3

struct own {
    const char *dir, *tag;
    FILE *commands, *answers; /* PE 0's */
    long *memory[BLOCKS + 2]; /* a static array, blocks of the heap, one of a space */
    long fills, turns;
};

static long numbers[WORDS] = {1, 2, 3};
static long untouched[1 << 16];

static void make(struct own *own)
{
    shmemx_space_t space;
    shmem_team_t half;
    shmem_ctx_t context;
    CHECK_EQ(shmemx_space_create(SHMEM_TEAM_WORLD, "default", 1 << 17, &space), 0);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, (shmem_n_pes() + 1) / 2, NULL, 0, &half);
    CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &context), 0);
    own->memory[0] = numbers;
    own->memory[1] = shmemx_space_malloc(space, WORDS * sizeof(long));
    void *hole = shmem_malloc(5000);
    for (int i = 0; i < BLOCKS; i++)
        own->memory[2 + i] = shmem_malloc(WORDS * sizeof(long));
    shmem_free(hole);
    for (int i = 0; i < BLOCKS + 2; i++)
        CHECK(own->memory[i] != NULL);
}

/* A part of it is new each time, so that snapshots add to each other. */
static long fill(struct own *own)
{
    long salt = ++own->fills * 1000003 + shmem_my_pe();
    for (int i = 0; i < BLOCKS + 2; i++)
        for (int word = 0; word < WORDS; word += own->fills == 1 ? 1 : 600)
            own->memory[i][word] = salt * (word + 1) + i;
    untouched[(own->fills * 4096) % (1 << 16)] = salt;
    return 0;
}

static unsigned long checksum(const struct own *own)
{
    static unsigned long mine, all;
    mine = 0;
    for (int i = 0; i < BLOCKS + 2; i++)
        for (int word = 0; word < WORDS; word++)
            mine = mine * 31 + (unsigned long)own->memory[i][word];
    for (int i = 0; i < 1 << 16; i += 4096)
        mine = mine * 31 + (unsigned long)untouched[i];
    shmem_ulong_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
    return all;
}

/* PE 0 is told, and tells the others. 0: no more. */
static char next_command(struct own *own)
{
    static char command;
    char line[16] = "";
    if (shmem_my_pe() == 0)
        command = fgets(line, sizeof line, own->commands) ? line[0] : 0;
    shmem_barrier_all();
    shmem_broadcastmem(SHMEM_TEAM_WORLD, &command, &command, 1, 0);
    return command;
}

/* The folder, by another path each time: the library does not say the same line twice in a row. */
static const char *path_of(const struct own *own, char path[4096])
{
    int length = snprintf(path, 4000, "%s", own->dir);
    for (int bit = 0; bit < 20; bit++)
        length += sprintf(path + length, own->turns >> bit & 1 ? "/." : "/");
    return path;
}

static void obey(struct own *own, char command)
{
    char path[4096];
    own->turns++;
    long result = command == 's'   ? shmemx_snapshot(SHMEM_TEAM_WORLD, own->dir, own->tag)
                  : command == 'r' ? shmemx_restore(SHMEM_TEAM_WORLD, path_of(own, path), own->tag)
                                   : fill(own);
    unsigned long sum = checksum(own);
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        fprintf(own->answers, "%ld %lx\n", result, sum);
        fflush(own->answers);
    }
}

int main(int argc, char **argv)
{
    CHECK(argc == 6);
    int said = open(argv[5], O_WRONLY | O_CREAT | O_APPEND, 0600);
    CHECK(said >= 0 && dup2(said, 2) == 2);
    shmem_init();
    struct own *own = calloc(1, sizeof *own);
    own->dir = argv[1];
    own->tag = argv[2];
    if (shmem_my_pe() == 0) {
        own->commands = fopen(argv[3], "r");
        own->answers = fopen(argv[4], "w");
        CHECK(own->commands && own->answers);
    }
    make(own);
    for (char command; (command = next_command(own));)
        obey(own, command);
    free(own);
    shmem_finalize();
    return 0;
}
