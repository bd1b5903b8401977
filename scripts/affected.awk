# Which tests a change can break, from what the build knows. Reads, in this order,
#   changed files, one a line, as the build names them            (kind=changed)
#   what each object was made from: `ninja -t deps`               (kind=deps)
#   symbols that each object defines and uses: `nm -A -P`         (kind=symbols)
# An object is changed when it was made from a changed file, and can break when it uses a symbol of one that can. Prints
# "STEPS TEST" for every test that can break: its object uses changed code by that many steps.

kind == "changed" { changed[$0]; next }

# "OBJECT: #deps N, deps mtime ..." and the files, indented.
kind == "deps" && /^[^ ]/ { object = substr($1, 1, length($1) - 1); next }
kind == "deps" && NF {
    file = substr($0, 5)
    if (file in changed && !(object in steps)) {
        steps[object] = 0
        queue[++last] = object
    }
    # Several files of tests may be one object.
    if (object ~ /\/Unity\// && match(file, /tests\/[a-z]+\/[a-z0-9_]+_test\.cpp$/)) {
        test = substr(file, RSTART + 6)
        sub(/\.cpp$/, "", test)
        together[object] = together[object] " " test
    }
    # Tests that start programs use all that these are made of.
    if (file ~ /tests\/engine\/support\/program_run\.h$/)
        starts[object]
    next
}

# "OBJECT: SYMBOL TYPE ...". Weak symbols (templates, inline functions) are in every object that uses them.
kind == "symbols" && $2 ~ /5assay/ {
    object = substr($1, 1, length($1) - 1)
    if ($3 == "U")
        users[$2] = users[$2] " " object
    else if ($3 ~ /^[TDBR]$/)
        defined[object] = defined[object] " " $2
}

END {
    for (at = 1; at <= last; ++at) {
        object = queue[at]
        count = split(defined[object], symbols, " ")
        for (s = 1; s <= count; ++s)
            spread(users[symbols[s]], steps[object] + 1)
        if (object ~ /assay_score\.cpp\.o$|cluster_cases\.cpp\.o$/) {
            all = ""
            for (test in starts)
                all = all " " test
            spread(all, steps[object] + 1)
        }
    }
    for (object in steps) {
        count = split(together[object], tests, " ")
        for (t = 1; t <= count; ++t)
            print steps[object], tests[t]
        if (object ~ /_test\.cpp\.o$/) {
            room = object
            sub(/^tests\//, "", room)
            sub(/CMakeFiles\/[^\/]*\.dir\//, "", room)
            sub(/\.cpp\.o$/, "", room)
            print steps[object], room
        }
    }
}

function spread(objects, distance, names, n, i) {
    n = split(objects, names, " ")
    for (i = 1; i <= n; ++i)
        if (!(names[i] in steps)) {
            steps[names[i]] = distance
            queue[++last] = names[i]
        }
}
