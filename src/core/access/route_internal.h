/* SPDX-License-Identifier: BSD-3-Clause
 * Opening and closing the route: for init.c alone.
 */
#ifndef SHEAF_CORE_ACCESS_ROUTE_INTERNAL_H
#define SHEAF_CORE_ACCESS_ROUTE_INTERNAL_H

/* From here on the fast path works (at debug level every call takes the slow one). */
void sheaf_route_open(void);

/* From here on every call ends in sheaf_route_slow(), which says that the library is down. */
void sheaf_route_close(void);

#endif
