#pragma once

#include "widgets/link/view_state.h"

#include <QString>
#include <QStringList>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

/// One feature of the real set and of the current model as bars: ranges of its numbers, single numbers where there are
/// few, or the categories of its column of text. Values are in the unit of the file.
struct FeatureBars {
    static constexpr std::size_t kMost = 24;
    static constexpr std::uint8_t kNone = 255; ///< bar of a row without a value

    /// One set. Index 0 of `sides` is the real one.
    struct Side {
        SetId set = SetId::Real;
        std::vector<std::uint8_t> barOfRow;
        std::vector<std::size_t> counts; ///< samples that pass the filter, per bar
        std::size_t total = 0;           ///< samples that pass the filter
        std::size_t missing = 0;         ///< of these, samples whose value is missing
    };

    QString title;             ///< name of the feature, or of its column
    std::vector<double> edges; ///< count() + 1, ascending; bar b is [edges[b], edges[b + 1])
    QStringList names;         ///< of the bars where each stands for one value or category; else empty
    bool areNumbers = false;   ///< the names are single numbers, which cut off would be others
    std::array<Side, 2> sides;

    std::size_t count() const noexcept { return edges.empty() ? 0 : edges.size() - 1; }
    /// "age: 20 to 30", "job: clerk".
    QString barText(std::size_t bar) const;
    double share(std::size_t side, std::size_t bar) const;
    /// Samples of a bar that pass the filter of `state`.
    SampleSet samplesIn(const ViewState& state, std::size_t side, std::size_t bar) const;

    /// @param feature column of the embedding; one of the 0-1 columns of a column of text stands for the whole column,
    /// and that of missing values for whether one is missing. O(N + M).
    /// @return no bars if the sets do not hold the feature
    static FeatureBars of(const ViewState& state, std::uint32_t feature);
};

/// Name of the column of the file that a column of the embedding belongs to: "job" for "job=clerk".
QString columnName(const EmbeddingSet& real, std::uint32_t feature);

} // namespace assay
