/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: a static variable of a function.
 */
#include <shmem.h>
#include <thread>
#include <vector>
static int plain_made;
static std::vector<int> &table() {
#ifdef RACY
    static std::vector<int> *t;
    if (!plain_made) { /* race */
        t = new std::vector<int>(10, 3);
        plain_made = 1; /* race */
    }
    return *t;
#else
    static std::vector<int> t(10, 3);
    return t;
#endif
}
int main() {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    int s[4] = {0};
    std::vector<std::thread> ts;
#ifdef RACY
    for (int i = 0; i < 2; i++) ts.emplace_back([&s, i] { s[i] = plain_made; plain_made = 1; }); /* race */
#else
    for (int i = 0; i < 4; i++) ts.emplace_back([&s, i] { s[i] = table()[i]; });
#endif
    for (auto &t : ts) t.join();
    int r = s[0] + s[1];
    shmem_finalize();
    return r == 77;
}
