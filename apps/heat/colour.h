/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A colour for a temperature. Knows neither plates nor files.
 */
#ifndef COLOUR_H
#define COLOUR_H

/* 0 is nearly black, 1 nearly white; lightness grows evenly between. Writes red, green, blue. */
void colour_of(double temperature, unsigned char rgb[3]);

#endif
