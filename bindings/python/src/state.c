/* SPDX-License-Identifier: BSD-3-Clause
 *
 * State that all files of the extension read: the library's state, and NumPy's interface.
 */
#define SHEAF_PYTHON_MODULE
#include "core.h"

enum sheaf_state sheaf_state = SHEAF_NEVER;
int sheaf_pe, sheaf_pes;
unsigned sheaf_epoch;
bool *sheaf_is_far;

int sheaf_import_numpy(void)
{
    import_array1(-1);
    return 0;
}
