#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// How features are brought to one scale before anything is compared. Fitted on the real set, applied to every set.
enum class Scaling {
    None,
    ZScore,    ///< each column less its mean, by its standard deviation (of N)
    PcaWhiten, ///< principal components, each by its standard deviation
    L2,        ///< each row by its Euclidean length
    // Not chosen, but part of a built-in embedding (BuiltIn) where nothing else is chosen.
    Pca,     ///< principal components, not divided, and as a last column the length of what they leave out
    Features ///< series: each feature less its mean, by its standard deviation, over all steps of all windows
};

/// "none", "zscore", "pca-whiten", "l2", "pca", "features".
std::string_view nameOf(Scaling scaling) noexcept;
/// @return nothing for a name that is none of them
std::optional<Scaling> scalingOf(std::string_view name) noexcept;
/// Whether a person can choose it.
bool isChoice(Scaling scaling) noexcept;

/// Shape of a window of a series: `steps` in time of `features` numbers each. None where the rows are no windows.
struct WindowShape {
    std::size_t steps = 0;
    std::size_t features = 0;

    friend bool operator==(const WindowShape&, const WindowShape&) = default;
};

/// A column of text in a table, which becomes one column per category and one for all other texts.
struct CategoryColumn {
    std::uint32_t column = 0;            ///< among the columns of the table that are features, from 0
    std::string name;                    ///< of the column; empty where the table has no header
    std::vector<std::string> categories; ///< of the real set, in the order of their bytes

    friend bool operator==(const CategoryColumn&, const CategoryColumn&) = default;
};

/// What is done to the values of a file before they are compared: chosen by a person, fitted on the real set, the same
/// for every set of an audit, and recorded with it. In this order: text becomes columns, rows with values that are not
/// finite are dropped, the offset is subtracted, values are rounded to float32, columns or rows are scaled.
struct ValuePreparation {
    bool dropsNotFinite = false;
    bool oneHot = false; ///< columns of text become columns of 0 and 1
    Scaling scaling = Scaling::None;

    std::vector<CategoryColumn> categories{};
    /// One per column, subtracted in double precision before values are rounded to float32, 0 where that would gain
    /// nothing; empty for none at all. Euclidean distances stay what they are in the file.
    std::vector<double> offset{};
    /// Columns before scaling; 0 where nothing was fitted.
    std::size_t columns = 0;
    std::vector<std::uint32_t> unscaled{}; ///< columns that z-scores leave alone: constant ones, and those of 0 and 1
    std::vector<double> mean{};            ///< z-score and PCA: of each column of the real set, less its offset
    std::vector<double> spread{};          ///< standard deviation: z-score of each column, PCA of each component
    std::vector<double> axes{};            ///< PCA: components x columns, row-major, of unit length
    WindowShape window{};                  ///< of the real set, where that is of series

    /// Whether values are taken as the file has them.
    bool isNone() const noexcept { return *this == ValuePreparation{}; }
    /// For people, in one or two sentences; empty where isNone().
    std::string text() const;

    friend bool operator==(const ValuePreparation&, const ValuePreparation&) = default;
};

using PreparationPtr = std::shared_ptr<const ValuePreparation>;

} // namespace assay
