/* SPDX-License-Identifier: BSD-3-Clause
 * See call.h.
 */
#include "core/fault/call.h"

#include "core/pe/wait.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <gnu/libc-version.h>
#include <string.h>
#include <sys/auxv.h>

#define MOST_DEPTH 64 /* frames that are searched */

/* For functions that read the stack's words, and the code that they point to: these may lie in a
 * sanitizer's red zones. */
#define READS_ANYTHING __attribute__((no_sanitize("address", "thread", "undefined")))

/* Names of public routines begin with these. */
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

/* The code at address, or NULL for data, since reading data may fault. */
static const void *code_at(uintptr_t address)
{
    Dl_info info;
    return dladdr((void *)address, &info) ? (const void *)address : NULL;
}

#if defined(__x86_64__)
READS_ANYTHING static uintptr_t relative_address(const unsigned char *field)
{
    int32_t distance;
    memcpy(&distance, field, sizeof distance);
    return (uintptr_t)(field + 4) + (uintptr_t)(intptr_t)distance;
}

/* The target of a stub of the procedure linkage table: (endbr64) (bnd) jmp *slot(%rip). */
READS_ANYTHING static uintptr_t stub_target(uintptr_t address)
{
    const unsigned char *code = code_at(address);
    if (!code)
        return address;
    if (memcmp(code, "\xf3\x0f\x1e\xfa", 4) == 0)
        code += 4;
    if (*code == 0xf2)
        code++;
    return code[0] == 0xff && code[1] == 0x25 ? *(uintptr_t *)relative_address(code + 2) : address;
}

/* Whether there is a call instruction before a return address, and the function that it calls, or 0
 * where the code does not show it. */
READS_ANYTHING static bool is_after_call(uintptr_t address, uintptr_t *called)
{
    const unsigned char *code = code_at(address - 6);
    *called = 0;
    if (!code || !code_at(address))
        return false;
    if (code[0] == 0xff && code[1] == 0x15) /* call *slot(%rip) */
        *called = *(uintptr_t *)relative_address(code + 2);
    else if (code[1] == 0xe8)
        *called = stub_target(relative_address(code + 2));
    else
        return false;
    return true;
}
#else
/* The target of a stub of the procedure linkage table: (bti) adrp x16, page; ldr x17, [x16, #offset]. */
READS_ANYTHING static uintptr_t stub_target(uintptr_t address)
{
    const uint32_t *code = code_at(address);
    if (!code)
        return address;
    if (code[0] == 0xd503245f)
        code++;
    if ((code[0] & 0x9f00001f) != 0x90000010 || (code[1] & 0xffc003ff) != 0xf9400211)
        return address;
    int64_t pages = (int64_t)((uint64_t)(code[0] >> 5 & 0x7ffff) << 45) >> 43 | (code[0] >> 29 & 3);
    uintptr_t page = ((uintptr_t)code & ~(uintptr_t)4095) + (uintptr_t)(pages * 4096);
    return *(const uintptr_t *)(page + (code[1] >> 10 & 0xfff) * 8);
}

/* The same for AArch64. */
READS_ANYTHING static bool is_after_call(uintptr_t address, uintptr_t *called)
{
    const uint32_t *code = code_at(address - 4);
    *called = 0;
    if (!code)
        return false;
    if ((*code & 0xfc000000) == 0x94000000) { /* bl */
        int64_t distance = (int64_t)((uint64_t)*code << 38) >> 36;
        *called = stub_target((uintptr_t)code + (uintptr_t)distance);
        return true;
    }
    return (*code & 0xfffffc1f) == 0xd63f0000; /* blr */
}
#endif

static const void *object_of(uintptr_t address)
{
    Dl_info info;
    return dladdr((void *)address, &info) ? info.dli_fbase : NULL;
}

bool sheaf_fault_is_linked_in(void)
{
    return object_of(getauxval(AT_ENTRY)) == object_of((uintptr_t)&is_public);
}

/* Whether address is code of this library, where the library is not linked into the program. */
static bool is_library(uintptr_t address)
{
    return !sheaf_fault_is_linked_in() && object_of(address) == object_of((uintptr_t)&is_public);
}

bool sheaf_fault_is_program(uintptr_t address)
{
    return !sheaf_fault_is_linked_in() && object_of(address) == object_of(getauxval(AT_ENTRY));
}

/* The public call that a return address belongs to. *is_done: the search ends here, or because the
 * program called another function. A routine that ends in a jump to memcpy has no frame; then the call
 * instruction names it. */
static const char *public_name_behind(uintptr_t address, bool *is_done)
{
    uintptr_t called;
    const char *name = public_name_at(address);
    bool is_call = !name && is_after_call(address, &called);
    if (is_call)
        name = public_name_at(called);
    *is_done = name || (is_call && sheaf_fault_is_program(address));
    return name;
}

uintptr_t sheaf_fault_place(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
    return (uintptr_t)context->uc_mcontext.pc;
#endif
}

/* The name is found at the instruction itself. When libc's memcpy faulted for the routine, it is found
 * by the return addresses just above the stack pointer (AArch64: first in x30), up to the first one in
 * the program. Deeper in the library it is the call that this thread began last, since every routine
 * that deep can wait and so notes its name. Older return addresses on the program's own stack are not
 * searched. */
READS_ANYTHING const char *sheaf_fault_call(const ucontext_t *context)
{
    uintptr_t at = sheaf_fault_place(context);
#if defined(__x86_64__)
    const uintptr_t *stack = (const uintptr_t *)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    const uintptr_t *stack = (const uintptr_t *)context->uc_mcontext.sp;
#endif
    const char *name = public_name_at(at);
    bool inside = is_library(at), is_done = name || sheaf_fault_is_program(at);
#if defined(__aarch64__)
    if (!is_done)
        name = public_name_behind(context->uc_mcontext.regs[30], &is_done);
#endif
    for (int i = 0; i < 16 && !is_done; i++) {
        name = public_name_behind(stack[i], &is_done);
        inside = inside || is_library(stack[i]);
    }
    return name || !inside ? name : sheaf_call.name;
}

int sheaf_fault_frames(uintptr_t place, void **frames, int most, void ***behind)
{
    int depth = backtrace(frames, most), at = 0;
    while (at < depth && (uintptr_t)frames[at] != place)
        at++;
    at += at < depth;
    *behind = frames + at;
    return depth - at;
}

bool sheaf_fault_is_in_call(uintptr_t place, uintptr_t *caller)
{
    const void *libc = object_of((uintptr_t)gnu_get_libc_version);
    void *frames[MOST_DEPTH], **behind;
    bool is_done;
    *caller = 0;
    if (object_of(place) != libc)
        return is_library(place);
    int depth = sheaf_fault_frames(place, frames, MOST_DEPTH, &behind), at = 0;
    while (at < depth && object_of((uintptr_t)behind[at]) == libc)
        at++;
    if (at == depth || is_library((uintptr_t)behind[at]))
        return at < depth;
    bool is_jump = public_name_behind((uintptr_t)behind[at], &is_done) != NULL;
    *caller = is_jump ? (uintptr_t)behind[at] : 0;
    return is_jump;
}
