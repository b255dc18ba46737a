# SPDX-License-Identifier: BSD-3-Clause
# AArch64 from another processor, with Debian's cross compilers (gcc-aarch64-linux-gnu and
# g++-aarch64-linux-gnu). Nothing of this machine's own libraries is found: no networks, no launchers.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} /usr/aarch64-linux-gnu/lib/pkgconfig)

# The Python that a Debian of the target has too: tests name it.
set(Python3_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "")
