#pragma once

#include "engine/base/job_context.h"
#include "engine/data/matrix_view.h"
#include "engine/data/units.h"
#include "engine/metrics/tables/products.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct Average;
struct RealAnalysis;
struct PairTables;

/// Sizes of precision and recall cover: a sample is covered by `k` samples of the other set within the distance of its
/// `k` * `c`-th neighbour in its own set.
struct CoverSizes {
    std::size_t k = 3;
    std::size_t c = 3;

    std::size_t neighbors() const noexcept { return k * c; }
    bool operator==(const CoverSizes&) const = default;
};

/// The rows of a synthetic set, where this process has all of them: M x d.
struct SyntheticRows {
    MatrixView matrix;
};

/// What metrics are computed from: the finished passes, and what the stages of an audit made of them.
struct MetricInputs {
    const RealAnalysis& real;
    const PairTables& pair;
    std::size_t k;
    Products products = {};
    std::uint64_t seed = 0;       ///< of everything that is drawn at random
    unsigned threads = 0;         ///< 0 for every core
    JobContext job = {};          ///< for what takes long: to be looked at every 100 ms
    std::string_view stream = {}; ///< names the synthetic set's own random numbers: equal for equal sets
    CoverSizes cover = {};

    /// A product that the row needs (Metric::needs), or one that it was made with.
    template <typename T>
    const T& get() const noexcept {
        return products.get<T>();
    }
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
    Product needs = kProduct<PairTables>;      ///< without it the row is left out, never made up
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
    Product needs = kProduct<PairTables>; ///< without it the row is left out, never made up
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
    Product needs = kProduct<PairTables>; ///< without it the row is left out, never made up
    Ideal ideal = Ideal::None;
};

/// A value of a column as text: a number, or the word that it stands for.
std::string valueText(const Column& column, double value);

} // namespace assay
