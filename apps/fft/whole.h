/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A transform by one plan of FFTW's for everything, whose result is in natural order, as a version of this application.
 */
#ifndef WHOLE_H
#define WHOLE_H

#include "task.h"

#include <stdlib.h>

#define WHOLE_PLANNING 4.0 /* seconds that FFTW may take to measure: 2^22 numbers would be minutes on a busy machine */

static inline void whole_transform(void *plan)
{
    fftw_execute(plan);
}

/* On PE 0: brings the result into the order that task_verify wants, number k1 + n1 k2 in row k1, column k2. Collective. */
static inline int whole_verify(const struct task *task, const number *output)
{
    const long n1 = task->transform.n1, n2 = task->transform.n2;
    const bool is_first = app_rank() == 0;
    number *whole = is_first ? malloc((size_t)task->size * sizeof *whole) : NULL;
    if (app_agree(is_first && whole == NULL) != 0)
        return app_fail("not enough memory to compare with one process");
    for (long k1 = 0; is_first && k1 < n1; k1++)
        for (long k2 = 0; k2 < n2; k2++)
            whole[k1 * n2 + k2] = output[k1 + n1 * k2];
    const int status = task_verify(task, whole);
    free(whole);
    return status;
}

/* On PE 0: keeps the plan beside the others. */
static inline void whole_keep(const struct task *task)
{
    if (task->wisdom != NULL && app_rank() == 0)
        fftw_export_wisdom_to_filename(task->wisdom);
}

#endif
