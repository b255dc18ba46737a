/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether the addresses in a message lie in this PE's symmetric memory.
 */
#include "engine/message/stream/arrival.h"

static bool is_in_segment(uint64_t address, uint64_t bytes)
{
    for (int kind = SHEAF_SEGMENTS - 1; kind >= 0; kind--)
        if (sheaf_segment_holds(&sheaf_msg_state.job.segments[kind], address, bytes))
            return true;
    return sheaf_msg_state.job.is_in_space && sheaf_msg_state.job.is_in_space(address, bytes);
}

static bool is_constant(uint64_t address, uint64_t bytes)
{
    return sheaf_msg_state.job.is_constant && sheaf_msg_state.job.is_constant(address, bytes);
}

bool sheaf_msg_is_symmetric(uint64_t address, uint64_t bytes, bool is_read)
{
    bool is_mine = is_in_segment(address, bytes) || (is_read && is_constant(address, bytes));
    if (is_mine && sheaf_unlikely(sheaf_msg_state.job.check_arrival))
        sheaf_msg_state.job.check_arrival(address, bytes);
    return is_mine;
}

/* Checks from the start of the lowest block to the end of the highest. */
bool sheaf_msg_are_symmetric(uint64_t address, int64_t stride, uint64_t block_bytes, uint64_t count,
                             bool are_read)
{
    int64_t reach, bytes;
    if (count == 0 || block_bytes > INT64_MAX || count > INT64_MAX ||
        __builtin_mul_overflow(stride, (int64_t)count - 1, &reach) || reach == INT64_MIN ||
        __builtin_add_overflow(reach < 0 ? -reach : reach, (int64_t)block_bytes, &bytes))
        return false;
    return sheaf_msg_is_symmetric(address + (uint64_t)(reach < 0 ? reach : 0), (uint64_t)bytes, are_read);
}

static const struct {
    unsigned char bytes, alignment;
} numbers[SHEAF_NUMBERS] = {
    [SHEAF_INT] = {sizeof(int), _Alignof(int)},
    [SHEAF_LONG] = {sizeof(long), _Alignof(long)},
    [SHEAF_FLOAT] = {sizeof(float), _Alignof(float)},
    [SHEAF_DOUBLE] = {sizeof(double), _Alignof(double)},
    [SHEAF_COMPLEXF] = {2 * sizeof(float), _Alignof(float)},
    [SHEAF_COMPLEXD] = {2 * sizeof(double), _Alignof(double)},
    [SHEAF_MEETS_ATOMICS] = {sizeof(float), _Alignof(float)},
};

bool sheaf_msg_are_numbers(const struct sheaf_msg_scale *scale, uint64_t address, uint64_t stride,
                           uint64_t block_bytes)
{
    if (scale->number >= SHEAF_NUMBERS)
        return scale->number == SHEAF_NUMBERS;
    return block_bytes % numbers[scale->number].bytes == 0 &&
           (address | stride) % numbers[scale->number].alignment == 0;
}
