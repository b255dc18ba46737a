/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions of libc that read or write the program's memory. oshcc has the linker put these in place of
 * libc's for the program's own calls (--wrap): those of libraries go their way.
 */
#include "races/internal.h"

#include <stdarg.h>
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

/* From version 15 on clang calls these for copies, its own and the program's. */
RACES_PUBLIC void *__tsan_memcpy(void *dest, const void *source, size_t bytes)
    __attribute__((alias("__wrap_memcpy")));
RACES_PUBLIC void *__tsan_memmove(void *dest, const void *source, size_t bytes)
    __attribute__((alias("__wrap_memmove")));
RACES_PUBLIC void *__tsan_memset(void *dest, int value, size_t bytes)
    __attribute__((alias("__wrap_memset")));

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

REPLACES(size_t, strnlen, (const char *text, size_t most))
{
    size_t length = strnlen(text, most);
    READS(text, length < most ? length + 1 : most);
    return length;
}

REPLACES(int, strncmp, (const char *one, const char *other, size_t most))
{
    size_t length = strnlen(one, most), others = strnlen(other, most);
    READS(one, length < most ? length + 1 : most);
    READS(other, others < most ? others + 1 : most);
    return strncmp(one, other, most);
}

/* Behind what dest has. */
static char *append(char *dest, const char *source, size_t length)
{
    size_t end = strlen(dest);
    memcpy(dest + end, source, length);
    dest[end + length] = '\0';
    return dest;
}

REPLACES(char *, strcat, (char *dest, const char *source))
{
    size_t length = strlen(source), end = strlen(dest);
    READS(source, length + 1);
    READS(dest, end);
    WRITES(dest + end, length + 1);
    return append(dest, source, length);
}

REPLACES(char *, strncat, (char *dest, const char *source, size_t most))
{
    size_t length = strnlen(source, most), end = strlen(dest);
    READS(source, length < most ? length + 1 : most);
    READS(dest, end);
    WRITES(dest + end, length + 1);
    return append(dest, source, length);
}

REPLACES(char *, strchr, (const char *text, int wanted))
{
    char *found = strchr((char *)text, wanted);
    READS(text, found ? (size_t)(found - text) + 1 : strlen(text) + 1);
    return found;
}

REPLACES(char *, strrchr, (const char *text, int wanted))
{
    READS(text, strlen(text) + 1);
    return strrchr((char *)text, wanted);
}

REPLACES(void *, memchr, (const void *start, int wanted, size_t bytes))
{
    const char *found = memchr(start, wanted, bytes);
    READS(start, found ? (size_t)(found - (const char *)start) + 1 : bytes);
    return (void *)(uintptr_t)found;
}

/* What they print is not seen, but for where it goes. */
REPLACES(int, snprintf, (char *dest, size_t size, const char *format, ...))
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(dest, size, format, arguments);
    va_end(arguments);
    if (length >= 0)
        WRITES(dest, (size_t)length < size ? (size_t)length + 1 : size);
    return length;
}

REPLACES(int, sprintf, (char *dest, const char *format, ...))
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsprintf(dest, format, arguments);
    va_end(arguments);
    if (length >= 0)
        WRITES(dest, (size_t)length + 1);
    return length;
}

REPLACES(char *, fgets, (char *dest, int size, FILE *file))
{
    char *read = fgets(dest, size, file);
    if (read)
        WRITES(dest, strlen(dest) + 1);
    return read;
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

REPLACES(ssize_t, pread, (int descriptor, void *dest, size_t bytes, off_t at))
{
    WRITES(dest, bytes);
    return pread(descriptor, dest, bytes, at);
}

REPLACES(ssize_t, pwrite, (int descriptor, const void *source, size_t bytes, off_t at))
{
    READS(source, bytes);
    return pwrite(descriptor, source, bytes, at);
}
