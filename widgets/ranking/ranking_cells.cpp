#include "widgets/ranking/ranking_cells.h"

#include "engine/data/brief_text.h"
#include "widgets/common/colors.h"
#include "widgets/common/number_format.h"
#include "widgets/common/verdict_words.h"
#include "widgets/grid/sample_texts.h"
#include "widgets/link/decision_text.h"
#include "widgets/link/sample_selection.h"
#include "widgets/ranking/ranking_model.h"
#include "widgets/ranking/ranking_picker.h"
#include "widgets/text/names.h"

#include <QCoreApplication>

#include <algorithm>

namespace assay {
namespace {

constexpr int kDigits = 3;

/// Translation context of this file's texts.
struct CellWords {
    Q_DECLARE_TR_FUNCTIONS(assay::RankingCells)
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

} // namespace

std::size_t RankingCells::size() const {
    return model_->size();
}

const ViewState& RankingCells::state(bool /*heldOut*/) const {
    return model_->state();
}

bool RankingCells::isNearestShown() const {
    return model_->state().hasModel() && (nearestShown_ || model_->order().column == "copy_ratio") &&
           model_->size() > 0 && nearestTo(model_->sampleAt(0)).has_value();
}

std::optional<SampleId> RankingCells::nearestTo(SampleId sample) const {
    return nearestOther(*state().audit, state().model, sample);
}

Evidence RankingCells::ranked(std::uint32_t row) const {
    const Verdict test = testOf(model_->order().column).value_or(Verdict::Good);
    return test == Verdict::Good ? model_->evidence().strongest(row) : model_->evidence().of(test, row);
}

QString RankingCells::idOf(std::uint32_t row) const {
    return QString::fromStdString(model_->listed().idText(row));
}

QString RankingCells::evidenceText(const Evidence& evidence) const {
    return assay::evidenceText(evidence, kDigits, *model_->state().audit);
}

QString RankingCells::valueAt(std::size_t at) const {
    const std::uint32_t row = model_->sampleAt(at).row;
    const Column* column = model_->rankedColumn();
    const int section = model_->sectionOf(model_->order().column);
    if (column == nullptr || column->unit == Unit::Row)
        return section < 0 ? QString() : model_->cellText(section, row);
    return formatValue(model_->rankedValue(row), *column);
}

QString RankingCells::caption(std::size_t at) const {
    const std::uint32_t row = model_->sampleAt(at).row;
    if (model_->order().column == "id")
        return idOf(row);
    if (testOf(model_->order().column))
        if (const QString text = evidenceText(ranked(row)); !text.isEmpty())
            return text;
    const QString value = valueAt(at);
    const bool ties = (at > 0 && valueAt(at - 1) == value) || (at + 1 < size() && valueAt(at + 1) == value);
    const QString evidence = ties ? evidenceText(model_->evidence().strongest(row)) : QString();
    if (value.isEmpty())
        return evidence.isEmpty() ? idOf(row) : evidence;
    return evidence.isEmpty() ? value : CellWords::tr("%1, %2").arg(value, evidence);
}

QString RankingCells::widestCaption() const {
    return model_->order().column == "id" ? QStringLiteral("0")
                                          : CellWords::tr("3.15\u00d7 the usual distance", "a long caption");
}

GridBadge RankingCells::badge(Verdict verdict, const QPalette& palette) {
    if (verdict == Verdict::Good)
        return {};
    const QString word = verdictWord(verdict);
    // "Copy" and "crowded" begin with one letter.
    return {word,
            verdict == Verdict::Crowded ? CellWords::tr("D", "verdict: crowded, too dense") : word.left(1).toUpper(),
            colors::verdict(verdict, palette)};
}

GridBadge RankingCells::badge(CoverageVerdict verdict, const QPalette& palette) {
    if (verdict == CoverageVerdict::Covered)
        return {};
    const QString word = verdictWord(verdict);
    return {word, word.left(1).toUpper(), colors::real(palette)};
}

GridPicture RankingCells::nearestPicture(SampleId nearest, const QPalette& palette) const {
    const bool real = isReal(nearest.set);
    GridPicture picture{nearest};
    picture.strip = real ? colors::real(palette) : colors::synthetic(palette);
    picture.tag = {real ? CellWords::tr("real") : CellWords::tr("synthetic"), {}, picture.strip};
    return picture;
}

GridCell RankingCells::cell(std::size_t at, const QPalette& palette) const {
    const SampleId sample = model_->sampleAt(at);
    GridPicture picture{sample};
    if (model_->rankedColumn() != nullptr)
        picture.strip = picture.tint = colors::score(model_->rankedShade(sample.row), palette);
    picture.badge = badge(model_->verdictOf(sample.row), palette);
    if (picture.badge.word.isEmpty())
        picture.badge = badge(model_->coverageVerdictOf(sample.row), palette);
    if (model_->state().tagsOf(sample) != 0) // by name where there is room for it, else by number
        picture.tag = {picture.badge.word.isEmpty() ? tagsText(model_->state(), sample) : QString(),
                       QString::fromStdString(assay::tagsText(model_->state().tagsOf(sample)))};
    GridCell cell{{picture}, caption(at)};
    if (isNearestShown())
        if (const auto nearest = nearestTo(sample))
            cell.pictures.push_back(nearestPicture(*nearest, palette));
    return cell;
}

QString RankingCells::note(std::size_t at, std::size_t picture) const {
    if (model_->order().column == "id" || picture > 0)
        return {};
    const QString definition =
        evidenceSentence(ranked(model_->sampleAt(at).row), model_->order().side, *model_->state().audit);
    return definition.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(definition.toHtmlEscaped());
}

QString RankingCells::spokenText(std::size_t at, std::size_t /*picture*/) const {
    const SampleId sample = model_->sampleAt(at);
    QStringList parts{sampleCaption(*state().audit, sample)};
    if (model_->order().column != "id")
        parts << caption(at);
    if (const Verdict verdict = model_->verdictOf(sample.row); verdict != Verdict::Good)
        parts << verdictWord(verdict);
    if (const CoverageVerdict coverage = model_->coverageVerdictOf(sample.row); coverage != CoverageVerdict::Covered)
        parts << verdictWord(coverage);
    parts << decisionText(state(), sample) << tagsText(state(), sample);
    parts.removeAll(QString());
    return parts.join(CellWords::tr(", "));
}

std::optional<GridPlace> RankingCells::find(SampleId sample) const {
    const auto at = model_->positionOf(sample);
    return at ? std::optional(GridPlace{*at, 0}) : std::nullopt;
}

void RankingCells::choose(GridPlace place, Qt::KeyboardModifiers modifiers) {
    picker_->click(place.cell, modifiers);
}

bool RankingCells::takesKey(QKeyEvent* event) {
    return picker_->key(event, [](int, std::optional<std::size_t>) { return std::nullopt; });
}

const std::vector<SampleGroup>& RankingCells::groups() const {
    return model_->groups();
}

std::optional<SampleId> RankingCells::headingSample(std::size_t group) const {
    if (model_->listedGrouping() != RankingGrouping::Nearest)
        return std::nullopt;
    return SampleId{model_->order().side == Side::Real ? model_->state().currentSet() : SetId::Real,
                    groups()[group].key};
}

QString RankingCells::nearHeading(std::size_t group, SampleId near) const {
    const EmbeddingSet& set = state().audit->setOf(near.set);
    const QString id = QString::fromStdString(briefText(set.idText(near.row)));
    const QString text = (isReal(near.set) ? CellWords::tr("%1 near real %2") : CellWords::tr("%1 near synthetic %2"))
                             .arg(formatCount(groups()[group].count), id);
    return set.hasLabel(near.row) ? CellWords::tr("%1 (%2)").arg(text, classText(set.labelText(near.row))) : text;
}

QString RankingCells::headingText(std::size_t group) const {
    const SampleGroup& of = groups()[group];
    const QString count = formatCount(of.count);
    if (const auto near = headingSample(group))
        return nearHeading(group, *near);
    if (model_->listedGrouping() == RankingGrouping::Class) {
        const std::string& name = model_->listed().labels().names[of.key];
        return name.empty() ? CellWords::tr("%1 without a class").arg(count)
                            : CellWords::tr("%1 of %2", "number, class").arg(count, classText(name));
    }
    if (model_->order().side == Side::Synthetic && static_cast<Verdict>(of.key) == Verdict::Copy && of.count != 1)
        return CellWords::tr("%1 copies").arg(count);
    return CellWords::tr("%1 %2", "number, verdict")
        .arg(count, model_->order().side == Side::Real ? verdictWord(static_cast<CoverageVerdict>(of.key))
                                                       : verdictWord(static_cast<Verdict>(of.key)));
}

void RankingCells::chooseGroup(std::size_t group, Qt::KeyboardModifiers modifiers) {
    // Selecting a group alone would empty a list of the selected ones while the keys walk over it.
    if (model_->show() != RankingShow::Selected || modifiers != Qt::NoModifier)
        model_->selection()->chooseBy(modifiers, model_->samplesOf(group));
}

} // namespace assay
