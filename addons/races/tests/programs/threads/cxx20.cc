/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: std::barrier, latch, counting_semaphore, jthread, wait of an atomic. Options: -std=c++20. gcc
 * alone.
 */
#include <atomic>
#include <barrier>
#include <latch>
#include <semaphore>
#include <shmem.h>
#include <thread>
#include <vector>
static int a[4], b[4], c; static std::atomic<int> word{0};
int main() {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    std::barrier bar(4); std::latch done(4); std::counting_semaphore<4> sem(1);
    std::vector<std::jthread> ts;
    for (int i = 0; i < 4; i++)
        ts.emplace_back([&, i] {
            a[i] = i; /* race */
#ifndef RACY
            bar.arrive_and_wait();
#endif
            b[i] = a[(i + 1) % 4]; /* race */
            sem.acquire();
            c += b[i];
            sem.release();
            if (i == 0) { word.store(1, std::memory_order_release); word.notify_all(); }
            else word.wait(0, std::memory_order_acquire);
            done.count_down();
        });
    done.wait();
    int r = c + b[2];
    ts.clear();
    shmem_finalize();
    return r == 99;
}
