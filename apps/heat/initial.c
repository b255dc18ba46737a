/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Spots, and a saddle whose solution is known.
 */
#include "initial.h"

#include <stddef.h>

/* What is drawn when no picture is given: places that are held at a temperature, in units of the
 * plate's side. */
static const struct spot {
    double x, y, radius, temperature;
} spots[] = {{0.30, 0.32, 0.110, 1.00}, {0.72, 0.24, 0.055, 0.75}, {0.66, 0.66, 0.130, 0.95},
             {0.22, 0.74, 0.070, 0.60}, {0.49, 0.47, 0.045, 0.00}, {0.87, 0.46, 0.035, 1.00},
             {0.42, 0.88, 0.040, 0.85}, {0.90, 0.88, 0.060, 0.00}};

static const struct spot *spot_at(const struct plate *plate, long x, long y)
{
    const double u = (double)x / (double)(plate->width - 1);
    const double v = (double)y / (double)(plate->height - 1);
    for (size_t i = 0; i < sizeof spots / sizeof spots[0]; i++) {
        const double dx = u - spots[i].x, dy = v - spots[i].y;
        if (dx * dx + dy * dy <= spots[i].radius * spots[i].radius)
            return &spots[i];
    }
    return NULL;
}

static bool is_edge(const struct plate *plate, long x, long y)
{
    return x == 0 || y == 0 || x == plate->width - 1 || y == plate->height - 1;
}

double initial_saddle(const struct plate *plate, long x, long y)
{
    const double u = 2 * (double)x / (double)(plate->width - 1) - 1;
    const double v = 2 * (double)y / (double)(plate->height - 1) - 1;
    return 0.5 + 0.5 * (u * u - v * v);
}

static double temperature(const struct plate *plate, enum initial initial, long x, long y)
{
    if (initial == INITIAL_SADDLE)
        return is_edge(plate, x, y) ? initial_saddle(plate, x, y) : 0.5;
    const struct spot *spot = spot_at(plate, x, y);
    return spot != NULL ? spot->temperature : 0.1;
}

void initial_row(const struct plate *plate, enum initial initial, long y, double *row)
{
    for (long x = 0; x < plate->width; x++)
        row[x] = temperature(plate, initial, x, y);
}

void initial_relaxation(const struct plate *plate, enum initial initial, double omega)
{
    for (long y = 0; y < plate->rows; y++)
        for (long x = 1; x < plate->width - 1; x++)
            if (initial != INITIAL_SPOTS || spot_at(plate, x, plate->first + y) == NULL)
                plate->relax[y * plate->width + x] = omega;
}
