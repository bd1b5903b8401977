#include "engine/cli/progress_bar.h"

#include <cstdio>
#include <string>

namespace assay {

void ProgressBar::show(const Progress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (!visible_ || now - last_ < std::chrono::milliseconds(100))
        return;
    last_ = now;
    drawn_ = true;
    constexpr std::size_t kCells = 30;
    const auto full = static_cast<std::size_t>(progress.fraction * static_cast<double>(kCells));
    const std::string bar = std::string(full, '#') + std::string(kCells - full, '.');
    // Carriage return first, erase to the end of the line last: a shorter stage leaves nothing of a longer one.
    std::fprintf(stderr, "\r[%s] %3.0f %%  %.60s\033[K", bar.c_str(), progress.fraction * 100.0,
                 progress.stage.c_str());
    std::fflush(stderr);
}

void ProgressBar::wipe() {
    if (drawn_)
        std::fputs("\r\033[K", stderr);
    drawn_ = false;
}

} // namespace assay
