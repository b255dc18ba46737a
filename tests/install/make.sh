#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The Makefile's install and uninstall, on a project of one file: uninstall removes what install has put into a prefix, also
# where an installation below another root (DESTDIR) came in between. Arguments: cmake, the source tree, a folder to work in.

set -eu
cmake=$1 source=$2 work=$3
PATH=$(dirname "$cmake"):$PATH
unset DESTDIR MAKEFLAGS MFLAGS MAKELEVEL
rm -rf "$work"
mkdir -p "$work"
cd "$work"
cp "$source/Makefile" .
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(Tiny NONE)
install(FILES Makefile DESTINATION share/sheaf)
END
"$cmake" -S . -B build >log || { cat log; exit 1; }
fail() { echo "failed: $1"; find . -name Makefile; exit 1; }
make() { command make -s -o all "$@"; }

make install PREFIX="$PWD/one"
[ -e one/share/sheaf/Makefile ] || fail "install"
DESTDIR=$PWD/root make install PREFIX=/usr
[ -e root/usr/share/sheaf/Makefile ] || fail "install below another root"
make uninstall
[ ! -e one/share/sheaf ] || fail "uninstall leaves something in the prefix"
[ -e root/usr/share/sheaf/Makefile ] || fail "uninstall removes what is below another root"
if make uninstall 2>/dev/null; then fail "nothing is installed any more, and uninstall does not say so"; fi
