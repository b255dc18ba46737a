/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads a Matrix Market file line by line. Nothing the file announces is believed before it has
 * been read: memory grows with the entries that are really there.
 */
#include "mtx.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct reader {
    const char *path;
    FILE *file;
    char *text; /* the current line, without what ends it */
    size_t capacity;
    long line; /* its number, from 1 */
    bool integer;
    char *error;
    size_t error_size;
};

static int refuse(struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int refuse(struct reader *reader, const char *format, ...)
{
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    snprintf(reader->error, reader->error_size, "%s:%ld: %s", reader->path, reader->line, reason);
    return -1;
}

/* The start of the current line in a form fit for a message. */
static const char *excerpt(const struct reader *reader)
{
    static char shown[44];
    size_t length = 0;
    for (const char *c = reader->text; *c != '\0' && length < 40; c++)
        shown[length++] = isprint((unsigned char)*c) ? *c : '?';
    strcpy(shown + length, reader->text[length] != '\0' ? "..." : "");
    return shown;
}

/* 1: a line is there; 0: the file has ended; -1: it cannot be read. */
static int next_line(struct reader *reader)
{
    errno = 0;
    ssize_t length = getline(&reader->text, &reader->capacity, reader->file);
    if (length < 0 && (ferror(reader->file) || !feof(reader->file))) {
        snprintf(reader->error, reader->error_size, "%s: cannot be read: %s", reader->path,
                 strerror(errno));
        return -1;
    }
    reader->line++;
    if (length < 0)
        return 0;
    if (strlen(reader->text) != (size_t)length)
        return refuse(reader, "the line holds a zero byte; expected text");
    while (length > 0 && isspace((unsigned char)reader->text[length - 1]))
        reader->text[--length] = '\0';
    return 1;
}

/* The next line that is neither blank nor a comment; as next_line(). */
static int next_data_line(struct reader *reader)
{
    int found;
    do {
        found = next_line(reader);
    } while (found > 0 && (reader->text[0] == '\0' || reader->text[0] == '%'));
    return found;
}

static int parse_field(struct reader *reader, const char *word, struct mtx *matrix)
{
    reader->integer = strcasecmp(word, "integer") == 0;
    matrix->pattern = strcasecmp(word, "pattern") == 0;
    if (reader->integer || matrix->pattern || strcasecmp(word, "real") == 0)
        return 0;
    if (strcasecmp(word, "complex") == 0)
        return refuse(reader, "complex entries are not supported; expected real, integer or "
                              "pattern");
    return refuse(reader, "expected real, integer or pattern, found '%s'", word);
}

static int parse_symmetry(struct reader *reader, const char *word, struct mtx *matrix)
{
    static const char *const words[] = {"general", "symmetric", "skew-symmetric"};
    for (int i = 0; i < 3; i++) {
        if (strcasecmp(word, words[i]) == 0) {
            matrix->symmetry = (enum mtx_symmetry)i;
            if (i == MTX_SKEW && matrix->pattern)
                return refuse(reader, "a pattern has no sign and cannot be skew-symmetric");
            return 0;
        }
    }
    if (strcasecmp(word, "hermitian") == 0)
        return refuse(reader, "hermitian needs complex entries; expected general, symmetric or "
                              "skew-symmetric");
    return refuse(reader, "expected general, symmetric or skew-symmetric, found '%s'", word);
}

static int read_header(struct reader *reader, struct mtx *matrix)
{
    int found = next_line(reader);
    if (found < 0)
        return -1;
    if (found == 0)
        return refuse(reader, "the file is empty; expected '%%%%MatrixMarket matrix coordinate "
                              "...'");
    char mark[16], object[32], format[32], field[32], symmetry[32], more[2];
    int words = sscanf(reader->text, "%15s %31s %31s %31s %31s %1s", mark, object, format, field,
                       symmetry, more);
    if (words < 1 || strcasecmp(mark, "%%MatrixMarket") != 0)
        return refuse(reader, "not a Matrix Market file: expected '%%%%MatrixMarket matrix "
                              "coordinate ...', found '%s'", excerpt(reader));
    if (words != 5)
        return refuse(reader, "expected '%%%%MatrixMarket matrix coordinate FIELD SYMMETRY', found "
                              "'%s'", excerpt(reader));
    if (strcasecmp(object, "matrix") != 0)
        return refuse(reader, "expected 'matrix', found '%s'", object);
    if (strcasecmp(format, "array") == 0)
        return refuse(reader, "dense (array) matrices are not supported; expected 'coordinate'");
    if (strcasecmp(format, "coordinate") != 0)
        return refuse(reader, "expected 'coordinate', found '%s'", format);
    if (parse_field(reader, field, matrix) != 0)
        return -1;
    return parse_symmetry(reader, symmetry, matrix);
}

/* A comment that GraphBLAS programs add to say in which type the entries are to be held. A type
 * that nobody knows means that the file is not what it seems. */
static int check_type_comment(struct reader *reader)
{
    static const char *const known[] = {"bool",     "int8_t",   "int16_t",  "int32_t",
                                        "int64_t",  "uint8_t",  "uint16_t", "uint32_t",
                                        "uint64_t", "float",    "double",   "int8",
                                        "int16",    "int32",    "int64",    "uint8",
                                        "uint16",   "uint32",   "uint64",   "fp32",
                                        "fp64"};
    char type[32];
    if (sscanf(reader->text, "%%%%GraphBLAS type %31s", type) != 1)
        return refuse(reader, "expected '%%%%GraphBLAS type TYPE', found '%s'", excerpt(reader));
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcasecmp(type, known[i]) == 0)
            return 0;
    return refuse(reader, "expected a real type after '%%%%GraphBLAS type', found '%s'", type);
}

static int read_size(struct reader *reader, struct mtx *matrix)
{
    int found;
    while ((found = next_line(reader)) > 0) {
        if (strncasecmp(reader->text, "%%GraphBLAS", 11) == 0) {
            if (check_type_comment(reader) != 0)
                return -1;
        } else if (reader->text[0] != '\0' && reader->text[0] != '%') {
            break;
        }
    }
    if (found < 0)
        return -1;
    if (found == 0)
        return refuse(reader, "the file ends before the line 'ROWS COLUMNS ENTRIES'");
    long *const numbers[] = {&matrix->rows, &matrix->columns, &matrix->count};
    char *at = reader->text;
    for (int i = 0; i < 3; i++) {
        char *end;
        errno = 0;
        *numbers[i] = strtol(at, &end, 10);
        if (errno != 0 || end == at || *numbers[i] < (i < 2 ? 1 : 0))
            return refuse(reader, "expected 'ROWS COLUMNS ENTRIES', found '%s'", excerpt(reader));
        at = end;
    }
    if (*at != '\0')
        return refuse(reader, "expected 'ROWS COLUMNS ENTRIES', found '%s'", excerpt(reader));
    if (matrix->symmetry != MTX_GENERAL && matrix->rows != matrix->columns)
        return refuse(reader, "a symmetric matrix must be square; this one is %ld x %ld",
                      matrix->rows, matrix->columns);
    return 0;
}

/* One coordinate, counted from 1 in the file. */
static int parse_index(struct reader *reader, char **at, long limit, const char *what, long *index)
{
    char *end;
    errno = 0;
    long value = strtol(*at, &end, 10);
    if (errno != 0 || end == *at || (*end != '\0' && !isspace((unsigned char)*end)))
        return refuse(reader, "expected a %s number, found '%s'", what, excerpt(reader));
    if (value < 1 || value > limit)
        return refuse(reader, "%s %ld is outside 1..%ld", what, value, limit);
    *index = value - 1;
    *at = end;
    return 0;
}

static int parse_entry(struct reader *reader, const struct mtx *matrix, struct mtx_entry *entry)
{
    char *at = reader->text;
    if (parse_index(reader, &at, matrix->rows, "row", &entry->row) != 0 ||
        parse_index(reader, &at, matrix->columns, "column", &entry->column) != 0)
        return -1;
    entry->line = reader->line;
    entry->value = 1.0;
    if (!matrix->pattern) {
        char *end;
        errno = 0;
        entry->value = reader->integer ? (double)strtoll(at, &end, 10) : strtod(at, &end);
        bool overflows = reader->integer ? errno != 0 : !isfinite(entry->value);
        if (end == at || *end != '\0' || overflows)
            return refuse(reader, "expected 'ROW COLUMN VALUE' with a finite %s value, found '%s'",
                          reader->integer ? "integer" : "real", excerpt(reader));
    } else if (*at != '\0') {
        return refuse(reader, "expected 'ROW COLUMN' and no more, found '%s'", excerpt(reader));
    }
    if (matrix->symmetry == MTX_SKEW && entry->row == entry->column)
        return refuse(reader, "a skew-symmetric matrix stores no diagonal entry");
    if (matrix->symmetry != MTX_GENERAL && entry->row < entry->column) {
        long row = entry->row;
        entry->row = entry->column;
        entry->column = row;
        if (matrix->symmetry == MTX_SKEW)
            entry->value = -entry->value;
    }
    return 0;
}

static int read_entries(struct reader *reader, struct mtx *matrix)
{
    long capacity = 0;
    for (long i = 0; i < matrix->count; i++) {
        int found = next_data_line(reader);
        if (found < 0)
            return -1;
        if (found == 0)
            return refuse(reader, "the file ends after %ld of %ld entries", i, matrix->count);
        if (i == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 1024;
            void *more = realloc(matrix->entry, (size_t)capacity * sizeof *matrix->entry);
            if (more == NULL)
                return refuse(reader, "not enough memory for %ld entries", capacity);
            matrix->entry = more;
        }
        if (parse_entry(reader, matrix, &matrix->entry[i]) != 0)
            return -1;
    }
    int found = next_data_line(reader);
    if (found > 0)
        return refuse(reader, "more than the announced %ld entries: found '%s'", matrix->count,
                      excerpt(reader));
    return found;
}

static int compare_entries(const void *left, const void *right)
{
    const struct mtx_entry *a = left, *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

static int sort_entries(struct reader *reader, struct mtx *matrix)
{
    if (matrix->count == 0)
        return 0;
    qsort(matrix->entry, (size_t)matrix->count, sizeof *matrix->entry, compare_entries);
    for (long i = 1; i < matrix->count; i++) {
        const struct mtx_entry *first = &matrix->entry[i - 1], *second = &matrix->entry[i];
        if (first->row == second->row && first->column == second->column) {
            reader->line = second->line;
            return refuse(reader, "the entry of row %ld, column %ld is there twice, first on line "
                                  "%ld", first->row + 1, first->column + 1, first->line);
        }
    }
    return 0;
}

int mtx_read(const char *path, struct mtx *matrix, char *error, size_t error_size)
{
    struct reader reader = {.path = path, .error = error, .error_size = error_size};
    *matrix = (struct mtx){0};
    reader.file = fopen(path, "r");
    if (reader.file == NULL) {
        snprintf(error, error_size, "%s: cannot be opened: %s", path, strerror(errno));
        return -1;
    }
    int result = read_header(&reader, matrix);
    if (result == 0)
        result = read_size(&reader, matrix);
    if (result == 0)
        result = read_entries(&reader, matrix);
    if (result == 0)
        result = sort_entries(&reader, matrix);
    if (result != 0)
        mtx_free(matrix);
    free(reader.text);
    fclose(reader.file);
    return result;
}

void mtx_free(struct mtx *matrix)
{
    free(matrix->entry);
    matrix->entry = NULL;
}
