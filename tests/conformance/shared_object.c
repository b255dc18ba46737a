/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A shared object with a variable, for symmetric_objects.c.
 */
long *plugin_address(void);

long *plugin_address(void)
{
    static long variable = 1;
    return &variable;
}
