#!/bin/sh
# Plays a Python that runs assay-embed, for embed_pictures_test. Behaves as the file `mode` beside it says, and notes every
# run in `log`.
here=$(dirname "$0")
mode=$(cat "$here/mode")
shift 2 # -B, and assay-embed itself
if [ "$1" = --check ]; then
    case $mode in
    missing) problem='"ready": false, "problem": "torch and timm are not installed", "install": ["torch", "timm"]' ;;
    *) problem='"ready": true, "problem": "", "install": []' ;;
    esac
    echo "{\"version\": \"3.11.2\", \"packages\": {\"torch\": \"2.1.0\"}, \"devices\": [\"cuda\", \"cpu\"],"
    echo "\"models\": {\"$3\": {$problem}}}"
    exit 0
fi
echo "run $*" >> "$here/log"
case " $* " in
*" --save-weights "*) echo '{"event": "progress", "stage": "Fitting", "done": 1, "total": 2}' >&2 ;;
esac
if [ "$mode" = fit ]; then
    while [ ! -e "$here/go" ]; do sleep 0.02; done
fi
tell() { echo "{\"event\": \"progress\", \"stage\": \"Embedding\", \"done\": $1, \"total\": 4}" >&2; }
end() { echo "{\"event\": \"error\", \"message\": \"stopped by SIGTERM\"}" >&2; echo stopped >> "$here/log"; exit 143; }
echo "a library's own words" >&2
echo '{"event": "progress", "stage": "Loading the network", "done": 0, "total": 1}' >&2
if [ "$mode" = load ]; then
    touch "$here/loading"
    while [ ! -e "$here/go" ]; do sleep 0.02; done
fi
tell 0
tell 1
case $mode in
fail)
    echo '{"event": "error", "message": "the network failed on a batch of 8: no kernel image"}' >&2
    exit 1 ;;
crash)
    echo "Traceback (most recent call last):" >&2
    echo "ImportError: libGL.so.1: cannot open shared object file" >&2
    exit 1 ;;
hang)
    trap 'while [ ! -e "$here/go" ]; do sleep 0.02; done; end' TERM
    touch "$here/running"
    while :; do sleep 0.02; done ;;
esac
tell 4
cp "$here/$(basename "$1").npy" "$3"
echo '{"event": "done", "file": "", "rows": 0, "dimensions": 4, "left_out": 0}' >&2
