#!/bin/sh
# Plays a Python that runs assay-convert, for convert_files_test: -B SCRIPT IN OUT. Behaves as the file `mode` beside it
# says, and notes every run in `log`.
here=$(dirname "$0")
shift # -B
echo "run $2" >> "$here/log"
case $(cat "$here/mode") in
missing)
    echo "Traceback (most recent call last):" >&2
    echo "assay: $2: reading it needs pyarrow, which $0 does not have. Install it: $0 -m pip install pyarrow" >&2
    exit 3 ;;
hang)
    touch "$here/running"
    sleep 100 ;;
pictures)
    cp -r "$here/pictures" "${3%.npz}_pictures"
    exit 0 ;;
esac
cp "$here/$(basename "$2").npy" "$3"
