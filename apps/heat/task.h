/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one run is asked to compute, and what came of it.
 */
#ifndef TASK_H
#define TASK_H

#include "initial.h"
#include "picture.h"
#include "sweep.h"

struct task {
    int method;  /* enum sweep_method */
    int initial; /* enum initial */
    long size;
    long iterations;
    double tolerance;
    double omega; /* 0: the best one */
    long rounds;
    const char *checkpoint; /* the folder; NULL: none */
    long every;             /* iterations from one to the next */
    const char *input;
    const char *output;
    struct picture picture; /* input, on PE 0 */
};

struct result {
    uint64_t iterations;
    double change;
    double seconds; /* the median of the rounds */
};

#endif
