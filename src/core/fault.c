/* SPDX-License-Identifier: BSD-3-Clause
 * See fault.h.
 */
#include "core/fault.h"

#include "base/log.h"
#include "boot/boot.h"
#include "core/access/inline.h"
#include "core/pe/job.h"
#include "core/memory/address_text.h"
#include "core/memory/space.h"
#include "core/pe/wait.h"
#include "image/image.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
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

#if defined(__x86_64__)
/* Whatever is at address, where it can be read as code: not for data, whose reading may fault. */
static const unsigned char *code_at(uintptr_t address)
{
    Dl_info info;
    return dladdr((void *)address, &info) ? (const unsigned char *)address : NULL;
}

static uintptr_t relative(const unsigned char *field)
{
    int32_t distance;
    memcpy(&distance, field, sizeof distance);
    return (uintptr_t)(field + 4) + (uintptr_t)(intptr_t)distance;
}

/* Where a stub of the procedure linkage table leads: (endbr64) (bnd) jmp *slot(%rip). */
static uintptr_t behind_stub(uintptr_t address)
{
    const unsigned char *code = code_at(address);
    if (!code)
        return address;
    if (memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0)
        code += 4;
    if (*code == 0xf2)
        code++;
    return code[0] == 0xff && code[1] == 0x25 ? *(uintptr_t *)relative(code + 2) : address;
}

/* A routine that ends in a jump to memcpy leaves no frame: what was called is then read off the
 * call instruction before the return address. */
static const char *public_name_called_before(uintptr_t address)
{
    const unsigned char *code = code_at(address - 6);
    if (!code || !code_at(address))
        return NULL;
    if (code[0] == 0xff && code[1] == 0x15)
        return public_name_at(*(uintptr_t *)relative(code + 2));
    return code[1] == 0xe8 ? public_name_at(behind_stub(relative(code + 2))) : NULL;
}

static bool is_behind_call(uintptr_t address)
{
    const unsigned char *code = code_at(address - 6);
    return code && ((code[0] == 0xff && code[1] == 0x15) || code[1] == 0xe8);
}
#else
static const char *public_name_called_before(uintptr_t address)
{
    (void)address;
    return NULL;
}

static bool is_behind_call(uintptr_t address)
{
    (void)address;
    return false;
}
#endif

static const void *object_of(uintptr_t address)
{
    Dl_info info;
    return dladdr((void *)address, &info) ? info.dli_fbase : NULL;
}

/* Whether address is code of this library, or of the program, where the one is not part of the other. */
static bool is_library(uintptr_t address)
{
    const void *here = object_of((uintptr_t)&before_segv);
    return here != object_of(getauxval(AT_ENTRY)) && object_of(address) == here;
}

static bool is_program(uintptr_t address)
{
    const void *program = object_of(getauxval(AT_ENTRY));
    return program != object_of((uintptr_t)&before_segv) && object_of(address) == program;
}

/* The public routine the fault happened in: at the instruction itself, or, when libc's memcpy
 * faulted for it, by the return addresses just above the stack pointer, up to the first that leads back
 * to the program. Deeper in the library it is the call that this thread began last: whatever has depth
 * can wait, and says so. What earlier calls left on the program's own stack tells nothing. */
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
    bool inside = is_library(at);
    if (is_program(at))
        return name;
#if defined(__aarch64__)
    if (!name)
        name = public_name_at(context->uc_mcontext.regs[30]);
#endif
    for (int i = 0; i < 16 && !name; i++) {
        name = public_name_at(stack[i]);
        if (!name)
            name = public_name_called_before(stack[i]);
        inside = inside || is_library(stack[i]);
        if (!name && is_program(stack[i]) && is_behind_call(stack[i]))
            break;
    }
    return name || !inside ? name : sheaf_call.name;
}

/* A remote address is a local one moved by a distance that depends on the slot: the local one. */
static const char *local_of(uintptr_t remote, int slot)
{
    return (const char *)(remote - sheaf_image.base - (uintptr_t)slot * sheaf_image.window_stride);
}

static void report(const char *call, int slot, const char *local)
{
    char what[320];
    sheaf_address_describe(local, what, sizeof what);
    sheaf_error("%s: on PE %d, address %p is not accessible: here it is %s; symmetric are static "
                "variables of the program and memory from shmem_malloc",
                call ? call : "memory access", sheaf_boot_pe_at(slot), (const void *)local, what);
}

#if defined(__x86_64__)
static bool is_refused(uintptr_t address)
{
    return address >> 47 != 0 && address >> 47 != 0x1ffff;
}

/* The slot whose offset stands in a register, or -1. */
static int slot_in_registers(const greg_t *registers)
{
    for (int slot = 0; slot < sheaf_boot.node_npes; slot++)
        for (int reg = 0; reg < 16; reg++)
            if ((uintptr_t)registers[reg] == 0 - (uintptr_t)local_of(0, slot))
                return slot;
    return -1;
}

/* The instruction may have added the two itself: then a slot's offset stands in one register, and
 * the local address in another, where the first or second argument came. */
static bool report_sum(const greg_t *registers, const char *call)
{
    const int arguments[] = {REG_RDI, REG_RSI};
    int slot = slot_in_registers(registers);
    for (int i = 0; i < 2 && slot >= 0; i++) {
        uintptr_t local = (uintptr_t)registers[arguments[i]];
        if (is_refused(local - (uintptr_t)local_of(0, slot)) && sheaf_address_is_mapped((char *)local)) {
            report(call, slot, (char *)local);
            return true;
        }
    }
    return false;
}
#endif

/* An address so far off that the processor refuses it is not reported by the kernel; it still
 * stands in a register. Which PE it was for cannot be told for sure: the first whose local address
 * is mapped is taken, else, within a call, the first whose local address could be one. */
static bool report_from_registers(const ucontext_t *context, const char *call)
{
#if defined(__x86_64__)
    const char *guess = NULL;
    int guess_slot = 0;
    if (report_sum(context->uc_mcontext.gregs, call))
        return true;
    for (int reg = 0; reg < 16; reg++) {
        uintptr_t value = (uintptr_t)context->uc_mcontext.gregs[reg];
        if (!is_refused(value))
            continue;
        for (int slot = 0; slot < sheaf_boot.node_npes; slot++) {
            const char *local = local_of(value, slot);
            if ((uintptr_t)local >> 48 != 0)
                continue;
            if (sheaf_address_is_mapped(local)) {
                report(call, slot, local);
                return true;
            }
            guess_slot = guess ? guess_slot : slot;
            guess = guess ? guess : local;
        }
    }
    if (guess && call)
        report(call, guess_slot, guess);
    return guess && call;
#else
    (void)context;
    (void)call;
    return false;
#endif
}

/* The copy on some PE of an address near null. */
static bool report_null(uintptr_t address, const char *call)
{
    for (int slot = 0; slot < sheaf_boot.node_npes; slot++)
        if ((uintptr_t)local_of(address, slot) < 65536) {
            report(call, slot, local_of(address, slot));
            return true;
        }
    return false;
}

/* At the place of a copy in a memory space. */
static bool report_space(uintptr_t address, const char *call)
{
    char text[200];
    const char *local;
    int slot;
    if (!sheaf_space_find_copy(address, &slot, &local))
        return false;
    if (sheaf_space_is_stranger(local, sheaf_boot_pe_at(slot), text, sizeof text))
        sheaf_error("%s: %s", call ? call : "memory access", text);
    else
        report(call, slot, local);
    return true;
}

static bool is_in_windows(const char *address)
{
    return address >= sheaf_image.window &&
           (size_t)(address - sheaf_image.window) < sheaf_image.window_length;
}

/* What lies far from data and heap, a stack for one, has its copies outside the windows. Where the processor
 * takes their addresses (AArch64, 5 levels of page tables, windows below the program) the kernel tells
 * which it was, and it belongs to the slot whose local address is mapped. */
static bool report_outside(uintptr_t address, const char *call)
{
    for (int slot = 0; slot < sheaf_boot.node_npes; slot++) {
        const char *local = local_of(address, slot);
        if (!is_in_windows(local) && sheaf_address_is_mapped(local)) {
            report(call, slot, local);
            return true;
        }
    }
    return false;
}

static void explain(const siginfo_t *info, const ucontext_t *context)
{
    const char *call = call_in_progress(context);
    bool may_be_ours = call || sheaf_inline_is_used();
    char *address = info->si_addr;
    if (sheaf_image.is_forked || !sheaf_job_is_initialized())
        return;
    if (may_be_ours && report_null((uintptr_t)address, call))
        return;
    if (is_in_windows(address)) {
        int slot = (int)((size_t)(address - sheaf_image.window) / sheaf_image.window_stride);
        report(call, slot, local_of((uintptr_t)address, slot));
    } else if (report_space((uintptr_t)address, call)) {
        return;
    } else if (may_be_ours && info->si_code != SI_KERNEL && report_outside((uintptr_t)address, call)) {
        return;
    } else if (may_be_ours && report_from_registers(context, call)) {
        return;
    } else if (call && info->si_code == SI_KERNEL) {
        sheaf_error("%s: an argument is not valid: an address whose copy on the PE would lie outside "
                    "the address space, or a handle of no team or context", call);
    } else if (call) {
        char what[320];
        sheaf_address_describe(address, what, sizeof what);
        sheaf_error("%s: an argument is not valid: address %p is %s", call, (void *)address, what);
    }
}

/* The handler that was there before, or the default, deals with the fault when the instruction
 * runs again. A signal that somebody sent does not come back by itself. */
static void on_fault(int signal_number, siginfo_t *info, void *context)
{
    struct sigaction *before = signal_number == SIGSEGV ? &before_segv : &before_bus;
    sigaction(signal_number, before, NULL);
    if (info->si_code > 0)
        explain(info, context);
    else
        raise(signal_number);
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
