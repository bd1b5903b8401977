#pragma once

#include "engine/data/preparation.h"
#include "engine/io/files/input_file.h"
#include "engine/io/tables/table_lines.h"

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The name without surrounding spaces, in lower case (ASCII only).
std::string lowerCase(std::string_view name);

/// Whether a column holds ids, by its name: id, filename, file_name, file, path, image_path, ... in singular or plural.
/// An unnamed first column counts too, because programs write row names that way.
/// @param name in lower case
/// @param column index of the column, from 0
bool isIdColumn(std::string_view name, std::size_t column, TableRules rules = TableRules::Current);

/// Whether a column holds ids if its fields are text: image, images, img. @param name in lower case
bool mayBeIdColumn(std::string_view name);

/// Whether a column holds classes, by its name: label or class, in singular or plural. @param name in lower case
bool isLabelColumn(std::string_view name, TableRules rules = TableRules::Current);

/// Whether a column holds classes if its fields repeat: target, in singular or plural. Of measurements it is a feature.
/// @param name in lower case
bool mayBeLabelColumn(std::string_view name);

/// Whether a column is named like the numbers of rows: index, Unnamed: 0, S.No, row, or ending in id, as PassengerId
/// and student_id. It numbers the rows if its fields are all different.
bool isRowNumberName(std::string_view name);

/// Whether a name ends in id, as PassengerId, student_id and uuid do, but not paid.
bool endsInId(std::string_view name);

/// Whether a column is named like the weights of samples in a survey: weight, sample_weight, fnlwgt.
bool mayBeWeight(std::string_view name);

/// Whether all names are those of an embedding's columns: embedding_0, emb12, latent-3.
bool areEmbeddingNames(const std::vector<std::string>& names);

/// The way out that messages about columns too many end with. The window names its own choice in its place.
inline constexpr std::string_view kIgnoreAdvice = "--ignore-columns NAME leaves a column out of every set that has it";

/// The same for columns of text.
inline constexpr std::string_view kTextAdvice = "--one-hot takes text as categories, --ignore-columns NAME leaves the "
                                                "column out";

/// Surveys the first rows below a table's first line, to decide whether that line is a header.
class RowsBelow {
public:
    /// Number of rows that are enough for a decision.
    static constexpr std::size_t kEnough = 64;

    /// Kinds of fields found in one column.
    struct Column {
        bool numbers = false; ///< dates and truth values count as numbers, too
        bool dates = false;
        bool truths = false;   ///< "true" or "false"
        bool decimals = false; ///< at least one number is written with a decimal point
        bool texts = false;    ///< neither numbers nor missing values
        bool missing = false;
        bool countsRows = true; ///< the fields are 0, 1, 2, ... or 1, 2, 3, ...
        bool runs = true;       ///< whole numbers, each one more than the one before
        double last = 0.0;      ///< the last number
        bool watched = false;
        std::set<std::string, std::less<>> seen; ///< different fields of a watched column
    };

    explicit RowsBelow(std::size_t columns) : columns_(columns) {}

    /// Collects the different fields of a column, for repeats().
    void watch(std::size_t column) { columns_[column].watched = true; }

    /// Examines one row. Ignores a row with another number of fields, which the reader refuses later.
    void add(const std::vector<std::string_view>& fields);
    bool enough() const noexcept { return rows_ >= kEnough; }
    bool empty() const noexcept { return rows_ == 0; }
    /// Whether a watched column has text or whole numbers, each about twice or more.
    bool repeats(std::size_t column) const;
    const Column& operator[](std::size_t column) const { return columns_[column]; }

private:
    std::vector<Column> columns_;
    std::size_t rows_ = 0;
};

/// Surveys the first rows below the first line of a table. Watches the columns that may be classes (mayBeLabelColumn).
RowsBelow readRowsBelow(const InputFile& input, const std::vector<std::string_view>& first,
                        const TableDialect& dialect);

/// Whether a table's first line names its columns; otherwise it is the first sample. Numbers in a header only count the
/// columns, from 0 or from 1, as tables without column names are often written.
/// @param notes receives a sentence when a line of numbers could be either
/// @throws Error{BadInput} for a line that may be a header or a sample
bool isHeader(const std::vector<std::string_view>& first, const RowsBelow& below, const std::string& place,
              std::vector<std::string>& notes);

} // namespace assay
