/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: the source of a nonblocking put with signal.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdlib.h>
static char inbox[256]; static uint64_t sig;
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) {
        char *buf = malloc(256);
        for (int i = 0; i < 256; i++) buf[i] = 'a';
        shmem_char_put_signal_nbi(inbox, buf, 256, &sig, 1, SHMEM_SIGNAL_ADD, 1); /* race */
#ifndef RACY
        shmem_quiet();
#endif
        for (int i = 0; i < 256; i++)
            buf[i] = 'b'; /* race */
        shmem_quiet();
        free(buf);
    } else {
        shmem_uint64_wait_until(&sig, SHMEM_CMP_GE, 1);
        if (inbox[0] == 'c') return 1;
    }
    shmem_finalize();
    return 0;
}
