/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A ring between processes: order, overflow, readers that come and go, deaths, and what is refused.
 * Each part runs by its name; readers are children that open the ring by its name or descriptor.
 */
#include <shmemx_ring.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIMIT 50.0 /* seconds; nothing here takes as many: a loaded machine has them */

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "ring.c:%d: not so: %s\n", __LINE__, #condition);                      \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* Whether it is result, which is printed otherwise. */
static void expect(int result, int wanted, int line)
{
    if (result == wanted)
        return;
    fprintf(stderr, "ring.c:%d: %d (%s), not %d\n", line, result, shmemx_ring_text(result), wanted);
    exit(1);
}
#define EXPECT(result, wanted) expect(result, wanted, __LINE__)

static shmemx_ring_t make(size_t blocks, size_t most, int readers, int overflow)
{
    shmemx_ring_t ring;
    EXPECT(shmemx_ring_create(blocks, most, readers, overflow, &ring), 0);
    return ring;
}

static shmemx_ring_t join(const char *name)
{
    shmemx_ring_t ring;
    EXPECT(shmemx_ring_open(name, &ring), 0);
    return ring;
}

static void await_end(pid_t child, int status)
{
    int found;
    CHECK(waitpid(child, &found, 0) == child);
    if (found != status) {
        fprintf(stderr, "ring.c: a child ended with %x, not %x\n", found, status);
        exit(1);
    }
}

/* Message n has a length and contents of its own. */
#define MOST 200
static size_t fill(unsigned char *message, uint64_t n)
{
    size_t bytes = 8 + n * 7 % (MOST - 8);
    memcpy(message, &n, 8);
    memset(message + 8, (int)(n % 251), bytes - 8);
    return bytes;
}

static void check_message(const unsigned char *message, size_t bytes, uint64_t n)
{
    unsigned char wanted[MOST];
    CHECK(bytes == fill(wanted, n) && memcmp(message, wanted, bytes) == 0);
}

/* Reads so many messages, which follow each other, and then the writer's end. */
static void read_all(shmemx_ring_t ring, uint64_t count)
{
    unsigned char message[MOST];
    size_t bytes;
    uint64_t first = 0;
    for (uint64_t i = 0; i < count; ++i) {
        EXPECT(shmemx_ring_read(ring, message, sizeof message, &bytes, LIMIT), 0);
        if (i == 0)
            memcpy(&first, message, 8);
        check_message(message, bytes, first + i);
    }
    EXPECT(shmemx_ring_read(ring, message, sizeof message, &bytes, LIMIT), SHMEMX_RING_ENDED);
    shmemx_ring_close(ring);
}

static void write_from(shmemx_ring_t ring, uint64_t first, uint64_t count)
{
    unsigned char message[MOST];
    for (uint64_t n = first; n < first + count; ++n)
        EXPECT(shmemx_ring_write(ring, message, fill(message, n), LIMIT), 0);
}

/* A process that opens the ring by its name and reads so many messages to the writer's end. */
static pid_t start_reader(const char *name, uint64_t count)
{
    pid_t child = fork();
    if (child == 0) {
        read_all(join(name), count);
        _exit(0);
    }
    return child;
}

static const char *name_of(shmemx_ring_t ring)
{
    static char name[128];
    snprintf(name, sizeof name, "%s", shmemx_ring_name(ring));
    return name;
}

/* Every reader gets every message in order, however few blocks there are. */
static void order(void)
{
    static const size_t blocks[] = {1, 2, 62};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; ++b) {
        const uint64_t count = blocks[b] * 200;
        shmemx_ring_t ring = make(blocks[b], MOST, 3, SHMEMX_RING_WAIT);
        pid_t children[3];
        for (int i = 0; i < 3; ++i)
            children[i] = start_reader(name_of(ring), count);
        EXPECT(shmemx_ring_wait_readers(ring, 3, LIMIT), 0);
        write_from(ring, 0, count);
        CHECK(shmemx_ring_written(ring) == count);
        shmemx_ring_close(ring);
        for (int i = 0; i < 3; ++i)
            await_end(children[i], 0);
    }
}

/* A reader that does not read: the writer waits for it by one rule, and not by the other. */
static void overflow(void)
{
    unsigned char message[MOST];
    size_t bytes;
    shmemx_ring_t ring = make(4, MOST, 2, SHMEMX_RING_WAIT), reader = join(name_of(ring));
    write_from(ring, 0, 4);
    EXPECT(shmemx_ring_write(ring, message, 1, 0), SHMEMX_RING_TIMEOUT);
    EXPECT(shmemx_ring_write(ring, message, 1, 0.01), SHMEMX_RING_TIMEOUT);
    EXPECT(shmemx_ring_read(reader, message, 1, &bytes, LIMIT), SHMEMX_RING_TOO_LONG);
    CHECK(bytes == 8);
    EXPECT(shmemx_ring_read(reader, message, MOST, &bytes, LIMIT), 0);
    check_message(message, bytes, 0);
    write_from(ring, 4, 1);
    for (uint64_t n = 1; n < 5; ++n) {
        EXPECT(shmemx_ring_read(reader, message, MOST, &bytes, LIMIT), 0);
        check_message(message, bytes, n);
    }
    EXPECT(shmemx_ring_read(reader, message, MOST, &bytes, 0), SHMEMX_RING_TIMEOUT);
    shmemx_ring_close(reader);
    write_from(ring, 5, 100); /* nobody is there to wait for */
    shmemx_ring_close(ring);

    ring = make(4, MOST, 2, SHMEMX_RING_OVERWRITE);
    reader = join(name_of(ring));
    write_from(ring, 0, 11);
    EXPECT(shmemx_ring_read(reader, message, MOST, &bytes, LIMIT), SHMEMX_RING_LOST);
    CHECK(shmemx_ring_lost(reader) == 9);
    EXPECT(shmemx_ring_read(reader, message, MOST, &bytes, LIMIT), 0);
    check_message(message, bytes, 9);
    shmemx_ring_close(ring);
    EXPECT(shmemx_ring_read(reader, message, MOST, &bytes, LIMIT), 0);
    check_message(message, bytes, 10);
    EXPECT(shmemx_ring_read(reader, message, MOST, &bytes, LIMIT), SHMEMX_RING_ENDED);
    shmemx_ring_close(reader);
}

/* Messages that are written over while they are read are told as lost, and none is another than it
 * was. */
static void overwritten(void)
{
    shmemx_ring_t ring = make(2, MOST, 1, SHMEMX_RING_OVERWRITE);
    const char *name = name_of(ring);
    pid_t child = fork();
    if (child == 0) {
        shmemx_ring_t reader = join(name);
        unsigned char message[MOST];
        size_t bytes;
        uint64_t n, next = 0, seen = 0;
        int result = 0;
        while (result != SHMEMX_RING_ENDED) {
            result = shmemx_ring_read(reader, message, sizeof message, &bytes, LIMIT);
            if (result == 0) {
                memcpy(&n, message, 8);
                check_message(message, bytes, n);
                CHECK(n >= next);
                next = n + 1;
                ++seen;
            } else if (result != SHMEMX_RING_LOST) {
                EXPECT(result, SHMEMX_RING_ENDED);
            }
        }
        CHECK(seen + shmemx_ring_lost(reader) == 20000);
        _exit(0);
    }
    EXPECT(shmemx_ring_wait_readers(ring, 1, LIMIT), 0);
    write_from(ring, 0, 20000);
    shmemx_ring_close(ring);
    await_end(child, 0);
}

/* Readers come and go while the writer writes; each gets what follows its coming. */
static void come_and_go(void)
{
    shmemx_ring_t ring = make(8, MOST, 4, SHMEMX_RING_WAIT);
    const char *name = name_of(ring);
    pid_t children[4];
    for (int i = 0; i < 4; ++i) {
        children[i] = fork();
        for (int again = 0; children[i] == 0 && again < 30; ++again) {
            shmemx_ring_t reader = join(name);
            unsigned char message[MOST];
            size_t bytes;
            uint64_t first = 0;
            for (uint64_t k = 0; k < 20; ++k) {
                EXPECT(shmemx_ring_read(reader, message, sizeof message, &bytes, LIMIT), 0);
                if (k == 0)
                    memcpy(&first, message, 8);
                check_message(message, bytes, first + k);
            }
            shmemx_ring_close(reader);
        }
        if (children[i] == 0)
            _exit(0);
    }
    int ended = 0;
    for (uint64_t n = 0; ended < 4; ++n) {
        write_from(ring, n, 1);
        int status;
        while (waitpid(-1, &status, WNOHANG) > 0) {
            CHECK(status == 0);
            ++ended;
        }
    }
    CHECK(shmemx_ring_readers(ring) == 0 && shmemx_ring_died(ring) == 0);
    shmemx_ring_close(ring);
}

/* A reader that is killed holds nobody up. The place that it had is given to another. */
static void reader_dies(void)
{
    shmemx_ring_t ring = make(4, MOST, 1, SHMEMX_RING_WAIT), other;
    const char *name = name_of(ring);
    for (uint64_t again = 0; again < 3; ++again) {
        pid_t child = fork();
        if (child == 0) {
            join(name);
            pause();
        }
        EXPECT(shmemx_ring_wait_readers(ring, 1, LIMIT), 0);
        CHECK(shmemx_ring_readers(ring) == 1);
        EXPECT(shmemx_ring_open(name, &other), SHMEMX_RING_FULL);
        write_from(ring, 0, 4);
        kill(child, SIGKILL);
        await_end(child, SIGKILL);
        if (again == 1) { /* a newcomer finds the place before the writer has looked */
            other = join(name);
            shmemx_ring_close(other);
        } else {
            write_from(ring, 4, 20);
        }
        CHECK(shmemx_ring_died(ring) == again + 1 && shmemx_ring_readers(ring) == 0);
    }
    shmemx_ring_close(ring);
}

/* The readers of a writer that is killed read what there is, and are told. Its name is no more. */
static void writer_dies(void)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        shmemx_ring_t ring = make(8, MOST, 2, SHMEMX_RING_WAIT);
        CHECK(write(ends[1], name_of(ring), 128) == 128);
        EXPECT(shmemx_ring_wait_readers(ring, 1, LIMIT), 0);
        write_from(ring, 0, 3);
        raise(SIGKILL);
    }
    char name[128];
    CHECK(read(ends[0], name, sizeof name) == sizeof name);
    shmemx_ring_t reader = join(name), none;
    unsigned char message[MOST];
    size_t bytes;
    for (uint64_t n = 0; n < 3; ++n) {
        EXPECT(shmemx_ring_read(reader, message, sizeof message, &bytes, LIMIT), 0);
        check_message(message, bytes, n);
    }
    EXPECT(shmemx_ring_read(reader, message, sizeof message, &bytes, LIMIT),
           SHMEMX_RING_WRITER_DIED);
    await_end(child, SIGKILL);
    EXPECT(shmemx_ring_open(name, &none), SHMEMX_RING_ABSENT);
    shmemx_ring_close(reader);
}

/* A descriptor opens the ring too, and keeps no lock alive: neither in a child that has it, nor in
 * one that fork() gave everything. */
static void descriptors(void)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    pid_t writer = fork();
    if (writer == 0) {
        shmemx_ring_t ring = make(8, MOST, 2, SHMEMX_RING_WAIT), reader;
        int descriptor = shmemx_ring_descriptor(ring);
        CHECK(fcntl(descriptor, F_GETFD) & FD_CLOEXEC);
        pid_t child = fork();
        if (child == 0) {
            size_t bytes;
            char message[MOST];
            EXPECT(shmemx_ring_write(ring, "", 1, 0), SHMEMX_RING_ARGUMENT); /* the parent's */
            CHECK(read(ends[0], message, sizeof writer) == sizeof writer);
            EXPECT(shmemx_ring_open_descriptor(descriptor, &reader), 0);
            EXPECT(shmemx_ring_read(reader, message, MOST, &bytes, LIMIT), SHMEMX_RING_WRITER_DIED);
            _exit(0);
        }
        int copy = fcntl(descriptor, F_DUPFD, 100);
        CHECK(copy >= 0 && child > 0);
        raise(SIGKILL);
    }
    await_end(writer, SIGKILL);
    CHECK(write(ends[1], &writer, sizeof writer) == sizeof writer);
}

/* Rights, and what is left: nothing has a name. */
static void rights(void)
{
    shmemx_ring_t ring = make(4, MOST, 2, SHMEMX_RING_WAIT),
                  other = make(4, MOST, 2, SHMEMX_RING_WAIT);
    struct stat status;
    CHECK(fstat(shmemx_ring_descriptor(ring), &status) == 0);
    CHECK((status.st_mode & 07777) == 0600 && status.st_nlink == 0);
    CHECK(strcmp(strrchr(shmemx_ring_name(ring), ':'), strrchr(shmemx_ring_name(other), ':')) != 0);
    CHECK(ftruncate(shmemx_ring_descriptor(ring), 0) != 0 && errno == EPERM);
    shmemx_ring_close(other);
    shmemx_ring_close(ring);
}

/* A copy of the ring's memory in a file of mode, with the seals, and with a word of it changed. */
static int copy_with(int descriptor, mode_t mode, int seals, off_t place, uint64_t value, off_t cut)
{
    struct stat status;
    static char data[1 << 16];
    int file = memfd_create("copy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    CHECK(file >= 0 && fstat(descriptor, &status) == 0 && status.st_size <= (off_t)sizeof data);
    CHECK(pread(descriptor, data, sizeof data, 0) == status.st_size);
    if (place >= 0)
        memcpy(data + place, &value, sizeof value);
    CHECK(pwrite(file, data, (size_t)status.st_size, 0) == status.st_size);
    CHECK(ftruncate(file, status.st_size - cut) == 0 && fchmod(file, mode) == 0);
    CHECK(seals == 0 || fcntl(file, F_ADD_SEALS, seals) == 0);
    return file;
}

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

static void refused_descriptors(void)
{
    shmemx_ring_t ring = make(40, MOST, 2, SHMEMX_RING_WAIT), none;
    int good = shmemx_ring_descriptor(ring), ends[2];
    CHECK(pipe(ends) == 0);
    EXPECT(shmemx_ring_open_descriptor(ends[0], &none), SHMEMX_RING_BROKEN);
    EXPECT(shmemx_ring_open_descriptor(-1, &none), SHMEMX_RING_ARGUMENT);
    EXPECT(shmemx_ring_open_descriptor(9999, &none), SHMEMX_RING_BROKEN);
    EXPECT(shmemx_ring_open_descriptor(copy_with(good, 0600, 0, -1, 0, 0), &none),
           SHMEMX_RING_BROKEN);
    EXPECT(shmemx_ring_open_descriptor(copy_with(good, 0644, SEALS, -1, 0, 0), &none),
           SHMEMX_RING_BROKEN);
    EXPECT(shmemx_ring_open_descriptor(copy_with(good, 0600, SEALS, -1, 0, 4096), &none),
           SHMEMX_RING_BROKEN);
    /* Every word of the shape, but for the key: sizes of other files, sizes that overflow. */
    static const uint64_t wrong[] = {
        0, 500, UINT64_MAX, UINT64_C(1) << 63, UINT64_C(1) << 32, 0x7fffffff};
    for (off_t place = 0; place < 40; place += 8)
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
            int file = copy_with(good, 0600, SEALS, place, wrong[i], 0);
            int result = shmemx_ring_open_descriptor(file, &none);
            if (result != SHMEMX_RING_BROKEN)
                printf("word %d of the shape is %llx\n", (int)place, (unsigned long long)wrong[i]);
            EXPECT(result, SHMEMX_RING_BROKEN);
            close(file);
        }
    shmemx_ring_close(ring);
}

/* What stands in the memory of an open ring is checked at each read and write. */
static void damaged(void)
{
    static const uint64_t wrong[] = {7, UINT64_MAX, UINT64_C(1) << 63, UINT64_MAX - 8};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        shmemx_ring_t ring = make(4, MOST, 2, SHMEMX_RING_WAIT), reader = join(name_of(ring));
        struct stat status;
        unsigned char message[MOST];
        size_t bytes;
        CHECK(fstat(shmemx_ring_descriptor(ring), &status) == 0);
        uint64_t *words = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
                               shmemx_ring_descriptor(ring), 0);
        CHECK(words != MAP_FAILED);
        write_from(ring, 0, 1);
        uint64_t *length = &words[4096 / 8 + 1], *published = &words[64 / 8],
                 *cursor = &words[256 / 8];
        CHECK(*length == fill(message, 0) && *published == 1 && *cursor == 0);
        *length = wrong[i] + MOST;
        int result = shmemx_ring_read(reader, message, MOST, &bytes, LIMIT);
        EXPECT(result, *length > MOST ? SHMEMX_RING_BROKEN : 0);
        *published = wrong[i];
        EXPECT(shmemx_ring_read(reader, message, MOST, &bytes, LIMIT), SHMEMX_RING_BROKEN);
        *published = 1;
        *cursor = wrong[i] > 100 ? wrong[i] : 100; /* ahead of the writer: nobody waits for it */
        write_from(ring, 1, 20);
        munmap(words, (size_t)status.st_size);
        shmemx_ring_close(reader);
        shmemx_ring_close(ring);
    }
}

static void refused_names(void)
{
    shmemx_ring_t ring = make(4, MOST, 2, SHMEMX_RING_WAIT), none;
    char name[160];
    static const char *const wrong[] = {
        "",
        "sheaf-ring",
        "sheaf-ring:1:2",
        "sheaf-ring:1:2:",
        "sheaf-ring:-1:2:00112233445566778899aabbccddeeff",
        "sheaf-ring:1:../../x:00112233445566778899aabbccddeeff",
        "/dev/zero",
        "sheaf-ring:99999999999999999999:2:00112233445566778899aabbccddeeff",
        "sheaf-ring:1:2:00112233445566778899aabbccddeefg",
        "sheaf-ring:1:2:00112233445566778899aabbccddeeff0",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        EXPECT(shmemx_ring_open(wrong[i], &none), SHMEMX_RING_ARGUMENT);
    int ends[2], file = copy_with(shmemx_ring_descriptor(ring), 0600, 0, -1, 0, 0);
    CHECK(pipe(ends) == 0);
    const char *key = strrchr(shmemx_ring_name(ring), ':');
    int others[] = {ends[0], file, 9999};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        snprintf(name, sizeof name, "sheaf-ring:%d:%d%s", (int)getpid(), others[i], key);
        EXPECT(shmemx_ring_open(name, &none), SHMEMX_RING_ABSENT);
    }
    snprintf(name, sizeof name, "%s", shmemx_ring_name(ring)); /* another key */
    char *last = name + strlen(name) - 1;
    *last = *last == '0' ? '1' : '0';
    EXPECT(shmemx_ring_open(name, &none), SHMEMX_RING_ABSENT);
    if (geteuid() == 0) { /* another user knows the name, and has the descriptor */
        const char *known = name_of(ring);
        int descriptor = shmemx_ring_descriptor(ring);
        pid_t child = fork();
        if (child == 0) {
            CHECK(setuid(65534) == 0);
            EXPECT(shmemx_ring_open(known, &none), SHMEMX_RING_ABSENT);
            EXPECT(shmemx_ring_open_descriptor(descriptor, &none), SHMEMX_RING_BROKEN);
            _exit(0);
        }
        await_end(child, 0);
    }
    shmemx_ring_close(ring);
}

static void arguments(void)
{
    shmemx_ring_t ring = make(4, MOST, 2, SHMEMX_RING_WAIT), reader = join(name_of(ring)), none;
    size_t bytes;
    char message[MOST + 1] = {0};
    EXPECT(shmemx_ring_create(0, 8, 1, SHMEMX_RING_WAIT, &none), SHMEMX_RING_ARGUMENT);
    EXPECT(shmemx_ring_create(SIZE_MAX, 8, 1, SHMEMX_RING_WAIT, &none), SHMEMX_RING_ARGUMENT);
    EXPECT(shmemx_ring_create(1, SIZE_MAX, 1, SHMEMX_RING_WAIT, &none), SHMEMX_RING_ARGUMENT);
    EXPECT(shmemx_ring_create(1, 8, 0, SHMEMX_RING_WAIT, &none), SHMEMX_RING_ARGUMENT);
    EXPECT(shmemx_ring_create(1, 8, 5000, SHMEMX_RING_WAIT, &none), SHMEMX_RING_ARGUMENT);
    EXPECT(shmemx_ring_create(1, 8, 1, 2, &none), SHMEMX_RING_ARGUMENT);
    EXPECT(shmemx_ring_write(ring, message, MOST + 1, LIMIT), SHMEMX_RING_TOO_LONG);
    EXPECT(shmemx_ring_write(reader, message, 1, LIMIT), SHMEMX_RING_ARGUMENT);
    EXPECT(shmemx_ring_read(ring, message, 1, &bytes, LIMIT), SHMEMX_RING_ARGUMENT);
    EXPECT(shmemx_ring_wait_readers(reader, 1, LIMIT), SHMEMX_RING_ARGUMENT);
    EXPECT(shmemx_ring_write(NULL, message, 1, LIMIT), SHMEMX_RING_ARGUMENT);
    EXPECT(shmemx_ring_wait_readers(ring, 2, 0.001), SHMEMX_RING_TIMEOUT);
    CHECK(shmemx_ring_name(reader) == NULL && shmemx_ring_message_most(reader) == MOST);
    EXPECT(shmemx_ring_write(ring, NULL, 0, LIMIT), 0);
    EXPECT(shmemx_ring_read(reader, NULL, 0, &bytes, LIMIT), 0);
    CHECK(bytes == 0 && strcmp(shmemx_ring_text(1), shmemx_ring_text(-99)) == 0);
    shmemx_ring_close(reader);
    shmemx_ring_close(ring);
    shmemx_ring_close(NULL);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {
        {"order", order},
        {"overflow", overflow},
        {"overwritten", overwritten},
        {"come-and-go", come_and_go},
        {"reader-dies", reader_dies},
        {"writer-dies", writer_dies},
        {"descriptors", descriptors},
        {"rights", rights},
        {"refused-descriptors", refused_descriptors},
        {"refused-names", refused_names},
        {"damaged", damaged},
        {"arguments", arguments},
    };
    setbuf(stdout, NULL); /* children would print what waits there */
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        if (argc < 2 || strcmp(argv[1], parts[i].name) == 0) {
            parts[i].run();
            printf("%s: passed\n", parts[i].name);
        }
    return 0;
}
