/* SPDX-License-Identifier: BSD-3-Clause
 * Conversion of one element; see section.h.
 */
#include "section.h"

#include <complex.h>
#include <string.h>

typedef __int128 integer16;
typedef __float128 real16;

static bool read_integer(const char *from, size_t bytes, integer16 *value)
{
#define READ(TYPE)                                                                                 \
    if (bytes == sizeof(TYPE)) {                                                                   \
        TYPE one;                                                                                  \
        memcpy(&one, from, sizeof one);                                                            \
        *value = one;                                                                              \
        return true;                                                                               \
    }
    READ(int8_t)
    READ(int16_t)
    READ(int32_t)
    READ(int64_t)
    READ(integer16)
#undef READ
    return false;
}

static bool write_integer(char *to, size_t bytes, integer16 value)
{
#define WRITE(TYPE)                                                                                \
    if (bytes == sizeof(TYPE)) {                                                                   \
        TYPE one = (TYPE)value;                                                                    \
        memcpy(to, &one, sizeof one);                                                              \
        return true;                                                                               \
    }
    WRITE(int8_t)
    WRITE(int16_t)
    WRITE(int32_t)
    WRITE(int64_t)
    WRITE(integer16)
#undef WRITE
    return false;
}

/* Kind 10 is the processor's 80 bits, kind 16 IEEE's 128. */
static bool read_real(const char *from, int kind, real16 *value)
{
#define READ(KIND, TYPE)                                                                           \
    if (kind == (KIND)) {                                                                          \
        TYPE one;                                                                                  \
        memcpy(&one, from, sizeof one);                                                            \
        *value = one;                                                                              \
        return true;                                                                               \
    }
    READ(4, float)
    READ(8, double)
    READ(10, long double)
    READ(16, real16)
#undef READ
    return false;
}

static bool write_real(char *to, int kind, real16 value)
{
#define WRITE(KIND, TYPE)                                                                          \
    if (kind == (KIND)) {                                                                          \
        TYPE one = (TYPE)value;                                                                    \
        memcpy(to, &one, sizeof one);                                                              \
        return true;                                                                               \
    }
    WRITE(4, float)
    WRITE(8, double)
    WRITE(10, long double)
    WRITE(16, real16)
#undef WRITE
    return false;
}

/* The parts of a number, of which an integer has one. */
struct number {
    integer16 integer;
    real16 real, imaginary;
    bool is_integer;
};

static bool read_number(const char *from, const struct sheaf_element *element,
                        struct number *number)
{
    number->imaginary = 0;
    number->is_integer = element->type == SHEAF_INTEGER;
    if (number->is_integer)
        return read_integer(from, element->length, &number->integer);
    if (!read_real(from, element->kind, &number->real))
        return false;
    if (element->type == SHEAF_COMPLEX)
        return read_real(from + element->length / 2, element->kind, &number->imaginary);
    return element->type == SHEAF_REAL;
}

static bool write_number(char *to, const struct sheaf_element *element, const struct number *number)
{
    if (element->type == SHEAF_INTEGER)
        return write_integer(to, element->length,
                             number->is_integer ? number->integer : (integer16)number->real);
    if (!write_real(to, element->kind, number->is_integer ? (real16)number->integer : number->real))
        return false;
    if (element->type == SHEAF_COMPLEX)
        return write_real(to + element->length / 2, element->kind, number->imaginary);
    return element->type == SHEAF_REAL;
}

static uint32_t character_at(const char *text, int kind, size_t i)
{
    uint32_t wide;
    if (kind == 1)
        return (unsigned char)text[i];
    memcpy(&wide, text + i * sizeof wide, sizeof wide);
    return wide;
}

/* Characters of the same kind or of another, cut or with blanks behind. */
static void convert_text(char *dest, const struct sheaf_element *to, const char *source,
                         const struct sheaf_element *from)
{
    size_t have = from->length / (size_t)from->kind, want = to->length / (size_t)to->kind;
    for (size_t i = 0; i < want; i++) {
        uint32_t one = i < have ? character_at(source, from->kind, i) : ' ';
        if (to->kind == 1)
            dest[i] = one > 255 ? '?' : (char)one;
        else
            memcpy(dest + i * sizeof one, &one, sizeof one);
    }
}

void sheaf_element_convert(const char *statement, char *dest, const struct sheaf_element *to,
                           const char *source, const struct sheaf_element *from)
{
    struct number number = {0};
    integer16 value;
    bool done;
    if (to->type == SHEAF_CHARACTER && from->type == SHEAF_CHARACTER) {
        convert_text(dest, to, source, from);
        return;
    }
    if (to->type == SHEAF_LOGICAL && from->type == SHEAF_LOGICAL)
        done = read_integer(source, from->length, &value) && write_integer(dest, to->length, value);
    else
        done = read_number(source, from, &number) && write_number(dest, to, &number);
    if (!done)
        sheaf_outcome_refuse(statement, "type %d of kind %d cannot become type %d of kind %d", from->type,
                     from->kind, to->type, to->kind);
}
