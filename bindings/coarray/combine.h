/* SPDX-License-Identifier: BSD-3-Clause
 *
 * CO_SUM, CO_MIN, CO_MAX, CO_REDUCE and CO_BROADCAST, on any memory of the images, over the
 * collectives of the team.
 */
#ifndef SHEAF_COARRAY_COMBINE_H
#define SHEAF_COARRAY_COMBINE_H

#include "section.h"

enum sheaf_combination { SHEAF_SUM, SHEAF_MIN, SHEAF_MAX, SHEAF_BY_FUNCTION };

/* A function of the program: combines count elements, into = into and from. */
struct sheaf_function {
    void (*combine)(const struct sheaf_function *function, char *into, char *from, size_t count);
    void (*program)(void);
    struct sheaf_element element;
    bool by_value; /* its arguments */
};

void sheaf_combine_begin(void);

/* Collective over the current team. result_image 0: the result is on all. */
void sheaf_combine(const struct sheaf_outcome *outcome, enum sheaf_combination combination,
                   const struct sheaf_function *function, const struct sheaf_section *section,
                   int result_image);
void sheaf_combine_broadcast(const struct sheaf_outcome *outcome,
                             const struct sheaf_section *section, int image);

#endif
