/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHA-1 (FIPS 180-4) of messages that fit one of its blocks. As a source of random numbers: it protects
 * nothing here.
 */
#ifndef SHA1_H
#define SHA1_H

#include <stddef.h>
#include <stdint.h>

#define SHA1_BYTES       20
#define SHA1_SHORT_BYTES 55 /* the longest such message */

void sha1_short(const uint8_t *message, size_t bytes, uint8_t digest[SHA1_BYTES]);

#endif
