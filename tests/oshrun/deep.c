/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program without MPI whose library uses it: both.c, for test_pmix.py.
 */
int deep_main(int argc, char **argv);

int main(int argc, char **argv)
{
    return deep_main(argc, argv);
}
