#pragma once

#include <array>
#include <string_view>

namespace assay {

/// Version of the statistics that verdicts rest on; audit files record it. 1: with terms of the sizes of the sets,
/// which tell samples apart where distances tie, and without zero distances. 2: equal rows are counted only where both
/// sets have them, and ranked among distances. 3: three p-values with Bonferroni's factor, copies by the distance of
/// their original to its own neighbour. 4: docs/verdicts.md.
constexpr unsigned kVerdictStatistics = 4;

/// Verdict on a synthetic sample. The enumerator values are the values of the column `verdict`.
enum class Verdict { Good, Unrealistic, Crowded, Copy, Invented };
/// Verdict on a real sample. The enumerator values are the values of the column `coverage_verdict`.
enum class CoverageVerdict { Covered, Missed, Thin };

/// Words of the verdicts in CSV, JSON and rules, in the order of the enumerators.
constexpr std::array<std::string_view, 5> kVerdictWords{"good", "unrealistic", "crowded", "copy", "invented"};
constexpr std::array<std::string_view, 3> kCoverageVerdictWords{"covered", "missed", "thin"};

} // namespace assay
