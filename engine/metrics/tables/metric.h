#pragma once

#include "engine/base/job_context.h"
#include "engine/data/units.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

class EmbeddingSet;
struct FeatureLikelihood;
struct HeldOutBasis;
struct NearPairScores;
struct Average;
struct RealAnalysis;
struct PairTables;
struct EvaluationTables;
struct RowScores;
struct VerdictScores;

/// What a number is computed from. What an audit does not have is left out of its result, never made up.
enum class Needs {
    Tables,    ///< the finished passes alone: also computed for every what-if change
    Samples,   ///< each sample's embedding too, and more of its neighbours: also computed for the subsets of a curve
    NearPairs, ///< pairs that no table lists: likewise
    Rows,      ///< the embeddings as a whole: computed once per audit
    Verdicts,  ///< what is said of each synthetic sample: tables of at least 20 neighbours
    Missed,    ///< what is said of each real sample: also pairs within the real set
    HeldOut,   ///< a held-out real set beside the others
    OneClass   ///< the one-class embedding, trained on the real set where that was asked for
};

/// Which metrics are found for a subset of the synthetic samples.
enum class SubsetScores {
    Tables, ///< those of Needs::Tables: quick enough to follow a hand
    Samples ///< those of Needs::Samples and Needs::NearPairs too
};

constexpr bool foundForSubset(Needs needs, SubsetScores scores) {
    return needs == Needs::Tables ||
           (scores == SubsetScores::Samples && (needs == Needs::Samples || needs == Needs::NearPairs));
}

/// Sizes of precision and recall cover: a sample is covered by `k` samples of the other set within the distance of its
/// `k` * `c`-th neighbour in its own set.
struct CoverSizes {
    std::size_t k = 3;
    std::size_t c = 3;

    std::size_t neighbors() const noexcept { return k * c; }
    bool operator==(const CoverSizes&) const = default;
};

/// The finished passes that metrics read, and what else an audit has.
struct MetricInputs {
    const RealAnalysis& real;
    const PairTables& pair;
    std::size_t k;
    const EmbeddingSet* synthetic = nullptr;    ///< M rows; null where there is Needs::Tables alone
    const RowScores* rows = nullptr;            ///< shared by several rows of Needs::Rows
    const EvaluationTables* identity = nullptr; ///< of the embeddings as they are: there where `synthetic` is
    const EvaluationTables* oneClass = nullptr; ///< of the one-class embedding, where one was trained
    std::uint64_t seed = 0;                     ///< of everything that is drawn at random
    unsigned threads = 0;                       ///< 0 for every core
    JobContext job = {};                        ///< for what takes long: to be looked at every 100 ms
    std::string_view stream = {};               ///< names the synthetic set's own random numbers: equal for equal sets
    const NearPairScores* nearPairs = nullptr;  ///< for Needs::NearPairs
    const VerdictScores* verdicts = nullptr;    ///< for Needs::Verdicts and, with its real side, Needs::Missed
    const HeldOutBasis* heldOut = nullptr;      ///< for Needs::HeldOut
    const FeatureLikelihood* likelihood = nullptr; ///< for Needs::HeldOut
    CoverSizes cover = {};
};

/// One per-sample score. M values for Side::Synthetic, N for Side::Real.
struct Column {
    std::string_view id;    ///< in CSV, JSON and rules
    std::string_view title; ///< for people: "Fidelity"
    Unit unit;
    Direction better; ///< Higher, Lower or Neutral: rules and rankings have one bad end
    Side side;
    std::string_view definition; ///< one or two plain sentences, shown as tooltip
    std::string_view source;     ///< paper
    std::vector<double> (*compute)(const MetricInputs&);
    Needs needs = Needs::Tables;
    std::span<const std::string_view> words{}; ///< of Unit::Word: what the values 0, 1, .. say, 0 where all is well
    std::string_view thenBy{}; ///< the column that orders samples of equal value, worst first; empty for none
};

/// One aggregate of a model.
struct Metric {
    std::string_view id;    ///< as in docs/metrics.md, JSON and reports
    std::string_view title; ///< for people: "Clipped density"
    Unit unit;
    Direction better;
    std::string_view definition;
    std::string_view source;
    double (*compute)(const MetricInputs&);
    Needs needs = Needs::Tables;
    const Average* average = nullptr; ///< how it is an average (averages.h), for its interval; null where it is none
    bool negative = true;             ///< whether it can be below 0; no share can
};

/// What a number lies in.
struct MetricRange {
    double low;
    double high;
};

/// What a metric can be: shares lie in [0, 1], some others are not negative, the rest are not bounded.
MetricRange rangeOf(const Metric& metric);

/// One line of a curve: a value at every x of the curve, with a band around it where one is known.
struct CurveLine {
    std::string name; ///< a metric's id, or what sets this line apart; empty for the only line
    std::vector<double> y;
    std::vector<double> low{};  ///< as long as y, or empty
    std::vector<double> high{}; ///< as long as y, or empty
};

/// The points of a curve. `id` is a curve's id in the catalogue.
struct CurveValues {
    std::string_view id;
    std::vector<double> x; ///< ascending
    std::vector<CurveLine> lines;
};

/// One curve of a model.
struct Curve {
    /// The line that a perfect model would have.
    enum class Ideal { None, Falling /**< 1 - x */, Diagonal /**< x */ };

    std::string_view id;
    std::string_view title; ///< for people
    std::string_view xTitle;
    std::string_view yTitle;
    Unit xUnit;
    Unit yUnit;
    std::string_view definition;
    std::string_view source;
    CurveValues (*compute)(const MetricInputs&);
    Needs needs = Needs::Tables;
    Ideal ideal = Ideal::None;
};

/// A value of a column as text: a number, or the word that it stands for.
std::string valueText(const Column& column, double value);

} // namespace assay
