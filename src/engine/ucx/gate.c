/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who may connect. What UCX itself reads from a connection, before any message reaches the protocol, names
 * places in memory and is believed. So a TCP connection between PEs begins with the job's key, which UCX
 * does not see: it is sent before UCX's first bytes, and a connection that begins otherwise is closed
 * before UCX gets it. UCX's TCP transport calls two functions of its other library for this, and calls
 * ours instead: the entries for them in its table of symbols are changed once it is loaded. Other users
 * of UCX in this process keep their listeners and connections as they are.
 */
#include "engine/ucx/ucx.h"

#include "base/os/library.h"

#include <arpa/inet.h>
#include <elf.h>
#include <link.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

__thread bool sheaf_ucx_is_inside __attribute__((tls_model("initial-exec")));

/* As in ucs/sys/sock.h, which not every package has. */
typedef ucs_status_t accept_function(int, struct sockaddr *, socklen_t *, int *);
typedef ucs_status_t send_function(int, const void *, size_t);
static accept_function *real_accept;
static send_function *real_send;

/* The kernel hands over a connection once its first bytes are there, or so many seconds later; the key
 * is among the first bytes unless the kernel is short of memory for connections. */
#define FIRST_BYTES_S  3
#define FIRST_BYTES_MS 20

void sheaf_ucx_gate_listener(int fd)
{
    int seconds = FIRST_BYTES_S;
    setsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, sizeof seconds);
}

static bool shows_key(int fd)
{
    const uint64_t *key = sheaf_ucx_state.user->job->key;
    struct pollfd event = {fd, POLLIN, 0};
    uint64_t shown[2];
    if (poll(&event, 1, FIRST_BYTES_MS) != 1 ||
        recv(fd, shown, sizeof shown, MSG_DONTWAIT) != sizeof shown)
        return false;
    return ((shown[0] ^ key[0]) | (shown[1] ^ key[1])) == 0;
}

static void refuse(int fd, const struct sockaddr *address)
{
    char host[INET6_ADDRSTRLEN] = "unknown", from[INET6_ADDRSTRLEN + 10];
    const struct sockaddr_in *four = (const void *)address;
    const struct sockaddr_in6 *six = (const void *)address;
    bool is_six = address->sa_family == AF_INET6;
    inet_ntop(address->sa_family, is_six ? (const void *)&six->sin6_addr : &four->sin_addr, host,
              sizeof host);
    snprintf(from, sizeof from, is_six ? "[%s]:%u" : "%s:%u", host,
             ntohs(is_six ? six->sin6_port : four->sin_port));
    sheaf_ucx_state.user->refused(from);
    close(fd);
}

/* Strangers that are refused in one go, before UCX looks at what else there is to do. */
#define MOST_REFUSED 16

static ucs_status_t gated_accept(int listener, struct sockaddr *address, socklen_t *length, int *fd)
{
    socklen_t room = *length;
    for (int i = 0; i < MOST_REFUSED; i++) {
        *length = room;
        ucs_status_t status = real_accept(listener, address, length, fd);
        if (status != UCS_OK || !sheaf_ucx_is_our_listener(listener) || shows_key(*fd))
            return status;
        refuse(*fd, address);
    }
    return UCS_ERR_NO_PROGRESS;
}

/* How UCX begins a connection. */
static const uint64_t beginning = UINT64_C(0xCAFEBABE12345678);

static ucs_status_t send_key(int fd)
{
    const struct sheaf_engine_job *job = sheaf_ucx_state.user->job;
    return real_send(fd, job->key, sizeof job->key);
}

/* Of other users of UCX too, before this one's start and after its end. */
static ucs_status_t gated_send(int fd, const void *bytes, size_t length)
{
    bool begins = sheaf_ucx_is_inside && length >= sizeof beginning &&
                  memcmp(bytes, &beginning, sizeof beginning) == 0;
    ucs_status_t status = begins ? send_key(fd) : UCS_OK;
    return status == UCS_OK ? real_send(fd, bytes, length) : status;
}

/* The parts of a loaded library that name what it calls elsewhere. */
struct image {
    uintptr_t base;
    const ElfW(Sym) *symbols;
    const char *names;
    struct relocations {
        const ElfW(Rela) *start;
        size_t bytes;
    } calls, others;
    uintptr_t protected, protected_end; /* read-only once the library is loaded */
};

static void note_dynamic(struct image *image, const ElfW(Dyn) *entry)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_SYMTAB)
            image->symbols = (const void *)entry->d_un.d_ptr;
        else if (entry->d_tag == DT_STRTAB)
            image->names = (const void *)entry->d_un.d_ptr;
        else if (entry->d_tag == DT_JMPREL)
            image->calls.start = (const void *)entry->d_un.d_ptr;
        else if (entry->d_tag == DT_PLTRELSZ)
            image->calls.bytes = entry->d_un.d_val;
        else if (entry->d_tag == DT_RELA)
            image->others.start = (const void *)entry->d_un.d_ptr;
        else if (entry->d_tag == DT_RELASZ)
            image->others.bytes = entry->d_un.d_val;
    }
}

static int find_transports(struct dl_phdr_info *info, size_t size, void *argument)
{
    struct image *image = argument;
    (void)size;
    if (!strstr(info->dlpi_name, "/libuct.so"))
        return 0;
    image->base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_DYNAMIC)
            note_dynamic(image, (const void *)(image->base + part->p_vaddr));
        if (part->p_type == PT_GNU_RELRO) {
            image->protected = image->base + part->p_vaddr;
            image->protected_end = image->protected + part->p_memsz;
        }
    }
    return image->symbols && image->names;
}

static bool set_entry(const struct image *image, uintptr_t entry, void *function)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = entry & ~(page - 1);
    bool is_protected = entry >= image->protected && entry < image->protected_end;
    if (is_protected && mprotect((void *)start, page, PROT_READ | PROT_WRITE) != 0)
        return false;
    __atomic_store_n((void **)entry, function, __ATOMIC_RELEASE);
    if (is_protected)
        mprotect((void *)start, page, PROT_READ);
    return true;
}

static int replace_in(const struct image *image, const struct relocations *relocations,
                      const char *name, void *function)
{
    int replaced = 0;
    for (size_t i = 0; i < relocations->bytes / sizeof *relocations->start; i++) {
        const ElfW(Rela) *at = &relocations->start[i];
        const ElfW(Sym) *symbol = &image->symbols[ELF64_R_SYM(at->r_info)];
        if (ELF64_R_SYM(at->r_info) && strcmp(image->names + symbol->st_name, name) == 0)
            replaced += set_entry(image, image->base + at->r_offset, function);
    }
    return replaced;
}

static bool replace(const struct image *image, const char *name, void *function)
{
    return replace_in(image, &image->calls, name, function) +
               replace_in(image, &image->others, name, function) > 0;
}

/* The second first: without it the first would refuse everybody. */
static bool install(void)
{
    const char *why;
    struct image image = {0};
    void *ucs = sheaf_library_open("libucs.so.0", &why);
    if (!ucs || !dl_iterate_phdr(find_transports, &image))
        return false;
    real_accept = (accept_function *)sheaf_library_symbol(ucs, "ucs_socket_accept");
    real_send = (send_function *)sheaf_library_symbol(ucs, "ucs_socket_send");
    return real_accept && real_send && replace(&image, "ucs_socket_send", (void *)gated_send) &&
           replace(&image, "ucs_socket_accept", (void *)gated_accept);
}

bool sheaf_ucx_gate(void)
{
    static enum { UNKNOWN, OPEN, GATED } state;
    if (state == UNKNOWN)
        state = install() ? GATED : OPEN;
    return state == GATED;
}
