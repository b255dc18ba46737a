/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: std::thread, mutex, shared_mutex, condition_variable, atomic, async. Options: -std=c++17.
 */
#include <shmem.h>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>
#include <future>
static std::mutex m; static std::condition_variable cv; static bool go; static std::vector<int> items;
static std::atomic<int> done{0}; static std::shared_mutex sm; static int config;
int main() {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    std::vector<std::thread> ts;
    for (int i = 0; i < 3; i++)
        ts.emplace_back([i] {
            { std::unique_lock<std::mutex> l(m); cv.wait(l, [] { return go; }); }
            {
#ifndef RACY
                std::lock_guard<std::mutex> l(m);
#endif
                items[0] += i; /* race */
            }
            { std::shared_lock<std::shared_mutex> s(sm); if (config == 100) return; }
            done.fetch_add(1, std::memory_order_release);
        });
    { std::lock_guard<std::mutex> l(m); items.resize(4); go = true; }
    cv.notify_all();
    { std::unique_lock<std::shared_mutex> s(sm); config = 4; }
    while (done.load(std::memory_order_acquire) < 3) std::this_thread::yield();
    int s = items[0];
    for (auto &t : ts) t.join();
    auto f = std::async(std::launch::async, [] { return items[0] + config; });
    s += f.get();
    shmem_finalize();
    return s == -1;
}
