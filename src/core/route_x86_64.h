/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The way to sheaf_route_slow() that costs the fast way nothing. A plain call would make every
 * routine save registers on entry for what must outlive that call, and the LOCK of an atomic
 * operation waits for those stores: fetch-add behind a call took 10.7 ns with them and 7.5 to 8.4
 * without, where the LOCK alone took 7.1. Here the callee saves what callers otherwise would.
 */
#ifndef SHEAF_CORE_ROUTE_X86_64_H
#define SHEAF_CORE_ROUTE_X86_64_H

#include <stddef.h>

/* Steps over the red zone, where the routine may keep variables. */
static inline void *sheaf_route_slowly(const void *local, size_t bytes, int pe, const char *call)
{
    void *remote;
    __asm__ volatile("leaq -128(%%rsp), %%rsp\n\t"
                     ".cfi_adjust_cfa_offset 128\n\t"
                     "call sheaf_route_slow_saving\n\t"
                     "leaq 128(%%rsp), %%rsp\n\t"
                     ".cfi_adjust_cfa_offset -128"
                     : "=a"(remote)
                     : "D"(local), "S"(bytes), "d"(pe), "c"(call)
                     : "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
                       "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#ifdef __AVX512F__
                       , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23",
                       "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31",
                       "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#endif
    );
    return remote;
}

/* Defines sheaf_route_slow_saving, in one file: sheaf_route_slow() for callers whose integer
 * registers it leaves alone, but for the result. */
#define SHEAF_ROUTE_SLOW_SAVING                                                                    \
    __asm__(".text\n"                                                                              \
            ".hidden sheaf_route_slow_saving\n"                                                    \
            ".globl sheaf_route_slow_saving\n"                                                     \
            ".type sheaf_route_slow_saving, @function\n"                                           \
            "sheaf_route_slow_saving:\n"                                                           \
            ".cfi_startproc\n"                                                                     \
            "pushq %rbp\n"                                                                         \
            ".cfi_adjust_cfa_offset 8\n"                                                           \
            ".cfi_rel_offset %rbp, 0\n"                                                            \
            "movq %rsp, %rbp\n"                                                                    \
            ".cfi_def_cfa_register %rbp\n"                                                         \
            "pushq %rdi\npushq %rsi\npushq %rdx\npushq %rcx\n"                                     \
            "pushq %r8\npushq %r9\npushq %r10\npushq %r11\n"                                       \
            "andq $-16, %rsp\n"                                                                    \
            "call sheaf_route_slow\n"                                                              \
            "leaq -64(%rbp), %rsp\n"                                                               \
            "popq %r11\npopq %r10\npopq %r9\npopq %r8\n"                                           \
            "popq %rcx\npopq %rdx\npopq %rsi\npopq %rdi\n"                                         \
            "popq %rbp\n"                                                                          \
            ".cfi_def_cfa %rsp, 8\n"                                                               \
            "ret\n"                                                                                \
            ".cfi_endproc\n"                                                                       \
            ".size sheaf_route_slow_saving, . - sheaf_route_slow_saving\n")

#endif
