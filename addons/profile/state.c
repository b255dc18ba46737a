/* SPDX-License-Identifier: BSD-3-Clause
 *
 * State that all files of the collector read: whether it collects, and the library behind it.
 */
#include "profile/internal.h"

struct profile_state_of_pe profile = {.lock = PTHREAD_MUTEX_INITIALIZER};
struct profile_library profile_library;
