/* SPDX-License-Identifier: BSD-3-Clause
 * See fault.h.
 */
#include "core/fault/fault.h"

#include "base/log.h"
#include "boot/boot.h"
#include "boot/job_report/job_report.h"
#include "core/access/inline.h"
#include "core/access/route.h"
#include "core/fault/call.h"
#include "core/fault/copy.h"
#include "core/fault/site.h"
#include "core/fault/stack.h"
#include "core/pe/job.h"
#include "core/memory/address_text.h"
#include "core/memory/space.h"
#include "core/pe/wait.h"
#include "image/image.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

/* The signals by which a program's own mistakes end it. */
static const int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#define WATCHED (sizeof watched / sizeof *watched)
static struct sigaction former_actions[WATCHED];

/* The local address of a remote one: the two differ by a distance that depends on the slot. */
static const char *local_of(uintptr_t remote, int slot)
{
    return (const char *)(remote - sheaf_image.base - (uintptr_t)slot * sheaf_image.window_stride);
}

static bool is_in_windows(const char *address)
{
    return address >= sheaf_image.window &&
           (size_t)(address - sheaf_image.window) < sheaf_image.window_length;
}

/* Prints a message. In a copy of the process the message includes the source line of the call, for
 * which another process (addr2line) is asked. */
static void (*print_error)(const char *format, ...) __attribute__((format(printf, 1, 2))) = sheaf_error;

/* slot is this PE's own for an address that the call used as it is: a buffer, a result or a handle, which
 * need not be symmetric. */
static void report_address(const char *call, int slot, const char *local)
{
    char what[SHEAF_ADDRESS_TEXT];
    call = call ? call : "memory access";
    sheaf_address_describe(local, what, sizeof what);
    if (sheaf_image_holds_constant(local, 1)) /* a constant can be read */
        print_error("SH109 %s: on PE %d, address %p cannot be written: it is %s", call,
                    sheaf_boot_pe_at(slot), (const void *)local, what);
    else if (slot == sheaf_image.slot)
        print_error("SH102 %s: an argument is not valid: address %p is %s", call, (const void *)local,
                    what);
    else
        print_error("SH102 %s: on PE %d, address %p is not accessible: here it is %s; symmetric are static "
                    "variables of the program and memory from shmem_malloc", call, sheaf_boot_pe_at(slot),
                    (const void *)local, what);
}

/* A guess of the slot that a remote address belongs to: the slot whose local address the program could
 * have had, in memory that is mapped and lies in no window. */
struct guess {
    int slot; /* -1: none yet */
    const char *local;
    bool is_sure; /* no other slot is possible */
};

static void guess_slot(uintptr_t remote, struct guess *best)
{
    for (int slot = 0; slot < sheaf_boot.node_npes; slot++) {
        const char *local = local_of(remote, slot);
        if ((uintptr_t)local >> 48 != 0 || is_in_windows(local) || !sheaf_address_is_mapped(local))
            continue;
        best->is_sure = best->slot < 0 || (best->slot == slot && best->local == local && best->is_sure);
        best->slot = slot;
        best->local = local;
    }
}

static bool report_guess(const struct guess *best, const char *call)
{
    if (best->slot >= 0 && best->is_sure)
        report_address(call, best->slot, best->local);
    return best->slot >= 0 && best->is_sure;
}

#if defined(__x86_64__)
static bool is_refused(uintptr_t address)
{
    return address >> 47 != 0 && address >> 47 != 0x1ffff;
}

/* The slot whose offset is in a register, or -1. */
static int slot_in_registers(const greg_t *registers)
{
    for (int slot = 0; slot < sheaf_boot.node_npes; slot++)
        for (int reg = 0; reg < 16; reg++)
            if ((uintptr_t)registers[reg] == 0 - (uintptr_t)local_of(0, slot))
                return slot;
    return -1;
}

/* The memory operand of an instruction: base + (index << shift) + distance. base and index are numbers
 * of registers; index -1 where there is none. */
struct operand {
    int base, index, shift;
    int32_t distance;
};

/* Skips the bytes before the opcode's last one. *high: the upper bits of base (1) and index (2). */
static const unsigned char *skip_prefixes(const unsigned char *code, unsigned *high)
{
    while (memchr("\x66\xf0\xf2\xf3", *code, 4))
        code++;
    if ((*code & 0xf0) == 0x40)
        *high = *code++;
    if (*code == 0xc4 || *code == 0x62)
        *high = ~(unsigned)code[1] >> 5;
    return code + (*code == 0x62 ? 4 : *code == 0xc4 ? 3 : *code == 0xc5 ? 2 : *code == 0x0f ? 1 : 0);
}

/* Decodes the operand. False where it is no sum of registers; string instructions have no operand. */
static bool decode_operand(const unsigned char *code, struct operand *operand)
{
    static const int order[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    unsigned high = 0;
    code = skip_prefixes(code, &high);
    if ((*code & 0xfe) == 0xa4 || code[1] >= 0xc0 || (code[1] & 0xc7) == 5)
        return false;
    unsigned mode = code[1] >> 6, low = code[1] & 7, sib = code[2];
    *operand = (struct operand){.base = order[low | (high & 1) << 3], .index = -1};
    if (low == 4) {
        unsigned index = (sib >> 3 & 7) | (high & 2) << 2;
        operand->base = order[(sib & 7) | (high & 1) << 3];
        operand->index = index == 4 ? -1 : order[index];
        operand->shift = (int)(sib >> 6);
    }
    if (mode == 1)
        operand->distance = (int8_t)code[low == 4 ? 3 : 2];
    else if (mode == 2)
        memcpy(&operand->distance, code + (low == 4 ? 3 : 2), sizeof operand->distance);
    return true;
}

static bool report_if_copied(uintptr_t local, int slot, const char *call)
{
    if (!is_refused(local - (uintptr_t)local_of(0, slot)) || !sheaf_address_is_mapped((char *)local))
        return false;
    report_address(call, slot, (char *)local);
    return true;
}

/* The instruction of an inline form adds a slot's offset and the local address in its operand. */
static bool report_own_sum(const greg_t *registers, const struct operand *operand, const char *call)
{
    int pair[2] = {operand->base, operand->index};
    for (int slot = 0; operand->index >= 0 && slot < sheaf_boot.node_npes; slot++)
        for (int i = 0; i < 2; i++)
            if ((uintptr_t)registers[pair[i]] == 0 - (uintptr_t)local_of(0, slot))
                return report_if_copied((uintptr_t)registers[pair[1 - i]], slot, call);
    return false;
}

/* A library call has already added them. The slot's offset is still in one register, and the local
 * address in the register of the first or second argument. */
static bool report_called_sum(const greg_t *registers, const char *call)
{
    int slot = slot_in_registers(registers);
    return slot >= 0 && (report_if_copied((uintptr_t)registers[REG_RDI], slot, call) ||
                         report_if_copied((uintptr_t)registers[REG_RSI], slot, call));
}

static bool report_sum(const greg_t *registers, const struct operand *operand, const char *call)
{
    return sheaf_fault_is_program((uintptr_t)registers[REG_RIP]) ? report_own_sum(registers, operand, call)
                                                                 : report_called_sum(registers, call);
}

static uintptr_t address_of(const greg_t *registers, const struct operand *operand)
{
    uintptr_t index = operand->index < 0 ? 0 : (uintptr_t)registers[operand->index] << operand->shift;
    return (uintptr_t)registers[operand->base] + index + (uintptr_t)(intptr_t)operand->distance;
}

/* For string instructions: one of the registers holds the address. */
static bool report_some_register(const greg_t *registers, const char *call)
{
    struct guess best = {.slot = -1};
    for (int reg = 0; reg < 16; reg++)
        if (is_refused((uintptr_t)registers[reg]))
            guess_slot((uintptr_t)registers[reg], &best);
    return report_guess(&best, call);
}
#endif

/* The slot by which a routine has just read the distance from the table, where both are still in
 * registers; else -1. */
static int slot_of_table(const ucontext_t *context)
{
    int slot = -1;
#if defined(__x86_64__)
    const greg_t *registers = context->uc_mcontext.gregs;
    bool has_table = false;
    for (int reg = 0; reg < 16; reg++)
        has_table |= (uintptr_t)registers[reg] == (uintptr_t)sheaf_route.offsets;
    if (has_table && (uintptr_t)registers[REG_RAX] < sheaf_route.count)
        slot = (int)registers[REG_RAX];
#else
    (void)context;
#endif
    return slot;
}

/* None of the possible local addresses is mapped: names each local address that the remote one can
 * stand for. */
static bool report_wild(uintptr_t remote, const char *call, int known)
{
    struct guess found[2] = {{.slot = -1}, {.slot = -1}};
    int count = 0;
    for (int slot = 0; slot < sheaf_boot.node_npes; slot++) {
        const char *local = slot == sheaf_boot.slot ? (const char *)remote : local_of(remote, slot);
        if ((known < 0 || slot == known) && (uintptr_t)local >> 48 == 0 && count++ < 2)
            found[count - 1] = (struct guess){slot, local, true};
    }
    if (count == 1)
        report_address(call, found[0].slot, found[0].local);
    if (count > 1)
        print_error("SH102 %s: address %p on PE %d, or %p on PE %d%s, is not symmetric; SHEAF_CHECK=args "
                    "tells which it was", call, (const void *)found[0].local,
                    sheaf_boot_pe_at(found[0].slot), (const void *)found[1].local,
                    sheaf_boot_pe_at(found[1].slot), count > 2 ? ", and so on" : "");
    return count > 0;
}

/* The kernel does not report an address that the processor refuses (it is not canonical): the address
 * is computed from the instruction. */
static bool report_refused(const ucontext_t *context, const char *call)
{
#if defined(__x86_64__)
    const greg_t *registers = context->uc_mcontext.gregs;
    struct operand operand = {.index = -1};
    struct guess best = {.slot = -1};
    uintptr_t place = (uintptr_t)registers[REG_RIP];
    bool is_known = sheaf_fault_site_is_code(place) && decode_operand((const unsigned char *)place,
                                                                      &operand);
    if (report_sum(registers, &operand, call))
        return true;
    if (!is_known || !is_refused(address_of(registers, &operand)))
        return report_some_register(registers, call);
    guess_slot(address_of(registers, &operand), &best);
    return report_guess(&best, call) || (call && report_wild(address_of(registers, &operand), call, -1));
#else
    (void)context;
    (void)call;
    return false;
#endif
}

/* Whether the address is some PE's copy of an address near null. */
static bool report_null(uintptr_t address, const char *call)
{
    for (int slot = 0; slot < sheaf_boot.node_npes; slot++)
        if ((uintptr_t)local_of(address, slot) < 65536) {
            report_address(call, slot, local_of(address, slot));
            return true;
        }
    return false;
}

/* Whether the address is a PE's copy of an address in a memory space. */
static bool report_space(uintptr_t address, const char *call)
{
    char text[200];
    const char *local;
    int slot;
    if (!sheaf_space_find_copy(address, &slot, &local))
        return false;
    if (sheaf_space_is_nonmember(local, sheaf_boot_pe_at(slot), text, sizeof text))
        print_error("SH124 %s: %s", call ? call : "memory access", text);
    else
        report_address(call, slot, local);
    return true;
}

/* The copies of an address far from data and heap, such as one on the stack, lie outside the windows.
 * Where the processor accepts their addresses (AArch64, 5 levels of page tables, windows below the
 * program), the kernel reports the address. */
static bool report_outside(uintptr_t address, const char *call)
{
    struct guess best = {.slot = -1};
    guess_slot(address, &best);
    return report_guess(&best, call);
}

/* Whether the library is down and the address lies in the former heap. */
static bool report_after_finalize(const char *address)
{
    bool is_so = !sheaf_job_is_initialized() && sheaf_image_closed_heap_holds(address);
    if (is_so)
        sheaf_error("SH125 memory access after shmem_finalize: address %p lies in the symmetric heap, all "
                    "of whose blocks (and arrays) ended there: copy what is needed later before",
                    (const void *)address);
    return is_so;
}

/* Prints the explanation where the fault is a mistake in the use of the library. Returns whether it is. */
static bool explain_address(const siginfo_t *info, const ucontext_t *context)
{
    const char *call = sheaf_fault_call(context);
    bool may_be_ours = call || sheaf_inline_is_used();
    char *address = info->si_addr;
    if (sheaf_image.is_forked || report_after_finalize(address) || !sheaf_job_is_initialized() ||
        !sheaf_fault_site_is_code(sheaf_fault_place(context)))
        return false;
    if (may_be_ours && report_null((uintptr_t)address, call))
        return true;
    if (call && sheaf_image_holds_constant(address, 1)) {
        report_address(call, sheaf_image.slot, address);
    } else if (is_in_windows(address)) {
        int slot = (int)((size_t)(address - sheaf_image.window) / sheaf_image.window_stride);
        report_address(call, slot, local_of((uintptr_t)address, slot));
    } else if (report_space((uintptr_t)address, call)) {
        return true;
    } else if (may_be_ours && info->si_code != SI_KERNEL && report_outside((uintptr_t)address, call)) {
        return true;
    } else if (may_be_ours && report_refused(context, call)) {
        return true;
    } else if (call && info->si_code == SI_KERNEL) {
        print_error("SH102 %s: an argument is not valid: an address whose copy on the PE would lie outside "
                    "the address space, or a handle of no team or context", call);
    } else if (call && !sheaf_address_is_mapped(address) &&
               report_wild((uintptr_t)address, call, slot_of_table(context))) {
        return true;
    } else if (call) {
        report_address(call, sheaf_image.slot, address);
    } else {
        return false;
    }
    return true;
}

static uintptr_t place_in_copy, caller_in_copy;

/* Finds the source line of the call; for an inline form, that of its instruction. */
static bool find_source_line(char *text, size_t size)
{
    if (sheaf_fault_is_program(place_in_copy))
        return sheaf_fault_site_place(place_in_copy, text, size);
    return caller_in_copy ? sheaf_fault_site_place(caller_in_copy - 1, text, size)
                          : sheaf_fault_site_of_call(text, size);
}

/* Returns whether the explanation is certain. It is not where the library's frames cannot be told from
 * the program's, nor where the program's own call of libc may have faulted. */
static int explain_in_copy(const siginfo_t *info, const ucontext_t *context)
{
    place_in_copy = sheaf_fault_place(context);
    bool is_sure = !sheaf_fault_is_linked_in() &&
                   (sheaf_fault_is_program(place_in_copy) ||
                    sheaf_fault_is_in_call(place_in_copy, &caller_in_copy));
    if (is_sure) {
        sheaf_log_set_place(find_source_line);
        print_error = sheaf_error_of_call;
    }
    return explain_address(info, context) && is_sure;
}

static struct sigaction *former_action(int signal_number)
{
    size_t i = 0;
    while (watched[i] != signal_number)
        i++;
    return &former_actions[i];
}

/* Whether the process sent the signal itself, by a fault, abort() or raise(). A signal from another
 * process says nothing about this program. */
static bool is_own_signal(const siginfo_t *info)
{
    return info->si_code > 0 || (info->si_code == SI_TKILL && info->si_pid == getpid());
}

static bool explain_fault(const siginfo_t *info, const ucontext_t *context)
{
    int told = sheaf_fault_in_copy(explain_in_copy, info, context);
    if (told < 0) {
        sheaf_address_be_brief();
        explain_address(info, context);
    }
    return told > 0;
}

/* A mistake in the use of the library ends the job with one line, like a mistake that a call finds.
 * Otherwise the former handler, or the default, deals with the fault when the instruction runs again. A
 * signal that a process sent does not come again by itself, so it is raised. */
static void on_fault(int signal_number, siginfo_t *info, void *context)
{
    const struct sigaction *was = former_action(signal_number);
    bool is_memory = signal_number == SIGSEGV || signal_number == SIGBUS;
    sigaction(signal_number, was, NULL);
    bool is_mistake = is_memory && info->si_code > 0 && explain_fault(info, context);
    if (is_own_signal(info) && was->sa_handler == SIG_DFL && !sheaf_image.is_forked) {
        if (!is_mistake)
            sheaf_fault_stack(info, context);
        sheaf_job_report_keep();
        if (is_mistake)
            sheaf_end_job();
    }
    if (info->si_code <= 0)
        raise(signal_number);
}

static void watch_signal(int signal_number)
{
    struct sigaction now = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction current;
    sigemptyset(&now.sa_mask);
    if (sigaction(signal_number, NULL, &current) != 0 || current.sa_sigaction == on_fault)
        return;
    *former_action(signal_number) = current;
    sigaction(signal_number, &now, NULL);
}

void sheaf_fault_watch(void)
{
    if (!sheaf_image.window)
        return;
    sheaf_fault_stack_prepare();
    for (size_t i = 0; i < WATCHED; i++)
        watch_signal(watched[i]);
}
