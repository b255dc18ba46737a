// SPDX-License-Identifier: BSD-3-Clause
//
// C++ programs: global objects with constructors and destructors, containers that hold pointers
// into malloc's memory, guards of local statics, streams. Constructors write globals that other
// PEs read after init.
#include "check.h"

#include <iostream>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

long seen_in_constructor;
long squares[1000];
bool finished;

struct Filler {
    std::vector<int> numbers;
    std::map<std::string, int> names;
    Filler()
    {
        seen_in_constructor = 4711;
        for (int i = 0; i < 1000; i++)
            squares[i] = static_cast<long>(i) * i;
        for (int i = 0; i < 100; i++) {
            numbers.push_back(i);
            names[std::to_string(i)] = i;
        }
    }
    // Runs after main: a wrong value becomes the exit status, which ends the job.
    ~Filler()
    {
        if (finished && (names.size() != 101 || numbers.size() != 100 || seen_in_constructor != 4711))
            _exit(9);
    }
};

Filler filler;
std::string greeting = "a string longer than the small-string buffer of any implementation";

const std::string &local_static()
{
    static std::string inside("made on first use, guarded by a variable in .bss");
    return inside;
}

} // namespace

int main()
{
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    filler.names["from main"] = me;
    CHECK_EQ(local_static().size(), 48);
    CHECK_EQ(greeting.size(), 66);
    for (int i = 0; i < 100; i++)
        CHECK_EQ(filler.names[std::to_string(i)], i);
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++) {
        long copy[1000];
        CHECK_EQ(shmem_long_g(&seen_in_constructor, pe), 4711);
        shmem_long_get(copy, squares, 1000, pe);
        for (int i = 0; i < 1000; i++)
            CHECK_EQ(copy[i], static_cast<long>(i) * i);
    }
    try {
        throw std::string("exceptions work");
    } catch (const std::string &thrown) {
        CHECK_EQ(thrown.size(), 15);
    }
    std::cout << "" << std::flush;
    finished = true;
    return test_finish();
}
