/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For seeds.sh: a test of which every thousandth seed fails, and one in the middle of others never ends (HANGS).
 */
#include "seeds.h"

static void run_seed(uint64_t seed)
{
    const char *hangs = getenv("HANGS");
    while (hangs && seed % 1000 == 1)
        alarm(1), pause();
    usleep(seed > 5000 ? 200 : 0);
    if (seed % 1000 == 0) {
        printf("seed %" PRIu64 " fails\n", seed);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    return test_seeds_main(argc, argv, 900, run_seed);
}
