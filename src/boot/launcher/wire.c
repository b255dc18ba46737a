/* SPDX-License-Identifier: BSD-3-Clause
 * See wire.h.
 */
#include "boot/launcher/wire.h"

#include "base/log.h"
#include "base/os/os.h"
#include "base/times.h"
#include "boot/launcher/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_TEXT 1024

static int wire = -1;        /* a descriptor of our own: MPI may close the one that it shares */
static int daemon_end = -1;  /* tells of the end of the launcher's daemon; -1: it is not known */
static bool is_cut;          /* the daemon has closed the conversation, and lives */
static pthread_mutex_t conversation = PTHREAD_MUTEX_INITIALIZER;

bool sheaf_wire_is_there(void)
{
    return getenv("PMI_FD") && getenv("PMI_RANK") && getenv("PMI_SIZE");
}

static int read_number(const char *name, int *number)
{
    const char *text = getenv(name);
    char *end;
    long value = strtol(text, &end, 10);
    *number = (int)value;
    if (end != text && !*end && value >= 0 && value <= INT32_MAX)
        return 0;
    sheaf_error("SH403 %s=\"%s\" is not what a launcher sets", name, text);
    return -1;
}

/* Who made the pair of sockets is the daemon. */
static void find_daemon(void)
{
    struct ucred maker;
    socklen_t length = sizeof maker;
    if (getsockopt(wire, SOL_SOCKET, SO_PEERCRED, &maker, &length) == 0 && maker.pid > 0)
        daemon_end = sheaf_os_open_process(maker.pid);
}

int sheaf_wire_open(int *pe, int *npes)
{
    int given;
    if (read_number("PMI_FD", &given) != 0 || read_number("PMI_RANK", pe) != 0 ||
        read_number("PMI_SIZE", npes) != 0)
        return -1;
    wire = fcntl(given, F_DUPFD_CLOEXEC, SHEAF_OS_HIGH_FD);
    if (wire < 0)
        wire = fcntl(given, F_DUPFD_CLOEXEC, 3);
    if (wire < 0) {
        sheaf_error("SH405 PMI_FD=%d, through which the launcher gives PE numbers, is not open: a wrapper "
                    "between launcher and program closed it, or MPI_Finalize: the first shmem_init comes "
                    "before that", given);
        return -1;
    }
    find_daemon();
    return 0;
}

void sheaf_wire_watch(struct pollfd *end)
{
    bool cut = __atomic_load_n(&is_cut, __ATOMIC_ACQUIRE);
    *end = (struct pollfd){.fd = cut ? daemon_end : wire, .events = cut ? POLLIN : POLLRDHUP};
}

void sheaf_wire_closed(void)
{
    struct pollfd end = {.fd = daemon_end, .events = POLLIN};
    if (daemon_end < 0 || poll(&end, 1, sheaf_times_ms(sheaf_times.daemon_dies)) != 0)
        sheaf_connection_lost("it has closed its connection to this PE");
    __atomic_store_n(&is_cut, true, __ATOMIC_RELEASE);
}

/* The conversation cannot go on: MPI has ended it, or this process ends with the daemon. */
static int cut(void)
{
    if (!__atomic_load_n(&is_cut, __ATOMIC_ACQUIRE))
        sheaf_wire_closed();
    return -1;
}

void sheaf_wire_lock(void)
{
    pthread_mutex_lock(&conversation);
}

void sheaf_wire_unlock(void)
{
    pthread_mutex_unlock(&conversation);
}


int sheaf_wire_send(const char *bytes, size_t length)
{
    while (length > 0 && !__atomic_load_n(&is_cut, __ATOMIC_ACQUIRE)) {
        ssize_t sent = send(wire, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == ENOTSOCK)
            sent = write(wire, bytes, length);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return cut();
        bytes += sent;
        length -= (size_t)sent;
    }
    return length == 0 ? 0 : -1;
}

int sheaf_wire_receive(char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t got = read(wire, bytes, length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return cut();
        bytes += got;
        length -= (size_t)got;
    }
    return 0;
}

/* How much of a line can be received at once: what is there, and nothing of a next message. One byte of a
 * pipe, which cannot be looked into. */
static size_t find_line_end(char *line, size_t most)
{
    ssize_t there = recv(wire, line, most, MSG_PEEK);
    const char *end = there > 0 ? memchr(line, '\n', (size_t)there) : NULL;
    return end ? (size_t)(end + 1 - line) : there > 0 ? (size_t)there : 1;
}

int sheaf_wire_receive_line(char *line, size_t size)
{
    for (size_t used = 0, more; used < size; used += more) {
        more = find_line_end(line + used, size - used);
        if (sheaf_wire_receive(line + used, more) != 0)
            return -1;
        if (line[used + more - 1] == '\n') {
            line[used + more - 1] = '\0';
            return 0;
        }
    }
    sheaf_error("SH403 the launcher sent a line of more than %zu bytes", size);
    return -1;
}

bool sheaf_wire_field(const char *message, const char *name, const char *ends, char *value,
                      size_t size)
{
    size_t length = strlen(name);
    *value = '\0';
    for (const char *at = message; *at; at += strcspn(at, ends), at += *at != '\0') {
        if (strncmp(at, name, length) != 0 || at[length] != '=')
            continue;
        at += length + 1;
        size_t bytes = strcspn(at, ends);
        snprintf(value, size, "%.*s", (int)bytes, at);
        return bytes < size;
    }
    return false;
}

/* Six bits a letter; no letter that any of the protocols gives a meaning. */
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static size_t encode(const unsigned char *bytes, size_t count, char *text)
{
    uint32_t bits = 0;
    unsigned held = 0;
    char *at = text;
    for (size_t i = 0; i < count; i++) {
        bits = bits << 8 | bytes[i];
        for (held += 8; held >= 6; held -= 6)
            *at++ = letters[bits >> (held - 6) & 63];
    }
    if (held > 0)
        *at++ = letters[bits << (6 - held) & 63];
    *at = '\0';
    return (size_t)(at - text);
}

static int decode(const char *text, size_t count, unsigned char *bytes)
{
    uint32_t bits = 0;
    unsigned held = 0;
    for (; *text; text++) {
        const char *letter = strchr(letters, *text);
        if (!letter)
            return -1;
        bits = bits << 6 | (uint32_t)(letter - letters);
        held += 6;
        if (held >= 8 && count > 0) {
            held -= 8;
            *bytes++ = (unsigned char)(bits >> held);
            count--;
        }
    }
    return count == 0 ? 0 : -1;
}

/* Bytes that fit one text, and with them, in the first piece, the length of it all. */
static size_t piece_size(const struct sheaf_wire_store *store)
{
    size_t size = store->text_size < MAX_TEXT ? store->text_size : MAX_TEXT;
    return (size - 24) / 4 * 3;
}

static void piece_key(const struct sheaf_wire_store *store, int pe, const char *key, size_t piece,
                      char *text)
{
    if (piece == 0)
        snprintf(text, store->key_size, "sheaf.%s.%d", key, pe);
    else
        snprintf(text, store->key_size, "sheaf.%s.%d.%zu", key, pe, piece);
}

int sheaf_wire_put(const struct sheaf_wire_store *store, int pe, const char *key,
                   const void *value, size_t bytes)
{
    char name[store->key_size], text[MAX_TEXT];
    size_t most = piece_size(store), at = 0, piece = 0;
    do {
        size_t count = bytes - at < most ? bytes - at : most;
        int front = piece == 0 ? snprintf(text, sizeof text, "%zu.", bytes) : 0;
        encode((const unsigned char *)value + at, count, text + front);
        piece_key(store, pe, key, piece++, name);
        if (store->put(name, text) != 0)
            return -1;
        at += count;
    } while (at < bytes);
    return 0;
}

static int get_pieces(const struct sheaf_wire_store *store, int pe, const char *key, char *text,
                      unsigned char *value, size_t bytes)
{
    char name[store->key_size];
    size_t most = piece_size(store), at = 0, piece = 0;
    char *body = strchr(text, '.') + 1;
    for (;;) {
        size_t count = bytes - at < most ? bytes - at : most;
        if (decode(body, count, value + at) != 0)
            return -1;
        at += count;
        if (at == bytes)
            return 0;
        piece_key(store, pe, key, ++piece, name);
        if (store->get(pe, name, text, MAX_TEXT) != 0)
            return -1;
        body = text;
    }
}

int sheaf_wire_get(const struct sheaf_wire_store *store, int pe, const char *key, void **value,
                   size_t *bytes)
{
    char name[store->key_size], text[MAX_TEXT];
    piece_key(store, pe, key, 0, name);
    if (store->get(pe, name, text, sizeof text) != 0 || sscanf(text, "%zu.", bytes) != 1 ||
        !strchr(text, '.'))
        return -1;
    *value = malloc(*bytes ? *bytes : 1);
    if (!*value)
        return -1;
    if (get_pieces(store, pe, key, text, *value, *bytes) == 0)
        return 0;
    free(*value);
    return -1;
}

/* each PEs on each of nodes nodes from node on; they follow each other from pe on. */
struct block {
    int64_t pe, node, nodes, each;
};

/* Calls see for each block of the list, which begins again until all PEs have a place; false when the text
 * is no list. Nodes and PEs are not looked at one by one: every PE of a large job does this. */
static bool each_block(const char *mapping, int npes, void (*see)(const struct block *block, void *context),
                       void *context)
{
    int64_t pe = 0;
    while (pe < npes) {
        const char *at = strchr(mapping, ',');
        int64_t before = pe;
        int node, nodes, each, length;
        while (at && pe < npes &&
               sscanf(at, ",(%d,%d,%d)%n", &node, &nodes, &each, &length) == 3) {
            at += length;
            if (nodes < 1 || each < 1)
                continue;
            see(&(struct block){pe, node, nodes, each}, context);
            pe += (int64_t)nodes * each;
        }
        if (pe == before)
            return false;
    }
    return true;
}

struct search {
    int pe, npes;
    int64_t node; /* of pe; -1 until it is seen */
    int *pes;     /* on that node: the first most of them */
    int count, most;
};

static void find_node(const struct block *block, void *context)
{
    struct search *search = context;
    if (search->pe >= block->pe && search->pe < block->pe + block->nodes * block->each)
        search->node = block->node + (search->pe - block->pe) / block->each;
}

static void find_near(const struct block *block, void *context)
{
    struct search *search = context;
    int64_t at = search->node - block->node, pe = block->pe + at * block->each;
    if (at < 0 || at >= block->nodes)
        return;
    int64_t end = pe + block->each < search->npes ? pe + block->each : search->npes;
    for (; pe < end && search->count < search->most; pe++)
        search->pes[search->count++] = (int)pe;
}

int sheaf_wire_lowest_near(const char *mapping, int pe, int npes)
{
    int lowest;
    return sheaf_wire_near(mapping, pe, npes, &lowest, 1) == 1 ? lowest : -1;
}

int sheaf_wire_near(const char *mapping, int pe, int npes, int *pes, int most)
{
    struct search search = {.pe = pe, .npes = npes, .node = -1, .pes = pes, .most = most};
    if (strncmp(mapping, "(vector,", 8) != 0 || !each_block(mapping, npes, find_node, &search))
        return 0;
    each_block(mapping, npes, find_near, &search);
    return search.count;
}
