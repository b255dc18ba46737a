/* SPDX-License-Identifier: BSD-3-Clause
 * See fault.h.
 */
#include "core/fault.h"

#include "base/log.h"
#include "core/job.h"
#include "core/place.h"
#include "image/image.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

static struct sigaction before_segv, before_bus;

/* Public entry points begin with these. */
static bool is_public(const char *name)
{
    return name && (strncmp(name, "shmem", 5) == 0 || strncmp(name, "pshmem", 6) == 0);
}

static const char *public_name_at(uintptr_t address)
{
    Dl_info info;
    if (!dladdr((void *)address, &info) || !is_public(info.dli_sname))
        return NULL;
    return info.dli_sname[0] == 'p' ? info.dli_sname + 1 : info.dli_sname;
}

/* The public routine the fault happened in: at the instruction itself, or, when libc's memcpy
 * faulted for it, among the return addresses just above the stack pointer. */
static const char *call_in_progress(const ucontext_t *context)
{
#if defined(__x86_64__)
    uintptr_t at = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
    const uintptr_t *stack = (const uintptr_t *)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    uintptr_t at = context->uc_mcontext.pc;
    const uintptr_t *stack = (const uintptr_t *)context->uc_mcontext.sp;
#endif
    const char *name = public_name_at(at);
#if defined(__aarch64__)
    if (!name)
        name = public_name_at(context->uc_mcontext.regs[30]);
#endif
    for (int i = 0; i < 16 && !name; i++)
        name = public_name_at(stack[i]);
    return name;
}

/* A remote address is a local one moved by a distance that depends on the PE: the local one. */
static const char *local_of(uintptr_t remote, int pe)
{
    return (const char *)(remote - sheaf_image.base - ((uintptr_t)pe << sheaf_image.window_shift));
}

static void report(const char *call, int pe, const char *local)
{
    char what[320];
    sheaf_place_describe(local, what, sizeof what);
    sheaf_error("%s: on PE %d, address %p is not accessible: here it is %s; symmetric are static "
                "variables of the program and memory from shmem_malloc",
                call ? call : "memory access", pe, (const void *)local, what);
}

/* An address so far off that the processor refuses it is not reported by the kernel; it still
 * stands in a register. */
static bool report_from_registers(const ucontext_t *context, const char *call)
{
#if defined(__x86_64__)
    for (int reg = 0; reg < 16; reg++) {
        uintptr_t value = (uintptr_t)context->uc_mcontext.gregs[reg];
        if (value >> 47 == 0 || value >> 47 == 0x1ffff)
            continue;
        for (int pe = 0; pe < sheaf_job.npes; pe++) {
            const char *local = local_of(value, pe);
            if ((uintptr_t)local >> 47 == 0 && sheaf_place_is_mapped(local)) {
                report(call, pe, local);
                return true;
            }
        }
    }
#else
    (void)context;
    (void)call;
#endif
    return false;
}

/* The copy on some PE of an address near null. */
static bool report_null(uintptr_t address, const char *call)
{
    for (int pe = 0; pe < sheaf_job.npes; pe++)
        if ((uintptr_t)local_of(address, pe) < 65536) {
            report(call, pe, local_of(address, pe));
            return true;
        }
    return false;
}

static void explain(const siginfo_t *info, const ucontext_t *context)
{
    const char *call = call_in_progress(context);
    char *address = info->si_addr;
    if (sheaf_image.is_forked || !sheaf_job_is_initialized())
        return;
    if (call && report_null((uintptr_t)address, call))
        return;
    if (address >= sheaf_image.window && address < sheaf_image.window + sheaf_image.window_length) {
        int pe = (int)((size_t)(address - sheaf_image.window) >> sheaf_image.window_shift);
        report(call, pe, local_of((uintptr_t)address, pe));
    } else if (call && !report_from_registers(context, call)) {
        char what[320];
        sheaf_place_describe(address, what, sizeof what);
        sheaf_error("%s: an argument is not valid: address %p is %s", call, (void *)address, what);
    }
}

/* The handler that was there before, or the default, deals with the fault when the instruction
 * runs again. */
static void on_fault(int signal_number, siginfo_t *info, void *context)
{
    struct sigaction *before = signal_number == SIGSEGV ? &before_segv : &before_bus;
    sigaction(signal_number, before, NULL);
    explain(info, context);
}

static void watch(int signal_number, struct sigaction *before)
{
    struct sigaction now = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction current;
    sigemptyset(&now.sa_mask);
    if (sigaction(signal_number, NULL, &current) != 0 || current.sa_sigaction == on_fault)
        return;
    *before = current;
    sigaction(signal_number, &now, NULL);
}

void sheaf_fault_watch(void)
{
    if (!sheaf_image.window)
        return;
    watch(SIGSEGV, &before_segv);
    watch(SIGBUS, &before_bus);
}
