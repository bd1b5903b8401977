#include "engine/io/files/terminal.h"

#include "engine/base/error.h"
#include "engine/io/files/text_encoding.h"

#include <cerrno>
#include <cstdio>

namespace assay {

void printText(std::string_view text) {
    if (std::fputs(withoutControls(text, LineEnds::Kept).c_str(), stdout) < 0 || std::fflush(stdout) != 0 ||
        std::ferror(stdout) != 0)
        throw Error(ErrorKind::WriteFailed, errno == EPIPE
                                                ? "standard output: expected someone who reads it, found it closed"
                                                : "standard output: expected room to write, found none");
}

void printMessage(std::string_view program, std::string_view message) {
    std::string line(program);
    line.append(": ").append(withoutControls(message, LineEnds::Replaced)).append("\n");
    std::fputs(line.c_str(), stderr);
}

} // namespace assay
