/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: recursive_mutex, scoped_lock, call_once, promise, shared_ptr, condition_variable_any of C++.
 * Options: -std=c++17.
 */
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <shmem.h>
#include <string>
#include <thread>
static std::recursive_mutex rm; static std::mutex m1, m2; static std::once_flag once; static std::string *text;
static int n1, n2, rec; static std::condition_variable_any cva; static bool ready;
static void nested(int k) { std::lock_guard<std::recursive_mutex> g(rm); rec++; if (k) nested(k - 1); }
int main() {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    std::promise<int> p; auto f = p.get_future(); auto shared = std::make_shared<std::string>("abc");
    auto work = [&](int k) {
        std::call_once(once, [] { text = new std::string("made once"); });
        for (int i = 0; i < 10; i++) { std::scoped_lock g(m1, m2); n1++; n2++; } /* race */
        nested(3);
        auto copy = shared;
        { std::unique_lock<std::recursive_mutex> g(rm); while (!ready) cva.wait(g); }
        if (k == 0) p.set_value((int)(text->size() + copy->size()));
    };
    std::thread a(work, 0), b(work, 1);
#ifdef RACY
    n1++; /* race */
#endif
    { std::lock_guard<std::recursive_mutex> g(rm); ready = true; }
    cva.notify_all();
    int r = f.get();
    a.join();
    b.join();
    r += n1 + rec;
    delete text;
    shmem_finalize();
    return r == -1;
}
