/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What plain.c, compiled without inline forms, does for life.c.
 */
#ifndef TEST_INLINE_LIFE_H
#define TEST_INLINE_LIFE_H

typedef void long_p(long *dest, long value, int pe);

long_p *plain_address(void);
void plain_write(long *dest, long value, int pe);
long plain_read(const long *source, int pe);

#endif
