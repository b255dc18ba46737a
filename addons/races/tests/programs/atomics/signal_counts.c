/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4 PEs: everybody adds to one signal behind its own data, on a context without stores.
 */
#include <shmem.h>
#include <stdint.h>
static uint64_t sig; static double rows[4][16];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    double r[16] = {me};
    shmem_ctx_t c;
    if (shmem_ctx_create(SHMEM_CTX_NOSTORE, &c)) return 1;
    for (int pe = 0; pe < n; pe++)
        shmem_ctx_double_put_signal_nbi(c, rows[me], r, 16, &sig, 1, SHMEM_SIGNAL_ADD, pe); /* race */
#ifdef RACY
    shmem_signal_wait_until(&sig, SHMEM_CMP_GE, 1);
#else
    shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, n);
#endif
    double s = 0;
    for (int i = 0; i < n; i++)
        s += rows[i][0]; /* race */
    shmem_ctx_quiet(c);
    shmem_barrier_all();
    shmem_ctx_destroy(c);
    shmem_finalize();
    return s == 99;
}
