/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The metronome: for programs that poll in loops the library knows nothing of, such as while (flag == 0)
 * on a volatile variable. Where PEs outnumber their processors such a loop keeps its processor for a
 * slice of the scheduler, 3 to 4 ms, while the PE that it waits for stands in line. While PEs do that, a
 * thread per processor wakes up every so often and makes the scheduler choose again. The keeper has it;
 * it knows processes and the control area.
 */
#ifndef SHEAF_OSHRUN_METRONOME_H
#define SHEAF_OSHRUN_METRONOME_H

#include "image/control.h"

/* Starts the thread that watches, in the calling process, where there are more PEs than processors to run
 * on and SHEAF_METRONOME is not off. Its threads end with the process. control stays mapped. */
void sheaf_metronome_start(struct sheaf_control *control);

#endif
