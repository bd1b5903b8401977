#include "engine/cli/lost_input.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace assay {
namespace {

// The handlers make only calls that are safe there, and need no state.

void print(std::string_view text) {
    if (write(STDERR_FILENO, text.data(), text.size()) < 0) { // nobody is left to tell
    }
}

void tellAndEnd(int) {
    print("assay-score: an input file: expected one that stays as it is while it is worked on, found that it was cut "
          "short or cannot be read any more\n");
    _exit(kLostInputExit);
}

void wipeLineTellAndEnd(int signal) {
    print("\r\033[K"); // the progress bar
    tellAndEnd(signal);
}

} // namespace

void endOnLostInput() {
    struct sigaction action {};
    action.sa_handler = isatty(STDERR_FILENO) == 1 ? wipeLineTellAndEnd : tellAndEnd;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, nullptr);
}

} // namespace assay
