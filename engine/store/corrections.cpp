#include "engine/store/corrections.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace assay {
namespace {

using Version = std::array<int, 3>;

/// Numbers that are missing are 0.
Version versionOf(std::string_view text) {
    Version version{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (int& number : version) {
        at = std::from_chars(at, end, number).ptr;
        if (at != end)
            ++at;
    }
    return version;
}

/// What a version computes otherwise than the versions before it.
struct Correction {
    Version since;
    RecordedValue kind;
    std::span<const std::string_view> ids; ///< empty: all of this kind
    std::string_view reason;
};

constexpr std::array<std::string_view, 3> kByLapack{"frechet_distance", "vendi_score", "vendi_score_real"};
constexpr std::string_view kRace = "before 0.2.0 the library for linear algebra was called by several threads at once, "
                                   "which made some Frechet distances and Vendi scores wrong";

constexpr std::array<std::string_view, 8> kVerdictMetrics{"verdict_rejected", "verdict_copy",    "verdict_unrealistic",
                                                          "verdict_invented", "verdict_crowded", "bad_share",
                                                          "estimated_bad",    "coverage_missed"};
constexpr std::array<std::string_view, 13> kVerdictColumns{"verdict",       "p_any",
                                                           "evidence",      "q_any",
                                                           "p_unrealistic", "p_over_represented",
                                                           "p_copy",        "log_density_ratio",
                                                           "copy_ratio",    "coverage_verdict",
                                                           "p_uncovered",   "q_uncovered",
                                                           "coverage_ratio"};
constexpr std::string_view kTies = "0.2.0 judges samples by statistics that hold where distances are equal, too";
constexpr std::string_view kFourthVersion = "0.3.0 judges samples by the fourth version of the statistics";

constexpr std::string_view kBothSets =
    "0.2.0 finds intervals by leaving out groups of rows of both sets; before it, the library for linear algebra also "
    "made some of them wrong";

constexpr std::array kCorrections{
    Correction{{0, 2, 0}, RecordedValue::Metric, kVerdictMetrics, kTies},
    Correction{{0, 2, 0}, RecordedValue::Column, kVerdictColumns, kTies},
    Correction{{0, 2, 0}, RecordedValue::Interval, {}, kBothSets},
    Correction{{0, 3, 0}, RecordedValue::Metric, kVerdictMetrics, kFourthVersion},
    Correction{{0, 3, 0}, RecordedValue::Column, kVerdictColumns, kFourthVersion},
    Correction{{0, 3, 0}, RecordedValue::Interval, kVerdictMetrics, kFourthVersion},
    Correction{{0, 2, 0}, RecordedValue::Metric, kByLapack, kRace},
};

} // namespace

std::string_view correctionOf(RecordedValue kind, std::string_view id, std::string_view version) {
    const Version recorded = versionOf(version);
    for (const Correction& correction : kCorrections)
        if (correction.kind == kind && recorded < correction.since &&
            (correction.ids.empty() || std::ranges::find(correction.ids, id) != correction.ids.end()))
            return correction.reason;
    return {};
}

} // namespace assay
