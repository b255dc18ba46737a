#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# N processes on this host, as N shells would start them: by-hand.sh N PROGRAM [ARGUMENT...]
[ $# -ge 2 ] || { echo "usage: by-hand.sh N PROGRAM [ARGUMENT...]" >&2; exit 2; }
size=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
rank=0
while [ "$rank" -lt "$size" ]; do
    SHEAF_RANK=$rank SHEAF_SIZE=$size SHEAF_RENDEZVOUS=$folder/meet "$@" &
    pids="$pids $!"
    rank=$((rank + 1))
done
status=0
for pid in $pids; do
    wait "$pid" || status=$?
done
exit "$status"
