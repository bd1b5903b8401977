# A manual page, or the completions of a shell, from what a program says to --help:
#   PROGRAM --help | awk -f scripts/pages.awk kind=man|bash|zsh program=PROGRAM version=0.3.0 -
# Options are lines of two blanks and a dash; what they do follows after two blanks, or on lines of its own. Programs in
# Python (argparse) have COLUMNS=1000 set, so that no line is broken.

function quoted(text) { # for roff
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    sub(/^[.']/, "\\\\\\&&", text)
    return text
}

function trimmed(text) {
    gsub(/^ +| +$/, "", text)
    return text
}

# Takes `-k UINT=5 Excludes: --open` or `-h, --help` apart: names, value, conditions.
function addOption(text, parts, count, i, word) {
    options++
    group[options] = heading
    names[options] = value[options] = condition[options] = ""
    if (match(text, / (Excludes|Needs): /)) {
        condition[options] = trimmed(substr(text, RSTART))
        text = substr(text, 1, RSTART - 1)
    }
    gsub(/, *-/, " -", text) # others are of a list of values
    count = split(text, parts, / +/)
    for (i = 1; i <= count; i++) {
        word = parts[i]
        if (word ~ /^-/ && value[options] == "")
            names[options] = names[options] (names[options] == "" ? "" : " ") word
        else if (word != "")
            value[options] = value[options] (value[options] == "" ? "" : " ") word
    }
    gsub(/^<|>$/, "", value[options])
    sub(/:\{.*\}$/, "", value[options])
}

/^Graphics cards for/ { next } # of this machine
/^[Uu]sage: / { usage = substr($0, 8); sub(/^[^ ]*/, program, usage); heading = "Options"; next }
/^[^ ].*:$/ && usage != "" {
    heading = substr($0, 1, length($0) - 1)
    if (heading == "positional arguments")
        heading = "Arguments"
    if (heading == "optional arguments") # Python 3.9
        heading = "options"
    current = 0
    next
}
usage == "" { if (trimmed($0) != "") about[++abouts] = trimmed($0); next }
/^[^ ]/ && options == 0 { about[++abouts] = trimmed($0); next } # Qt says what the program is below how it is used
/^[^ ]/ { notes[++noted] = trimmed($0); next }
/^  -/ {
    line = substr($0, 3)
    text = ""
    if (match(line, /  +/)) {
        text = trimmed(substr(line, RSTART))
        line = substr(line, 1, RSTART - 1)
    }
    addOption(line)
    does[options] = text
    current = options
    next
}
/^  [^ -]/ && heading == "Arguments" {
    match(substr($0, 3), /  +/)
    argument[++arguments] = substr($0, 3, RSTART - 1)
    argumentIs[arguments] = trimmed(substr($0, 3 + RSTART))
    current = 0
    next
}
/^  [^ -]/ && options > 0 { # a table below the options
    if (heading != tableHeading)
        tables = tables ".SH " quoted(toupper(heading)) "\n.nf\n"
    tableHeading = heading
    tables = tables quoted(substr($0, 3)) "\n"
    current = 0
    next
}
/^   / {
    if (current)
        does[current] = trimmed(does[current] " " trimmed($0))
    else if (arguments > 0)
        argumentIs[arguments] = argumentIs[arguments] " " trimmed($0)
    next
}

function man(i, last, list, count, n) {
    printf ".TH %s 1 \"\" \"Assay %s\" \"User Commands\"\n", toupper(quoted(program)), version
    summary = tolower(substr(about[1], 1, 1)) substr(about[1], 2)
    sub(/\.( .*)?$/, "", summary)
    printf ".SH NAME\n%s \\- %s\n", quoted(program), quoted(summary)
    printf ".SH SYNOPSIS\n%s\n.SH DESCRIPTION\n", quoted(usage)
    for (i = 1; i <= abouts; i++)
        printf("%s%s\n", (i > 1 ? ".PP\n" : ""), quoted(about[i]))
    if (arguments > 0)
        printf ".SH ARGUMENTS\n"
    for (i = 1; i <= arguments; i++)
        printf ".TP\n\\fI%s\\fR\n%s\n", quoted(argument[i]), quoted(argumentIs[i])
    for (i = 1; i <= options; i++) {
        if (group[i] != last)
            printf ".SH %s\n", quoted(toupper(group[i]))
        last = group[i]
        count = split(names[i], list, " ")
        printf ".TP\n"
        for (n = 1; n <= count; n++)
            printf("%s\\fB%s\\fR", (n > 1 ? ", " : ""), quoted(list[n]))
        printf("%s\n", (value[i] == "" ? "" : " \\fI" quoted(value[i]) "\\fR"))
        printf "%s\n", quoted(does[i])
        if (condition[i] != "")
            printf ".br\n%s\n", quoted(condition[i])
    }
    printf("%s%s", tables, (tables == "" ? "" : ".fi\n"))
    for (i = 1; i <= noted; i++)
        printf("%s%s\n", (i == 1 ? ".SH NOTES\n" : ".PP\n"), quoted(notes[i]))
}

function bash(i, all) {
    for (i = 1; i <= options; i++)
        all = all ((i > 1) ? " " : "") names[i]
    name = program
    gsub(/-/, "_", name)
    printf "# bash completion for %s\n_%s()\n{\n", program, name
    printf "    local current=${COMP_WORDS[COMP_CWORD]}\n"
    printf "    COMPREPLY=()\n"
    printf "    [[ $current == -* ]] && mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$current\")\n", all
    printf "}\ncomplete -o default -o bashdefault -F _%s %s\n", name, program
}

function zshText(text) {
    gsub(/'/, "'\\''", text)
    gsub(/\[/, "\\[", text)
    gsub(/\]/, "\\]", text)
    gsub(/:/, "\\:", text)
    return text
}

function zsh(i, n, count, list, file) {
    printf "#compdef %s\n_arguments \\\n", program
    for (i = 1; i <= options; i++) {
        count = split(names[i], list, " ")
        file = value[i] ~ /FILE|DIR/ ? "_files" : ""
        for (n = 1; n <= count; n++)
            printf("  '*%s[%s]%s' \\\n", list[n], zshText(does[i]),
                (value[i] == "" ? "" : ":" zshText(value[i]) ":" file))
    }
    printf "  '*:file:_files'\n"
}

END {
    if (usage == "" || options == 0) {
        print "pages.awk: expected the text of --help, found something else" > "/dev/stderr"
        exit 1
    }
    if (kind == "man")
        man()
    else if (kind == "bash")
        bash()
    else
        zsh()
}
