/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shmem_info_get_name and _version agree with the header; shmem_pcontrol takes any level and any
 * arguments and does nothing; the headers a program may include exist.
 */
#include "check.h"

#include <mpp/shmem.h>
#include <pshmem.h>
#include <shmemx.h>

#include <limits.h>
#include <string.h>

/* Without _Noreturn this would need a return statement. */
static inline int global_exit_does_not_return(int status)
{
    shmem_global_exit(status);
}

static void info_name_fits_and_equals_the_vendor_string(void)
{
    char name[SHMEM_MAX_NAME_LEN + 16];
    memset(name, '#', sizeof name);
    shmem_info_get_name(name);
    CHECK(memchr(name, '\0', SHMEM_MAX_NAME_LEN) != NULL);
    CHECK(strcmp(name, SHMEM_VENDOR_STRING) == 0);
    for (int i = 0; i < 16; i++)
        CHECK_EQ(name[SHMEM_MAX_NAME_LEN + i], '#');
    CHECK(name[0] != '\0');
}

static void info_version_equals_the_constants(void)
{
    int major = -1;
    int minor = -1;
    shmem_info_get_version(&major, &minor);
    CHECK_EQ(major, SHMEM_MAJOR_VERSION);
    CHECK_EQ(minor, SHMEM_MINOR_VERSION);
    CHECK_EQ(major, 1);
    CHECK_EQ(minor, 6);
}

static void pcontrol_does_nothing_at_any_level(void)
{
    const int levels[] = {0, 1, 2, 3, 1000, -1, INT_MAX, INT_MIN};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        shmem_pcontrol(levels[i]);
        shmem_pcontrol(levels[i], "text", 1.5, &levels[i]);
    }
    pshmem_pcontrol(1);
}

static void old_spellings_of_the_constants(void)
{
    CHECK_EQ(_SHMEM_MAJOR_VERSION, SHMEM_MAJOR_VERSION);
    CHECK_EQ(_SHMEM_MINOR_VERSION, SHMEM_MINOR_VERSION);
    CHECK_EQ(_SHMEM_MAX_NAME_LEN, SHMEM_MAX_NAME_LEN);
    CHECK(strcmp(_SHMEM_VENDOR_STRING, SHMEM_VENDOR_STRING) == 0);
    CHECK_EQ(_SHMEM_CMP_EQ, SHMEM_CMP_EQ);
    CHECK_EQ(_SHMEM_CMP_NE, SHMEM_CMP_NE);
    CHECK_EQ(_SHMEM_CMP_LT, SHMEM_CMP_LT);
    CHECK_EQ(_SHMEM_CMP_LE, SHMEM_CMP_LE);
    CHECK_EQ(_SHMEM_CMP_GT, SHMEM_CMP_GT);
    CHECK_EQ(_SHMEM_CMP_GE, SHMEM_CMP_GE);
    CHECK_EQ(_SHMEM_SYNC_VALUE, SHMEM_SYNC_VALUE);
    CHECK_EQ(_SHMEM_BARRIER_SYNC_SIZE, SHMEM_BARRIER_SYNC_SIZE);
    CHECK_EQ(_SHMEM_BCAST_SYNC_SIZE, SHMEM_BCAST_SYNC_SIZE);
    CHECK_EQ(_SHMEM_COLLECT_SYNC_SIZE, SHMEM_COLLECT_SYNC_SIZE);
    CHECK_EQ(_SHMEM_REDUCE_SYNC_SIZE, SHMEM_REDUCE_SYNC_SIZE);
    CHECK_EQ(_SHMEM_REDUCE_MIN_WRKDATA_SIZE, SHMEM_REDUCE_MIN_WRKDATA_SIZE);
}

int main(int argc, char **argv)
{
    shmem_init();
    if (argc > 2)
        return global_exit_does_not_return(atoi(argv[2]));
    info_name_fits_and_equals_the_vendor_string();
    info_version_equals_the_constants();
    pcontrol_does_nothing_at_any_level();
    old_spellings_of_the_constants();
    return argv[argc] == NULL ? test_finish() : 1;
}
