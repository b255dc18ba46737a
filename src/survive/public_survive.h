/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Types of the routines for jobs that go on when a PE dies. The library includes this file;
 * shmemx_ft.h carries its text between the two markers.
 */
#ifndef SHEAF_SURVIVE_PUBLIC_SURVIVE_H
#define SHEAF_SURVIVE_PUBLIC_SURVIVE_H

/* begin public */
/* What shmemx_pe_status() says of a PE: its process runs; it has died; another has been started in its
 * place, which has not joined the others in shmemx_rejoin() yet. */
#define SHMEMX_PE_ALIVE     0
#define SHMEMX_PE_DEAD      1
#define SHMEMX_PE_RESPAWNED 2

/* What is called in place of a call that waits for a dead PE. It must not return: siglongjmp() leads
 * out. */
typedef void (*shmemx_failure_handler_t)(void *argument);
/* end public */

#endif
