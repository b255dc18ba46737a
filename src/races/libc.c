/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions of libc that read or write the program's memory. oshcc has the linker put these in place of
 * libc's for the program's own calls (--wrap): those of libraries go their way.
 */
#include "races/internal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define READS(START, BYTES)  races_plain_range(START, BYTES, false, RACES_CALLER, __func__ + PREFIX)
#define WRITES(START, BYTES) races_plain_range(START, BYTES, true, RACES_CALLER, __func__ + PREFIX)
#define PREFIX               (sizeof "__wrap_" - 1)
#define REPLACES(RESULT, NAME, PARAMETERS)                                                               \
    RACES_PUBLIC RESULT __wrap_##NAME PARAMETERS;                                                        \
    RACES_PUBLIC RESULT __wrap_##NAME PARAMETERS

REPLACES(void *, memcpy, (void *dest, const void *source, size_t bytes))
{
    READS(source, bytes);
    WRITES(dest, bytes);
    return memcpy(dest, source, bytes);
}

REPLACES(void *, memmove, (void *dest, const void *source, size_t bytes))
{
    READS(source, bytes);
    WRITES(dest, bytes);
    return memmove(dest, source, bytes);
}

REPLACES(void *, memset, (void *dest, int value, size_t bytes))
{
    WRITES(dest, bytes);
    return memset(dest, value, bytes);
}

REPLACES(int, memcmp, (const void *one, const void *other, size_t bytes))
{
    READS(one, bytes);
    READS(other, bytes);
    return memcmp(one, other, bytes);
}

REPLACES(size_t, strlen, (const char *text))
{
    size_t length = strlen(text);
    READS(text, length + 1);
    return length;
}

REPLACES(int, strcmp, (const char *one, const char *other))
{
    READS(one, strlen(one) + 1);
    READS(other, strlen(other) + 1);
    return strcmp(one, other);
}

REPLACES(char *, strcpy, (char *dest, const char *source))
{
    size_t bytes = strlen(source) + 1;
    READS(source, bytes);
    WRITES(dest, bytes);
    return memcpy(dest, source, bytes);
}

REPLACES(char *, strncpy, (char *dest, const char *source, size_t bytes))
{
    size_t length = strnlen(source, bytes);
    READS(source, length < bytes ? length + 1 : bytes);
    WRITES(dest, bytes);
    memcpy(dest, source, length);
    memset(dest + length, 0, bytes - length);
    return dest;
}

REPLACES(size_t, fread, (void *dest, size_t size, size_t count, FILE *file))
{
    WRITES(dest, size * count);
    return fread(dest, size, count, file);
}

REPLACES(size_t, fwrite, (const void *source, size_t size, size_t count, FILE *file))
{
    READS(source, size * count);
    return fwrite(source, size, count, file);
}

REPLACES(ssize_t, read, (int descriptor, void *dest, size_t bytes))
{
    WRITES(dest, bytes);
    return read(descriptor, dest, bytes);
}

REPLACES(ssize_t, write, (int descriptor, const void *source, size_t bytes))
{
    READS(source, bytes);
    return write(descriptor, source, bytes);
}
