# shellcheck shell=bash
# Shared by the scripts of this folder; sourced, never run. Expects bash with `set -euo pipefail`.

assay_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*" >&2; }

die() {
    say "error: $*"
    exit 1
}

# The lines of scripts/packages that carry one of the given tags, without the tag.
listed_packages() {
    local tag name
    while read -r tag name _; do
        [[ " $* " == *" $tag "* ]] && printf '%s\n' "$name"
    done <"$assay_root/scripts/packages"
    return 0
}

has_candidate() { LC_ALL=C apt-cache policy "$1" 2>/dev/null | grep -q '^  Candidate: [^(]'; }

# Of a line's alternatives, the first that apt can install; the last where apt knows none (no lists yet).
installable_name() {
    local name alternatives
    IFS='|' read -ra alternatives <<<"$1"
    for name in "${alternatives[@]}"; do
        if has_candidate "$name"; then
            printf '%s\n' "$name"
            return
        fi
    done
    printf '%s\n' "${alternatives[-1]}"
}

# The lines with the given tags of which no alternative is installed; of those with a ? only what apt can install.
missing_lines() {
    local line name installed
    installed=" $(dpkg-query -W -f='${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p' | tr '\n' ' ')"
    while read -r line; do
        [[ $line == *\? ]] && ! has_candidate "${line%\?}" && continue
        line=${line%\?}
        for name in ${line//|/ }; do
            [[ $installed == *" $name "* ]] && continue 2
        done
        printf '%s\n' "$line"
    done < <(listed_packages "$@")
}

# install_packages TAG...: installs what is missing. Touches neither apt nor the network when nothing is.
install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "note: this is neither Debian nor Ubuntu, so nothing is installed. The build needs (Debian's names):"
        say "  $(listed_packages "$@" | tr -d '?' | tr '\n' ' ')"
        return
    fi
    local missing
    mapfile -t missing < <(missing_lines "$@")
    ((${#missing[@]} == 0)) && return

    local as_root=()
    if ((EUID != 0)); then
        command -v sudo >/dev/null || die "$(refusal "${missing[@]}")"
        as_root=(sudo)
    fi
    say "Installing ${#missing[@]} packages with apt-get."
    # A foreign package source that fails to update need not stop what Debian itself can serve.
    "${as_root[@]}" apt-get update -q || say "note: apt-get update failed; trying with the lists at hand."
    mapfile -t missing < <(missing_lines "$@") # what is optional is known by now
    local line names=()
    for line in "${missing[@]}"; do
        names+=("$(installable_name "$line")")
    done
    # A log wants none of apt's thousands of lines; errors still come through.
    local quiet=/dev/stdout
    [[ -t 1 ]] || quiet=/dev/null
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends "${names[@]}" >"$quiet" ||
        die "$(refusal "${missing[@]}")"
}

# What to tell someone for whom the packages cannot be installed.
refusal() {
    local line names=()
    for line in "$@"; do
        names+=("$(installable_name "$line")")
    done
    printf 'these packages are missing and could not be installed from here:\n\n  %s\n\n' "${names[*]}"
    printf 'Install them as root, then start again:\n\n'
    printf '  apt-get update && apt-get install --no-install-recommends %s\n' "${names[*]}"
}

# Compile jobs at a time: every core, but one GiB of memory for each (units that include Qt and VTK need that much).
build_jobs() {
    local cores available limit used
    cores=$(nproc)
    available=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo 2>/dev/null || true)
    available=${available:-$((cores * 1024))}
    limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)
    used=$(cat /sys/fs/cgroup/memory.current 2>/dev/null || echo 0)
    if [[ $limit != max ]] && (((limit - used) / 1048576 < available)); then
        available=$(((limit - used) / 1048576))
    fi
    local jobs=$((available / 1024))
    ((jobs > cores)) && jobs=$cores
    ((jobs < 1)) && jobs=1
    printf '%s\n' "$jobs"
}

# build PRESET [TARGET...]: configures and builds. Without targets: everything.
build() {
    local preset=$1
    shift
    local targets=()
    (($#)) && targets=(--target "$@")
    command -v cmake >/dev/null || die "cmake is not installed."
    (
        cd "$assay_root" || exit
        cmake --preset "$preset" --log-level=WARNING >&2
        cmake --build --preset "$preset" --parallel "$(build_jobs)" "${targets[@]}" >&2
    )
}

# make_fresh_system FOLDER [PACKAGES]: Debian 12 with next to nothing in it, by debootstrap, as root. PACKAGES with commas.
# `inside FOLDER COMMAND...` runs there.
make_fresh_system() {
    ((EUID == 0)) || die "expected root, for debootstrap"
    command -v debootstrap >/dev/null || die "debootstrap is not installed."
    say "Making a fresh system in $1."
    debootstrap --variant=minbase ${2:+--include="$2"} bookworm "$1" >"$1.log" 2>&1 || die "debootstrap failed, see $1.log"
    rm -f "$1.log"
    mount -t proc proc "$1/proc" 2>/dev/null || say "note: /proc cannot be mounted here"
    cp /etc/resolv.conf "$1/etc/"
}
inside() {
    local folder=$1
    shift
    chroot "$folder" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
remove_fresh_system() {
    umount "$1/proc" 2>/dev/null || true
    rm -rf "$1"
}

# affected_tests FOLDER COMMIT SECONDS: the tests of a finished build that changes since the commit can break, a line
# each: nearest to the change first, and as many as took about that long on all cores. Says what was left out.
affected_tests() {
    local folder=$1 since=$2 seconds=$3 selected
    selected=$(
        cd "$folder" || exit
        local objects
        mapfile -t objects < <(ninja -t deps | sed -nE 's/^([^ ].*\.o): #deps.*/\1/p')
        {
            git -C "$assay_root" diff --name-only "$since" --
            git -C "$assay_root" ls-files --others --exclude-standard
        } | sed "s|^|$assay_root/|" >changed.txt
        # Where the build itself has changed, everything can break. One test reads the sources as text.
        if grep -qE '/(CMake[^/]*|[^/]*\.cmake)$' changed.txt; then
            ctest --show-only | sed -nE 's/^ *Test +#[0-9]+: ([^ ]+).*/0 \1/p' >affected.txt
        elif [[ -s changed.txt ]]; then
            {
                echo "0 engine/dependency_rule_test"
                # Pages and icons are compiled in without a source that includes them.
                if grep -qE '\.(qrc|md|svg)$' changed.txt; then echo "0 gui/help_test"; fi
                awk -f "$assay_root/scripts/affected.awk" kind=changed changed.txt kind=deps <(ninja -t deps) \
                    kind=symbols <(nm -A -P "${objects[@]}" 2>/dev/null)
            } | sort -n >affected.txt
        else
            : >affected.txt
        fi
        # What a test took is in CTest's own record: name, runs, seconds.
        awk -v limit="$((seconds * $(nproc)))" 'FILENAME ~ /CostData/ { cost[$1] = $3; next }
            spent == 0 || spent + cost[$2] <= limit { spent += cost[$2]; print "run", $2; next }
            { later += cost[$2]; print "left", $2 }' "$(cost_data)" affected.txt
    )
    sed -n 's/^run //p' <<<"$selected"
    if grep -q ^left <<<"$selected"; then
        say "Left out, as scripts/test without --changed runs them: $(sed -n 's/^left //p' <<<"$selected" | paste -sd' ')"
    fi
}

# CTest's record in the build folder at hand; an empty file where nothing has run yet.
cost_data() {
    local record=Testing/Temporary/CTestCostData.txt
    [[ -f $record ]] && printf '%s\n' "$record" || printf '/dev/null\n'
}

# The package for Python is built by the Python that has nanobind, which Debian 12 lacks: an environment of its own, where
# CMake looks first. Fails without PyPI; its tests are skipped by name then.
prepare_python() {
    local folder=$assay_root/build/python-venv
    if [[ ! -x $folder/bin/pytest ]]; then
        { python3 -m venv "$folder" && "$folder/bin/pip" install --quiet nanobind numpy pytest mypy pandas pillow prdc pyarrow \
            scipy h5py anndata nbconvert ipykernel anywidget; } || return 1
    fi
    export VIRTUAL_ENV=$folder
}
