/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: waits with a time, which give the lock meanwhile.
 */
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shmem.h>
#include <thread>
static std::mutex m; static std::condition_variable cv; static int value, other;
int main() {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    std::thread t([] {
        for (int i = 0; i < 5; i++) {
            std::unique_lock<std::mutex> l(m);
            value++; /* race */
            cv.wait_for(l, std::chrono::milliseconds(1), [] { return other == 100; });
        }
    });
    for (int i = 0; i < 5; i++) {
#ifndef RACY
        std::lock_guard<std::mutex> l(m);
#endif
        value++; /* race */
    }
    cv.notify_one();
    t.join();
    shmem_finalize();
    return value == -3;
}
