/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All PEs agree on whose atomic operations are: the processors' or the network's. access/amo_provider.h
 * then does them.
 */
#ifndef SHEAF_CORE_AMO_AGREE_H
#define SHEAF_CORE_AMO_AGREE_H

#include "base/settings/amo.h"

#include <stdbool.h>

/* Collective, after teams and memory are up; the routes are open. */
int sheaf_amo_agree_init(void);

/* Collective: from here on the program uses these operations and no others. Whether objects whose
 * atomic operations are to be the network's have them. */
bool sheaf_amo_agree_declare(sheaf_amo_set uses);

#endif
