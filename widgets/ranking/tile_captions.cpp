#include "widgets/ranking/tile_captions.h"

#include "widgets/common/number_format.h"
#include "widgets/ranking/ranking_model.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

namespace assay {
namespace {

constexpr int kFewestDigits = 3;
constexpr int kMostDigits = 5;

/// Translation context of this file's texts.
struct CaptionWords {
    Q_DECLARE_TR_FUNCTIONS(assay::TileCaptions)
};

/// The test that a column is about; Good: no test in particular. Nothing for a column that is no verdict.
std::optional<Verdict> testOf(const std::string& column) {
    if (column == "p_any" || column == "q_any" || column == "verdict" || column == "evidence" ||
        column == "p_uncovered" || column == "q_uncovered" || column == "coverage_verdict" ||
        column == "coverage_ratio")
        return Verdict::Good;
    if (column == "p_copy" || column == "copy_ratio")
        return Verdict::Copy;
    if (column == "p_over_represented" || column == "log_density_ratio")
        return Verdict::Crowded;
    if (column == "p_unrealistic")
        return Verdict::Unrealistic;
    return std::nullopt;
}

/// Calls `see` for every other position near one, until it returns false.
void forNear(std::size_t position, std::size_t size, const std::function<bool(std::size_t)>& see) {
    const std::size_t first = position - std::min(position, TileCaptions::kNear);
    const std::size_t end = std::min(size, position + TileCaptions::kNear + 1);
    for (std::size_t at = first; at < end; ++at)
        if (at != position && !see(at))
            return;
}

} // namespace

bool TileCaptions::ranksByEvidence() const {
    return testOf(model_->order().column).has_value();
}

Evidence TileCaptions::ranked(std::uint32_t row) const {
    const Verdict test = testOf(model_->order().column).value_or(Verdict::Good);
    return test == Verdict::Good ? model_->evidence().strongest(row) : model_->evidence().of(test, row);
}

QString TileCaptions::idOf(std::uint32_t row) const {
    return QString::fromStdString(model_->listed().idText(row));
}

QString TileCaptions::at(std::size_t position) const {
    if (model_->order().column == "id")
        return idOf(model_->sampleAt(position).row);
    return ranksByEvidence() ? evidenceAt(position) : valueAt(position);
}

QString TileCaptions::evidenceAt(std::size_t position) const {
    const std::uint32_t row = model_->sampleAt(position).row;
    const Evidence evidence = ranked(row);
    if (evidence.kind == Evidence::Kind::None)
        return valueAt(position);
    int digits = kFewestDigits;
    bool repeats = false;
    forNear(position, model_->size(), [&](std::size_t near) {
        const Evidence other = ranked(model_->sampleAt(near).row);
        while (!repeats && readsAlike(evidence, other, digits)) {
            repeats = digits == kMostDigits || evidence == other;
            ++digits;
        }
        return !repeats;
    });
    const QString text = evidenceText(evidence, repeats ? kFewestDigits : digits, *model_->state().audit);
    return repeats ? CaptionWords::tr("%1 (%2)").arg(text, idOf(row)) : text;
}

QString TileCaptions::valueOf(std::uint32_t row) const {
    const Column* column = model_->rankedColumn();
    const int section = model_->sectionOf(model_->order().column);
    if (column == nullptr || column->unit == Unit::Row)
        return section < 0 ? QString() : model_->cellText(section, row);
    return formatValue(model_->rankedValue(row), *column);
}

QString TileCaptions::valueAt(std::size_t position) const {
    const std::uint32_t row = model_->sampleAt(position).row;
    const QString value = valueOf(row);
    const Evidence evidence = model_->evidence().strongest(row);
    bool ties = false;
    bool repeats = evidence.kind == Evidence::Kind::None;
    int digits = kFewestDigits;
    forNear(position, model_->size(), [&](std::size_t near) {
        const std::uint32_t other = model_->sampleAt(near).row;
        if (valueOf(other) != value)
            return true;
        ties = true;
        const Evidence its = model_->evidence().strongest(other);
        while (!repeats && readsAlike(evidence, its, digits)) {
            repeats = digits == kMostDigits || evidence == its;
            ++digits;
        }
        return !repeats;
    });
    if (!ties)
        return value.isEmpty() ? idOf(row) : value;
    const QString more = repeats ? idOf(row) : evidenceText(evidence, digits, *model_->state().audit);
    return value.isEmpty() ? more : CaptionWords::tr("%1, %2").arg(value, more);
}

QString TileCaptions::definition(std::size_t position) const {
    if (model_->order().column == "id")
        return {};
    return evidenceSentence(ranked(model_->sampleAt(position).row), model_->order().side, *model_->state().audit);
}

} // namespace assay
