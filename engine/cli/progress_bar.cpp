#include "engine/cli/progress_bar.h"

#include "engine/io/files/text_encoding.h"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace assay {
namespace {

std::size_t terminalColumns() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// The first `limit` characters of UTF-8 text.
std::string clipped(const std::string& text, std::size_t limit) {
    std::size_t end = 0;
    for (std::size_t characters = 0; end < text.size(); ++end) {
        const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
        if (begins && characters++ == limit)
            break;
    }
    return text.substr(0, end);
}

} // namespace

void ProgressBar::show(const Progress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (!visible_ || now - last_ < std::chrono::milliseconds(100))
        return;
    last_ = now;
    drawn_ = true;
    left_.report(now, progress.fraction);
    const std::size_t columns = terminalColumns();
    const std::size_t cells = std::clamp<std::size_t>(columns / 4, 5, 30);
    const auto full = static_cast<std::size_t>(progress.fraction * static_cast<double>(cells));
    std::string line = fmt::format("[{:.<{}}] {:3.0f} %", std::string(full, '#'), cells, progress.fraction * 100.0);
    if (const auto left = left_.estimate(now))
        line += ", " + timeLeftText(*left);
    line += "  " + withoutControls(progress.stage);
    // Carriage return first, erase to the end of the line last: a shorter line then erases a longer one completely.
    std::fprintf(stderr, "\r%s\033[K", clipped(line, columns - 1).c_str());
    std::fflush(stderr);
}

void ProgressLines::show(const Progress& progress) {
    if (!visible_)
        return;
    const auto now = std::chrono::steady_clock::now();
    left_.report(now, progress.fraction);
    if (now - last_ < std::chrono::seconds(30))
        return;
    last_ = now;
    const auto left = left_.estimate(now);
    printMessage("assay-score", fmt::format("{:.0f} %{}  {}", progress.fraction * 100.0,
                                            left ? ", " + timeLeftText(*left) : std::string(), progress.stage));
}

void ProgressBar::wipe() {
    if (drawn_)
        std::fputs("\r\033[K", stderr);
    drawn_ = false;
}

} // namespace assay
