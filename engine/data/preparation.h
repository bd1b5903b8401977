#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// How values are scaled before samples are compared. Fitted on the real set, applied to every set.
enum class Scaling {
    None,
    ZScore,    ///< each column: subtract the mean, divide by the standard deviation (population, divisor N)
    PcaWhiten, ///< principal components, each divided by its standard deviation
    L2,        ///< each row divided by its Euclidean length
    // Users cannot choose the next three; a built-in embedding (SourceInfo::builtIn) sets them when no other scaling is
    // chosen.
    Pca,      ///< principal components, not divided; an extra last column holds the length of the residual. Only in
              ///< audits of versions that fitted the built-in embedding of pictures on the real set
    Features, ///< series: each feature standardised over all steps of all windows
    DctLow    ///< pictures: the lowest coefficients of the cosine transform; nothing is fitted
};

/// Name of a scaling in files and on the command line:
/// "none", "zscore", "pca-whiten", "l2", "pca", "features", "dct-low".
std::string_view nameOf(Scaling scaling) noexcept;
/// The scaling of that name; empty for any other text.
std::optional<Scaling> scalingOf(std::string_view name) noexcept;
/// Whether a user can choose this scaling.
bool isSelectable(Scaling scaling) noexcept;

/// Shape of one window of a series: `steps` time steps of `features` numbers each. Both 0 when rows are not windows.
struct WindowShape {
    std::size_t steps = 0;
    std::size_t features = 0;

    friend bool operator==(const WindowShape&, const WindowShape&) = default;
};

/// Unit that is one sample of a folder of clips; each clip is an array [frames, features] in a file of its own.
enum class ClipSample {
    None, ///< no clips, or clips of one frame
    Mean, ///< a clip, as the mean of its frames
    Frame ///< a frame
};

/// A text column of a table. It becomes one 0-1 column per category and one for all other texts.
struct CategoryColumn {
    std::uint32_t column = 0;            ///< index among the feature columns of the table, from 0
    std::string name;                    ///< name of the column; empty when the table has no header
    std::vector<std::string> categories; ///< texts that occur in the real set, sorted by their bytes

    friend bool operator==(const CategoryColumn&, const CategoryColumn&) = default;
};

/// Content of a table's column.
enum class ColumnKind : std::uint8_t {
    Number,
    Category, ///< becomes 0-1 columns
    Date,     ///< becomes days
    Id,
    Label,
    Group, ///< samples that belong together (EmbeddingSet::groups)
    LeftOut
};

/// Name of a kind on the command line and in files: "number", "category", "date", "id", "label", "group", "left-out".
std::string_view nameOf(ColumnKind kind) noexcept;
/// The kind of that name; empty for any other text.
std::optional<ColumnKind> columnKindOf(std::string_view name) noexcept;

/// Content of a column as a person states it, in place of what would be detected.
struct ColumnChoice {
    std::string name; ///< of the column; its number from 1 where the table has no names
    ColumnKind kind = ColumnKind::Number;

    friend bool operator==(const ColumnChoice&, const ColumnChoice&) = default;
};

/// Treatment of missing values: empty fields of a table, NaN in an array.
enum class Missing {
    Refuse,  ///< an error that names the first row and column
    Drop,    ///< rows with a missing or an infinite value are left out
    Indicate ///< the real set's median takes their place, and a 0-1 column tells where
};

/// Name of a choice in files and on the command line: "refuse", "drop", "indicate".
std::string_view nameOf(Missing missing) noexcept;
/// The choice of that name; empty for any other text.
std::optional<Missing> missingOf(std::string_view name) noexcept;

/// How a date of three numbers is written.
enum class DateOrder : std::uint8_t { YearFirst, DayFirst, MonthFirst };

/// A column of dates or times in a table. Its values are days since the earliest of the real set.
struct DateColumn {
    std::uint32_t column = 0; ///< as CategoryColumn::column
    std::string name;         ///< name of the column; empty when the table has no header
    double earliest = 0.0; ///< days since 1970-01-01 (UTC) of the real set's earliest; of times alone: since midnight
    DateOrder order = DateOrder::YearFirst; ///< in the real set

    friend bool operator==(const DateColumn&, const DateColumn&) = default;
};

/// A column in which values are missing, under Missing::Indicate.
struct MissingColumn {
    std::uint32_t column = 0; ///< index among the columns after columns of text became 0-1 columns
    double median = 0.0;      ///< of the real set's values, after the offset

    friend bool operator==(const MissingColumn&, const MissingColumn&) = default;
};

/// The rules by which a table's columns get their roles. Audits recorded by earlier rules replay by these.
enum class TableRules : std::uint8_t {
    First, ///< few names mean ids and classes; other columns than the real set's are compared by their order
    Current
};

/// Changes to the values of a file before samples are compared. Chosen by the user, fitted on the real set,
/// identical for all sets of an audit, and stored with the audit. The order is: columns are ignored, dates become days,
/// text columns become 0-1 columns, rows with non-finite values are dropped, the offset is subtracted, values are
/// rounded to float32, missing values are filled, columns or rows are scaled.
struct ValuePreparation {
    Missing missing = Missing::Refuse;
    bool oneHot = false; ///< text columns become 0-1 columns
    Scaling scaling = Scaling::None;

    std::vector<CategoryColumn> categories{};
    /// One value per column, subtracted in double precision before values are rounded to float32; 0 where subtraction
    /// would not improve accuracy; empty for no offset. It does not change Euclidean distances.
    std::vector<double> offset{};
    /// Number of columns before scaling; 0 when nothing was fitted.
    std::size_t columns = 0;
    std::vector<std::uint32_t> unscaled{}; ///< columns that z-scores leave unchanged: constant columns and 0-1 columns
    std::vector<double> mean{};            ///< z-score and PCA: mean of each column of the real set after the offset
    std::vector<double> spread{}; ///< standard deviations: of each column for z-scores, of each component for PCA
    std::vector<double> axes{};   ///< PCA: components x columns, row-major, of unit length
    WindowShape window{};         ///< of the real set, when it consists of series
    ClipSample clips = ClipSample::None; ///< of the real set

    /// Names of the real set's feature columns in the order of its file, text columns included; empty when the file has
    /// none, or names that only count. Other sets' columns are read in this order.
    std::vector<std::string> featureNames{};

    std::vector<DateColumn> dates{};
    std::vector<MissingColumn> filled{};       ///< their 0-1 columns are the last ones, in this order
    std::vector<std::string> ignoredColumns{}; ///< names of a table's columns that are left out, as the user asked
    std::vector<ColumnChoice> columnKinds{};   ///< of other columns, as the user said, by name; none is left out
    /// Names of a table's columns that number its rows, in any of the sets; numbers from 1 where there are no names.
    std::vector<std::string> rowNumbers{};
    bool isTable = false;                      ///< the real set is a table of features, not of embeddings
    TableRules tableRules = TableRules::First; ///< by which tables are read

    /// Whether values are used exactly as in the file, but for the order and the roles of named columns.
    bool isNone() const {
        ValuePreparation named;
        named.featureNames = featureNames;
        named.rowNumbers = rowNumbers;
        named.isTable = isTable;
        named.tableRules = tableRules;
        return *this == named;
    }
    /// Description for the user, in a few sentences; empty when no step changed anything.
    std::string text() const;

    friend bool operator==(const ValuePreparation&, const ValuePreparation&) = default;
};

using PreparationPtr = std::shared_ptr<const ValuePreparation>;

} // namespace assay
