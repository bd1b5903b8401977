#pragma once

#include "engine/data/units.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

/// Identifies a type of result that an audit stage makes. Other stages and catalogue rows name the results they need.
struct ResultType {
    const char* type = nullptr; ///< the type's kTypeMark; null: no result

    friend bool operator==(const ResultType&, const ResultType&) noexcept = default;
};

/// One variable for each type, which may be incomplete; nothing reads or writes it. Linkers may merge equal constants,
/// so it is none. std::type_info would not do: each translation unit has its own for an incomplete type, and those of
/// GCC 12 do not link under AddressSanitizer.
template <typename T>
inline constinit char kTypeMark{};

template <typename T>
inline constexpr ResultType kResultType{&kTypeMark<T>};

/// Results of the audit stages so far: at most one value of each type. Copies share the values.
class StageResults {
public:
    bool has(ResultType product) const noexcept { return at(product) != values_.end(); }

    /// The value of this type, or null.
    template <typename T>
    const T* find() const noexcept {
        const auto value = at(kResultType<T>);
        return value == values_.end() ? nullptr : static_cast<const T*>(value->second.get());
    }
    /// The value of this type. Precondition: has(kResultType<T>).
    template <typename T>
    const T& get() const noexcept {
        return *find<T>();
    }

    /// Stores a value and replaces an earlier one of the same type.
    template <typename T>
    void put(T value) {
        set(kResultType<T>, std::make_shared<const T>(std::move(value)));
    }
    /// Stores a reference to a value that outlives this object and its copies.
    template <typename T>
    void putReference(const T& value) {
        set(kResultType<T>, std::shared_ptr<const void>(std::shared_ptr<const void>(), &value));
    }

private:
    using Entry = std::pair<ResultType, std::shared_ptr<const void>>;

    std::vector<Entry>::const_iterator at(ResultType product) const noexcept {
        return std::ranges::find(values_, product, &Entry::first);
    }
    void set(ResultType product, std::shared_ptr<const void> value) {
        std::erase_if(values_, [&](const Entry& entry) { return entry.first == product; });
        values_.emplace_back(product, std::move(value));
    }

    std::vector<Entry> values_;
};

struct Average;
struct MetricInputs; // metric_inputs.h
struct PairTables;
struct RealAnalysis;

/// Parameters of precision cover and recall cover. A sample is covered if at least `k` samples of the other set lie
/// within the distance to its (`k` * `c`)-th nearest neighbour in its own set. Both are at least 1.
struct CoverSizes {
    std::size_t k = 3;
    std::size_t c = 3;

    std::size_t neighbors() const noexcept { return k * c; }
    bool operator==(const CoverSizes&) const = default;
};

/// Function that computes one value per sample of a set.
using ColumnFunction = std::vector<double> (*)(const MetricInputs&);

/// Catalogue row of one per-sample score: M values for Side::Synthetic, N values for Side::Real.
struct Column {
    std::string_view id;    ///< identifier in CSV, JSON and rules
    std::string_view title; ///< displayed name: "Fidelity"
    Unit unit;
    Direction better; ///< Higher, Lower or Neutral; rules and rankings start at the worse end
    Side side;
    std::string_view definition; ///< one or two plain sentences, shown as a tooltip
    std::string_view formula;    ///< in the symbols of glossarySymbols(); empty for columns from elsewhere
    std::string_view source;     ///< the paper that defines it
    ColumnFunction compute;
    ResultType needs = kResultType<PairTables>; ///< result that `compute` reads; an audit without it omits the row
    std::string_view thenBy{};                  ///< column that orders samples of equal value, worst first; empty: none
    std::span<const std::string_view> words{};  ///< words of the values 0, 1, .. of Unit::Word; 0: no problem
};

/// Catalogue row of one aggregate score of a model.
struct Metric {
    std::string_view id;    ///< identifier in docs/metrics.md, JSON and reports
    std::string_view title; ///< displayed name: "Clipped density"
    Unit unit;
    Direction better;
    std::string_view definition;
    std::string_view formula; ///< as Column::formula
    std::string_view source;
    double (*compute)(const MetricInputs&);
    ResultType needs = kResultType<PairTables>; ///< result that `compute` reads; an audit without it omits the row
    const Average* average = nullptr;           ///< how to resample it (averages.h); null: no interval
    bool negative = true;                       ///< whether values below 0 are possible; false for shares
    std::string_view synonyms{};                ///< other names, for searches: "FID, Frechet Inception Distance"
};

/// Which metrics are recomputed for a subset of the synthetic samples.
enum class SubsetScores {
    Tables, ///< metrics that need only the neighbour tables: fast enough for interactive changes
    Samples ///< additionally metrics of needs::kSamples and needs::kNearPairs
};

/// A closed range of values; an end may be infinite.
struct MetricRange {
    double low;
    double high;
};

/// Range of a metric: [0, 1] for shares, [0, infinity) for other metrics that are never negative, else unbounded.
MetricRange rangeOf(const Metric& metric);

/// One line of a curve: one y value for every x value of the curve, with an optional confidence band.
struct CurveLine {
    std::string name; ///< a metric's id, or another distinguishing name; empty for a curve's only line
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

/// Catalogue row of one curve of a model.
struct Curve {
    /// Reference line of a perfect model.
    enum class Ideal { None, Falling /**< 1 - x */, Diagonal /**< x */ };

    std::string_view id;
    std::string_view title; ///< displayed name
    std::string_view xTitle;
    std::string_view yTitle;
    Unit xUnit;
    Unit yUnit;
    std::string_view definition;
    std::string_view formula; ///< as Column::formula
    std::string_view source;
    CurveValues (*compute)(const MetricInputs&); ///< leaves CurveValues::id empty
    ResultType needs = kResultType<PairTables>;  ///< result that `compute` reads; an audit without it omits the row
    Ideal ideal = Ideal::None;
};

/// A column's value as text: the word for Unit::Word, otherwise the number. A value without a word is printed as a
/// number.
std::string valueText(const Column& column, double value);

} // namespace assay
