/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same calls in C++.
 */
#include "generic_extensions.c"
