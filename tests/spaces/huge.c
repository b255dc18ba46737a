/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Huge pages: where the machine has any, memory of that kind works between PEs; where it has none, the
 * space is refused on all members, and the reason names both places that could have given them.
 */
#include "check.h"

#include <shmemx.h>

#include <string.h>

#define PAGE ((size_t)2 << 20)

static void read_line(const char *path, char *line, int size)
{
    FILE *file = fopen(path, "r");
    line[0] = '\0';
    if (file && !fgets(line, size, file))
        line[0] = '\0';
    if (file)
        fclose(file);
}

/* Of one PE the memory is private. */
static int are_there(int npes)
{
    char line[200];
    read_line("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", line, sizeof line);
    if (atol(line) >= 2L * npes)
        return 1;
    read_line(npes > 1 ? "/sys/kernel/mm/transparent_hugepage/shmem_enabled"
                       : "/sys/kernel/mm/transparent_hugepage/enabled", line, sizeof line);
    return line[0] && !strstr(line, "[never]") && !strstr(line, "[deny]");
}

int main(void)
{
    shmemx_space_t space;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes, expected = are_there(npes);
    shmem_barrier_all();
    int result = shmemx_space_create(SHMEM_TEAM_WORLD, "huge", PAGE + 1, &space);
    if (!expected && result != 0) {
        CHECK(space == SHMEMX_SPACE_INVALID);
        shmem_barrier_all();
        printf("refused, as there are none\n");
        return test_finish();
    }
    CHECK_EQ(result, 0);
    char *block = shmemx_space_align(space, PAGE, PAGE);
    CHECK(block && (uintptr_t)block % PAGE == 0);
    memset(block, 'a' + me, PAGE);
    shmem_barrier_all();
    char got[4096];
    shmem_getmem(got, block + PAGE / 2, sizeof got, next);
    for (size_t i = 0; i < sizeof got; i++)
        CHECK_EQ(got[i], 'a' + next);
    if (shmem_ptr(block, next))
        CHECK_EQ(((char *)shmem_ptr(block, next))[PAGE - 1], 'a' + next);
    shmem_barrier_all();
    shmemx_space_destroy(space);
    printf("huge pages, as there are some\n");
    return test_finish();
}
