/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PNG through libpng's simplified interface, which turns colour into luminance, palettes into
 * colours and 16 bits into 8 by itself.
 */
#include "picture.h"

#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

const char picture_format[] = "PNG";

static int read_pixels(png_image *image, const char *path, struct picture *picture, char *error,
                       size_t error_size)
{
    picture->width = image->width;
    picture->height = image->height;
    if ((long)image->height > PICTURE_PIXELS_MOST / (long)image->width) {
        snprintf(error, error_size, "%s: %u x %u pixels are too many", path, image->width,
                 image->height);
        return -1;
    }
    image->format = PNG_FORMAT_GRAY;
    image->flags |= PNG_IMAGE_FLAG_16BIT_sRGB; /* 16 bits mean more steps, not another scale */
    picture->pixel = calloc(PNG_IMAGE_SIZE(*image), 1);
    if (picture->pixel == NULL) {
        snprintf(error, error_size, "%s: not enough memory", path);
        return -1;
    }
    /* No background: what is transparent lies on the zeroes of pixel. */
    if (png_image_finish_read(image, NULL, picture->pixel, 0, NULL) != 0)
        return 0;
    snprintf(error, error_size, "%s: damaged: %s", path, image->message);
    free(picture->pixel);
    picture->pixel = NULL;
    return -1;
}

int picture_read(const char *path, struct picture *picture, char *error, size_t error_size)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        snprintf(error, error_size, "%s: cannot be opened: %s", path, strerror(errno));
        return -1;
    }
    int result = -1;
    if (png_image_begin_read_from_stdio(&image, file) == 0)
        snprintf(error, error_size, "%s: expected a PNG picture: %s", path, image.message);
    else
        result = read_pixels(&image, path, picture, error, error_size);
    png_image_free(&image);
    fclose(file);
    return result;
}

int picture_write(FILE *file, const char *path, const struct picture *picture, char *error,
                  size_t error_size)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)picture->width,
                       .height = (png_uint_32)picture->height,
                       .format = PNG_FORMAT_RGB};
    int written = png_image_write_to_stdio(&image, file, 0, picture->pixel, 0, NULL);
    if (fclose(file) == 0 && written != 0)
        return 0;
    snprintf(error, error_size, "%s: cannot be written: %s", path,
             written == 0 ? image.message : strerror(errno));
    return -1;
}
