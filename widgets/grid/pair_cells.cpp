#include "widgets/grid/pair_cells.h"

#include "engine/metrics/catalog/catalog.h"
#include "engine/report/glossary/glossary.h"
#include "widgets/common/number_format.h"
#include "widgets/link/sample_selection.h"

#include <QCoreApplication>

namespace assay {
namespace {

/// Translation context of this file's texts.
struct PairWords {
    Q_DECLARE_TR_FUNCTIONS(assay::PairsPanel)
};

QString definitionOf(PairKind kind) {
    switch (kind) {
    case PairKind::Duplicates:
        return PairWords::tr("Distance between the two samples, divided by how far apart real samples are in that "
                             "place: the distance from the nearest real sample to its own nearest real neighbour. Of "
                             "the two samples' values the smaller one counts.");
    case PairKind::Copies:
        return PairWords::tr(
            "Distance to the nearest real sample, divided by the distance from that real sample to its own nearest "
            "real neighbour. It points to copying only if the model was trained on the real set.");
    case PairKind::Leaks:
        return PairWords::tr("Distance from the held-out sample to the nearest real one, divided by the distance from "
                             "that real sample to its own nearest real neighbour.");
    case PairKind::Exposed:
        break; // the definition of its column
    }
    return {};
}

} // namespace

QString pairKindText(PairKind kind) {
    switch (kind) {
    case PairKind::Duplicates:
        return PairWords::tr("near duplicates");
    case PairKind::Copies:
        return PairWords::tr("copies of real samples");
    case PairKind::Leaks:
        return PairWords::tr("in real and held-out set");
    case PairKind::Exposed:
        return PairWords::tr("exposed real samples");
    }
    return {};
}

QString ratioCaption(PairKind kind, const SamplePair& pair) {
    if (kind == PairKind::Exposed)
        return pair.ratio > 0.0 ? PairWords::tr("nearer than %1").arg(formatPercent(1.0 - pair.ratio))
                                : PairWords::tr("nearer than all held-out");
    return pair.distance == 0.0 ? PairWords::tr("equal") : PairWords::tr("ratio %1").arg(formatNumber(pair.ratio));
}

QString distanceCaption(const SamplePair& pair) {
    return PairWords::tr("distance %1").arg(formatNumber(pair.distance));
}

QString thresholdText(PairKind kind, double threshold) {
    if (kind == PairKind::Exposed)
        return PairWords::tr("Marked pairs: nearer to the synthetic set than 99 % of the held-out samples are.");
    if (threshold < 0.0)
        return PairWords::tr("No pair is marked: more than 1 % of the real samples have exact duplicates themselves.");
    if (threshold == 0.0)
        return PairWords::tr("Only equal samples are marked: too few real samples for a threshold.");
    const QString ratio = formatNumber(threshold);
    return kind == PairKind::Duplicates
               ? PairWords::tr("Pairs with a ratio below %1 are marked. 1 % of good samples get that low by chance.")
                     .arg(ratio)
               : PairWords::tr(
                     "Pairs with a ratio below %1 are marked. 1 % of real samples are that close to each other.")
                     .arg(ratio);
}

QString ratioToolTip(PairKind kind, double threshold, const SamplePair& pair) {
    if (kind == PairKind::Exposed)
        return metricToolTip(*findColumn("membership_rank")) + QStringLiteral("<br>") +
               PairWords::tr("%1 of the held-out samples are as near. Distance %2.")
                   .arg(formatPercent(pair.ratio), formatNumber(pair.distance)) +
               QStringLiteral("<br>") + thresholdText(kind, threshold).toHtmlEscaped();
    const auto line = [](const QString& name, double value) {
        return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=\"right\">%2</td></tr>")
            .arg(name.toHtmlEscaped(), formatNumber(value));
    };
    GlossaryEntry ratio = *findGlossaryEntry("word/pair_ratio");
    const std::string meaning = definitionOf(kind).toStdString();
    ratio.meaning = meaning;
    if (kind == PairKind::Duplicates)
        ratio.formula = {}; // it is that of pairs with a real sample
    return definitionToolTip(ratio) + QStringLiteral("<br>") + thresholdText(kind, threshold).toHtmlEscaped() +
           QStringLiteral("<table>") + line(PairWords::tr("Ratio"), pair.ratio) +
           line(PairWords::tr("Distance"), pair.distance) + QStringLiteral("</table>");
}

QString heldOutNote() {
    return PairWords::tr(
        "This is a held-out sample, which cannot be selected. Select the real sample beside it instead.<br>");
}

void PairCells::setState(const ViewState& state) {
    state_ = state;
    heldOutState_ = {};
    heldOutState_.audit = pairs_->heldOutAudit();
}

GridLook PairCells::look() {
    return {.edge = kPicture, .gap = 14, .stops = GridLook::Stops::Pictures, .pictureCaptions = true};
}

GridCell PairCells::cell(std::size_t at, const QPalette& /*palette*/) const {
    GridCell cell;
    for (const PairSide side : {PairSide::Left, PairSide::Right}) {
        GridPicture picture{pairs_->sampleAt({at, side}), pairs_->isHeldOut(side)};
        const EmbeddingSet& set = pairs_->auditOf(side).setOf(picture.sample.set);
        picture.caption = QString::fromStdString(set.idText(picture.sample.row));
        cell.pictures.push_back(picture);
    }
    const SamplePair& pair = pairs_->pairAt(at);
    cell.caption = ratioCaption(pairs_->kind(), pair) + u'\n' + distanceCaption(pair);
    cell.marked = at < pairs_->remarkable();
    return cell;
}

QString PairCells::widestCaption() const {
    return QStringLiteral("0\n0"); // two lines
}

const ViewState& PairCells::state(bool heldOut) const {
    return heldOut ? heldOutState_ : state_;
}

QString PairCells::note(std::size_t /*at*/, std::size_t picture) const {
    return pairs_->isHeldOut(sideOf(picture)) ? heldOutNote() : QString();
}

QString PairCells::captionHint(std::size_t at) const {
    return ratioToolTip(pairs_->kind(), pairs_->all().threshold, pairs_->pairAt(at));
}

QString PairCells::spokenText(std::size_t at, std::size_t picture) const {
    const SampleId sample = pairs_->sampleAt({at, sideOf(picture)});
    const SamplePair& pair = pairs_->pairAt(at);
    const EmbeddingSet& set = pairs_->auditOf(sideOf(picture)).setOf(sample.set);
    return SampleGrid::tr("%1 of %2, %3, %4")
        .arg(QString::fromStdString(set.idText(sample.row)), QString::fromStdString(set.name()),
             ratioCaption(pairs_->kind(), pair), distanceCaption(pair));
}

std::optional<GridPlace> PairCells::find(SampleId sample) const {
    const auto cell = pairs_->find(sample);
    return cell ? std::optional(GridPlace{cell->position, cell->side == PairSide::Left ? std::size_t{0} : 1})
                : std::nullopt;
}

void PairCells::choose(GridPlace place, Qt::KeyboardModifiers modifiers) {
    const SampleId sample = pairs_->sampleAt({place.cell, sideOf(place.picture)});
    selection_->chooseBy(modifiers, {sample}, sample);
}

} // namespace assay
