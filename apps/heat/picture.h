/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pictures in and out of files: PNG (picture_png.c, with libpng) or, where that is not installed,
 * binary netpbm (picture_netpbm.c). Knows no PEs.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include <stddef.h>
#include <stdio.h>

struct picture {
    long width;
    long height;
    unsigned char *pixel; /* rows from the top: luminance when read, red green blue to write */
};

#define PICTURE_PIXELS_MOST (1L << 28)

extern const char picture_format[]; /* "PNG" or "netpbm" */

/* The luminance of any picture of the format. 0, and the caller frees pixel; or -1 and the reason
 * is in error. */
int picture_read(const char *path, struct picture *picture, char *error, size_t error_size);

/* The temperatures of a row of a picture that was read: 0 is black, 1 white. */
static inline void picture_row(const struct picture *picture, long y, double *row)
{
    for (long x = 0; x < picture->width; x++)
        row[x] = picture->pixel[y * picture->width + x] / 255.0;
}

/* Writes a colour picture and closes the file. 0, or -1 and the reason is in error. */
int picture_write(FILE *file, const char *path, const struct picture *picture, char *error,
                  size_t error_size);

#endif
