#include "engine/io/sets/set_preview.h"

#include "engine/base/error.h"
#include "engine/data/embedding_set.h"
#include "engine/io/files/refusal.h"
#include "engine/io/files/text_encoding.h"
#include "engine/io/readers/format_table.h"
#include "engine/io/sets/group_source.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/set_files.h"
#include "engine/io/sets/statistics_file.h"
#include "engine/io/tables/table_fields.h"
#include "engine/io/tables/table_plan.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>
#include <span>
#include <utility>

namespace assay {
namespace {

/// The columns of a table in the order of the file, as they will be taken.
/// @param rows so many first rows are shown
/// @throws Error{BadInput} as the table's reader; Cancelled
std::vector<ColumnPreview> previewColumns(const InputFile& table, std::size_t rows, const JobContext& job) {
    TablePlan plan = TablePlan::of(table, job);
    const TableColumns& columns = plan.columns();
    std::vector<ColumnPreview> all(columns.roles.size());
    for (std::size_t c = 0; c < all.size(); ++c) {
        all[c].name = utf8OrEscaped(plan.keyOf(c));
        all[c].kind = columns.roles[c];
        all[c].isSaid = columns.said[c].has_value();
    }
    const std::vector<std::size_t> features = columns.featureColumns();
    for (const CategoryColumn& category : plan.categories())
        all[features[category.column]].categories = category.categories.size();
    plan.forEachLine(
        job,
        [&](const Fields&, const Fields& asWritten) {
            for (std::size_t c = 0; c < all.size(); ++c)
                all[c].firstFields.push_back(utf8OrEscaped(asWritten[c]));
        },
        rows);
    return all;
}

constexpr std::size_t kShownRows = 5;
constexpr std::size_t kShownColumns = 8;

/// A column of text is one column, however many categories it has.
std::size_t columnsInFile(const EmbeddingParts& parts) {
    std::size_t columns = parts.dim;
    for (const CategoryColumn& text : parts.fileFacts.categories)
        columns -= text.categories.size();
    return columns;
}

/// Columns that get a 0-1 column for what is missing.
std::size_t columnsWithGaps(const EmbeddingParts& parts) {
    std::vector<bool> hasGap(parts.dim, false);
    const std::span<const float> values = parts.values.span();
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::isnan(values[i]))
            hasGap[i % parts.dim] = true;
    return static_cast<std::size_t>(std::ranges::count(hasGap, true));
}

void show(SetPreview& preview, EmbeddingParts& parts) {
    preview.key = parts.source.key;
    preview.rows = parts.rows;
    preview.dim = parts.source.builtIn.empty() ? columnsInFile(parts) : 0;
    preview.window = parts.fileFacts.window;
    preview.classes = parts.labels.classCount();
    preview.groups = parts.groups.classCount();
    if (preview.groups == 0) // folders of classes are none
        if (const ClassLabels ofIds = groupsOfIds(parts.ids);
            areLikelyGroups(ofIds) && ofIds.classCount() != preview.classes)
            preview.groupsOfIds = ofIds.classCount();
    if (parts.images) {
        preview.height = parts.images->height();
        preview.width = parts.images->width();
        preview.channels = parts.images->channels();
    }
    for (std::size_t row = 0; row < std::min(parts.rows, kShownRows); ++row) {
        preview.firstIds.push_back(parts.ids.empty() ? std::to_string(row) : parts.ids[row]);
        if (!parts.labels.code.empty())
            preview.firstLabels.push_back(parts.labels.names[parts.labels.code[row]]);
        if (!parts.groups.code.empty())
            preview.firstGroups.push_back(parts.groups.names[parts.groups.code[row]]);
        if (parts.images)
            preview.firstPictures.push_back(parts.images->pixels(row));
        if (preview.dim > 0 || preview.isSeries()) {
            const float* first = parts.values.data() + row * parts.dim;
            preview.firstRows.emplace_back(first, first + std::min(parts.dim, kShownColumns));
        }
    }
    preview.notes = std::move(parts.source.notes);
}

/// The choice completed by what this set holds.
PreparationChoice completedAlone(PreparationChoice choice, const SetFiles& files, const JobContext& job) {
    PreparationChoice alone = choice; // what is said of text and columns may be of another set's
    alone.oneHot = false;
    alone.ignoredColumns.clear();
    alone.columnKinds.clear();
    alone = completedChoice(alone, {files}, job.silent());
    alone.oneHot = choice.oneHot;
    alone.ignoredColumns = std::move(choice.ignoredColumns);
    alone.columnKinds = std::move(choice.columnKinds);
    return alone;
}

} // namespace

SetPreview previewSet(const SetFiles& files, const JobContext& job, const PreparationChoice& choice) {
    const FileSpec spec = parseFileSpec(files.embeddings);
    try {
        InputFile input = InputFile::onDisk(spec.file, ReadOptions::mapLargeFiles);
        ValueReading reading = readingFor(completedAlone(choice, files, job));
        takeGroupColumn(reading, files);
        input.setReading(std::move(reading));
        const Format& format = formatOf(input);
        SetPreview preview;
        preview.format = format.description;
        preview.isStatistics = holdsOnlyStatistics(files.embeddings, job);
        if (preview.isStatistics)
            return preview;
        if (spec.key.empty() && format.choices != nullptr)
            preview.keys = format.choices(input, job);
        preview.keysAreUnits = format.keysAreUnits;
        if (!preview.keys.empty())
            return preview;
        // The built-in embedding of pictures takes time to compute.
        EmbeddingParts parts = format.onlyPictures
                                   ? format.pictures(input, spec.key, files.order, job.part({}, 0.0, 0.8))
                                   : format.read(input, spec.key, job.part({}, 0.0, 0.8));
        requireSamples(parts, input.reading(), placeOf(spec.file, spec.key));
        parts.source.file = files.embeddings;
        joinBeside(parts, files, job.part({}, 0.8, 1.0));
        if (format.read == readTable) {
            preview.columns = previewColumns(input, kShownRows, job.silent());
            preview.dimensions = parts.dim + (input.reading().unitesMissing ? columnsWithGaps(parts) : 0);
        }
        show(preview, parts);
        return preview;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::NotEnoughMemory, spec.file + ": reading it needs more memory than there is");
    }
}

namespace {

/// Nothing for a file that is no table or cannot be read.
/// @param isRead set to false for one that cannot be read
std::optional<TableFacts> factsOf(const SetFiles& files, const PreparationChoice& choice, const JobContext& job,
                                  bool& isRead) {
    try {
        const FileSpec spec = parseFileSpec(files.embeddings);
        InputFile input = InputFile::onDisk(spec.file);
        if (formatOf(input).read != readTable)
            return std::nullopt;
        ValueReading reading = readingFor(choice);
        takeGroupColumn(reading, files);
        input.setReading(std::move(reading));
        return TablePlan::facts(input, job);
    } catch (const Error&) {
        isRead = false;
        return std::nullopt;
    }
}

void addNames(std::vector<std::string>& names, const std::vector<std::string>& more) {
    for (const std::string& name : more)
        if (std::ranges::find(names, name) == names.end())
            names.push_back(name);
}

} // namespace

PreparationChoice completedChoice(const PreparationChoice& choice, const std::vector<SetFiles>& sets,
                                  const JobContext& job) {
    std::vector<std::string> columns;
    bool all = true;
    bool areRead = true;
    bool anyTable = false;
    PreparationChoice completed = choice;
    for (const SetFiles& files : sets) {
        const std::optional<TableFacts> facts = factsOf(files, choice, job.silent(), areRead);
        all = all && facts;
        if (!facts)
            continue;
        anyTable = true;
        addNames(columns, facts->columns);
        addNames(completed.rowNumbers, facts->rowNumbers);
        if (choice.missing == Missing::Indicate || (choice.fillsGaps && facts->isTable))
            addNames(completed.withMissing, facts->withMissing);
    }
    if (choice.fillsGaps && choice.missing == Missing::Refuse && !completed.withMissing.empty())
        completed.missing = Missing::Indicate;
    const auto isColumn = [&](const std::string& name) {
        return std::ranges::any_of(columns, [&](const std::string& one) { return trimmed(one) == trimmed(name); });
    };
    if (choice.oneHot && areRead && !anyTable)
        refuse("--one-hot", "a table among the sets", "none: it is for columns of text");
    const auto requireColumn = [&](const char* option, const std::string& name) {
        if (!isColumn(name) && areRead && (all || columns.empty()))
            refuse(option, "the name of a column of any of the tables",
                   inQuotes(name) + (columns.empty() ? " and no table" : "; there are " + joinedInQuotes(columns, 20)));
    };
    for (const std::string& name : choice.ignoredColumns)
        requireColumn("--ignore-columns", name);
    for (const ColumnChoice& one : choice.columnKinds)
        requireColumn("--columns", one.name);
    return completed;
}

} // namespace assay
