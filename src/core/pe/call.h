/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The public call that a thread is in, for messages, the status board and the flight recorder.
 */
#ifndef SHEAF_CORE_PE_CALL_H
#define SHEAF_CORE_PE_CALL_H

#include <stdint.h>

/* Set on entry of every call that can wait. A call that waits for far PEs only sets it once it turns to
 * them. */
struct sheaf_call {
    const char *name;
    const void *site;
    uint32_t announced; /* the last call of this thread whose source line is known; 0: none */
    const char *statement; /* of the program, that a library over this one calls for; NULL: none */
    const void *statement_site;
    uint32_t first_record; /* the number that the next call of the PE had when the statement began */
    const void *refusal; /* where the caller of shmemx_fail goes on, which is no place of the program's */
};
extern __thread struct sheaf_call sheaf_call __attribute__((tls_model("initial-exec")));

/* Use it as the first statement of a public routine that can wait. */
#define SHEAF_CALL(call_name)                                                                      \
    do {                                                                                           \
        sheaf_call.name = (call_name);                                                             \
        sheaf_call.site = __builtin_return_address(0);                                             \
    } while (0)

#endif
