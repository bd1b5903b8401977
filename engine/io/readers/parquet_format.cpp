#include "engine/base/error.h"
#include "engine/data/not_finite_advice.h"
#include "engine/io/files/joined.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/numpy/npy_array.h"
#include "engine/io/numpy/npy_elements.h"
#include "engine/io/readers/formats.h"
#include "engine/io/tables/table_categories.h"
#include "engine/io/tables/table_columns.h"
#include "engine/io/tables/table_layout.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/io/memory.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/properties.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Arrow reports errors by return values and by exceptions; none of its exceptions leaves this file.
namespace assay {
namespace {

using Role = TableColumns::Role;

constexpr std::int64_t kBatchRows = 4096;
constexpr std::int64_t kBatchValues = 1 << 20;

/// Memory pool for Arrow that limits memory by the size of the file: a page of a few bytes may claim to unpack to
/// gigabytes.
class BoundedPool : public arrow::ProxyMemoryPool {
public:
    explicit BoundedPool(std::uint64_t fileBytes) : ProxyMemoryPool(arrow::default_memory_pool()) {
        constexpr std::int64_t packing = 16;
        most_ += packing * static_cast<std::int64_t>(fileBytes);
    }

    using MemoryPool::Allocate;
    using MemoryPool::Reallocate;
    arrow::Status Allocate(std::int64_t size, std::int64_t alignment, std::uint8_t** out) override {
        return fits(size) ? ProxyMemoryPool::Allocate(size, alignment, out) : tooMuch();
    }
    arrow::Status Reallocate(std::int64_t before, std::int64_t after, std::int64_t alignment,
                             std::uint8_t** memory) override {
        return fits(after - before) ? ProxyMemoryPool::Reallocate(before, after, alignment, memory) : tooMuch();
    }

private:
    bool fits(std::int64_t more) const { return more <= most_ - bytes_allocated(); }
    static arrow::Status tooMuch() {
        return arrow::Status::OutOfMemory("more memory than a file of its size can need");
    }

    std::int64_t most_ = std::int64_t{256} << 20;
};

/// Returns the result of `work`. Turns exceptions of the Parquet library into Error{BadInput}.
template <typename Work>
auto guarded(const std::string& name, Work work) {
    try {
        return work();
    } catch (const parquet::ParquetException& problem) {
        refuse(name, "a Parquet file", "a damaged one: " + printable(problem.what(), 200));
    }
}

void require(const arrow::Status& status, const std::string& name) {
    if (status.IsOutOfMemory())
        throw Error(ErrorKind::NotEnoughMemory, name + ": " + printable(status.message(), 200));
    if (!status.ok())
        refuse(name, "a Parquet file", "a damaged one: " + printable(status.message(), 200));
}

template <typename T>
T taken(arrow::Result<T> result, const std::string& name) {
    require(result.status(), name);
    return std::move(result).ValueOrDie();
}

/// The next rows; null after the last ones.
std::shared_ptr<arrow::RecordBatch> nextOf(arrow::RecordBatchReader& batches, const std::string& name) {
    return guarded(name, [&] {
        std::shared_ptr<arrow::RecordBatch> batch;
        require(batches.ReadNext(&batch), name);
        return batch;
    });
}

/// One column of the file.
struct Column {
    enum class Kind { Number, Text, List, Other };

    std::string name;
    Kind kind = Kind::Other;
    std::shared_ptr<arrow::DataType> type;
    std::vector<int> leaves; ///< stored columns that belong to it
};

bool isNumber(const arrow::DataType& type) {
    return arrow::is_integer(type.id()) || arrow::is_floating(type.id()) || type.id() == arrow::Type::BOOL;
}

bool isText(const arrow::DataType& type) {
    if (type.id() == arrow::Type::DICTIONARY)
        return isText(*static_cast<const arrow::DictionaryType&>(type).value_type());
    return type.id() == arrow::Type::STRING || type.id() == arrow::Type::LARGE_STRING;
}

Column::Kind kindOf(const arrow::DataType& type) {
    if (isNumber(type))
        return Column::Kind::Number;
    if (isText(type))
        return Column::Kind::Text;
    const bool list = type.id() == arrow::Type::LIST || type.id() == arrow::Type::LARGE_LIST ||
                      type.id() == arrow::Type::FIXED_SIZE_LIST;
    return list && isNumber(*static_cast<const arrow::BaseListType&>(type).value_type()) ? Column::Kind::List
                                                                                         : Column::Kind::Other;
}

void collectLeaves(const parquet::arrow::SchemaField& field, std::vector<int>& leaves) {
    if (field.column_index >= 0)
        leaves.push_back(field.column_index);
    for (const parquet::arrow::SchemaField& child : field.children)
        collectLeaves(child, leaves);
}

/// Newer versions of Arrow return the reader; older versions write it through a pointer.
template <typename Reader>
std::unique_ptr<arrow::RecordBatchReader> batchesOf(Reader& reader, const std::vector<int>& groups,
                                                    const std::vector<int>& leaves, const std::string& name) {
    if constexpr (requires { reader.GetRecordBatchReader(groups, leaves); }) {
        return taken(reader.GetRecordBatchReader(groups, leaves), name);
    } else {
        std::unique_ptr<arrow::RecordBatchReader> batches;
        require(reader.GetRecordBatchReader(groups, leaves, &batches), name);
        return batches;
    }
}

class ParquetFile {
public:
    explicit ParquetFile(const InputFile& input) : name_(input.name()), pool_(input.size()) {
        guarded(name_, [&] {
            open(input);
            return 0;
        });
    }

    const std::string& name() const noexcept { return name_; }
    const std::vector<Column>& columns() const noexcept { return columns_; }
    std::string place(std::size_t column) const {
        return name_ + ", column '" + printable(columns_[column].name, 40) + "'";
    }
    std::uint64_t rows() const noexcept { return rows_; }

    /// Some columns of all rows, in the order of the file.
    /// @param columns ascending
    /// @param values number of values per row
    std::unique_ptr<arrow::RecordBatchReader> batches(const std::vector<std::size_t>& columns,
                                                      std::size_t values) const {
        reader_->set_batch_size(std::clamp<std::int64_t>(
            kBatchValues / static_cast<std::int64_t>(std::max<std::size_t>(values, 1)), 1, kBatchRows));
        std::vector<int> leaves;
        for (const std::size_t column : columns)
            leaves.insert(leaves.end(), columns_[column].leaves.begin(), columns_[column].leaves.end());
        std::vector<int> groups(static_cast<std::size_t>(reader_->num_row_groups()));
        std::iota(groups.begin(), groups.end(), 0);
        return guarded(name_, [&] { return batchesOf(*reader_, groups, leaves, name_); });
    }

private:
    void open(const InputFile& input) {
        std::shared_ptr<arrow::io::RandomAccessFile> file;
        if (input.isInMemory())
            file = std::make_shared<arrow::io::BufferReader>(
                std::make_shared<arrow::Buffer>(reinterpret_cast<const std::uint8_t*>(input.memory().data()),
                                                static_cast<std::int64_t>(input.memory().size())));
        else
            file = taken(arrow::io::ReadableFile::Open(name_), name_);
        parquet::ReaderProperties storage(&pool_);
        storage.enable_buffered_stream(); // reads page by page, not a whole row group at once
        storage.set_buffer_size(1 << 16);
        constexpr int mostThrift = 16 << 20; // limit in bytes for a text of the footer; containers have 1/16 of it
        storage.set_thrift_string_size_limit(mostThrift);
        storage.set_thrift_container_size_limit(1 << 20);
        parquet::ArrowReaderProperties how;
        how.set_use_threads(false);
        how.set_pre_buffer(false);
        parquet::arrow::FileReaderBuilder builder;
        require(builder.Open(file, storage), name_);
        builder.memory_pool(&pool_);
        builder.properties(how);
        require(builder.Build(&reader_), name_);
        const std::int64_t rows = reader_->parquet_reader()->metadata()->num_rows();
        if (rows < 0)
            refuse(name_, "a number of rows", std::to_string(rows));
        rows_ = static_cast<std::uint64_t>(rows);
        std::shared_ptr<arrow::Schema> schema;
        require(reader_->GetSchema(&schema), name_);
        const auto& fields = reader_->manifest().schema_fields;
        for (int f = 0; f < schema->num_fields(); ++f) {
            const auto& field = schema->field(f);
            columns_.push_back({field->name(), kindOf(*field->type()), field->type(), {}});
            collectLeaves(fields.at(static_cast<std::size_t>(f)), columns_.back().leaves);
        }
    }

    std::string name_;
    BoundedPool pool_; ///< must outlive everything that is allocated from it
    std::unique_ptr<parquet::arrow::FileReader> reader_;
    std::vector<Column> columns_;
    std::uint64_t rows_ = 0;
};

/// Calls `visit(array)` with the class of the array's type when it is one of `Types`. @return whether it is
template <typename... Types, typename Visit>
bool visitAs(const arrow::Array& array, const Visit& visit) {
    const auto visited = [&]<typename Type>(std::type_identity<Type>) {
        if (array.type_id() != Type::type_id)
            return false;
        visit(static_cast<const typename arrow::TypeTraits<Type>::ArrayType&>(array));
        return true;
    };
    return (visited(std::type_identity<Types>{}) || ...);
}

/// Calls `visit(array)` with the concrete type of a numeric array.
template <typename Visit>
void visitNumbers(const arrow::Array& array, const Visit& visit) {
    visitAs<arrow::BooleanType, arrow::Int8Type, arrow::UInt8Type, arrow::Int16Type, arrow::UInt16Type,
            arrow::Int32Type, arrow::UInt32Type, arrow::Int64Type, arrow::UInt64Type, arrow::HalfFloatType,
            arrow::FloatType, arrow::DoubleType>(array, visit);
}

/// Copies the elements [first, first + count) as T to every `step`-th position; leaves the target unchanged for missing
/// ones.
template <typename T>
void copyNumbers(const arrow::Array& array, std::int64_t first, std::int64_t count, T* to, std::size_t step) {
    visitNumbers(array, [&]<typename Numbers>(const Numbers& numbers) {
        for (std::int64_t i = 0; i < count; ++i)
            if (!array.IsNull(first + i)) {
                T& target = to[static_cast<std::size_t>(i) * step];
                if constexpr (std::is_same_v<Numbers, arrow::HalfFloatArray>)
                    target = static_cast<T>(Half{numbers.Value(first + i)});
                else
                    target = static_cast<T>(numbers.Value(first + i));
            }
    });
}

/// A text element, or an integer as decimal text; empty when the element is missing.
std::string textAt(const arrow::Array& array, std::int64_t i) {
    std::string text;
    if (array.IsNull(i))
        return text;
    if (array.type_id() == arrow::Type::DICTIONARY) {
        const auto& coded = static_cast<const arrow::DictionaryArray&>(array);
        const std::int64_t code = coded.GetValueIndex(i);
        return code < 0 || code >= coded.dictionary()->length() ? text : textAt(*coded.dictionary(), code);
    }
    const auto takeText = [&](const auto& texts) { text = utf8OrLatin1(texts.GetView(i)); };
    if (!visitAs<arrow::StringType, arrow::LargeStringType>(array, takeText))
        visitNumbers(array, [&](const auto& numbers) { text = std::to_string(numbers.Value(i)); });
    return text;
}

bool holdsNames(const Column& column) {
    return column.kind == Column::Kind::Text || arrow::is_integer(column.type->id()) ||
           column.type->id() == arrow::Type::BOOL;
}

/// Columns to read.
struct Selection {
    std::optional<std::size_t> ids, labels, list;
    std::vector<std::size_t> features; ///< without a list: columns of numbers and of text, in the order of the file
    std::vector<std::string> notes;

    std::vector<std::size_t> all() const {
        std::vector<std::size_t> columns = features;
        for (const auto& one : {ids, labels, list})
            if (one)
                columns.push_back(*one);
        std::ranges::sort(columns);
        return columns;
    }
};

std::vector<std::size_t> listsOf(const ParquetFile& file) {
    std::vector<std::size_t> lists;
    for (std::size_t c = 0; c < file.columns().size(); ++c)
        if (file.columns()[c].kind == Column::Kind::List)
            lists.push_back(c);
    return lists;
}

bool isNamedEmbedding(const Column& column) {
    return column.name == "embeddings" || column.name == "embedding";
}

std::optional<std::size_t> chooseList(const ParquetFile& file, const std::string& key) {
    const std::vector<std::size_t> lists = listsOf(file);
    const std::string names =
        joined(lists, ", ", [&](std::size_t c) { return "'" + printable(file.columns()[c].name, 40) + "'"; });
    if (!key.empty()) {
        const auto named = std::ranges::find(lists, key, [&](std::size_t c) { return file.columns()[c].name; });
        if (named == lists.end())
            refuse(file.name(), "a column of lists of numbers '" + printable(key) + "'",
                   names.empty() ? "no such column" : names);
        return *named;
    }
    const auto named = std::ranges::find_if(lists, [&](std::size_t c) { return isNamedEmbedding(file.columns()[c]); });
    if (named != lists.end())
        return *named;
    if (lists.size() > 1)
        refuse(file.name(), "one column of lists of numbers",
               std::to_string(lists.size()) + ": " + names +
                   ". Say which by appending ':key' to the file's name, as in '" + file.name() + ":" +
                   printable(file.columns()[lists.front()].name) + "'");
    return lists.empty() ? std::nullopt : std::optional(lists.front());
}

Selection select(const ParquetFile& file, const std::string& key, bool oneHot) {
    Selection selection;
    selection.list = chooseList(file, key);
    std::vector<std::string> leftOut;
    const auto leave = [&](std::size_t c) { leftOut.push_back("'" + printable(file.columns()[c].name, 40) + "'"); };
    for (std::size_t c = 0; c < file.columns().size(); ++c) {
        const Column& column = file.columns()[c];
        const std::string name = lowerCase(column.name);
        const bool isId = isIdColumn(name, 1) || name == "__index_level_0__"; // as pandas calls the names of rows
        if (c == selection.list)
            continue;
        if ((isId || isLabelColumn(name)) && holdsNames(column)) {
            auto& role = isId ? selection.ids : selection.labels;
            if (role)
                leave(c);
            else
                role = c;
        } else if (selection.list) {
            leave(c);
        } else if (column.kind == Column::Kind::Number || (column.kind == Column::Kind::Text && oneHot)) {
            selection.features.push_back(c);
        } else {
            refuse(file.place(c), "numbers",
                   printable(column.type->ToString(), 40) +
                       (column.kind == Column::Kind::Text
                            ? "; leave the column out, name it id, path, label or class, or take text as categories "
                              "(--one-hot)"
                            : "; leave the column out"));
        }
    }
    if (!selection.list && selection.features.empty())
        refuse(file.name(), "a column of numbers, or of lists of numbers", "none");
    if (!leftOut.empty())
        selection.notes.push_back(file.name() + ": left out: " + joined(leftOut, ", "));
    return selection;
}

/// Produces rows as float bytes. Collects the rows' ids and classes on the way.
class RowSource : public ByteSource {
public:
    /// @param encoder for the text columns, which are marked in `texts` among the features
    RowSource(const ParquetFile& file, Selection selection, const ValueReading& reading, CategoryEncoder encoder,
              std::vector<bool> texts)
        : file_(file), selection_(std::move(selection)), keep_(reading.notFinite == ValueReading::NotFinite::Kept),
          encoder_(std::move(encoder)), texts_(std::move(texts)), columns_(selection_.all()),
          // Assumes long lists until their length is known.
          batches_(file.batches(columns_, selection_.list ? kBatchValues / 16 : columns_.size())) {
        const auto wide = [&](std::size_t c) {
            const Column& column = file_.columns()[c];
            const auto id = column.kind == Column::Kind::List
                                ? static_cast<const arrow::BaseListType&>(*column.type).value_type()->id()
                                : column.type->id();
            return id != arrow::Type::FLOAT && id != arrow::Type::HALF_FLOAT;
        };
        wide_ = selection_.list ? wide(*selection_.list) : std::ranges::any_of(selection_.features, wide);
        width_ =
            selection_.features.size() - static_cast<std::size_t>(std::ranges::count(texts_, true)) + encoder_.width();
        if (selection_.list)
            findWidth();
    }

    NpyHeader header() const {
        NpyType type;
        type.kind = NpyType::Kind::Float;
        type.itemBytes = wide_ ? sizeof(double) : sizeof(float);
        return {type, NpyHeader::Order::C, {file_.rows(), width_}, 0};
    }

    std::uint64_t size() const noexcept override {
        return file_.rows() * width_ * (wide_ ? sizeof(double) : sizeof(float));
    }

    std::size_t readSome(std::span<std::byte> into) override {
        while (taken_ == bytes_.size() && next())
            wide_ ? fill<double>() : fill<float>();
        const std::size_t count = std::min(into.size(), bytes_.size() - taken_);
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(taken_), count, into.begin());
        taken_ += count;
        return count;
    }

    void finish(EmbeddingParts& parts) {
        parts.ids = std::move(ids_);
        if (selection_.labels && !labels_.empty()) {
            const bool text = file_.columns()[*selection_.labels].kind == Column::Kind::Text;
            parts.labels = text ? labelsFromText(labels_) : labelsFromDecimals(labels_);
        }
        parts.source.notes = std::move(selection_.notes);
        const std::vector<std::string> others = encoder_.notes(file_.name());
        parts.source.notes.insert(parts.source.notes.end(), others.begin(), others.end());
    }

private:
    /// Reads the next batch.
    /// @return false after the last row
    bool next() {
        if (batch_)
            firstRow_ += batch_->num_rows();
        batch_ = nextOf(*batches_, file_.name());
        if (batch_ && batch_->num_columns() != static_cast<int>(columns_.size()))
            refuse(file_.name(), std::to_string(columns_.size()) + " columns", std::to_string(batch_->num_columns()));
        return batch_ != nullptr;
    }

    const arrow::Array& array(std::size_t column) const {
        const auto at = std::ranges::find(columns_, column) - columns_.begin();
        return *batch_->column(static_cast<int>(at));
    }

    [[noreturn]] void refuseNull(std::size_t column, std::int64_t row) const {
        refuse(file_.place(column), "a value in every row",
               "none (null) in row " + std::to_string(firstRow_ + row) + " (counted from 0); " +
                   std::string(kNotFiniteAdvice));
    }

    /// The length of the first list that is not missing. Lists of a fixed length are looked at too: what the schema
    /// says of them may be wrong, and memory is asked for by it.
    void findWidth() {
        const std::size_t column = *selection_.list;
        while (next()) {
            for (std::int64_t row = 0; row < batch_->num_rows(); ++row)
                if (!array(column).IsNull(row)) {
                    width_ = static_cast<std::size_t>(placeOfList(row).second);
                    batches_ = file_.batches(columns_, width_); // starts again at the first row
                    batch_ = nullptr;
                    firstRow_ = 0;
                    return;
                }
        }
        refuse(file_.place(column), "lists of numbers", "none");
    }

    /// Calls `visit(lists)` with the concrete type of the column of lists.
    template <typename Visit>
    void visitLists(const Visit& visit) const {
        visitAs<arrow::ListType, arrow::LargeListType, arrow::FixedSizeListType>(array(*selection_.list), visit);
    }

    /// First element and length of a row's list.
    std::pair<std::int64_t, std::int64_t> placeOfList(std::int64_t row) const {
        std::pair<std::int64_t, std::int64_t> place;
        visitLists([&](const auto& lists) { place = {lists.value_offset(row), lists.value_length(row)}; });
        return place;
    }

    template <typename T>
    void fill() {
        const auto rows = static_cast<std::size_t>(batch_->num_rows());
        std::vector<T> values(rows * width_, std::numeric_limits<T>::quiet_NaN());
        if (selection_.list)
            fillLists(values);
        else
            fillColumns(values);
        takeNames(selection_.ids, ids_, values);
        takeNames(selection_.labels, labels_, values);
        bytes_.resize(values.size() * sizeof(T));
        std::memcpy(bytes_.data(), values.data(), bytes_.size());
        taken_ = 0;
    }

    template <typename T>
    void fillLists(std::vector<T>& values) const {
        const std::size_t column = *selection_.list;
        const arrow::Array& lists = array(column);
        std::shared_ptr<arrow::Array> elements;
        visitLists([&](const auto& some) { elements = some.values(); });
        const arrow::Array& all = *elements;
        for (std::int64_t row = 0; row < batch_->num_rows(); ++row) {
            if (lists.IsNull(row)) {
                if (!keep_)
                    refuseNull(column, row);
                continue;
            }
            const auto [first, length] = placeOfList(row);
            if (length != static_cast<std::int64_t>(width_))
                refuse(file_.place(column), std::to_string(width_) + " numbers in every list, as in the first",
                       std::to_string(length) + " in row " + std::to_string(firstRow_ + row) + " (counted from 0)");
            if (first < 0 || length > all.length() || first > all.length() - length)
                refuse(file_.place(column), "a Parquet file", "a damaged one");
            if (!keep_ && all.null_count() > 0)
                for (std::int64_t i = first; i < first + length; ++i)
                    if (all.IsNull(i))
                        refuse(file_.place(column), "numbers in every list",
                               "none (null) in row " + std::to_string(firstRow_ + row) + ", place " +
                                   std::to_string(i - first) + " (counted from 0); " + std::string(kNotFiniteAdvice));
            copyNumbers(all, first, length, values.data() + static_cast<std::size_t>(row) * width_, 1);
        }
    }

    template <typename T>
    void fillColumns(std::vector<T>& values) {
        std::size_t number = 0;
        std::vector<std::size_t> textColumns;
        for (std::size_t f = 0; f < selection_.features.size(); ++f) {
            const std::size_t column = selection_.features[f];
            const arrow::Array& all = array(column);
            if (texts_[f]) {
                textColumns.push_back(column);
                continue;
            }
            if (!keep_ && all.null_count() > 0)
                for (std::int64_t row = 0; row < all.length(); ++row)
                    if (all.IsNull(row))
                        refuseNull(column, row);
            copyNumbers(all, 0, all.length(), values.data() + number++, width_);
        }
        if (textColumns.empty())
            return;
        for (std::int64_t row = 0; row < batch_->num_rows(); ++row) {
            std::vector<std::string> texts;
            texts.reserve(textColumns.size());
            for (const std::size_t column : textColumns)
                texts.push_back(textAt(array(column), row));
            std::vector<float> indicators;
            encoder_.append(Fields(texts.begin(), texts.end()), indicators);
            std::ranges::copy(indicators, values.begin() + static_cast<std::ptrdiff_t>(
                                                               static_cast<std::size_t>(row) * width_ + number));
        }
    }

    /// Reads ids or classes. A row without one is dropped, like a row with a missing number.
    template <typename T>
    void takeNames(const std::optional<std::size_t>& column, std::vector<std::string>& names,
                   std::vector<T>& values) const {
        if (!column)
            return;
        const arrow::Array& all = array(*column);
        for (std::int64_t row = 0; row < all.length(); ++row) {
            const bool missing = all.IsNull(row);
            if (missing && !keep_)
                refuseNull(*column, row);
            if (missing)
                values[static_cast<std::size_t>(row) * width_] = std::numeric_limits<T>::quiet_NaN();
            names.push_back(textAt(all, row));
        }
    }

    const ParquetFile& file_;
    Selection selection_;
    bool keep_;
    CategoryEncoder encoder_;
    std::vector<bool> texts_; ///< per feature: whether it is read as categories
    std::vector<std::size_t> columns_;
    std::unique_ptr<arrow::RecordBatchReader> batches_;
    bool wide_ = false;
    std::size_t width_ = 0;
    std::shared_ptr<arrow::RecordBatch> batch_;
    std::int64_t firstRow_ = 0; ///< first row of the batch
    std::vector<std::byte> bytes_;
    std::size_t taken_ = 0;
    std::vector<std::string> ids_, labels_;
};

/// Categories of each text column, sorted by their bytes.
std::vector<CategoryColumn> survey(const ParquetFile& file, const Selection& selection, const JobContext& job) {
    std::vector<CategoryColumn> found;
    for (std::size_t f = 0; f < selection.features.size(); ++f) {
        const std::size_t column = selection.features[f];
        if (file.columns()[column].kind != Column::Kind::Text)
            continue;
        std::set<std::string> texts;
        const auto batches = file.batches({column}, 1);
        while (const auto batch = nextOf(*batches, file.name())) {
            job.throwIfStopped();
            const arrow::Array& all = *batch->column(0);
            for (std::int64_t row = 0; row < all.length(); ++row)
                texts.insert(textAt(all, row));
            if (texts.size() > CategorySurvey::kMostCategories)
                refuse(file.place(column),
                       "at most " + std::to_string(CategorySurvey::kMostCategories) + " different texts for --one-hot",
                       "more; leave the column out, or name it id, path, label or class");
        }
        found.push_back({static_cast<std::uint32_t>(f), file.columns()[column].name, {texts.begin(), texts.end()}});
    }
    return found;
}

/// Marks the features that are read as categories, because they are in the real set.
std::vector<bool> textFeatures(const ParquetFile& file, const Selection& selection,
                               const std::vector<CategoryColumn>& categories) {
    TableColumns columns;
    columns.roles.assign(selection.features.size(), Role::Number);
    for (const std::size_t column : selection.features)
        columns.names.push_back(file.columns()[column].name);
    columns.features = selection.features.size();
    columns.setText(categories, file.name());
    std::vector<bool> texts;
    for (std::size_t f = 0; f < selection.features.size(); ++f) {
        texts.push_back(columns.roles[f] == Role::Text);
        const std::size_t column = selection.features[f];
        const bool isText = file.columns()[column].kind == Column::Kind::Text;
        if (texts.back() != isText)
            refuse(file.place(column), texts.back() ? "text, as in the real set" : "numbers, as in the real set",
                   printable(file.columns()[column].type->ToString(), 40));
    }
    return texts;
}

} // namespace

bool readsParquet() noexcept {
    return true;
}

EmbeddingParts readParquet(const InputFile& input, const std::string& key, const JobContext& job) {
    const ValueReading& reading = input.reading();
    const ParquetFile file(input);
    Selection selection = select(file, key, reading.text != ValueReading::Text::Refused);
    EmbeddingParts parts;
    parts.source.key = selection.list ? file.columns()[*selection.list].name : std::string();
    std::vector<CategoryColumn> categories = reading.categories;
    if (selection.list)
        categories.clear();
    else if (reading.text == ValueReading::Text::Found)
        categories = survey(file, selection, job.silent());
    const std::vector<bool> texts = textFeatures(file, selection, categories);
    CategoryEncoder encoder(categories);
    if (!selection.list) {
        for (std::size_t f = 0; f < texts.size(); ++f)
            if (!texts[f])
                parts.source.columnNames.push_back(file.columns()[selection.features[f]].name);
        const std::vector<std::string> indicators = encoder.names();
        parts.source.columnNames.insert(parts.source.columnNames.end(), indicators.begin(), indicators.end());
    }
    const std::string where = selection.list ? file.place(*selection.list) : input.name();
    RowSource source(file, std::move(selection), reading, std::move(encoder), texts);
    const NpyHeader header = source.header();
    if (!header.count() || *header.count() > std::numeric_limits<std::uint64_t>::max() / header.type.itemBytes)
        refuse(where, "rows that fit into memory", std::to_string(file.rows()));
    requireMatrix(header, where);
    parts.rows = file.rows();
    parts.dim = header.shape[1];
    take(parts, takeNpyMatrix(source, header, where, reading, job));
    source.finish(parts);
    parts.fileFacts.categories = std::move(categories);
    return parts;
}

std::vector<std::string> parquetChoices(const InputFile& input, const JobContext& /*job*/) {
    const ParquetFile file(input);
    std::vector<std::string> keys;
    for (const std::size_t column : listsOf(file)) {
        if (isNamedEmbedding(file.columns()[column]))
            return {};
        keys.push_back(file.columns()[column].name);
    }
    return keys.size() > 1 ? keys : std::vector<std::string>();
}

std::vector<std::string> readParquetIds(const InputFile& input, std::uint64_t rows, const JobContext& job) {
    const ParquetFile file(input);
    const auto isId = [](const Column& c) { return isIdColumn(lowerCase(c.name), 1) && holdsNames(c); };
    const auto found = std::ranges::find_if(file.columns(), isId);
    if (found == file.columns().end())
        return {};
    if (file.rows() != rows)
        refuse(input.name(), std::to_string(rows) + " rows", std::to_string(file.rows()));
    const auto column = static_cast<std::size_t>(found - file.columns().begin());
    const auto batches = file.batches({column}, 1);
    std::vector<std::string> ids;
    while (ids.size() < rows) {
        job.throwIfStopped();
        const auto batch = nextOf(*batches, file.name());
        if (!batch)
            refuse(input.name(), std::to_string(rows) + " rows", std::to_string(ids.size()));
        const arrow::Array& all = *batch->column(0);
        for (std::int64_t row = 0; row < all.length(); ++row)
            ids.push_back(textAt(all, row));
    }
    return ids;
}

} // namespace assay
