#!/usr/bin/env bash
# Prints every table of RESULTS.md as this machine measures it now. Takes some minutes and wants a quiet machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
    cat <<'TEXT'
usage: tests/bench/run_all.sh [--bin FOLDER] [--threads N]

  --bin FOLDER   where the built programs are (default: build/release/bin)
  --threads N    of the comparisons with others (default: 2)

FAISS and the published algorithm's steps are left out, and named, where libfaiss-dev or scikit-learn is missing.
TEXT
}

bin=build/release/bin
threads=2
while (($#)); do
    case $1 in
    --bin) bin=${2:?"--bin needs a value"} && shift 2 ;;
    --threads) threads=${2:?"--threads needs a value"} && shift 2 ;;
    -h | --help) usage && exit ;;
    *) echo "unknown argument '$1'; see --help" >&2 && exit 2 ;;
    esac
done

heading() { printf '\n## %s\n\n' "$1"; }

# rows PROGRAM ARGUMENTS...: the table of one run per line of standard input, under a single head.
rows() {
    local first=yes line
    while read -r line; do
        # shellcheck disable=SC2086 # the line is a list of arguments
        "$@" $line | if [[ $first == yes ]]; then cat; else tail -n 1; fi
        first=no
    done
}

printf '%s, %s cores, %s, commit %s\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" \
    "$(date +%F)" "$(git describe --always --dirty 2>/dev/null || echo unknown)"

heading "Whole audit against the bare matrix product"
rows "$bin/bench_audit" <<'TEXT'
-n 10000 -d 1024
-n 10000 -d 1024 --latent 30
-n 20000 -d 128
-n 20000 -d 32
-n 20000 -d 8 --backend auto
-n 20000 -d 2 --backend auto
TEXT

heading "FAISS IndexFlatL2, the four neighbour searches"
if [[ -x $bin/bench_faiss ]]; then
    "$bin/bench_faiss" --threads "$threads"
else
    echo "Left out: bench_faiss was not built, for want of libfaiss-dev."
fi

heading "The published algorithm's steps in Python"
if python3 -c 'import sklearn' 2>/dev/null; then
    python3 tests/bench/published_algorithm.py --threads "$threads" --score "$bin/assay-score"
else
    echo "Left out: there is no scikit-learn here."
fi

heading "The page to explore"
if python3 -c 'import numpy' 2>/dev/null; then
    python3 tests/bench/page_bench.py --score "$bin/assay-score" || echo "Beyond a limit."
else
    echo "Left out: there is no numpy here."
fi

heading "Reading an input"
rows "$bin/bench_read" <<'TEXT'
-n 10000 -d 1024
-n 50000 -d 1024
TEXT

# Benchmarks that bring tables of their own.
for program in "$bin"/bench_*; do
    case ${program##*/} in
    bench_audit | bench_faiss | bench_read) ;;
    *) heading "${program##*/}" && "$program" ;;
    esac
done
