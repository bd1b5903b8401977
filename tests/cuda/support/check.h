#pragma once

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>

namespace assay::cuda::test {

/// A test program without a framework: it also has to build where nothing but a compiler is installed.
inline int& failures() {
    static int count = 0;
    return count;
}

inline void check(bool held, const char* what, const char* file, int line, const std::string& about) {
    if (held)
        return;
    if (++failures() <= 20)
        std::printf("%s:%d: FAILED %s%s%s\n", file, line, what, about.empty() ? "" : " - ", about.c_str());
}

/// Runs one named test. What it throws is a failure.
template <typename Test>
void run(const char* name, const Test& test) {
    const int before = failures();
    const auto start = std::chrono::steady_clock::now();
    try {
        test();
    } catch (const std::exception& error) {
        check(false, "threw", name, 0, error.what());
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("%s %6.2f s  %s\n", failures() == before ? "ok    " : "FAILED", seconds.count(), name);
    std::fflush(stdout);
}

/// CTest's word for a test that cannot be run here.
constexpr int kSkipped = 77;

inline int verdict() {
    if (failures() > 0)
        std::printf("%d failures\n", failures());
    return failures() == 0 ? 0 : 1;
}

} // namespace assay::cuda::test

#define CHECK(condition) assay::cuda::test::check((condition), #condition, __FILE__, __LINE__, {})
#define CHECK_ABOUT(condition, about) assay::cuda::test::check((condition), #condition, __FILE__, __LINE__, (about))
