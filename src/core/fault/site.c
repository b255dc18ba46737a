/* SPDX-License-Identifier: BSD-3-Clause
 * See site.h. It takes no lock that a dying process may hold: stack.c calls it in a copy of such a
 * process.
 */
#include "core/fault/site.h"

#include "base/clock.h"
#include "base/os/addr2line.h"
#include "base/times.h"
#include "boot/boot.h"
#include "core/pe/record.h"
#include "image/image.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_DEPTH 32 /* frames of the library that are searched */

bool sheaf_fault_site_is_code(uintptr_t address)
{
    Dl_info info;
    return dladdr((void *)address, &info) != 0;
}

/* Finds the file and the offset in it, and a text for when addr2line does not answer. */
static void locate_site(struct sheaf_fault_site *site)
{
    Dl_info info;
    struct link_map *map;
    if (!dladdr1((void *)site->address, &info, (void **)&map, RTLD_DL_LINKMAP)) {
        snprintf(site->text, sizeof site->text, "0x%lx, which is no code", (unsigned long)site->address);
        return;
    }
    const char *slash = strrchr(info.dli_fname, '/');
    const char *object = slash ? slash + 1 : info.dli_fname;
    if (map->l_name[0])
        snprintf(site->file, sizeof site->file, "%s", map->l_name);
    else
        snprintf(site->file, sizeof site->file, "/proc/%d/exe", (int)getpid());
    bool is_fixed = ((const ElfW(Ehdr) *)info.dli_fbase)->e_type == ET_EXEC;
    site->offset = is_fixed ? site->address : site->address - (uintptr_t)info.dli_fbase;
    if (info.dli_sname)
        snprintf(site->text, sizeof site->text, "%.100s (%.40s+0x%lx)", info.dli_sname, object,
                 (unsigned long)site->offset);
    else
        snprintf(site->text, sizeof site->text, "%.100s+0x%lx", object, (unsigned long)site->offset);
}

static void ask_addr2line(struct sheaf_fault_site *sites, const size_t *which, size_t count)
{
    uint64_t offsets[SHEAF_ADDR2LINE_MOST];
    struct sheaf_source_line lines[SHEAF_ADDR2LINE_MOST];
    for (size_t i = 0; i < count; i++)
        offsets[i] = sites[which[i]].offset;
    size_t answered = sheaf_addr2line(sites[which[0]].file, offsets, count, sheaf_times.addr2line_most,
                                      lines);
    for (size_t i = 0; i < answered; i++)
        if (lines[i].function[0] && lines[i].place[0])
            snprintf(sites[which[i]].text, sizeof sites->text, "%.99s at %.56s", lines[i].function,
                     lines[i].place);
}

/* Asks addr2line once for each file. */
void sheaf_fault_site_name(struct sheaf_fault_site *sites, size_t count)
{
    size_t which[SHEAF_ADDR2LINE_MOST], asked;
    for (size_t i = 0; i < count; i++)
        locate_site(&sites[i]);
    for (size_t i = 0; i < count; i++) {
        asked = 0;
        for (size_t j = i; j < count && asked < SHEAF_ADDR2LINE_MOST; j++)
            if (sites[i].file[0] && strcmp(sites[i].file, sites[j].file) == 0)
                which[asked++] = j;
        if (asked > 0)
            ask_addr2line(sites, which, asked);
        for (size_t k = asked; k-- > 0;)
            sites[which[k]].file[0] = '\0';
    }
}

static const void *object_of(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

bool sheaf_fault_site_place(uintptr_t address, char *text, size_t size)
{
    static bool was_slow;
    uint64_t since = sheaf_clock_ns();
    struct sheaf_fault_site site = {.address = address};
    if (was_slow || !sheaf_fault_site_is_code(address) ||
        sheaf_recorder_is_extension(sheaf_recorder, address))
        return false;
    sheaf_fault_site_name(&site, 1);
    was_slow = sheaf_clock_ns() - since >= sheaf_times.addr2line_most;
    const char *place = strstr(site.text, " at ");
    snprintf(text, size, "%s", place ? place + 4 : site.text);
    return true;
}

bool sheaf_fault_site_of_record(int slot, const struct sheaf_record *call, char *text, size_t size)
{
    uint64_t site = call->site;
    const struct sheaf_pe *mine = sheaf_control_pe(sheaf_image.control, sheaf_boot.slot);
    const struct sheaf_pe *other = sheaf_control_pe(sheaf_image.control, slot);
    const struct sheaf_recorder *from = &other->recorder, *to = &mine->recorder;
    bool in_program = site > from->program && site <= from->program_end;
    bool is_same = memcmp(mine->build_id, other->build_id, sizeof mine->build_id) == 0;
    if (mine == other && sheaf_record_is_for_statement(call->number))
        return sheaf_fault_site_place((uintptr_t)sheaf_call.statement_site - 1, text, size);
    if (sheaf_recorder_is_extension(from, site))
        return sheaf_recorder_line(from, call->number, text, size);
    if (mine != other && (!in_program || !is_same))
        return false;
    return sheaf_fault_site_place((uintptr_t)(site - from->program + to->program) - 1, text, size);
}

/* The library over this one that says what is wrong, by shmemx_fail; NULL where the program does. */
static const void *refusing_object(void)
{
    uint64_t at = (uint64_t)(uintptr_t)sheaf_call.refusal;
    bool is_program = at > sheaf_recorder->program && at <= sheaf_recorder->program_end;
    return at == 0 || is_program ? NULL : object_of(sheaf_call.refusal);
}

/* Whether a function belongs to the library, to the refusing one, or to the Fortran library that calls
 * pass through. */
static bool is_of_library(const void *address, const void *own, const void *refusing)
{
    Dl_info info;
    return dladdr(address, &info) && (info.dli_fbase == own || info.dli_fbase == refusing ||
                                      strstr(info.dli_fname, "/libsheaf-fortran"));
}

/* The prefix of a Fortran module's function, before the routine's name. The suffix _i marks the form
 * with integer counts. */
#define FORTRAN_PREFIX "sheaf_fortran_"

/* Appends " as shmem_put" where a function of the Fortran library made the call: the program knows the
 * routine by that name. */
static void append_fortran_name(const void *address, char *text, size_t size)
{
    Dl_info info;
    bool is_fortran = dladdr(address, &info) && info.dli_sname &&
                      strstr(info.dli_fname, "/libsheaf-fortran");
    if (!is_fortran)
        return;
    const char *name = info.dli_sname;
    bool is_module = strncmp(name, FORTRAN_PREFIX, sizeof FORTRAN_PREFIX - 1) == 0;
    name += is_module ? sizeof FORTRAN_PREFIX - 1 : 0;
    size_t length = strlen(name), written = strlen(text);
    if (is_module && length > 2 && strcmp(name + length - 2, "_i") == 0)
        length -= 2;
    else if (length > 1 && name[length - 1] == '_')
        length--;
    snprintf(text + written, size - written, " as %s%.*s", is_module ? "shmem_" : "", (int)length, name);
}

/* The first function outside all of the library's frames is the program's. An exception is libc's: then
 * the caller is a thread of the library's own, or the end of the process. Between the library's frames
 * may be those of a network library that it called; before them, those of a sanitizer. */
bool sheaf_fault_site_of_call(char *text, size_t size)
{
    void *addresses[MOST_DEPTH];
    if (sheaf_call.statement)
        return sheaf_fault_site_place((uintptr_t)sheaf_call.statement_site - 1, text, size);
    const void *own = object_of((const void *)sheaf_fault_site_of_call);
    const void *libc = object_of((const void *)gnu_get_libc_version); /* no sanitizer has its own */
    const void *refusing = refusing_object();
    int depth = backtrace(addresses, MOST_DEPTH), at = 0;
    for (int frame = 0; frame < depth; frame++)
        if (is_of_library(addresses[frame], own, refusing))
            at = frame + 1;
    if (at == 0 || at == depth || object_of(addresses[at]) == libc)
        return false;
    if (sheaf_record_source((uintptr_t)addresses[at], text, size))
        return true;
    if (!sheaf_fault_site_place((uintptr_t)addresses[at] - 1, text, size))
        return false;
    append_fortran_name(addresses[at - 1], text, size);
    return true;
}
