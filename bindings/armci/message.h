/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Global Arrays is compiled with this header of an ARMCI: what it expects here, armci.h declares.
 * It lies in a folder of its own, for its name is no special one.
 */
#include "armci.h"
