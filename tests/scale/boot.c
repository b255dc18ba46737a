/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The place in the job of the simulated PE that runs, where the library's own (boot/world) is not there.
 */
#include "boot/boot.h"

struct sheaf_boot sheaf_boot;
