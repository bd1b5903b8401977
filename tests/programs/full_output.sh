#!/bin/sh
# full_output.sh PROGRAM...: whether --help and --version say so, and fail, where they cannot be printed.
set -u
status=0
for program in "$@"; do
    for option in --help --version; do
        if said=$("$program" "$option" 2>&1 >/dev/full) || [ -z "$said" ]; then
            echo "$program $option: expected an error on a full device, found none"
            status=1
        fi
    done
done
exit $status
