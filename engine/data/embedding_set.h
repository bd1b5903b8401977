#pragma once

#include "engine/base/job_context.h"
#include "engine/data/float_storage.h"
#include "engine/data/image_store.h"
#include "engine/data/matrix_view.h"
#include "engine/data/preparation.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct SetStatistics;

/// Class of each sample: `code[row]` is an index into `names`. Integer labels become decimal text, and names are sorted
/// by number; text labels are sorted by code point.
struct ClassLabels {
    std::vector<std::uint32_t> code; ///< one per row; empty when the set has no labels
    std::vector<std::string> names;  ///< an empty name stands for samples without a class

    /// Whether this is the code of samples that have a class.
    bool isClass(std::uint32_t value) const { return !names[value].empty(); }
    /// Number of classes, without the empty name.
    std::size_t classCount() const;
    /// Number of samples that have a class.
    std::size_t classified() const;
    /// Number of samples of each class, in the order of `names`.
    std::vector<std::uint32_t> counts() const;
};

/// A text of a column of text that does not occur in the real set.
struct UnknownText {
    std::size_t column = 0; ///< index into ValuePreparation::categories
    std::string text;
    std::size_t count = 0; ///< rows of the file with it
};

/// Origin of a set, for reports.
struct SourceInfo {
    std::string file;               ///< as given by the user; empty for generated data
    std::string key;                ///< name of the array inside an archive; empty for plain files
    std::vector<std::string> notes; ///< for the user, one sentence each: what the reader left out
    std::string sha256;             ///< of the whole file, lower-case hex; for generated data: of the matrix's bytes
    std::string builtIn{};          ///< built-in embedding that computed the values; empty: they come from the file
    std::vector<std::string> columnNames{}; ///< names of the features; empty when the file has none
    std::vector<std::size_t> droppedRows{}; ///< rows of the file, ascending, left out under Missing::Drop
    /// Values of these rows that are missing or infinite, by column before scaling. Not kept in audit files.
    std::vector<std::size_t> droppedValues{};
    /// In the order of columns, the most frequent of a column first; at most 100 texts per column. Not kept in audit
    /// files.
    std::vector<UnknownText> unknownTexts{};
    // For pictures and classes from other files: their files as given by the user, and the requested way to match rows:
    // "id", "row", or empty for automatic choice.
    std::string pictures, labels;
    std::string labelsSha256;
    /// Where a person said that the groups are: a column or a file as given; empty: where the reader looks by itself.
    std::string groups{};
    std::string groupsSha256{}; ///< of a file
    std::string join;
    bool picturesByParts = false; ///< pictures are matched by row, and their paths are sorted part by part
};

/// Consecutive rows of a set.
struct RowRange {
    std::size_t first = 0;
    std::size_t count = 0;
};

/// Facts that a reader reports about the values it converted to float32; cleared when a set is built from them.
struct FileFacts {
    bool hasOffset = false; ///< whether the requested offset (ValueReading) has been subtracted already
    /// One hash per row of the values as the file stores them, when these may be wider than float32; else empty.
    std::vector<std::uint64_t> rowHash{};
    std::vector<CategoryColumn> categories{}; ///< text columns of the file
    std::vector<std::string> leftOutTexts{};  ///< columns of text that became none (ValueReading::Text::Automatic)
    std::vector<DateColumn> dates{};          ///< columns of dates of the file
    std::vector<std::string> rowNumbers{};    ///< as ValuePreparation::rowNumbers, of the file
    bool isTable = false;                     ///< columns are features in units of their own, not an embedding
    WindowShape window{};                     ///< for series: each row is one window
    ClipSample clips = ClipSample::None;      ///< for a folder of clips
};

/// All data from which an EmbeddingSet is built.
struct EmbeddingParts {
    /// Parts of a set that has embeddings only.
    /// @param values rows x dim
    static EmbeddingParts of(std::vector<float> values, std::size_t dim, std::string name);

    FloatStorage values; ///< held rows x dim, row-major, all finite
    std::size_t rows = 0;
    std::size_t dim = 0;
    std::optional<RowRange> held;             ///< range of rows whose values are in memory; empty: all rows
    ClassLabels labels;                       ///< optional
    ClassLabels groups{};                     ///< optional, named as classes are: EmbeddingSet::groups()
    std::vector<std::string> ids;             ///< optional, one per row; empty: the row number is the id
    std::shared_ptr<const ImageStore> images; ///< optional, one per row
    SourceInfo source;
    std::string name;           ///< name shown to the user, such as "gan"
    PreparationPtr preparation; ///< null: values are as in the file
    FileFacts fileFacts{};
    /// Mean and covariance that the file states beside the samples, often of more samples than it holds. Not kept in
    /// audit files. Null: none, or not of these values.
    std::shared_ptr<const SetStatistics> published{};
};

/// One set of samples: embeddings and, when available, classes, ids and pictures. Immutable and shared. When several
/// processes share the work, each may hold the embeddings of only some rows.
class EmbeddingSet {
public:
    /// Row numbers have 32 bits.
    static constexpr std::size_t kMaxRows = std::numeric_limits<std::uint32_t>::max();

    /// Checks every value once.
    /// @param threads 0 for every core
    /// @throws Error{BadInput} when counts disagree, the matrix is empty or a value is not finite; Cancelled after a
    ///         stop request
    explicit EmbeddingSet(EmbeddingParts parts, const JobContext& job = {}, unsigned threads = 0);

    const std::string& name() const noexcept { return parts_.name; }
    const SourceInfo& source() const noexcept { return parts_.source; }
    std::size_t rows() const noexcept { return parts_.rows; }
    std::size_t dim() const noexcept { return parts_.dim; }
    /// Values of the held rows: held().count x dim(). Contains all rows unless the set was built with a part of them.
    MatrixView matrix() const noexcept { return {parts_.values.data(), held().count, parts_.dim, largest_}; }
    /// Range of rows that matrix() contains.
    RowRange held() const noexcept { return parts_.held.value_or(RowRange{0, parts_.rows}); }
    /// Whether matrix() contains all rows.
    bool isWhole() const noexcept { return held().count == parts_.rows; }
    /// Preparation that was applied to the file's values; never null.
    const PreparationPtr& preparation() const noexcept { return parts_.preparation; }
    /// As EmbeddingParts::published.
    const SetStatistics* published() const noexcept { return parts_.published.get(); }

    bool hasLabels() const noexcept { return !parts_.labels.code.empty(); }
    const ClassLabels& labels() const noexcept { return parts_.labels; }
    /// Whether the set has labels and this row has a class.
    bool hasLabel(std::size_t row) const { return hasLabels() && labels().isClass(labels().code[row]); }
    /// Class name of a row; empty when it has none.
    std::string labelText(std::size_t row) const;
    /// Samples that belong together, and so are not independent: slices of a patient, frames of a video. Equal names
    /// mean the same group in every set. A sample with an empty name stands alone.
    const ClassLabels& groups() const noexcept { return parts_.groups; }
    bool hasGroups() const noexcept { return !parts_.groups.code.empty(); }
    /// Name of a row's group; empty when it has none.
    std::string groupText(std::size_t row) const;
    /// Number of a row in the file, counted from 0: higher than `row` where earlier rows were dropped
    /// (SourceInfo::droppedRows).
    std::size_t fileRow(std::size_t row) const;
    /// The sample's id from the file, or its row number in the file as text.
    std::string idText(std::size_t row) const;
    /// Whether the file has ids for the samples; otherwise row numbers are used.
    bool hasIds() const noexcept { return !parts_.ids.empty(); }
    /// The ids from the file, one per row; empty where it has none.
    const std::vector<std::string>& ids() const noexcept { return parts_.ids; }
    /// Null when the set has no pictures.
    const ImageStore* images() const noexcept { return parts_.images.get(); }

    /// Checks that the values are still those that the constructor checked and hashed: a memory-mapped file
    /// (FloatStorage::isForeign) may have been rewritten since. Reads every value of such a file again.
    /// @throws Error{BadInput} when the values changed; Cancelled after a stop request
    void requireUnchanged(const JobContext& job = {}) const;

private:
    EmbeddingParts parts_;
    float largest_ = -1.0F;      ///< largest magnitude of a value
    std::uint64_t checksum_ = 0; ///< of foreign values, else 0
};

/// Class labels from integers; names are their decimal text, sorted by number.
ClassLabels labelsFromIntegers(const std::vector<std::int64_t>& labels);
/// The same from integers as decimal text; other text counts as 0.
ClassLabels labelsFromDecimals(const std::vector<std::string>& numbers);
/// Class labels from the fields of a file. Classes are compared as what they are: "1.0" and "+1" are 1, and "True" and
/// "False" are 1 and 0 where nothing else occurs. A missing field is no class. No labels when all fields are missing.
ClassLabels labelsFromFields(std::vector<std::string> fields);
/// Class labels from text as it is; names are sorted by code point.
ClassLabels labelsFromText(const std::vector<std::string>& labels);

/// Names a set in messages: its file, plus the key of the array when the file has several; the set's name when it was
/// not read from a file.
std::string describe(const EmbeddingSet& set);

/// Checks that both sets came in the same way, as embeddings or by a built-in embedding (SourceInfo::builtIn), and have
/// the same number of columns.
/// @throws Error{BadInput} naming both sets otherwise
void requireComparable(const EmbeddingSet& real, const EmbeddingSet& other);

/// Checks that k-nearest-neighbour search within the set is possible: k >= 1 and more than k rows.
/// @throws Error{InvalidArgument} otherwise; the message names the set that has too few rows, and the largest k that it
/// allows
void requireMoreThan(std::size_t k, const EmbeddingSet& set);

} // namespace assay
