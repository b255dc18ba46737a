#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/dist on a clone: the same bytes twice, and a refusal of each thing it checks. Arguments: source, a folder.

set -eu
source=$1 work=$2
git -C "$source" rev-parse HEAD >/dev/null 2>&1 || { echo "skipped: the source is no git repository"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
git clone -q --depth 1 "file://$(git -C "$source" rev-parse --show-toplevel)" "$work/clone"
cp "$source/scripts/dist" "$work/clone/scripts/dist"
cd "$work/clone"
commit() {
    git add -A
    git -c user.name=test -c user.email=test@localhost commit -q --allow-empty -m test
}
commit

scripts/dist ../one
sleep 1
scripts/dist ../two >/dev/null
diff -r ../one ../two
tar tzf ../one/sheaf-*.tar.gz | grep -q '^sheaf-[0-9.]*/CMakeLists.txt$'
grep -q . ../one/notes-*.md

refused() { # words of the refusal
    ! scripts/dist ../three >../output 2>&1 || { echo "not refused: $1"; exit 1; }
    grep -q "$1" ../output || { cat ../output; exit 1; }
}
touch new-file
refused "not committed"
rm new-file
for file in include/shmem.h include/pshmem.h src/core/pe/public.h bindings/python/pyproject.toml \
    bindings/python/sheafshmem/__init__.py; do
    sed -i 's/"Sheaf [0-9.]*"/"Sheaf 9"/; s/^\(_*version_* = \).*/\1"9"/' $file
    commit
    refused "$(basename $file) names another version"
    git reset -q --hard HEAD~1
done
version=$(ls ../one/sheaf-*.tar.gz | sed 's/.*sheaf-\(.*\)\.tar\.gz/\1/')
for file in packaging/debian/changelog packaging/rpm/sheaf.spec packaging/conda/recipe.yaml \
    packaging/spack/spack_repo/sheaf/packages/sheaf/package.py; do
    sed -i "s/$version/9/" $file
    commit
    refused "$(basename $file) names another version"
    git reset -q --hard HEAD~1
done
sed -i 's/^## [0-9].*/## 9/' CHANGELOG.md
commit
refused "has no section"
