#include "engine/base/sha256.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/refusal.h"
#include "engine/io/sets/read_embeddings.h"
#include "engine/io/sets/set_files.h"
#include "engine/store/audit_parts.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

namespace assay::store {
namespace {

const std::string kPath = "preparation";

std::string categoryPath(std::size_t column) {
    return kPath + "/one_hot/" + std::to_string(column);
}

/// Fields that every preparation has, for writing and reading.
template <typename Archive, typename Preparation>
void fitted(Archive& archive, Preparation& made) {
    archive.number(kPath + "/columns", made.columns);
    archive.array(kPath + "/offset", made.offset);
    archive.array(kPath + "/unscaled", made.unscaled);
    archive.array(kPath + "/mean", made.mean);
    archive.array(kPath + "/spread", made.spread);
    archive.array(kPath + "/axes", made.axes);
    archive.number(kPath + "/one_hot", made.oneHot);
}

template <typename Archive, typename Window>
void window(Archive& archive, Window& shape) {
    archive.number(kPath + "/window/steps", shape.steps);
    archive.number(kPath + "/window/features", shape.features);
}

template <typename Archive, typename Column>
void category(Archive& archive, const std::string& path, Column& column) {
    archive.number(path + "/column", column.column);
    archive.text(path + "/name", column.name);
    archive.texts(path + "/categories", column.categories);
}

ClipSample sampleFrom(ValueReader& values) {
    std::string sample;
    values.text(kPath + "/sample", sample);
    if (sample != "clip" && sample != "frame")
        values.refuse(kPath + "/sample", "expected clip or frame, found '" + sample + "'");
    return sample == "clip" ? ClipSample::Mean : ClipSample::Frame;
}

template <typename Archive, typename Column>
void date(Archive& archive, const std::string& path, Column& column) {
    archive.number(path + "/column", column.column);
    archive.text(path + "/name", column.name);
    archive.number(path + "/earliest", column.earliest);
}

template <typename Archive, typename Column>
void filledColumn(Archive& archive, const std::string& path, Column& column) {
    archive.number(path + "/column", column.column);
    archive.number(path + "/median", column.median);
}

/// How tables are read: only where it is not as in the first versions.
void writeTableRules(ValueWriter& values, const ValuePreparation& preparation) {
    values.number(kPath + "/table_rules", static_cast<int>(preparation.tableRules));
    values.number(kPath + "/is_table", preparation.isTable);
    if (!preparation.rowNumbers.empty())
        values.texts(kPath + "/row_numbers", preparation.rowNumbers);
    if (!preparation.ignoredColumns.empty())
        values.texts(kPath + "/ignored_columns", preparation.ignoredColumns);
    if (!preparation.columnKinds.empty()) {
        std::vector<std::string> names;
        std::vector<std::string> kinds;
        for (const ColumnChoice& one : preparation.columnKinds) {
            names.push_back(one.name);
            kinds.emplace_back(nameOf(one.kind));
        }
        values.texts(kPath + "/column_kinds/names", names);
        values.texts(kPath + "/column_kinds/kinds", kinds);
    }
}

void readTableRules(ValueReader& values, ValuePreparation& made) {
    if (!values.has(kPath + "/table_rules"))
        return;
    int rules = 0;
    values.number(kPath + "/table_rules", rules);
    if (rules != static_cast<int>(TableRules::Current))
        values.refuse(kPath + "/table_rules", "expected rules that are known, found " + std::to_string(rules));
    made.tableRules = TableRules::Current;
    values.number(kPath + "/is_table", made.isTable);
    if (values.hasTexts(kPath + "/row_numbers"))
        values.texts(kPath + "/row_numbers", made.rowNumbers);
    if (values.hasTexts(kPath + "/ignored_columns"))
        values.texts(kPath + "/ignored_columns", made.ignoredColumns);
    if (!values.hasTexts(kPath + "/column_kinds/names"))
        return;
    std::vector<std::string> names;
    std::vector<std::string> kinds;
    values.texts(kPath + "/column_kinds/names", names);
    values.texts(kPath + "/column_kinds/kinds", kinds);
    if (names.size() != kinds.size())
        values.refuse(kPath + "/column_kinds/kinds", "expected one for each name, found " +
                                                         std::to_string(kinds.size()) + " for " +
                                                         std::to_string(names.size()));
    for (std::size_t c = 0; c < names.size(); ++c) {
        const std::optional<ColumnKind> kind = columnKindOf(kinds[c]);
        if (!kind)
            values.refuse(kPath + "/column_kinds/kinds", "expected a kind of column, found '" + kinds[c] + "'");
        made.columnKinds.push_back({names[c], *kind});
    }
}

void writeDates(ValueWriter& values, const ValuePreparation& preparation) {
    for (std::size_t d = 0; d < preparation.dates.size(); ++d) {
        const std::string path = kPath + "/dates/" + std::to_string(d);
        date(values, path, preparation.dates[d]);
        values.number(path + "/order", static_cast<int>(preparation.dates[d].order));
    }
}

void readDates(ValueReader& values, ValuePreparation& made) {
    for (std::size_t d = 0; values.has(kPath + "/dates/" + std::to_string(d) + "/column"); ++d) {
        const std::string path = kPath + "/dates/" + std::to_string(d);
        DateColumn& column = made.dates.emplace_back();
        date(values, path, column);
        int order = 0;
        values.number(path + "/order", order);
        if (order < 0 || order > static_cast<int>(DateOrder::MonthFirst))
            values.refuse(path + "/order", "expected an order that is known, found " + std::to_string(order));
        column.order = static_cast<DateOrder>(order);
    }
}

/// The choice for missing values. Audits of the first versions only tell whether rows are dropped.
Missing readMissing(const ValueReader& values) {
    if (!values.has(kPath + "/missing")) {
        bool drops = false;
        values.number(kPath + "/drop_not_finite", drops);
        return drops ? Missing::Drop : Missing::Refuse;
    }
    std::string name;
    values.text(kPath + "/missing", name);
    const std::optional<Missing> missing = missingOf(name);
    if (!missing)
        values.refuse(kPath + "/missing", "expected refuse, drop or indicate, found '" + name + "'");
    return *missing;
}

void requireFits(const ValueReader& values, const ValuePreparation& made) {
    const bool isScore = made.scaling == Scaling::ZScore || made.scaling == Scaling::Features;
    const bool isPca = made.scaling == Scaling::PcaWhiten || made.scaling == Scaling::Pca;
    const WindowShape& window = made.window;
    const bool isSeries = window.steps > 0 && window.features > 0;
    if (isSeries ? made.columns % window.steps != 0 || made.columns / window.steps != window.features
                 : window != WindowShape{} || made.scaling == Scaling::Features)
        values.refuse(kPath + "/window", "expected steps and features that make " + std::to_string(made.columns) +
                                             " columns, found others");
    const std::size_t fitted = isScore || isPca ? made.columns : 0;
    const std::size_t spread = isScore ? made.columns : made.spread.size();
    const bool fits = made.mean.size() == fitted && made.spread.size() == spread &&
                      made.axes.size() == (isPca ? spread * made.columns : 0) &&
                      (made.offset.empty() || made.offset.size() + made.filled.size() == made.columns) &&
                      (isPca || isScore || spread == 0);
    const bool positive = std::ranges::all_of(made.spread, [](double value) { return value > 0.0; });
    if (!fits || !positive || (isPca && spread == 0))
        values.refuse(kPath, "expected a mean and a spread for each of " + std::to_string(made.columns) +
                                 " columns, found others");
}

} // namespace

void writePreparation(ValueWriter& values, const ValuePreparation& preparation) {
    if (!preparation.featureNames.empty())
        values.texts(kPath + "/feature_names", preparation.featureNames);
    if (preparation.tableRules != TableRules::First)
        writeTableRules(values, preparation);
    if (preparation.isNone())
        return;
    values.text(kPath + "/scale", std::string(nameOf(preparation.scaling)));
    values.text(kPath + "/missing", std::string(nameOf(preparation.missing)));
    values.number(kPath + "/drop_not_finite", preparation.missing == Missing::Drop);
    fitted(values, preparation);
    if (preparation.clips != ClipSample::None)
        values.text(kPath + "/sample", preparation.clips == ClipSample::Mean ? "clip" : "frame");
    writeDates(values, preparation);
    for (std::size_t m = 0; m < preparation.filled.size(); ++m)
        filledColumn(values, kPath + "/filled/" + std::to_string(m), preparation.filled[m]);
    if (preparation.window.steps > 0)
        window(values, preparation.window);
    values.number(kPath + "/one_hot/columns", preparation.categories.size());
    for (std::size_t c = 0; c < preparation.categories.size(); ++c)
        category(values, categoryPath(c), preparation.categories[c]);
}

PreparationPtr readPreparation(ValueReader& values) {
    auto made = std::make_shared<ValuePreparation>();
    if (values.hasTexts(kPath + "/feature_names"))
        values.texts(kPath + "/feature_names", made->featureNames);
    readTableRules(values, *made);
    if (!values.has(kPath + "/scale"))
        return made;
    std::string name;
    values.text(kPath + "/scale", name);
    const std::optional<Scaling> scaling = scalingOf(name);
    if (!scaling)
        values.refuse(kPath + "/scale", "expected a scaling that is known, found '" + name + "'");
    made->scaling = *scaling;
    made->missing = readMissing(values);
    fitted(values, *made);
    if (values.has(kPath + "/sample"))
        made->clips = sampleFrom(values);
    readDates(values, *made);
    for (std::size_t m = 0; values.has(kPath + "/filled/" + std::to_string(m) + "/column"); ++m)
        filledColumn(values, kPath + "/filled/" + std::to_string(m), made->filled.emplace_back());
    if (values.has(kPath + "/window/steps"))
        window(values, made->window);
    std::size_t columns = 0;
    values.number(kPath + "/one_hot/columns", columns);
    for (std::size_t c = 0; c < columns && values.has(categoryPath(c) + "/column"); ++c)
        category(values, categoryPath(c), made->categories.emplace_back());
    requireFits(values, *made);
    return made;
}

namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& spec) {
    if (spec.empty())
        return {};
    const FileSpec given = parseFileSpec(spec);
    std::error_code ignored;
    const std::string file = fs::absolute(given.file, ignored).lexically_normal().string();
    return given.key.empty() ? file : file + ":" + given.key;
}

/// Searches a file at its recorded place, then beside the audit file.
std::optional<std::string> find(const std::string& spec, const std::string& auditFile) {
    const FileSpec given = parseFileSpec(spec);
    std::error_code ignored;
    for (const fs::path& place :
         {fs::path(given.file), fs::absolute(auditFile, ignored).parent_path() / fs::path(given.file).filename()})
        if (fs::exists(place, ignored))
            return given.key.empty() ? place.string() : place.string() + ":" + given.key;
    return std::nullopt;
}

/// The same, which must have the recorded hash.
/// @param what "labels" or "groups"
std::string foundAgain(const std::string& spec, const std::string& sha256, const std::string& what,
                       const std::string& auditFile) {
    const auto found = find(spec, auditFile);
    if (!found)
        refuse(spec, "the " + what + " of " + auditFile, "no such file; it may also lie beside the audit file");
    if (sha256OfFile(parseFileSpec(*found).file) != sha256)
        refuse(*found, "the " + what + " that " + auditFile + " was made of", "a file that has changed since");
    return *found;
}

} // namespace

void writeBeside(ValueWriter& values, const std::string& path, const SourceInfo& source) {
    if (source.pictures.empty() && source.labels.empty() && source.groups.empty())
        return;
    values.text(path + "/beside/pictures", absolute(source.pictures));
    values.text(path + "/beside/labels", absolute(source.labels));
    values.text(path + "/beside/labels_sha256", source.labelsSha256);
    if (!source.groups.empty()) { // a column is no file
        values.text(path + "/beside/groups", source.groupsSha256.empty() ? source.groups : absolute(source.groups));
        values.text(path + "/beside/groups_sha256", source.groupsSha256);
    }
    values.text(path + "/beside/join", source.join);
    values.text(path + "/beside/order", source.picturesByParts ? "parts" : "path");
}

void readBeside(const ValueReader& values, const std::string& path, const std::string& auditFile, SetFiles& files) {
    if (!values.has(path + "/beside/pictures"))
        return;
    SourceInfo source;
    values.text(path + "/beside/pictures", source.pictures);
    values.text(path + "/beside/labels", source.labels);
    values.text(path + "/beside/labels_sha256", source.labelsSha256);
    values.text(path + "/beside/join", source.join);
    if (values.has(path + "/beside/groups")) {
        values.text(path + "/beside/groups", source.groups);
        values.text(path + "/beside/groups_sha256", source.groupsSha256);
    }
    std::string order;
    values.text(path + "/beside/order", order);
    source.picturesByParts = order == "parts";
    source.file = files.embeddings;
    files = filesOf(source);
    if (!source.labels.empty())
        files.labels = foundAgain(source.labels, source.labelsSha256, "labels", auditFile);
    if (!source.groupsSha256.empty())
        files.groups = foundAgain(source.groups, source.groupsSha256, "groups", auditFile);
    if (source.pictures.empty())
        return;
    const auto pictures = find(source.pictures, auditFile);
    files.pictures = pictures.value_or(std::string());
    if (!pictures)
        files.note = source.pictures + ": not there any more; opened without pictures";
}

} // namespace assay::store
