#pragma once

#include "engine/base/job_context.h"
#include "engine/data/float_storage.h"
#include "engine/data/image_store.h"
#include "engine/data/matrix_view.h"
#include "engine/data/preparation.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// Class of each sample: `code[row]` indexes `names`. Integer labels are kept as their decimal text, names in numerical
/// order; text labels in the order of their code points.
struct ClassLabels {
    std::vector<std::uint32_t> code; ///< one per row, or empty when the set has no labels
    std::vector<std::string> names;
};

/// Where a set came from, for reports.
struct SourceInfo {
    std::string file;               ///< as given by the user; empty for generated data
    std::string key;                ///< array inside an archive; empty for plain files
    std::vector<std::string> notes; ///< what was left out on reading, one sentence each, for the person to know
    std::string sha256;    ///< of the whole file, lower-case hex; of the generated matrix's bytes when there is no file
    std::string builtIn{}; ///< name of the built-in embedding that stands in for one; empty for the file's own
    std::vector<std::string> columnNames{}; ///< of the features, where the file names them; else empty
    std::vector<std::size_t>
        droppedRows{}; ///< of the file, ascending: those that ValuePreparation::dropsNotFinite left out
    // Where pictures and classes came from other files: what was given, and by what they were to be joined: "id", "row"
    // or nothing, which left it to the files.
    std::string pictures, labels;
    std::string labelsSha256;
    std::string join;
    bool picturesByParts = false; ///< joined by row in the order of their paths' parts
};

/// Consecutive rows of a set.
struct RowRange {
    std::size_t first = 0;
    std::size_t count = 0;
};

/// What a reader says of the numbers that it turned into float32; empty once a set is made of them.
struct AsInFile {
    bool hasOffset = false; ///< whether the offset that was asked for (ValueReading) has been subtracted
    /// A hash of each row as the file has it, where its numbers may be wider than float32; else empty.
    std::vector<std::uint64_t> rowHash{};
    std::vector<CategoryColumn> categories{}; ///< columns of text that were found
    WindowShape window{};                     ///< of series, whose windows are the rows
};

/// Everything an EmbeddingSet is made of.
struct EmbeddingParts {
    FloatStorage values; ///< of the rows held, times dim, row-major, every value finite
    std::size_t rows = 0;
    std::size_t dim = 0;
    std::optional<RowRange> held;             ///< the rows whose values are here; nothing: all of them
    ClassLabels labels;                       ///< optional
    std::vector<std::string> ids;             ///< optional, one per row; empty means that the row number is the id
    std::shared_ptr<const ImageStore> images; ///< optional, one per row
    SourceInfo source;
    std::string name;           ///< for people: "gan"
    PreparationPtr preparation; ///< null: values are as the file has them
    AsInFile asInFile{};
};

/// One set of samples: embeddings, and where known classes, ids and pictures. Immutable and shared. Where several
/// processes share the work each may hold the embeddings of some of the rows only.
class EmbeddingSet {
public:
    /// Looks at every value once.
    /// @param threads 0 for every core
    /// @throws Error{BadInput} when counts disagree, the matrix is empty or a value is not finite; Cancelled
    explicit EmbeddingSet(EmbeddingParts parts, const JobContext& job = {}, unsigned threads = 0);

    const std::string& name() const noexcept { return parts_.name; }
    const SourceInfo& source() const noexcept { return parts_.source; }
    std::size_t rows() const noexcept { return parts_.rows; }
    std::size_t dim() const noexcept { return parts_.dim; }
    /// The rows held: all of them, unless the set was made with fewer.
    MatrixView matrix() const noexcept { return {parts_.values.data(), held().count, parts_.dim, largest_}; }
    RowRange held() const noexcept { return parts_.held.value_or(RowRange{0, parts_.rows}); }
    bool isWhole() const noexcept { return held().count == parts_.rows; }
    /// What was done to the file's values; never null.
    const PreparationPtr& preparation() const noexcept { return parts_.preparation; }

    bool hasLabels() const noexcept { return !parts_.labels.code.empty(); }
    const ClassLabels& labels() const noexcept { return parts_.labels; }
    /// Class name of a row; empty when the set has no labels.
    std::string labelText(std::size_t row) const;
    /// The sample's id from the file, or its row number.
    std::string idText(std::size_t row) const;
    /// Whether the samples have ids of their own; else they are called by their rows.
    bool hasIds() const noexcept { return !parts_.ids.empty(); }
    /// Null when the set has no pictures.
    const ImageStore* images() const noexcept { return parts_.images.get(); }

    /// Makes sure that the values are still those that were checked and hashed: a file that they are looked at in
    /// (FloatStorage::isForeign) may have been rewritten in the meantime. Looks at every value once more there.
    /// @throws Error{BadInput} when it was; Cancelled
    void requireUnchanged(const JobContext& job = {}) const;

private:
    EmbeddingParts parts_;
    float largest_ = -1.0F;      ///< magnitude of any value
    std::uint64_t checksum_ = 0; ///< of foreign values
};

/// Class labels from integers: names are their decimal text, in numerical order.
ClassLabels labelsFromIntegers(const std::vector<std::int64_t>& labels);
/// Class labels from text, names in the order of their code points.
ClassLabels labelsFromText(const std::vector<std::string>& labels);

} // namespace assay
