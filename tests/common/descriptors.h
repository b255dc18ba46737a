/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The files that this process has open, for tests that compare their number before and after. C and C++.
 */
#ifndef TEST_DESCRIPTORS_H
#define TEST_DESCRIPTORS_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* The descriptors, and three more: the folder's own, and its two entries "." and "..". */
static inline int test_count_descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (!folder) {
        perror("/proc/self/fd");
        abort();
    }
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

#endif
