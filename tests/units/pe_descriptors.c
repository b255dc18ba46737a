/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tools/oshrun/hosts/pe_descriptors.c with the streams of 100 PEs: while they are away this process has none of them, then those of a
 * few PEs at a time, whatever the number of PEs; and each PE gets its own.
 */
#include "descriptors.h"
#include "unit.h"

#include "oshrun/hosts/pe_descriptors.h"

#include <fcntl.h>
#include <unistd.h>

#define PES  100
#define MOST 64 /* descriptors: of the PEs that are taken out together, 4 each */

static struct options options = {.npes = PES};
static struct spawn_pe pes[PES];
static const struct spawn spawn = {.options = &options, .pes = pes};
static int readers[PES][2];

static int open_stream(int *reader)
{
    int ends[2];
    CHECK(pipe2(ends, O_CLOEXEC) == 0);
    *reader = ends[0];
    return ends[1];
}

static void open_streams(void)
{
    for (int pe = 0; pe < PES; pe++) {
        int output = open_stream(&readers[pe][0]);
        pes[pe] = (struct spawn_pe){.input = pe == 3 ? 0 : -1, .output = output, .mpi = -1,
                                    .error = pe % 2 ? open_stream(&readers[pe][1]) : dup(output)};
    }
}

static void write_number(int fd, int pe)
{
    CHECK(write(fd, &pe, sizeof pe) == sizeof pe);
}

static void check_number(int fd, int pe)
{
    int number = -1;
    CHECK(read(fd, &number, sizeof number) == sizeof number && number == pe);
}

static void check_streams(int pe)
{
    write_number(pes[pe].output, pe);
    write_number(pes[pe].error, -pe);
    check_number(readers[pe][0], pe);
    check_number(readers[pe][pe % 2], -pe);
    CHECK(pes[pe].input == (pe == 3 ? 0 : -1) && pes[pe].mpi == -1);
    CHECK(fcntl(pes[pe].output, F_GETFD) == FD_CLOEXEC);
}

static void check_end(int pe)
{
    char byte;
    CHECK(read(readers[pe][0], &byte, 1) == 0);
}

int main(void)
{
    struct pe_descriptors away;
    open_streams();
    int before = test_count_descriptors();
    sheaf_pe_descriptors_put(&away, &spawn);
    CHECK(away.put >= PES && test_count_descriptors() == before - 2 * PES + 2);
    for (int pe = 0; pe < PES; pe++) {
        CHECK(sheaf_pe_descriptors_take(&away, &spawn, pe));
        CHECK(test_count_descriptors() <= before - 2 * PES + 2 + MOST);
        check_streams(pe);
        sheaf_pe_descriptors_close(&spawn, pe);
        check_end(pe);
    }
    CHECK(test_count_descriptors() == before - 2 * PES + 2);
    return 0;
}
