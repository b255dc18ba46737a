/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Figures from the report RNR-94-007 (classes A and B) and from what NPB 2 and 3 publish for all classes.
 */
#include "problem.h"

#include "nas.h"

#define SEED UINT64_C(314159265)

/* The two ranges of places that iterations change. */
#define CHANGED (2 * PROBLEM_ITERATIONS + 1)

const struct problem *problem_of(int class)
{
    static const struct problem problems[] = {
        {'S', 16, 11, {48427, 17148, 23627, 62548, 4431}, {0, 18, 346, 64917, 65463}, {1, 1, 1, -1, -1}},
        {'W',
         20,
         16,
         {357773, 934767, 875723, 898999, 404505},
         {1247, 11696, 1039987, 1043896, 1048018},
         {1, 1, -1, -1, -1}},
        {'A',
         23,
         19,
         {2112377, 662041, 5336171, 3642833, 4250760},
         {103, 17522, 123927, 8288933, 8388265},
         {1, 1, 1, -1, -1}},
        {'B',
         25,
         21,
         {41869, 812306, 5102857, 18232239, 26860214},
         {33422937, 10244, 59149, 33135281, 99},
         {-1, 1, 1, -1, 1}},
        {'C',
         27,
         23,
         {44172927, 72999161, 74326391, 129606274, 21736814},
         {61147, 882988, 266290, 133997595, 133525895},
         {1, 1, 1, -1, -1}},
    };
    return &problems[class];
}

void problem_make_keys(const struct problem *problem, long first, long count, uint32_t *keys)
{
    const double quarter = (double)(1L << problem->log_range) / 4;
    uint64_t x = nas_jump(SEED, 4 * (uint64_t)first);
    for (long i = 0; i < count; i++) {
        double sum = 0;
        for (int draw = 0; draw < 4; draw++) {
            x = nas_next(x);
            sum += nas_fraction(x);
        }
        keys[i] = (uint32_t)(quarter * sum);
    }
}

long problem_rank(const struct problem *problem, int test, int iteration)
{
    return problem->ranks[test] + problem->shifts[test] * iteration;
}

static void change(long place, uint32_t key, long first, long count, uint32_t *keys)
{
    if (place >= first && place < first + count)
        keys[place - first] = key;
}

void problem_change_keys(const struct problem *problem, int iteration, long first, long count,
                         uint32_t *keys)
{
    const uint32_t limit = UINT32_C(1) << problem->log_range;
    change(iteration, (uint32_t)iteration, first, count, keys);
    change(iteration + PROBLEM_ITERATIONS, limit - (uint32_t)iteration, first, count, keys);
}

void problem_restore_keys(const struct problem *problem, long first, long count, uint32_t *keys)
{
    if (first < CHANGED)
        problem_make_keys(problem, first, count < CHANGED ? count : CHANGED, keys);
}
