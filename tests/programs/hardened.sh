#!/bin/sh
# hardened.sh PROGRAM...: whether programs are position-independent, with a read-only relocation table, checked stacks and
# checked calls of libc (cmake/hardening.cmake).
set -eu
status=0
for program in "$@"; do
    found=$(readelf -hldW --dyn-syms "$program")
    while read -r expected pattern; do
        # assay-hdf5 calls none that is checked.
        [ "$expected" = fortified-calls ] && [ "$(basename "$program")" = assay-hdf5 ] && continue
        if ! printf '%s\n' "$found" | grep -Eq -- "$pattern"; then
            echo "$program: expected $expected, found none"
            status=1
        fi
    done <<'LIST'
position-independence Type:.*DYN
GNU_RELRO GNU_RELRO
BIND_NOW FLAGS_1.*NOW|BIND_NOW
stack-protection __stack_chk_fail
fortified-calls __[a-z]+_chk@
LIST
done
exit $status
