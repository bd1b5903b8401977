#include "widgets/link/view_filter.h"

#include "engine/data/embedding_set.h"
#include "engine/metrics/catalog/catalog.h"
#include "engine/metrics/tables/column_values.h"
#include "widgets/common/number_format.h"
#include "widgets/link/view_state.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct ViewFilterWords {
    Q_DECLARE_TR_FUNCTIONS(assay::ViewFilter)
};

/// Name of an external column by its id.
QString externalName(std::string_view id) {
    return catalogText(id.substr(kExternalPrefix.size()));
}

/// Whether texts contain a text, in any case. A million ids are searched while a person types: ASCII, byte by byte.
class TextSearch {
public:
    explicit TextSearch(const QString& wanted) : wanted_(wanted), folded_(wanted.toLower().toStdString()) {
        ascii_ = std::ranges::all_of(folded_, [](char c) { return static_cast<unsigned char>(c) < 128; });
    }

    bool isIn(std::string_view text) const {
        if (!ascii_)
            return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()))
                .contains(wanted_, Qt::CaseInsensitive);
        const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b; };
        return std::search(text.begin(), text.end(), folded_.begin(), folded_.end(), same) != text.end() ||
               folded_.empty();
    }

private:
    QString wanted_;
    std::string folded_;
    bool ascii_ = true;
};

/// Which classes or groups pass.
std::vector<bool> passing(const ClassLabels& labels, const auto& wanted) {
    std::vector<bool> pass;
    for (const std::string& name : labels.names)
        pass.push_back(wanted(name));
    return pass;
}

/// Samples of a class or of a group.
SampleSet ofName(const ClassLabels& labels, SetId id, const std::string& name) {
    const std::vector<bool> pass = passing(labels, [&](const std::string& one) { return one == name; });
    return SampleSet::where(id, labels.code.size(), [&](std::size_t row) { return pass[labels.code[row]]; });
}

SampleSet withText(const EmbeddingSet& set, SetId id, const QString& text) {
    const TextSearch search(text);
    const auto matches = [&](const std::string& name) { return search.isIn(name); };
    const std::vector<bool> classes = passing(set.labels(), matches);
    const std::vector<bool> groups = passing(set.groups(), matches);
    const bool labels = set.hasLabels();
    const bool grouped = set.hasGroups();
    const bool numbered = !set.hasIds();
    return SampleSet::where(id, set.rows(), [&](std::size_t row) {
        if ((labels && classes[set.labels().code[row]]) || (grouped && groups[set.groups().code[row]]))
            return true;
        if (!numbered)
            return search.isIn(set.idText(row));
        char digits[24];
        const char* end = std::to_chars(digits, digits + sizeof digits, row).ptr;
        return search.isIn({digits, static_cast<std::size_t>(end - digits)});
    });
}

SampleSet inRange(const std::vector<double>& values, SetId id, const ViewFilter::Range& range) {
    return SampleSet::where(id, values.size(),
                            [&](std::size_t row) { return values[row] >= range.low && values[row] <= range.high; });
}

/// The rows of one set that pass the filter.
SampleSet shownOf(const ViewState& state, const EmbeddingSet& set, SetId id) {
    const ViewFilter& filter = state.filter;
    SampleSet shown = SampleSet::all(id, set.rows());
    if (filter.className)
        shown &= ofName(set.labels(), id, *filter.className);
    if (filter.groupName)
        shown &= ofName(set.groups(), id, *filter.groupName);
    if (!filter.text.isEmpty())
        shown &= withText(set, id, filter.text);
    if (filter.range) {
        const Column* column = state.findColumn(filter.range->column);
        if (column && isReal(id) == (column->side == Side::Real) && state.current().hasColumn(column->id))
            shown &= inRange(state.current().column(column->id), id, *filter.range);
    }
    if (filter.among && filter.among->countIn(id) > 0)
        shown &= *filter.among;
    return shown;
}

} // namespace

ViewFilter ViewFilter::only(const SampleSet& samples) const {
    ViewFilter filter = *this;
    filter.among = std::make_shared<const SampleSet>(samples);
    return filter;
}

ViewFilter ViewFilter::toggledOnly(const SampleSet& samples) const {
    ViewFilter filter = only(samples);
    if (isOnly(samples))
        filter.among.reset();
    return filter;
}

ViewFilter ViewFilter::toggledClass(const std::string& name) const {
    ViewFilter filter = *this;
    filter.className = className == name ? std::nullopt : std::optional(name);
    return filter;
}

ViewFilter ViewFilter::toggledGroup(const std::string& name) const {
    ViewFilter filter = *this;
    filter.groupName = groupName == name ? std::nullopt : std::optional(name);
    return filter;
}

bool operator==(const ViewFilter& a, const ViewFilter& b) {
    const bool sameAmong = a.among == b.among || (a.among && b.among && *a.among == *b.among);
    return a.className == b.className && a.groupName == b.groupName && a.text == b.text && a.range == b.range &&
           sameAmong;
}

std::shared_ptr<const SampleSet> shownBy(const ViewState& state) {
    if (state.filter.empty() || !state.hasModel())
        return nullptr;
    return std::make_shared<const SampleSet>(shownOf(state, *state.audit->real->set, SetId::Real) |
                                             shownOf(state, *state.current().set, state.currentSet()));
}

const Finding* filteredFinding(const ViewState& state) {
    const ViewFilter& filter = state.filter;
    if (!state.hasModel() || !filter.among || filter.className || filter.groupName || !filter.text.isEmpty() ||
        filter.range)
        return nullptr;
    for (const Finding& finding : state.current().findings) {
        const SetId set = finding.side == Side::Real ? SetId::Real : state.currentSet();
        if (finding.rows.size() == filter.among->size() && *filter.among == SampleSet(set, finding.rows))
            return &finding;
    }
    return nullptr;
}

QString filterText(const ViewFilter& filter) {
    QStringList parts;
    if (filter.className)
        parts << ViewFilterWords::tr("class %1").arg(QString::fromStdString(*filter.className));
    if (filter.groupName)
        parts << ViewFilterWords::tr("group %1").arg(QString::fromStdString(*filter.groupName));
    if (!filter.text.isEmpty())
        parts << ViewFilterWords::tr("\u201c%1\u201d in id, class or group").arg(filter.text);
    if (filter.range) {
        const Column* column = findColumn(filter.range->column);
        const auto value = [&](double number) {
            return column ? formatValue(number, *column) : formatValue(number, Unit::Ratio);
        };
        if (column || isExternal(filter.range->column))
            parts << ViewFilterWords::tr("%1 %2 to %3")
                         .arg(column ? catalogText(column->title) : externalName(filter.range->column),
                              value(filter.range->low), value(filter.range->high));
    }
    if (filter.among)
        parts << ViewFilterWords::tr("%1 chosen").arg(formatCount(filter.among->size()));
    return parts.join(QStringLiteral(", "));
}

} // namespace assay
