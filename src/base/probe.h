/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Probes for tracers (USDT: bpftrace, perf, SystemTap, gdb): where CMake finds sys/sdt.h,
 * each is one instruction that does nothing, and a note in the file that says where it is and where
 * its arguments are. They stand off the fast paths. docs/do/tools.md has the list; a test compares
 * it.
 */
#ifndef SHEAF_BASE_PROBE_H
#define SHEAF_BASE_PROBE_H

#ifdef SHEAF_HAS_PROBES
#include <sys/sdt.h>
#define SHEAF_PROBE1(NAME, A)       STAP_PROBE1(sheaf, NAME, A)
#define SHEAF_PROBE2(NAME, A, B)    STAP_PROBE2(sheaf, NAME, A, B)
#define SHEAF_PROBE3(NAME, A, B, C) STAP_PROBE3(sheaf, NAME, A, B, C)
#else
#define SHEAF_PROBE1(NAME, A)       ((void)(A))
#define SHEAF_PROBE2(NAME, A, B)    ((void)(A), (void)(B))
#define SHEAF_PROBE3(NAME, A, B, C) ((void)(A), (void)(B), (void)(C))
#endif

#endif
