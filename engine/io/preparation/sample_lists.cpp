#include "engine/io/preparation/sample_lists.h"

#include "engine/base/number_text.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/numpy/npy_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace assay {
namespace {

/// Null when the key does not exist or is a pickle.
const NpzEntry* entryOf(const NpzArchive& archive, std::string_view key, std::size_t rows) {
    const NpzEntry* entry = archive.find(key);
    if (entry == nullptr || !entry->header || entry->isObject())
        return nullptr;
    const std::vector<std::uint64_t> shape = asList(*entry->header).shape;
    if (shape.empty() || shape[0] != rows)
        refuse(archive.where(*entry), std::to_string(rows) + " entries, one for each sample", entry->header->text());
    return entry;
}

ClassLabels classesOfFloats(ByteSource& source, const NpyHeader& header, const std::string& where,
                            const std::string& what, const JobContext& job) {
    if (header.shape[0] == 0)
        return {};
    NpyHeader column = header;
    column.shape.push_back(1);
    ValueReading reading;
    reading.notFinite = ValueReading::NotFinite::Kept;
    const auto values = takeNpyMatrix(source, column, where, reading, job).values;
    std::vector<std::int64_t> numbers; // of the samples that have a class
    std::vector<std::string> fields;
    for (const float value : values) {
        constexpr float kExact = 16'777'216.0F;
        if (!std::isnan(value) && (value != std::floor(value) || std::abs(value) > kExact))
            refuse(where, what + " as whole numbers or text", numberText(static_cast<double>(value)));
        fields.push_back(std::isnan(value) ? std::string() : std::to_string(static_cast<std::int64_t>(value)));
        if (!std::isnan(value))
            numbers.push_back(static_cast<std::int64_t>(value));
    }
    return numbers.size() == fields.size() ? labelsFromIntegers(numbers) : labelsFromFields(std::move(fields));
}

/// Whether an array has a row per sample and a column per class.
bool isOneHot(const NpyHeader& list) {
    return list.shape.size() == 2 && (list.type.isWhole() || list.type.isFloat());
}

/// Classes of rows of 0 with a single 1: the numbers of the columns.
ClassLabels classesOfOneHot(ByteSource& source, const NpyHeader& header, const std::string& where,
                            const JobContext& job) {
    const std::vector<float> values = takeNpyMatrix(source, header, where, {}, job).values;
    const auto columns = static_cast<std::ptrdiff_t>(header.shape[1]);
    std::vector<std::int64_t> classes;
    for (auto row = values.begin(); row != values.end(); row += columns) {
        const auto end = row + columns;
        const auto ones = std::count(row, end, 1.0F);
        if (ones != 1 || std::count(row, end, 0.0F) != columns - 1)
            refuse(where, "one 1 in every row of one-hot labels, and 0 elsewhere",
                   (ones + std::count(row, end, 0.0F) == columns ? "a row with " + std::to_string(ones) + " of them"
                                                                 : std::string("other values")) +
                       " (row " + std::to_string(classes.size()) + ")");
        classes.push_back(std::find(row, end, 1.0F) - row);
    }
    return labelsFromIntegers(classes);
}

} // namespace

void requireList(const NpyHeader& header, const std::string& where, const std::string& what) {
    const NpyHeader list = asList(header);
    if (what == kLabelList && isOneHot(list))
        return;
    const bool takesFloats = what == kLabelList || what == kGroupList;
    if (list.shape.size() != 1 ||
        !(header.type.isWhole() || header.type.isText() || (takesFloats && header.type.isFloat())))
        refuse(where, what + " as a 1-D array of whole numbers or text", header.text());
}

std::vector<std::string> readTextList(ByteSource& source, const std::string& where, const std::string& what,
                                      const JobContext& job) {
    const NpyHeader header = asList(readNpyHeader(source, where));
    requireList(header, where, what);
    return readNpyTexts(source, header, where, job);
}

ClassLabels readClassList(ByteSource& source, const std::string& where, const std::string& what,
                          const JobContext& job) {
    const NpyHeader header = asList(readNpyHeader(source, where));
    requireList(header, where, what);
    if (isOneHot(header))
        return classesOfOneHot(source, header, where, job);
    return header.type.isText() ? labelsFromFields(readNpyTexts(source, header, where, job))
                                : readClassNumbers(source, header, where, what, job);
}

ClassLabels readClassNumbers(ByteSource& source, const NpyHeader& header, const std::string& where,
                             const std::string& what, const JobContext& job) {
    return header.type.isFloat() ? classesOfFloats(source, header, where, what, job)
                                 : labelsFromIntegers(readNpyIntegers(source, header, where, job));
}

std::vector<std::string> readIdList(const NpzArchive& archive, std::string_view key, std::size_t rows,
                                    const JobContext& job) {
    const NpzEntry* entry = entryOf(archive, key, rows);
    return entry == nullptr ? std::vector<std::string>()
                            : readTextList(*archive.open(*entry), archive.where(*entry), "ids", job);
}

ClassLabels readLabelList(const NpzArchive& archive, std::string_view key, const std::string& what, std::size_t rows,
                          const JobContext& job) {
    const NpzEntry* entry = entryOf(archive, key, rows);
    return entry == nullptr ? ClassLabels() : readClassList(*archive.open(*entry), archive.where(*entry), what, job);
}

void setGroups(EmbeddingParts& parts, ClassLabels groups, const std::string& where) {
    if (groups.code.empty())
        return;
    const std::size_t count = groups.classCount();
    const std::size_t alone = groups.code.size() - groups.classified();
    parts.source.notes.push_back(
        fmt::format("{}: {} group{} of samples that belong together{}", where, count, count == 1 ? "" : "s",
                    alone > 0 ? fmt::format("; {} sample{} in none", alone, alone == 1 ? "" : "s") : std::string()));
    parts.groups = std::move(groups);
}

namespace {

bool isDigits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Name of a file without folders and ending.
std::string_view stemOf(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1); // npos + 1 is 0
    return name.substr(0, name.rfind('.'));
}

/// Whether the folders hold equally many files, but for the last, which may hold fewer.
bool areFilledInTurn(const ClassLabels& folders) {
    const std::vector<std::uint32_t> counts = folders.counts();
    return std::all_of(counts.begin(), counts.end() - 1,
                       [&](std::uint32_t count) { return count == counts.front(); }) &&
           counts.back() <= counts.front();
}

/// Whether every file's name is a number that goes on where its folder's ends.
bool continueFolders(const std::vector<std::string>& paths) {
    return std::ranges::all_of(paths, [](const std::string& path) {
        const std::string_view folder = std::string_view(path).substr(0, path.find('/'));
        const std::string_view stem = stemOf(path);
        return isDigits(stem) && stem.size() > folder.size() && stem.starts_with(folder);
    });
}

bool areShards(const ClassLabels& folders, const std::vector<std::string>& paths) {
    constexpr std::size_t kLong = 5;
    const std::size_t length = folders.names.front().size();
    const bool areNumbers = std::ranges::all_of(
        folders.names, [&](const std::string& name) { return name.size() == length && isDigits(name); });
    return areNumbers && length > 1 && ((length >= kLong && areFilledInTurn(folders)) || continueFolders(paths));
}

} // namespace

FolderClasses classesOfFolders(const std::vector<std::string>& paths, const std::string& key, const std::string& file) {
    std::vector<std::string> names;
    for (const std::string& path : paths) {
        const std::size_t slash = path.find('/');
        if (slash == std::string::npos)
            return {};
        names.push_back(path.substr(0, slash));
    }
    ClassLabels labels = labelsFromText(names);
    if (labels.names.size() < 2)
        return {};
    if (key == kClassesKey || !areShards(labels, paths))
        return {std::move(labels), {}};
    return {{},
            file + ": its " + std::to_string(labels.names.size()) + " numbered folders ('" + labels.names[0] + "', '" +
                labels.names[1] +
                "', ...) are taken for parts of one set, not for classes; append ':classes' to the "
                "name to compare them as classes"};
}

void requireClassesKey(const std::string& file, const std::string& key, const std::string& kind) {
    if (!key.empty() && key != kClassesKey)
        refuse(file, "no key but 'classes' for " + kind, inQuotes(key));
}

} // namespace assay
