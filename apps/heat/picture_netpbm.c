/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Binary netpbm with 8 bits a sample, for machines without libpng: reads PGM (P5) and PPM (P6),
 * writes PPM.
 */
#include "picture.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char picture_format[] = "netpbm";

static int refuse(const char *path, const char *reason, char *error, size_t error_size)
{
    snprintf(error, error_size, "%s: %s", path, reason);
    return -1;
}

/* The next number of the header, after white space and comments; -1 when there is none. */
static long read_number(FILE *file)
{
    int c = getc(file);
    while (c != EOF && (isspace(c) || c == '#')) {
        while (c == '#' || (c != '\n' && c != EOF && !isspace(c)))
            while ((c = getc(file)) != '\n' && c != EOF) {
            }
        c = c == EOF ? EOF : getc(file);
    }
    long value = -1;
    for (; c != EOF && isdigit(c) && value < PICTURE_PIXELS_MOST; c = getc(file))
        value = (value < 0 ? 0 : value) * 10 + (c - '0');
    return c != EOF && isspace(c) ? value : -1;
}

/* Weights of red, green and blue in luminance: Rec. 709. */
static unsigned char luminance(const unsigned char *rgb)
{
    return (unsigned char)(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2] + 0.5);
}

static int read_file(FILE *file, const char *path, struct picture *picture, char *error,
                     size_t error_size)
{
    const int magic = getc(file), kind = getc(file);
    if (magic != 'P' || (kind != '5' && kind != '6'))
        return refuse(path, "expected a binary PGM or PPM picture", error, error_size);
    picture->width = read_number(file);
    picture->height = read_number(file);
    if (picture->width < 1 || picture->height < 1 || read_number(file) != 255)
        return refuse(path, "expected width, height and 255", error, error_size);
    if (picture->height > PICTURE_PIXELS_MOST / picture->width)
        return refuse(path, "the picture is too large", error, error_size);
    const size_t samples = kind == '6' ? 3 : 1;
    const size_t pixels = (size_t)picture->width * (size_t)picture->height;
    unsigned char *data = malloc(pixels * samples);
    if (data == NULL)
        return refuse(path, "not enough memory", error, error_size);
    if (fread(data, samples, pixels, file) != pixels) {
        free(data);
        return refuse(path, "the file ends before its last pixel", error, error_size);
    }
    for (size_t i = 0; samples == 3 && i < pixels; i++)
        data[i] = luminance(data + 3 * i);
    picture->pixel = data;
    return 0;
}

int picture_read(const char *path, struct picture *picture, char *error, size_t error_size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return refuse(path, strerror(errno), error, error_size);
    int result = read_file(file, path, picture, error, error_size);
    fclose(file);
    return result;
}

int picture_write(FILE *file, const char *path, const struct picture *picture, char *error,
                  size_t error_size)
{
    const size_t pixels = (size_t)picture->width * (size_t)picture->height;
    fprintf(file, "P6\n%ld %ld\n255\n", picture->width, picture->height);
    int complete = fwrite(picture->pixel, 3, pixels, file) == pixels;
    if (fclose(file) == 0 && complete)
        return 0;
    return refuse(path, strerror(errno), error, error_size);
}
