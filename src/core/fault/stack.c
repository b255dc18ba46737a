/* SPDX-License-Identifier: BSD-3-Clause
 * See stack.h. A copy of the process reads its copy of the stack.
 */
#include "core/fault/stack.h"

#include "base/log.h"
#include "core/fault/call.h"
#include "core/fault/copy.h"
#include "core/fault/site.h"
#include "core/memory/address_text.h"
#include "core/pe/record.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define MOST_DEPTH  256
#define MOST_LISTED 16
#define MOST_BELOW  ((uintptr_t)64 << 10) /* bytes below the stack pointer that one instruction stores to */
#define STACK_BYTES ((size_t)128 << 10) /* of the handler; unused pages take no memory */

/* The caller of a function through a wrong pointer: its target has not yet changed the stack or the
 * link register. */
static uintptr_t caller_of(const ucontext_t *context)
{
#if defined(__x86_64__)
    return *(const uintptr_t *)context->uc_mcontext.gregs[REG_RSP];
#else
    return (uintptr_t)context->uc_mcontext.regs[30];
#endif
}

/* The addresses from the fault outward: the first is the faulting instruction, the others are calls. */
static size_t find_places(const ucontext_t *context, struct sheaf_fault_site *sites, size_t most)
{
    void *frames[MOST_DEPTH], **behind;
    uintptr_t place = sheaf_fault_place(context);
    int depth = sheaf_fault_frames(place, frames, MOST_DEPTH, &behind);
    size_t count = 0;
    sites[count++] = (struct sheaf_fault_site){.address = place};
    if (depth == 0 && !sheaf_fault_site_is_code(place))
        sites[count++] = (struct sheaf_fault_site){.address = caller_of(context) - 1};
    for (int at = 0; at < depth && count < most; at++)
        sites[count++] = (struct sheaf_fault_site){.address = (uintptr_t)behind[at] - 1};
    return count;
}

static const char *name_of(int signal_number)
{
    switch (signal_number) {
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGILL: return "SIGILL";
    case SIGABRT: return "SIGABRT";
    default: return "a signal";
    }
}

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

/* Whether the fault is an access past the end of the stack: just below the stack pointer, or anywhere in a
 * frame so large that the stack pointer itself is past the end. */
static bool is_past_stack(uintptr_t address, const ucontext_t *context)
{
#if defined(__x86_64__)
    uintptr_t pointer = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#else
    uintptr_t pointer = (uintptr_t)context->uc_mcontext.sp;
#endif
    return address + MOST_BELOW >= pointer && !sheaf_address_is_mapped((void *)address) &&
           (address < pointer || !sheaf_address_is_mapped((void *)pointer));
}

/* For a fault of memory: what the address tells. */
static void append_cause(const siginfo_t *info, const ucontext_t *context, char *text, size_t size)
{
    char what[SHEAF_ADDRESS_TEXT];
    struct rlimit limit;
    if (info->si_signo != SIGSEGV || info->si_code <= 0 || info->si_code == SI_KERNEL)
        return;
    if (sheaf_address_describe_null(info->si_addr, what, sizeof what)) {
        append(text, size, "\n    address %p is %s", info->si_addr, what);
    } else if (is_past_stack((uintptr_t)info->si_addr, context)) {
        append(text, size, "\n    address %p is past the end of the stack", info->si_addr);
        if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
            append(text, size, ": raise ulimit -s (now %zu KiB), or OMP_STACKSIZE for threads of OpenMP",
                   (size_t)limit.rlim_cur >> 10);
    }
}

/* Prints the stack. A function that calls itself is one line with the number of its frames. */
static void print_stack(const siginfo_t *info, const ucontext_t *context, struct sheaf_fault_site *sites,
                        size_t count)
{
    char text[1600] = "";
    append(text, sizeof text, "%s in", name_of(info->si_signo));
    for (size_t i = 0, listed = 0, same; i < count && listed < MOST_LISTED; i += same, listed++) {
        for (same = 1; i + same < count && strcmp(sites[i].text, sites[i + same].text) == 0;)
            same++;
        append(text, sizeof text, "\n    %s", sites[i].text);
        if (same > 1)
            append(text, sizeof text, " (%zu times)", same);
        if (strncmp(sites[i].text, "main ", 5) == 0)
            break;
    }
    append_cause(info, context, text, sizeof text);
    sheaf_error("SH126 %s", text);
}

static int explain_stack(const siginfo_t *info, const ucontext_t *context)
{
    struct sheaf_fault_site sites[MOST_LISTED * 4];
    size_t count = find_places(context, sites, MOST_LISTED * 4);
    sheaf_fault_site_name(sites, count);
    print_stack(info, context, sites, count);
    return 0;
}

void sheaf_fault_stack_prepare(void)
{
    stack_t now;
    if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE))
        return;
    void *memory = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED)
        sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = STACK_BYTES}, NULL);
}

/* Without a copy, as in a statically linked program, prints only the address of the fault, for
 * addr2line. */
static void print_place(const siginfo_t *info, const ucontext_t *context)
{
    const struct sheaf_recorder *recorder = sheaf_recorder;
    const char *name = strrchr(recorder->path, '/');
    uintptr_t place = sheaf_fault_place(context);
    bool is_in_program = place >= recorder->program && place < recorder->program_end;
    sheaf_error("SH126 %s in\n    %s+0x%llx", name_of(info->si_signo),
                is_in_program && name ? name + 1 : "",
                (unsigned long long)(is_in_program ? place - recorder->program : place));
}

void sheaf_fault_stack(const siginfo_t *info, const ucontext_t *context)
{
    if (sheaf_fault_in_copy(explain_stack, info, context) < 0)
        print_place(info, context);
}
