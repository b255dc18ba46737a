/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A colour map that is even to the eye, computed in the OKLab space (B. Ottosson, 2020): its
 * lightness rises in a straight line while the hue turns from blue over red to yellow. Equal
 * steps of temperature look equally large, also without colour.
 */
#include "colour.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Finer than eight bits a colour can show. */
#define STEPS 2048

/* OKLab lightness, chroma and hue (radians) to linear red, green, blue, perhaps outside 0..1. */
static void to_linear_rgb(double lightness, double chroma, double hue, double rgb[3])
{
    const double a = chroma * cos(hue), b = chroma * sin(hue);
    const double l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
}

static bool is_displayable(const double rgb[3])
{
    for (int i = 0; i < 3; i++)
        if (rgb[i] < 0 || rgb[i] > 1)
            return false;
    return true;
}

/* What a screen can show of the wanted chroma: halving the interval 20 times finds the border of
 * its gamut so exactly that no step shows. */
static double displayable_chroma(double lightness, double wanted, double hue)
{
    double linear[3], low = 0, high = wanted;
    to_linear_rgb(lightness, wanted, hue, linear);
    if (is_displayable(linear))
        return wanted;
    for (int i = 0; i < 20; i++) {
        const double middle = (low + high) / 2;
        to_linear_rgb(lightness, middle, hue, linear);
        if (is_displayable(linear))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The sRGB transfer function. */
static double encode(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

static void compute(double t, unsigned char rgb[3])
{
    const double lightness = 0.12 + 0.86 * t;
    const double hue = (280 + 180 * t) * M_PI / 180;
    const double wanted = 0.05 + 0.13 * sin(M_PI * t);
    double linear[3];
    to_linear_rgb(lightness, displayable_chroma(lightness, wanted, hue), hue, linear);
    for (int i = 0; i < 3; i++)
        rgb[i] = (unsigned char)(255 * encode(fmin(fmax(linear[i], 0.0), 1.0)) + 0.5);
}

void colour_of(double temperature, unsigned char rgb[3])
{
    static unsigned char table[STEPS][3];
    static bool is_filled;
    for (int i = 0; !is_filled && i < STEPS; i++)
        compute((double)i / (STEPS - 1), table[i]);
    is_filled = true;
    const double t = fmin(fmax(temperature, 0.0), 1.0);
    memcpy(rgb, table[(int)(t * (STEPS - 1) + 0.5)], 3);
}
