#include "engine/cli/lost_input.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay {
namespace {

// The signal handlers call only async-signal-safe functions and need no state.

void print(std::string_view text) {
    if (write(STDERR_FILENO, text.data(), text.size()) < 0) { // nothing can be done about it
    }
}

/// Prints the name of the file that is mapped at an address. Reads the system's list of mappings, which is allowed in a
/// signal handler: lines "begin-end rights offset device inode          name".
/// @return whether a file was found
bool printFileAt(std::uintptr_t address) {
    const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    std::array<char, 4096> piece;
    std::array<std::uintptr_t, 2> range{};
    std::size_t part = 0;  // of the range; 2 once both ends are known
    std::size_t field = 0; // of the line
    bool inField = true;
    bool printed = false;
    for (ssize_t got = 0; maps >= 0 && !printed && (got = read(maps, piece.data(), piece.size())) > 0;) {
        for (const char c : std::string_view(piece.data(), static_cast<std::size_t>(got))) {
            const bool wanted = part == 2 && range[0] <= address && address < range[1];
            if (c == '\n') {
                if (printed)
                    break;
                range = {};
                part = field = 0;
                inField = true;
            } else if (field >= 5 && (inField || c != ' ')) { // the name may hold blanks
                inField = true;
                if (wanted) {
                    print({&c, 1});
                    printed = true;
                }
            } else if (c == ' ' || (c == '-' && part == 0)) {
                part = part < 2 ? part + 1 : part;
                field += inField && c == ' ' ? 1 : 0;
                inField = c != ' ';
            } else {
                inField = true;
                const bool isDigit = c >= '0' && c <= '9';
                if (part < 2)
                    range[part] = range[part] * 16 + static_cast<std::uintptr_t>(isDigit ? c - '0' : c - 'a' + 10);
            }
        }
    }
    return printed;
}

void tellAndEnd(int, siginfo_t* info, void*) {
    print("assay-score: ");
    if (!printFileAt(reinterpret_cast<std::uintptr_t>(info->si_addr)))
        print("an input file");
    print(": expected a file that stays as it is while it is worked on, found that it was cut short or cannot be read "
          "any more\n");
    _exit(kLostInputExit);
}

void wipeLineTellAndEnd(int signal, siginfo_t* info, void* context) {
    print("\r\033[K"); // the progress bar
    tellAndEnd(signal, info, context);
}

} // namespace

void exitOnLostInput() {
    struct sigaction action {};
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = isatty(STDERR_FILENO) == 1 ? wipeLineTellAndEnd : tellAndEnd;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, nullptr);
}

void ignoreBrokenPipes() {
    std::signal(SIGPIPE, SIG_IGN); // NOLINT(cert-err33-c): cannot fail for a signal that exists
}

} // namespace assay
