/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state that the files of this folder share.
 */
#include "engine/several/several.h"

struct sheaf_several_state sheaf_several_state;
