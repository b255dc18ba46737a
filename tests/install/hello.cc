// SPDX-License-Identifier: BSD-3-Clause
//
// The same in C++, with a global object whose constructor runs before main.
#include <shmem.h>

#include <cstdio>

namespace
{
struct Counter {
    long value;
    Counter() : value(7)
    {
    }
};
Counter counter;
} // namespace

int main()
{
    shmem_init();
    const int pe = shmem_my_pe(), npes = shmem_n_pes();
    shmem_long_atomic_add(&counter.value, pe + 1, 0);
    shmem_barrier_all();
    const long expected = pe == 0 ? 7 + npes * (npes + 1L) / 2 : 7;
    std::printf("PE %d of %d: counter %ld\n", pe, npes, counter.value);
    const bool wrong = counter.value != expected;
    shmem_finalize();
    return wrong;
}
